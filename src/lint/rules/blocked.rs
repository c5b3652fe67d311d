//! `blocked`: a host holds a file back because of words in it.

use crate::discover::context::Reason;
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::Material;
use crate::lint::reach;
use crate::lint::registry::{Group, RuleInfo};
use std::ops::Range;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "blocked",
    group: Group::Reach,
    severity: Severity::Error,
    summary: "a host holds the whole file back because of a phrase in it",
    page: include_str!("../../../docs/rules/blocked.md"),
    hosts: &["hermes"],
    since: "0.1.0",
};

/// One finding for each file and phrase.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    let facts = reach::omissions(material).filter_map(|(h, d, omission)| match &omission.reason {
        Reason::Blocked { phrase, line, .. } => Some(((omission.path.clone(), phrase.clone(), *line), h, d)),
        _ => None,
    });
    for ((path, phrase, line), sightings) in reach::gather(facts) {
        let path = material.shown(&path);
        findings.push(Finding {
            rule: INFO.id,
            severity: reach::severity(material, &sightings, INFO.severity),
            message: format!(
                "{} holds the whole file back because of the words \"{phrase}\" ({})",
                sightings.names(material),
                sightings.from(material)
            ),
            primary: Location { span: span(material, &path, line, &phrase), path, label: String::new() },
            related: Vec::new(),
            help: Some("say it in other words".to_owned()),
            hosts: sightings.ids(material),
            fix: None,
        });
    }
}

/// The words in their line, or the line.
fn span(material: &Material<'_>, path: &str, line: usize, phrase: &str) -> Range<usize> {
    let Some(document) = material.file(path).map(|file| &file.document) else { return 0..0 };
    let Some(line) = document.lines.span(&document.text, line) else { return 0..0 };
    let text = document.slice(&line).to_ascii_lowercase();
    match text.find(phrase) {
        Some(at) => line.start + at..line.start + at + phrase.len(),
        None => line,
    }
}
