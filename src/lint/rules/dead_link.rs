//! `dead-link`: a link leads to a file that is not there.

use crate::lint::finding::{Finding, Severity};
use crate::lint::lost_paths::{self, Words};
use crate::lint::material::Material;
use crate::lint::mentions::{self, Lost};
use crate::lint::registry::{Group, RuleInfo};

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "dead-link",
    group: Group::References,
    severity: Severity::Error,
    summary: "a link leads to a file that does not exist",
    page: include_str!("../../../docs/rules/dead-link.md"),
    hosts: &[],
    since: "0.1.0",
};

const WORDS: Words = Words { one: "link", several: "links" };

/// One finding for each lost file or folder.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for subject in mentions::subjects(material) {
        let links = subject.file.mentions(material.project).iter().filter_map(|mention| match &mention.lost {
            Lost::Link(missing) => Some((mention, missing)),
            _ => None,
        });
        let links: Vec<_> = links.collect();
        findings.append(&mut lost_paths::findings(&INFO, WORDS, &subject, material.project, &links));
    }
}
