//! `rules-summary`: what the hints about a file come to, in one line.

use super::{no_command, no_evidence, permission_prose, temporary, topic_pointer, unscoped, vague};
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::Material;
use crate::lint::mentions;
use crate::lint::registry::{Group, RuleInfo};

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "rules-summary",
    group: Group::Rules,
    severity: Severity::Hint,
    summary: "what the hints about a file come to, in one line",
    page: include_str!("../../../docs/rules/rules-summary.md"),
    hosts: &[],
    since: "0.1.0",
};

/// One finding for each file about which there is a hint.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for subject in mentions::subjects(material) {
        let file = subject.file;
        let (rules, without_evidence) = no_evidence::count(file);
        let counts = [
            ("vague", vague::places(material, file).len()),
            ("without a scope", unscoped::places(material, file).len()),
            ("without the command they ask for", no_command::places(material, file).len()),
            ("without evidence", without_evidence.len()),
            ("that only permissions could enforce", permission_prose::places(material, file).len()),
            ("pointers without a moment", topic_pointer::places(material, file).len()),
            ("statements tied to a time", temporary::places(material, file).len()),
        ];
        let parts: Vec<String> =
            counts.iter().filter(|(_, count)| *count > 0).map(|(what, count)| format!("{count} {what}")).collect();
        if parts.is_empty() {
            continue;
        }
        findings.push(Finding {
            rule: INFO.id,
            severity: INFO.severity,
            message: format!("{rules} rules: {}", parts.join(", ")),
            primary: Location { path: file.path.clone(), span: 0..0, label: String::new() },
            related: Vec::new(),
            help: Some("`--persona pedantic` shows them line by line".to_owned()),
            hosts: Vec::new(),
            fix: None,
        });
    }
}
