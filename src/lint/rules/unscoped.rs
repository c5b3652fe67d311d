//! `unscoped`: a rule without any scope loads everywhere.

use crate::document::rule::ScopeSource;
use crate::document::{Kind, Span};
use crate::inventory::owner;
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::{InstructionFile, Material};
use crate::lint::mentions;
use crate::lint::registry::{Group, RuleInfo};
use crate::survey::Reading;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "unscoped",
    group: Group::Rules,
    severity: Severity::Hint,
    summary: "a rule that loads everywhere does not say where it applies",
    page: include_str!("../../../docs/rules/unscoped.md"),
    hosts: &[],
    since: "0.1.0",
};

/// One finding for each item.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for subject in mentions::subjects(material) {
        findings.extend(places(material, subject.file).into_iter().map(|span| Finding {
            rule: INFO.id,
            severity: INFO.severity,
            message: "this rule loads with every task and does not say where it applies".to_owned(),
            primary: Location { path: subject.file.path.clone(), span, label: String::new() },
            related: Vec::new(),
            help: Some("name the paths or the kind of work, put it under a heading that does, or move it into a nested or scoped file".to_owned()),
            hosts: Vec::new(),
            fix: None,
        }));
    }
}

/// The rules of a file that loads with every task which neither they nor their headings limit.
pub fn places(material: &Material<'_>, file: &InstructionFile) -> Vec<Span> {
    let at_launch = file.readings.iter().any(|(_, directory, way)| *directory == 0 && *way == Reading::AtLaunch);
    if !at_launch || owner(material.root, &file.absolute) != material.root {
        return Vec::new();
    }
    let rules = file.items().iter().filter(|item| item.kind == Kind::Rule);
    rules.filter(|item| item.scope.source == ScopeSource::None).map(|item| item.span.clone()).collect()
}
