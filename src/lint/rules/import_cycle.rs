//! `import-cycle`: files import each other in a circle.

use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::imports::Outcome;
use crate::lint::material::Material;
use crate::lint::reach::Sightings;
use crate::lint::registry::{Group, RuleInfo};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "import-cycle",
    group: Group::Reach,
    severity: Severity::Info,
    summary: "files import each other in a circle, or a file imports itself",
    page: include_str!("../../../docs/rules/import-cycle.md"),
    hosts: &["claude-code", "copilot", "gemini-cli"],
    since: "0.1.0",
};

/// One import on its way: from file to file, by real paths.
struct Edge<'m> {
    to: &'m PathBuf,
    import: usize,
}

/// One finding for each circle, at the import that closes it.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    let mut edges: BTreeMap<&PathBuf, Vec<Edge<'_>>> = BTreeMap::new();
    for (index, import) in material.imports().iter().enumerate() {
        if !import.outcomes.contains_key(&Outcome::Loaded) {
            continue;
        }
        let from = &material.files[import.file].real;
        if let Some(to) = material.files.iter().find(|f| f.absolute == import.named) {
            edges.entry(from).or_default().push(Edge { to: &to.real, import: index });
        }
    }
    let mut done: BTreeSet<&PathBuf> = BTreeSet::new();
    for start in edges.keys() {
        let mut path: Vec<&PathBuf> = Vec::new();
        walk(start, &edges, &mut path, &mut done, &mut |import, circle| {
            findings.push(finding(material, import, circle));
        });
    }
}

/// Goes down the imports; what closes a circle is told once.
fn walk<'m>(
    file: &'m PathBuf,
    edges: &BTreeMap<&'m PathBuf, Vec<Edge<'m>>>,
    path: &mut Vec<&'m PathBuf>,
    done: &mut BTreeSet<&'m PathBuf>,
    told: &mut dyn FnMut(usize, &[&PathBuf]),
) {
    // A chain of imports this long does not load anyway.
    if done.contains(file) || path.len() > 64 {
        return;
    }
    path.push(file);
    for edge in edges.get(file).into_iter().flatten() {
        match path.iter().position(|p| *p == edge.to) {
            Some(at) => told(edge.import, &path[at..]),
            None => walk(edge.to, edges, path, done, told),
        }
    }
    path.pop();
    done.insert(file);
}

fn finding(material: &Material<'_>, import: usize, circle: &[&PathBuf]) -> Finding {
    let import = &material.imports()[import];
    let sightings = import.outcomes.get(&Outcome::Loaded).cloned().unwrap_or_else(Sightings::default);
    let mut names: Vec<String> = circle.iter().map(|p| format!("`{}`", material.shown(p))).collect();
    let message = match names.as_slice() {
        [one] => format!("{one} imports itself"),
        _ => {
            names.extend(names.first().cloned());
            format!("imports run in a circle: {}", names.join(" → "))
        }
    };
    Finding {
        rule: INFO.id,
        severity: INFO.severity,
        message,
        primary: Location {
            path: material.files[import.file].path.clone(),
            span: import.span.clone(),
            label: "closes the circle".to_owned(),
        },
        related: Vec::new(),
        help: Some(
            "take one of these imports out; a host loads the text once, or leaves a note in its place".to_owned(),
        ),
        hosts: sightings.ids(material),
        fix: None,
    }
}
