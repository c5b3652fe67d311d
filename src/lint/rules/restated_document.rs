//! `restated-document`: an instruction file repeats what another document of the repository already holds.

use crate::document::{BlockKind, Document, Span};
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::{InstructionFile, Material};
use crate::lint::mentions;
use crate::lint::registry::{Group, RuleInfo};
use crate::project::{Project, parent};
use std::collections::{BTreeMap, HashMap};

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "restated-document",
    group: Group::Rules,
    severity: Severity::Hint,
    summary: "the file repeats what another document already holds",
    page: include_str!("../../../docs/rules/restated-document.md"),
    hosts: &[],
    since: "0.1.0",
};

/// Documents that hold what a project says of itself.
const CANONICAL: &[&str] = &["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "DEVELOPMENT.md", "docs/README.md"];
/// A block shorter than this, in characters, may be the same by chance.
const SHORTEST: usize = 80;
/// So much, in characters, has to be repeated.
const LEAST: usize = 500;
/// A document longer than this, in bytes, is not read.
const READ_LIMIT: u64 = 1 << 20;

/// One finding for each file and document.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    let mut read: BTreeMap<String, HashMap<String, Span>> = BTreeMap::new();
    for subject in mentions::subjects(material) {
        let file = subject.file;
        let own = blocks(&file.document);
        for path in documents(material.project, file) {
            let theirs = read.entry(path.clone()).or_insert_with(|| read_blocks(material, &path));
            let same: Vec<(&Span, &Span, usize)> =
                own.iter().filter_map(|(text, span)| Some((span, theirs.get(text)?, text.chars().count()))).collect();
            let characters: usize = same.iter().map(|(_, _, count)| count).sum();
            let Some((first, counterpart, _)) = same.first().filter(|_| characters >= LEAST) else { continue };
            findings.push(Finding {
                rule: INFO.id,
                severity: INFO.severity,
                message: format!("{} paragraphs ({characters} characters) also stand in `{path}`", same.len()),
                primary: Location { path: file.path.clone(), span: (*first).clone(), label: "the first".to_owned() },
                related: vec![Location { path, span: (*counterpart).clone(), label: "the same text".to_owned() }],
                help: Some("point to the document, and say when to read it".to_owned()),
                hosts: Vec::new(),
                fix: None,
            });
        }
    }
}

/// The documents beside and above a file that a reader would open first.
fn documents(project: &Project, file: &InstructionFile) -> Vec<String> {
    let mut folders = vec![file.folder()];
    while let Some(folder) = folders.last().copied().filter(|folder| !folder.is_empty()) {
        folders.push(parent(folder));
    }
    let paths = folders
        .into_iter()
        .flat_map(|folder| CANONICAL.iter().filter_map(move |name| crate::project::join(folder, name)));
    paths.filter(|path| *path != file.path && project.is_file(path)).collect()
}

fn read_blocks(material: &Material<'_>, path: &str) -> HashMap<String, Span> {
    let text = material.file_system.read(&material.root.join(path), READ_LIMIT).unwrap_or_default();
    let document = Document::parse(String::from_utf8_lossy(&text).into_owned());
    blocks(&document).into_iter().collect()
}

/// The texts of the blocks that are long enough, blanks made one.
fn blocks(document: &Document) -> Vec<(String, Span)> {
    let prose = document.blocks.iter().filter(|block| {
        matches!(block.kind, BlockKind::Paragraph | BlockKind::Item(_) | BlockKind::Row(..))
            && block.text.len() >= SHORTEST
    });
    prose
        .map(|block| (block.text.split_whitespace().collect::<Vec<_>>().join(" "), block.span.clone()))
        .filter(|(text, _)| text.chars().count() >= SHORTEST)
        .collect()
}
