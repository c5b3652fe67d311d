//! `dead-directory`: a command changes into a folder that is not there.

use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::lost_paths::copies;
use crate::lint::material::Material;
use crate::lint::mentions::{self, Lost};
use crate::lint::registry::{Group, RuleInfo};
use crate::project::Certainty;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "dead-directory",
    group: Group::References,
    severity: Severity::Error,
    summary: "a command changes into a folder that does not exist",
    page: include_str!("../../../docs/rules/dead-directory.md"),
    hosts: &[],
    since: "0.1.0",
};

/// One finding for each command.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for subject in mentions::subjects(material) {
        let file = subject.file;
        for mention in file.mentions(material.project) {
            let Lost::Directory(lost) = &mention.lost else { continue };
            let hint = lost.suggestion.as_ref().map(|suggestion| format!("did you mean `{suggestion}`?"));
            findings.push(Finding {
                rule: INFO.id,
                severity: if lost.certainty == Certainty::Certain { Severity::Error } else { Severity::Warning },
                message: format!("there is no folder `{}`: this command and those after it fail", lost.name),
                primary: Location { path: file.path.clone(), span: mention.span.clone(), label: String::new() },
                related: copies(&subject).collect(),
                help: Some(hint.unwrap_or_else(|| "name a folder that exists".to_owned())),
                hosts: Vec::new(),
                fix: None,
            });
        }
    }
}
