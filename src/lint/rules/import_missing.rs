//! `import-missing`: an import leads nowhere.

use crate::lint::finding::{Edit, Finding, Fix, Location, Severity};
use crate::lint::imports::{self, Import, Outcome};
use crate::lint::material::Material;
use crate::lint::reach::{self, Sightings};
use crate::lint::registry::{Group, RuleInfo};
use std::collections::BTreeMap;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "import-missing",
    group: Group::Reach,
    severity: Severity::Error,
    summary: "an import names a file that is not there",
    page: include_str!("../../../docs/rules/import-missing.md"),
    hosts: &["claude-code", "copilot", "gemini-cli"],
    since: "0.1.0",
};

/// One finding for each import that can only be a path, and one hint for each file with words that hosts take for imports.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    let mut words: BTreeMap<usize, Vec<(&Import, &Sightings)>> = BTreeMap::new();
    for import in material.imports() {
        let Some(sightings) = import.outcomes.get(&Outcome::Missing) else { continue };
        if imports::is_path(&import.written) {
            findings.push(missing(material, import, sightings));
        } else {
            words.entry(import.file).or_default().push((import, sightings));
        }
    }
    for (file, words) in words {
        findings.extend(taken_for_imports(material, file, &words));
    }
}

fn missing(material: &Material<'_>, import: &Import, sightings: &Sightings) -> Finding {
    let file = &material.files[import.file];
    let shown = material.shown(&import.named);
    let trimmed = import.written.trim_end_matches(['.', ',', ';', ':', ')', '!', '?']);
    let meant =
        reach::target(material, file, trimmed).filter(|t| trimmed != import.written && material.project.is_file(t));
    let ignored = material.project.is_ignored(&shown);
    let severity = match ignored {
        true => Severity::Info,
        false => reach::severity(material, sightings, INFO.severity),
    };
    let (message, help, fix) = match &meant {
        Some(meant) => (
            format!(
                "{} takes the punctuation behind `@{trimmed}` for a part of the path, and finds no such file",
                sightings.names(material)
            ),
            format!("put a blank behind the path, so that {meant} is found"),
            Some(Fix {
                description: "put a blank behind the path".to_owned(),
                edits: vec![Edit {
                    path: file.path.clone(),
                    span: import.span.start + 1 + trimmed.len()..import.span.start + 1 + trimmed.len(),
                    replacement: " ".to_owned(),
                }],
            }),
        ),
        None => (
            format!("`@{}` leads to nothing for {}", import.written, sightings.names(material)),
            elsewhere(material, &import.written).map_or_else(
                || "mend the path, or take the import out".to_owned(),
                |at| format!("did you mean {at}? Paths count from the importing file's folder"),
            ),
            None,
        ),
    };
    let label = match (ignored, meant.is_some()) {
        (true, _) => format!("`{shown}` is not there; git ignores it, so it may be on some machines"),
        (false, true) => "the path runs to the next blank".to_owned(),
        (false, false) => format!("`{shown}` is not there"),
    };
    Finding {
        rule: INFO.id,
        severity,
        message,
        primary: Location { path: file.path.clone(), span: import.span.clone(), label },
        related: Vec::new(),
        help: Some(help),
        hosts: sightings.ids(material),
        fix: fix.filter(|_| {
            file.document.text.get(import.span.start..).is_some_and(|t| t.starts_with(&format!("@{trimmed}")))
        }),
    }
}

/// The same path from the root, or the only file of that name.
fn elsewhere(material: &Material<'_>, written: &str) -> Option<String> {
    let path = written.trim_start_matches("./").trim_start_matches("../").trim_start_matches('/');
    if material.project.is_file(path) {
        return Some(path.to_owned());
    }
    let mut ending = material.project.tree().ending_with(path);
    let first = ending.next()?;
    ending.next().is_none().then(|| first.path.to_owned())
}

fn taken_for_imports(material: &Material<'_>, file: usize, words: &[(&Import, &Sightings)]) -> Option<Finding> {
    let mut all = Sightings::default();
    for (_, sightings) in words {
        sightings.pairs().iter().for_each(|(h, d)| all.add(*h, *d));
    }
    let (first, _) = words.first()?;
    let mut names: Vec<String> = words.iter().map(|(import, _)| format!("`@{}`", import.written)).collect();
    names.dedup();
    Some(Finding {
        rule: INFO.id,
        severity: Severity::Hint,
        message: format!("{} tries {} as an import, and finds nothing", all.names(material), reach::short_list(&names)),
        primary: Location {
            path: material.files[file].path.clone(),
            span: first.span.clone(),
            label: "taken for an import".to_owned(),
        },
        related: Vec::new(),
        help: Some("put it in back quotes if it is no import".to_owned()),
        hosts: all.ids(material),
        fix: None,
    })
}
