//! `import-inert`: an import that a host which reads the file leaves as it is.

use crate::document::Place;
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::imports;
use crate::lint::material::{InstructionFile, Material};
use crate::lint::reach::{self, Sightings};
use crate::lint::registry::{Group, RuleInfo};

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "import-inert",
    group: Group::Reach,
    severity: Severity::Warning,
    summary: "an import that does nothing: in code, or read by a host that imports nothing",
    page: include_str!("../../../docs/rules/import-inert.md"),
    hosts: &[],
    since: "0.1.0",
};

/// At most one finding of each kind for each file.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for file in material.texts() {
        let leads = |text: &str| {
            let path = text.trim_end_matches(['.', ',', ';', ':', ')']);
            let target = reach::target(material, file, path).filter(|t| material.project.is_file(t) && *t != file.path);
            target.filter(|_| imports::is_path(path))
        };
        in_code(material, file, &leads, findings);
        unread(material, file, &leads, findings);
    }
}

/// An `@path` that is all of a code span or of a line in a fence, and leads to a file that does not load with this one.
fn in_code(
    material: &Material<'_>,
    file: &InstructionFile,
    leads: &dyn Fn(&str) -> Option<String>,
    findings: &mut Vec<Finding>,
) {
    let importers = readers(material, file, true).in_use(material);
    if importers.hosts().is_empty() || !importers.matters(material) {
        return;
    }
    let document = &file.document;
    let alone = document.mentions.iter().filter(|mention| {
        matches!(mention.place, Place::Code | Place::Fence) && {
            let around = |at: Option<char>| at.is_none_or(|c| c == '`' || c == '\n' || c == '\r');
            let before = document.text.get(..mention.span.start).and_then(|t| t.chars().next_back());
            let behind = document.text.get(mention.span.end..).and_then(|t| t.chars().next());
            around(before) && around(behind)
        }
    });
    let mut found = alone.filter_map(|mention| Some((mention, leads(mention.text.trim_end_matches('`'))?)));
    let Some((mention, target)) = found.find(|(_, target)| !loads(material, &importers, target)) else { return };
    findings.push(Finding {
        rule: INFO.id,
        severity: Severity::Hint,
        message: format!(
            "`@{}` stands in code, so {} does not import it",
            mention.text.trim_end_matches('`'),
            importers.names(material)
        ),
        primary: Location {
            path: file.path.clone(),
            span: mention.span.clone(),
            label: format!("`{target}` does not load by this"),
        },
        related: Vec::new(),
        help: Some("take the back quotes away if it is meant as an import".to_owned()),
        hosts: importers.ids(material),
        fix: None,
    });
}

/// An `@path` on a line of its own in a file that some hosts read which import nothing.
fn unread(
    material: &Material<'_>,
    file: &InstructionFile,
    leads: &dyn Fn(&str) -> Option<String>,
    findings: &mut Vec<Finding>,
) {
    let document = &file.document;
    let lines = document.mentions.iter().filter(|mention| {
        mention.place == Place::Prose && {
            let text = &document.text;
            let start = text[..mention.span.start].rfind('\n').map_or(0, |at| at + 1);
            let end = text[mention.span.end..].find('\n').map_or(text.len(), |at| mention.span.end + at);
            let before = text[start..mention.span.start].trim();
            (before.is_empty() || before == "-" || before == "*") && text[mention.span.end..end].trim().is_empty()
        }
    });
    let mut losers = Sightings::default();
    let mut first = None;
    for mention in lines {
        let Some(target) = leads(&mention.text) else { continue };
        for (h, d) in readers(material, file, false).pairs().iter().copied() {
            if reach::is_in_use(material, h) && !is_loaded(material, h, d, &target) {
                losers.add(h, d);
                first.get_or_insert((mention, target.clone()));
            }
        }
    }
    let Some((mention, target)) = first else { return };
    let expanded = readers(material, file, true).matters(material);
    findings.push(Finding {
        rule: INFO.id,
        severity: if expanded { Severity::Info } else { INFO.severity },
        message: format!(
            "{} {} nothing: `@{}` stays a line of text ({})",
            losers.names(material),
            if losers.hosts().len() == 1 { "imports" } else { "import" },
            mention.text,
            losers.from(material)
        ),
        primary: Location {
            path: file.path.clone(),
            span: mention.span.clone(),
            label: format!("`{target}` does not load there"),
        },
        related: Vec::new(),
        help: Some("put the text itself here, or say in words when the file is to be read".to_owned()),
        hosts: losers.ids(material),
        fix: None,
    });
}

/// The launches that load the file, of hosts that expand imports in it or that do not.
fn readers(material: &Material<'_>, file: &InstructionFile, expanding: bool) -> Sightings {
    let mut readers = Sightings::default();
    for (h, d, context) in reach::launches(material) {
        let piece = context.pieces.iter().find(|p| p.path.as_ref() == Some(&file.absolute) && !p.inline);
        let Some(piece) = piece else { continue };
        let host = &material.selections[h].host;
        let own = reach::import_dialect(host, &piece.source, &file.absolute).is_some();
        let imported = piece.imported_by.is_some();
        if (own || imported) == expanding {
            readers.add(h, d);
        }
    }
    readers
}

fn loads(material: &Material<'_>, sightings: &Sightings, target: &str) -> bool {
    sightings.pairs().iter().any(|(h, d)| is_loaded(material, *h, *d, target))
}

fn is_loaded(material: &Material<'_>, h: usize, d: usize, target: &str) -> bool {
    let path = material.root.join(target);
    let context = material.survey.contexts.get(h).and_then(|c| c.get(d));
    context.is_some_and(|c| c.pieces.iter().any(|p| p.path.as_ref() == Some(&path) || p.real.as_ref() == Some(&path)))
}
