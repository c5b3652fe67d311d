//! `no-command`: a rule asks for a run and does not say of what.

use crate::document::classify::Directive;
use crate::document::reference::mask_code;
use crate::document::rule::CommandStatus;
use crate::document::{Kind, Span};
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::{InstructionFile, Material};
use crate::lint::mentions;
use crate::lint::registry::{Group, RuleInfo};
use regex::Regex;
use std::sync::OnceLock;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "no-command",
    group: Group::Rules,
    severity: Severity::Hint,
    summary: "a rule asks for a run and does not say what to run",
    page: include_str!("../../../docs/rules/no-command.md"),
    hosts: &[],
    since: "0.1.0",
};

/// One finding for each item.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for subject in mentions::subjects(material) {
        findings.extend(places(material, subject.file).into_iter().map(|(span, wanted)| Finding {
            rule: INFO.id,
            severity: INFO.severity,
            message: format!("`{wanted}` names no command that can be run"),
            primary: Location { path: subject.file.path.clone(), span, label: String::new() },
            related: Vec::new(),
            help: Some("write the command as it is typed, in backticks".to_owned()),
            hosts: Vec::new(),
            fix: None,
        }));
    }
}

/// The rules that ask for a run, and the words that do.
pub fn places(_: &Material<'_>, file: &InstructionFile) -> Vec<(Span, String)> {
    let rules = file.items().iter().filter(|item| {
        item.kind == Kind::Rule && item.directive == Some(Directive::Obligation) && item.command == CommandStatus::None
    });
    rules.filter_map(|item| Some((item.span.clone(), wanted(&mask_code(&item.text))?))).collect()
}

/// The words that ask for a run of something that has a command in every project.
fn wanted(text: &str) -> Option<String> {
    static SHAPE: OnceLock<Option<Regex>> = OnceLock::new();
    let shape = SHAPE.get_or_init(|| {
        Regex::new(
            r"(?ix)\b(?:re-?)?(?:run|execute|rerun)\s+(?:(?:the|all|any|your|our|full|relevant|affected|unit|integration)\s+)*
              (?:test\s+suites?|tests?|linters?|lints?|formatters?|type\s?checks?|type\s?checker|checks|build|migrations?|codegen|code\s+generator)\b
              | \bregenerate\s+(?:the\s+)?\w+ | \bformat\s+(?:the\s+|all\s+|your\s+)?code\b",
        )
        .ok()
    });
    shape.as_ref()?.find(text).map(|found| found.as_str().split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_runs_want_a_command() {
        assert_eq!(wanted("Always run the full test suite").as_deref(), Some("run the full test suite"));
        assert_eq!(wanted("Keep functions short"), None);
        assert_eq!(wanted("Tests must not run in parallel"), None);
    }
}
