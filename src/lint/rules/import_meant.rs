//! `import-meant`: a file that only names another one, without importing it.

use crate::lint::finding::{Edit, Finding, Fix, Location, Severity};
use crate::lint::material::{InstructionFile, Material};
use crate::lint::reach::{self, Sightings};
use crate::lint::registry::{Group, RuleInfo};
use std::ops::Range;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "import-meant",
    group: Group::Reach,
    severity: Severity::Error,
    summary: "a file that only names or links another instruction file, which does not load by that",
    page: include_str!("../../../docs/rules/import-meant.md"),
    hosts: &[],
    since: "0.1.0",
};

/// A text with more words than this says something of its own.
const WORDS: usize = 40;

/// One finding for each such file.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for file in material.texts() {
        findings.extend(stub(material, file));
    }
}

fn stub(material: &Material<'_>, file: &InstructionFile) -> Option<Finding> {
    let text = &file.document.text;
    let start = file.document.frontmatter.as_ref().map_or(0, |f| f.span.end);
    let body = text.get(start..)?;
    let body_start = start + body.len() - body.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).len();
    let body = body.trim_start_matches('\u{feff}').trim();
    if body.is_empty() || body.split_whitespace().count() > WORDS {
        return None;
    }
    let span = body_start..body_start + body.len();
    let target = named(material, file, body, &span)?;
    // Whoever reads the file gets the other one all the same?
    let mut losers = Sightings::default();
    for (h, d, context) in reach::launches(material).filter(|(h, _, _)| reach::is_in_use(material, *h)) {
        let has = |path: &std::path::Path| {
            context.pieces.iter().any(|p| p.path.as_deref() == Some(path) || p.real.as_deref() == Some(path))
        };
        if has(&file.absolute) && !has(&target.absolute) {
            losers.add(h, d);
        }
    }
    let host = losers.hosts().first().map(|h| &material.selections[*h].host)?;
    let piece_source = reach::launches(material)
        .find_map(|(_, _, c)| c.pieces.iter().find(|p| p.path.as_ref() == Some(&file.absolute) && c.host == host.id))
        .map(|p| p.source.clone())?;
    let imports = reach::import_dialect(host, &piece_source, &file.absolute).is_some();
    let whole = is_whole(body);
    let path = relative(&file.path, &target.path);
    let (help, fix) = match (imports, whole) {
        (true, true) => (
            format!("write `@{path}` to import it"),
            Some(Fix {
                description: format!("import {path}"),
                edits: vec![Edit { path: file.path.clone(), span: span.clone(), replacement: format!("@{path}") }],
            }),
        ),
        (true, false) => (format!("write `@{path}` on a line of its own to import it"), None),
        (false, _) => {
            (format!("{} has no imports: make this file a link to `{}`, or remove it", host.name, target.path), None)
        }
    };
    let label = if whole { "a name is no import" } else { "it is up to the model to open it" };
    Some(Finding {
        rule: INFO.id,
        severity: if whole { INFO.severity } else { Severity::Info },
        message: format!(
            "`{}` {} `{}`, which {} does not load by that ({})",
            file.path,
            if whole { "holds nothing but the name of" } else { "asks in words for" },
            target.path,
            losers.names(material),
            losers.from(material)
        ),
        primary: Location { path: file.path.clone(), span, label: label.to_owned() },
        related: Vec::new(),
        help: Some(help),
        hosts: losers.ids(material),
        fix,
    })
}

/// The instruction file that a short text names, by a link, in back quotes or in plain words.
fn named<'m>(
    material: &'m Material<'_>,
    file: &InstructionFile,
    body: &str,
    span: &Range<usize>,
) -> Option<&'m InstructionFile> {
    let find = |path: &str| {
        let path = path.split('#').next().unwrap_or(path);
        let target = reach::target(material, file, path.trim_start_matches("./"))?;
        material.file(&target).filter(|t| t.real != file.real)
    };
    let inside = |at: &Range<usize>| span.start <= at.start && at.end <= span.end;
    // An import is what it is.
    if file.document.mentions.iter().any(|m| inside(&m.span) && find(m.text.trim_end_matches(['.', ','])).is_some()) {
        return None;
    }
    let links = file.document.links.iter().filter(|l| inside(&l.span)).find_map(|l| find(&l.target));
    let separators = |c: char| c.is_whitespace() || "()[]<>\"'`*,;:".contains(c);
    links.or_else(|| body.split(separators).map(|w| w.trim_end_matches('.')).filter(|w| w.contains('.')).find_map(find))
}

/// Whether the text is nothing but the name, a link or a code span.
fn is_whole(body: &str) -> bool {
    let is_link = body.starts_with('[') && body.ends_with(')') && body.matches("](").count() == 1;
    is_link || !body.contains(char::is_whitespace)
}

/// The path from the folder of one file to another.
fn relative(from: &str, to: &str) -> String {
    let folder: Vec<&str> = from.split('/').rev().skip(1).collect::<Vec<_>>().into_iter().rev().collect();
    let parts: Vec<&str> = to.split('/').collect();
    let shared = folder.iter().zip(&parts).take_while(|(a, b)| a == b).count();
    let up = "../".repeat(folder.len() - shared);
    format!("{up}{}", parts.get(shared..).unwrap_or_default().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_from_the_importing_file() {
        assert_eq!(relative("CLAUDE.md", "AGENTS.md"), "AGENTS.md");
        assert_eq!(relative(".claude/CLAUDE.md", "AGENTS.md"), "../AGENTS.md");
        assert_eq!(relative("a/CLAUDE.md", "a/b/AGENTS.md"), "b/AGENTS.md");
    }

    #[test]
    fn a_whole_text_is_one_name_or_link() {
        for text in ["AGENTS.md", "`AGENTS.md`", "[AGENTS.md](AGENTS.md)", "[the rules](./AGENTS.md)"] {
            assert!(is_whole(text), "{text}");
        }
        assert!(!is_whole("See AGENTS.md") && !is_whole("[a](b) and [c](d)"));
    }
}
