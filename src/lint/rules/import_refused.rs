//! `import-refused`: an import leads to a file that the host does not take.

use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::imports::{self, Outcome};
use crate::lint::material::Material;
use crate::lint::reach;
use crate::lint::registry::{Group, RuleInfo};

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "import-refused",
    group: Group::Reach,
    severity: Severity::Warning,
    summary: "an import names a file that the host does not take: too deep, outside, or of the wrong kind",
    page: include_str!("../../../docs/rules/import-refused.md"),
    hosts: &["claude-code", "copilot", "gemini-cli"],
    since: "0.1.0",
};

/// One finding for each import and reason.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for import in material.imports() {
        let file = &material.files[import.file];
        // A name of a person or package is tried as an import, too.
        if !imports::is_path(&import.written) {
            continue;
        }
        for (outcome, sightings) in &import.outcomes {
            let hosts = sightings.names(material);
            let from = sightings.from(material);
            let target = material.shown(&import.named);
            let (severity, message, help) = match outcome {
                Outcome::Loaded | Outcome::Missing => continue,
                Outcome::TooDeep(depth) => (
                    Severity::Error,
                    format!("{hosts} imports {depth} levels deep, and `{target}` is one more ({from})"),
                    "import it from a file nearer to the top".to_owned(),
                ),
                Outcome::Outside => {
                    let own = import.named.starts_with(material.root);
                    // From below, the root's own imports are outside: good to know, and no mistake.
                    let severity = if own { Severity::Info } else { Severity::Warning };
                    let target = if own { target } else { import.written.clone() };
                    let outside = "which is outside of the launch directory";
                    (
                        severity,
                        format!("{hosts} asks before it imports `{target}`, {outside} ({from})"),
                        "approve it in the host, or keep the text inside".to_owned(),
                    )
                }
                Outcome::Refused(why) if why.contains("URL") => continue,
                Outcome::Refused(why) => (
                    Severity::Warning,
                    format!("{hosts} does not import `{target}`: {why}"),
                    "import a text file of the repository by a relative path".to_owned(),
                ),
            };
            findings.push(Finding {
                rule: INFO.id,
                severity: reach::severity(material, sightings, severity),
                message,
                primary: Location {
                    path: file.path.clone(),
                    span: import.span.clone(),
                    label: "does not load".to_owned(),
                },
                related: Vec::new(),
                help: Some(help),
                hosts: sightings.ids(material),
                fix: None,
            });
        }
    }
}
