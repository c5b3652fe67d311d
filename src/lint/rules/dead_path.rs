//! `dead-path`: inline code names a path that is not there.

use crate::lint::finding::{Finding, Severity};
use crate::lint::lost_paths::{self, Words};
use crate::lint::material::Material;
use crate::lint::mentions::{self, Lost};
use crate::lint::registry::{Group, RuleInfo};

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "dead-path",
    group: Group::References,
    severity: Severity::Warning,
    summary: "the text names a path that does not exist",
    page: include_str!("../../../docs/rules/dead-path.md"),
    hosts: &[],
    since: "0.1.0",
};

const WORDS: Words = Words { one: "mention", several: "mentions" };

/// One finding for each lost file or folder.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for subject in mentions::subjects(material) {
        let mut found = lost_paths::findings(&INFO, WORDS, &subject, material.project, |lost| match lost {
            Lost::Path(missing) => Some(missing),
            _ => None,
        });
        // Prose about a path is never as certain as a link.
        for finding in &mut found {
            finding.severity = finding.severity.min(INFO.severity);
        }
        findings.append(&mut found);
    }
}
