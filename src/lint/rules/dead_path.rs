//! `dead-path`: inline code names a path that is not there.

use crate::lint::finding::{Finding, Severity};
use crate::lint::lost_paths::{self, Words};
use crate::lint::material::Material;
use crate::lint::mentions::{self, Lost, Mention, Subject};
use crate::lint::registry::{Group, RuleInfo};
use crate::project::{Certainty, Missing, Project, join, parent};
use std::collections::BTreeSet;

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

/// How many places are suggested.
const SUGGESTIONS: usize = 3;

/// One finding for each lost file or folder.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    let project = material.project;
    let subjects = mentions::subjects(material);
    let gone = certainly_gone(project, &subjects);
    for subject in &subjects {
        let mentions = subject.file.mentions(project);
        let known: Vec<(&Mention, Missing)> = mentions
            .iter()
            .filter_map(|mention| match &mention.lost {
                Lost::Path(missing) => Some((mention, missing.clone())),
                Lost::Doubtful(path) => Some((mention, below(project, &gone, path)?)),
                _ => None,
            })
            .collect();
        let known: Vec<(&Mention, &Missing)> = known.iter().map(|(mention, missing)| (*mention, missing)).collect();
        let mut found = lost_paths::findings(&INFO, WORDS, subject, project, &known);
        // Prose about a path is never as certain as a link.
        for finding in &mut found {
            finding.severity = finding.severity.min(INFO.severity);
        }
        findings.append(&mut found);
    }
}

/// The parts of the tree that a link or a `cd` of some file expects at the root and that are certainly not there.
fn certainly_gone(project: &Project, subjects: &[Subject<'_>]) -> BTreeSet<String> {
    let mentions = subjects.iter().flat_map(|subject| subject.file.mentions(project));
    let prefixes = mentions.filter_map(|mention| match &mention.lost {
        Lost::Link(missing) if missing.certainty == Certainty::Certain => Some(missing.missing_prefix.clone()),
        Lost::Directory(lost) if lost.certainty == Certainty::Certain => first_missing(project, &lost.name),
        _ => None,
    });
    // `docs` or `src` may be meant from many folders; a name of several words or a way of several folders is one place.
    prefixes.filter(|prefix| prefix.contains(['/', '_', '-']) && !project.exists(prefix)).collect()
}

/// The shortest leading part of a path that does not exist.
fn first_missing(project: &Project, path: &str) -> Option<String> {
    let path = join("", path)?;
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    ends.filter_map(|end| path.get(..end)).find(|part| !project.exists(part)).map(str::to_owned)
}

/// What is missing of a path below a part that is gone.
fn below(project: &Project, gone: &BTreeSet<String>, path: &str) -> Option<Missing> {
    let is_below = |prefix: &&String| {
        path.strip_prefix(prefix.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let prefix = gone.iter().find(is_below)?;
    let suggestions = project.tree().ending_with(path).take(SUGGESTIONS).map(|entry| entry.path.to_owned()).collect();
    Some(Missing {
        certainty: Certainty::Likely,
        path: path.to_owned(),
        searched: vec![String::new()],
        existing_ancestor: parent(prefix).to_owned(),
        missing_prefix: prefix.clone(),
        suggestions,
        removal: project.removal(path),
    })
}
