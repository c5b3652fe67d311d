//! `permission-prose`: prose asks for what only permissions enforce.

use crate::document::Span;
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::{InstructionFile, Material};
use crate::lint::mentions;
use crate::lint::registry::{Group, RuleInfo};

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "permission-prose",
    group: Group::Rules,
    severity: Severity::Hint,
    summary: "prose asks for what only the permissions of a host enforce",
    page: include_str!("../../../docs/rules/permission-prose.md"),
    hosts: &[],
    since: "0.1.0",
};

/// One finding for each item.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for subject in mentions::subjects(material) {
        findings.extend(places(material, subject.file).into_iter().map(|span| Finding {
            rule: INFO.id,
            severity: INFO.severity,
            message: "a sentence does not keep an agent from reading a file".to_owned(),
            primary: Location { path: subject.file.path.clone(), span, label: String::new() },
            related: Vec::new(),
            help: Some(
                "deny it in the permissions of each host, or in its sandbox; keep the sentence as a reason".to_owned(),
            ),
            hosts: Vec::new(),
            fix: None,
        }));
    }
}

/// The rules that only ask.
pub fn places(_: &Material<'_>, file: &InstructionFile) -> Vec<Span> {
    file.items().iter().filter(|item| item.permission_only).map(|item| item.span.clone()).collect()
}
