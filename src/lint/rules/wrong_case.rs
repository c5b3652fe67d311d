//! `wrong-case`: a path exists only with other capitals.

use crate::lint::finding::{Edit, Finding, Fix, Location, Severity};
use crate::lint::lost_paths::{copies, split_suffix};
use crate::lint::material::Material;
use crate::lint::mentions::{self, Lost};
use crate::lint::registry::{Group, RuleInfo};

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "wrong-case",
    group: Group::References,
    severity: Severity::Warning,
    summary: "a path exists only with other capital letters",
    page: include_str!("../../../docs/rules/wrong-case.md"),
    hosts: &[],
    since: "0.1.0",
};

/// One finding for each mention.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for subject in mentions::subjects(material) {
        let file = subject.file;
        for mention in file.mentions(material.project) {
            let Lost::Case { actual } = &mention.lost else { continue };
            let written = file.document.slice(&mention.span);
            let fix = respell(written, actual).map(|replacement| Fix {
                description: format!("write `{replacement}`"),
                edits: vec![Edit { path: file.path.clone(), span: mention.span.clone(), replacement }],
            });
            findings.push(Finding {
                rule: INFO.id,
                severity: INFO.severity,
                message: format!("`{}` is written `{actual}` in the tree", mention.text),
                primary: Location { path: file.path.clone(), span: mention.span.clone(), label: String::new() },
                related: copies(&subject).collect(),
                help: Some("write it as the tree does: disks of Linux tell capitals apart".to_owned()),
                hosts: Vec::new(),
                fix,
            });
        }
    }
}

/// What is written, with the letters of the actual path. `None` where the two differ in more than case.
fn respell(written: &str, actual: &str) -> Option<String> {
    let (path, suffix) = split_suffix(written);
    let trimmed = path.trim_end_matches('/');
    let bare = trimmed.trim_start_matches("mdc:").trim_start_matches(['.', '/']);
    let end = actual.get(actual.len().checked_sub(bare.len())?..)?;
    let before = trimmed.get(..trimmed.len() - bare.len())?;
    // A leading dot belongs to a hidden name.
    end.eq_ignore_ascii_case(bare).then(|| format!("{before}{end}{}{suffix}", &path[trimmed.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_letters_change() {
        assert_eq!(respell("./Docs/A.md#x", "docs/a.md").as_deref(), Some("./docs/a.md#x"));
        assert_eq!(respell(".github/A.md", ".github/a.md").as_deref(), Some(".github/a.md"));
        assert_eq!(respell("../A/", "x/a").as_deref(), Some("../a/"));
        assert_eq!(respell("Docs/My%20Notes.md", "docs/my notes.md"), None);
    }
}
