//! `dead-command`: a command names a script, target, package or file that nothing defines.

use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::lost_paths::copies;
use crate::lint::material::Material;
use crate::lint::mentions::{self, Lost, LostCommand};
use crate::lint::registry::{Group, RuleInfo};
use crate::project::{Certainty, DefinitionKind};

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "dead-command",
    group: Group::References,
    severity: Severity::Error,
    summary: "a command names a script, target, package or file that nothing defines",
    page: include_str!("../../../docs/rules/dead-command.md"),
    hosts: &[],
    since: "0.1.0",
};

/// How many of the places looked at are named.
const NAMED_PLACES: usize = 2;

/// One finding for each command.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for subject in mentions::subjects(material) {
        let file = subject.file;
        let first = findings.len();
        for mention in file.mentions(material.project) {
            let Lost::Command(lost) = &mention.lost else { continue };
            // A command that is named again is the same finding: it is mended once.
            let message = message(lost);
            let again = |f: &&mut Finding| f.message == message;
            if let Some(earlier) = findings[first..].iter_mut().find(again) {
                let label = "named here too".to_owned();
                earlier.related.push(Location { path: file.path.clone(), span: mention.span.clone(), label });
                continue;
            }
            findings.push(Finding {
                rule: INFO.id,
                severity: if lost.certainty == Certainty::Certain { Severity::Error } else { Severity::Warning },
                message,
                primary: Location { path: file.path.clone(), span: mention.span.clone(), label: String::new() },
                related: copies(&subject).collect(),
                help: Some(match &lost.suggestion {
                    Some(suggestion) => format!("did you mean `{suggestion}`?"),
                    None => format!("mend the command, or define the {}", lost.kind.noun()),
                }),
                hosts: Vec::new(),
                fix: None,
            });
        }
    }
}

fn message(lost: &LostCommand) -> String {
    let LostCommand { name, kind, program, searched, .. } = lost;
    if matches!(kind, DefinitionKind::File | DefinitionKind::Folder) {
        return format!("there is no {} `{name}`", kind.noun());
    }
    let named = |place: &String| if place.is_empty() { "the root".to_owned() } else { format!("`{place}`") };
    let place = match searched.as_slice() {
        [] => format!("and the repository has nothing that could define one for `{program}`"),
        [one] => format!("in {}", named(one)),
        [first, rest @ ..] if rest.len() < NAMED_PLACES => {
            format!("in {} or {}", named(first), rest.first().map_or(String::new(), named))
        }
        [first, rest @ ..] => format!("in {} and {} other places", named(first), rest.len()),
    };
    let comma = if searched.is_empty() { "," } else { "" };
    format!("there is no {} `{name}`{comma} {place}", kind.noun())
}
