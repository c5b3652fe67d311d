//! `vague`: a rule leaves its measure to the reader.

use crate::document::{Kind, Span};
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::{InstructionFile, Material};
use crate::lint::mentions;
use crate::lint::registry::{Group, RuleInfo};

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "vague",
    group: Group::Rules,
    severity: Severity::Hint,
    summary: "a rule leaves its measure to the reader",
    page: include_str!("../../../docs/rules/vague.md"),
    hosts: &[],
    since: "0.1.0",
};

/// One finding for each item.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for subject in mentions::subjects(material) {
        findings.extend(places(material, subject.file).into_iter().map(|(span, word)| Finding {
            rule: INFO.id,
            severity: INFO.severity,
            message: format!("nobody can tell from a change whether `{word}` was kept"),
            primary: Location { path: subject.file.path.clone(), span, label: String::new() },
            related: Vec::new(),
            help: Some("say what a reviewer would look at, name a check, or leave it out".to_owned()),
            hosts: Vec::new(),
            fix: None,
        }));
    }
}

/// The rules and the word that is vague. A rule that names a command, evidence or a place says enough beside it.
pub fn places(_: &Material<'_>, file: &InstructionFile) -> Vec<(Span, String)> {
    let rules = file.items().iter().filter(|item| item.kind == Kind::Rule && item.evidence.is_none());
    let vague = rules.filter(|item| item.commands.is_empty() && !item.text.contains('`'));
    vague.filter_map(|item| Some((item.span.clone(), item.vague.clone()?))).collect()
}
