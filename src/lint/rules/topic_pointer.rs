//! `topic-pointer`: a pointer says what a document is about, not when to read it.

use crate::document::Span;
use crate::document::rule::PointerTrigger;
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::{InstructionFile, Material};
use crate::lint::mentions;
use crate::lint::registry::{Group, RuleInfo};

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "topic-pointer",
    group: Group::Rules,
    severity: Severity::Hint,
    summary: "a pointer names a subject instead of the moment to follow it",
    page: include_str!("../../../docs/rules/topic-pointer.md"),
    hosts: &[],
    since: "0.1.0",
};

/// One finding for each item.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for subject in mentions::subjects(material) {
        findings.extend(places(material, subject.file).into_iter().map(|span| Finding {
            rule: INFO.id,
            severity: INFO.severity,
            message: "this says what is to be read, not when".to_owned(),
            primary: Location { path: subject.file.path.clone(), span, label: String::new() },
            related: Vec::new(),
            help: Some("begin with the moment: before changing this, when that fails".to_owned()),
            hosts: Vec::new(),
            fix: None,
        }));
    }
}

/// The pointers that no moment sets off.
pub fn places(_: &Material<'_>, file: &InstructionFile) -> Vec<Span> {
    let pointers = file.items().iter().filter(|item| item.trigger == Some(PointerTrigger::Topic));
    pointers.map(|item| item.span.clone()).collect()
}
