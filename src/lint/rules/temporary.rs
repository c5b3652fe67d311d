//! `temporary`: a statement is tied to the day on which it was written.

use crate::document::{Kind, Span};
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::{InstructionFile, Material};
use crate::lint::mentions;
use crate::lint::registry::{Group, RuleInfo};

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "temporary",
    group: Group::Rules,
    severity: Severity::Hint,
    summary: "a statement is tied to the time of its writing",
    page: include_str!("../../../docs/rules/temporary.md"),
    hosts: &[],
    since: "0.1.0",
};

/// One finding for each item.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for subject in mentions::subjects(material) {
        findings.extend(places(material, subject.file).into_iter().map(|(span, word)| Finding {
            rule: INFO.id,
            severity: INFO.severity,
            message: format!("`{word}` will be wrong one day, and nothing will say so"),
            primary: Location { path: subject.file.path.clone(), span, label: String::new() },
            related: Vec::new(),
            help: Some("say what ends it (a version, an issue, a file), or leave it to the change log".to_owned()),
            hosts: Vec::new(),
            fix: None,
        }));
    }
}

/// The statements and the word or date that ties them.
pub fn places(_: &Material<'_>, file: &InstructionFile) -> Vec<(Span, String)> {
    let statements = file.items().iter().filter(|item| !matches!(item.kind, Kind::Example | Kind::Heading));
    statements.filter_map(|item| Some((item.span.clone(), item.temporary.clone()?))).collect()
}
