//! `stale-tree`: a drawn folder tree has an entry that the real one lacks.

use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::lost_paths::copies;
use crate::lint::material::Material;
use crate::lint::mentions::{self, Lost};
use crate::lint::registry::{Group, RuleInfo};
use crate::project::parent;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "stale-tree",
    group: Group::References,
    severity: Severity::Warning,
    summary: "a drawn folder tree has an entry that does not exist",
    page: include_str!("../../../docs/rules/stale-tree.md"),
    hosts: &[],
    since: "0.1.0",
};

/// One finding for each lost part of a tree.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for subject in mentions::subjects(material) {
        let file = subject.file;
        for mention in file.mentions(material.project) {
            let Lost::Drawn { missing, below, .. } = &mention.lost else { continue };
            let folder = match parent(&missing.path) {
                "" => "the root".to_owned(),
                folder => format!("`{folder}`"),
            };
            let count = match below.len() {
                0 => String::new(),
                1 => ", nor the entry below it".to_owned(),
                n => format!(", nor the {n} entries below it"),
            };
            let name = missing.path.rsplit('/').next().unwrap_or(&missing.path);
            let location = |span: &std::ops::Range<usize>| Location {
                path: file.path.clone(),
                span: span.clone(),
                label: String::new(),
            };
            findings.push(Finding {
                rule: INFO.id,
                severity: INFO.severity,
                message: format!("{folder} has no `{name}`{count}"),
                primary: location(&mention.span),
                related: below.iter().map(location).chain(copies(&subject)).collect(),
                help: Some(match missing.suggestions.first() {
                    Some(path) => format!("`{path}` has that name; draw what is there, or leave the tree out"),
                    None => "draw what is there, or leave the tree out: an agent can list the folder".to_owned(),
                }),
                hosts: Vec::new(),
                fix: None,
            });
        }
    }
}
