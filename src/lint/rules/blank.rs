//! `blank`: an instruction file that gives a host nothing.

use crate::discover::context::Reason;
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::{InstructionFile, Material};
use crate::lint::reach::{self, Sightings};
use crate::lint::registry::{Group, RuleInfo};

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "blank",
    group: Group::Reach,
    severity: Severity::Warning,
    summary: "an instruction file without text, or with nothing but what the host strips",
    page: include_str!("../../../docs/rules/blank.md"),
    hosts: &[],
    since: "0.1.0",
};

/// One finding for each such file.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for file in material.files.iter().filter(|f| f.unreadable.is_none() && !f.is_link()) {
        let text = file.document.text.trim_start_matches('\u{feff}').trim();
        let found = if text.is_empty() { no_text(material, file) } else { only_stripped(material, file) };
        findings.extend(found);
    }
}

fn no_text(material: &Material<'_>, file: &InstructionFile) -> Option<Finding> {
    let facts = reach::omissions(material).filter_map(|(h, d, o)| match &o.reason {
        Reason::Shadowed { by } if *by == file.absolute => Some((o.path.clone(), h, d)),
        _ => None,
    });
    // One file that it keeps out, with the hosts for which it does.
    if let Some((kept_out, sightings)) = reach::gather(facts).into_iter().next() {
        let kept_out = material.shown(&kept_out);
        let message = format!(
            "the file is empty, and for {} it still takes the place of `{kept_out}` ({})",
            sightings.names(material),
            sightings.from(material)
        );
        let severity = reach::severity(material, &sightings, Severity::Error);
        let related = vec![Location { path: kept_out, span: 0..0, label: "does not load".to_owned() }];
        return Some(finding(file, message, severity, related, sightings.ids(material)));
    }
    let readers = readers(material, file);
    if readers.hosts().is_empty() {
        return None;
    }
    let message = "the file is empty: no host gets anything from it".to_owned();
    Some(finding(file, message, reach::severity(material, &readers, INFO.severity), Vec::new(), Vec::new()))
}

/// The launches that found the file and took nothing from it.
fn readers(material: &Material<'_>, file: &InstructionFile) -> Sightings {
    let mut readers = Sightings::default();
    for (h, d, omission) in reach::omissions(material) {
        if omission.path == file.absolute && omission.reason == Reason::Blank {
            readers.add(h, d);
        }
    }
    for (h, d, _) in &file.readings {
        readers.add(*h, *d);
    }
    readers
}

fn only_stripped(material: &Material<'_>, file: &InstructionFile) -> Option<Finding> {
    let mut sightings = Sightings::default();
    for (h, d, omission) in reach::omissions(material) {
        if omission.path == file.absolute && omission.reason == Reason::Blank && reach::is_in_use(material, h) {
            sightings.add(h, d);
        }
    }
    if sightings.hosts().is_empty() {
        return None;
    }
    let what = match (file.document.frontmatter.is_some(), file.document.comments.is_empty()) {
        (true, true) => "frontmatter",
        (true, false) => "frontmatter and comments",
        _ => "comments",
    };
    let message = format!("nothing is left for {} once {what} are stripped", sightings.names(material));
    let message = message.replace("frontmatter are", "frontmatter is");
    Some(finding(file, message, INFO.severity, Vec::new(), sightings.ids(material)))
}

fn finding(
    file: &InstructionFile,
    message: String,
    severity: Severity,
    related: Vec<Location>,
    hosts: Vec<String>,
) -> Finding {
    Finding {
        rule: INFO.id,
        severity,
        message,
        primary: Location { path: file.path.clone(), span: 0..0, label: String::new() },
        related,
        help: Some("write something in it, or remove it".to_owned()),
        hosts,
        fix: None,
    }
}
