//! `shadowed`: another file keeps instruction files from loading, though it says something else.

use crate::discover::context::Reason;
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::Material;
use crate::lint::reach::{self, Sightings};
use crate::lint::registry::{Group, RuleInfo};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "shadowed",
    group: Group::Reach,
    severity: Severity::Warning,
    summary: "another file keeps instruction files with other text from loading",
    page: include_str!("../../../docs/rules/shadowed.md"),
    hosts: &["codex", "claude-code", "hermes"],
    since: "0.1.0",
};

/// One finding for each file that keeps others out.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    let facts =
        reach::omissions(material).filter(|(h, _, _)| reach::is_in_use(material, *h)).filter_map(|(h, d, o)| match &o
            .reason
        {
            Reason::Shadowed { by } => Some(((by.clone(), o.path.clone()), h, d)),
            _ => None,
        });
    let mut by_cause: BTreeMap<PathBuf, Vec<(PathBuf, Sightings)>> = BTreeMap::new();
    for ((by, path), sightings) in reach::gather(facts) {
        if says_something_else(material, &by, &path, &sightings) {
            by_cause.entry(by).or_default().push((path, sightings));
        }
    }
    for (by, shadowed) in by_cause {
        findings.push(finding(material, &by, &shadowed));
    }
}

/// Whether text is lost: the file is no copy, link or import of the other one, and not one that nothing is in.
fn says_something_else(material: &Material<'_>, by: &Path, path: &Path, sightings: &Sightings) -> bool {
    let Some(file) = material.files.iter().find(|f| f.absolute == path) else { return false };
    if file.document.text.trim().is_empty() {
        return false;
    }
    let Some(winner) = material.files.iter().find(|f| f.absolute == by) else { return true };
    // A file without text that takes the place of another one is reported as that.
    if winner.document.text.trim().is_empty() || winner.real == file.real {
        return false;
    }
    if winner.document.text.trim() == file.document.text.trim() {
        return false;
    }
    // It may be read by another way: imported, or linked so that the agent is told to open it.
    let points_there = |target: &str| reach::target(material, winner, target).as_deref() == Some(file.path.as_str());
    let separators = |c: char| c.is_whitespace() || "()[]<>\"'`*,;:@".contains(c);
    let words = winner.document.text.split(separators).map(|w| w.trim_end_matches('.').trim_start_matches("./"));
    let points = words.filter(|w| w.contains('.')).any(points_there);
    let loads_else = sightings.hosts().iter().all(|h| {
        material.survey.contexts[*h].iter().any(|c| c.pieces.iter().any(|p| p.real.as_ref() == Some(&file.real)))
    });
    !points && !loads_else
}

fn finding(material: &Material<'_>, by: &Path, shadowed: &[(PathBuf, Sightings)]) -> Finding {
    let mut all = Sightings::default();
    for (_, sightings) in shadowed {
        sightings.pairs().iter().for_each(|(h, d)| all.add(*h, *d));
    }
    let host = all.hosts().first().map(|h| &material.selections[*h].host);
    let winner = material.files.iter().find(|f| f.absolute == by);
    let name = |path: &Path| format!("`{}`", material.shown(path));
    let local = winner.is_some() && !material.project.exists(&material.shown(by));
    let what = match shadowed {
        [(one, _)] => name(one),
        many => format!("{} files", many.len()),
    };
    let message = format!(
        "{} keeps {what} from {} ({}){}",
        name(by),
        all.names(material),
        all.from(material),
        if local { "; git does not track it, so this is so for you alone" } else { "" },
    );
    // The cause is where something can be done, if it is in the repository.
    let (primary, related) = match winner {
        Some(winner) => (winner.path.clone(), shadowed),
        None => (material.shown(&shadowed[0].0), &shadowed[1..]),
    };
    let related = related
        .iter()
        .map(|(path, _)| Location { path: material.shown(path), span: 0..0, label: "does not load".to_owned() })
        .collect();
    let help = host.and_then(|h| h.shadow_help.clone());
    Finding {
        rule: INFO.id,
        severity: INFO.severity,
        message,
        primary: Location { path: primary, span: 0..0, label: String::new() },
        related,
        help: Some(help.unwrap_or_else(|| "put what both say into one of them".to_owned())),
        hosts: all.ids(material),
        fix: None,
    }
}
