//! The imports that instruction files write, each with what became of it for the hosts that read the file.

use super::material::Material;
use super::reach::{self, Sightings};
use crate::discover::context::{Context, Piece, Reason};
use crate::discover::imports::{self, Mention};
use crate::discover::paths;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One import as it is written in one file.
#[derive(Debug, Clone)]
pub struct Import {
    /// The importing file, as an index of the material's files.
    pub file: usize,
    /// From the `@` to the end of the path, in bytes of the file's text.
    pub span: Range<usize>,
    /// The path as the host takes it.
    pub written: String,
    /// Where it leads, absolute; the first host's answer where hosts differ.
    pub named: PathBuf,
    /// What the hosts made of it.
    pub outcomes: BTreeMap<Outcome, Sightings>,
}

/// What became of an import.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The file is in front of the model.
    Loaded,
    /// Nothing is there, or no file.
    Missing,
    /// It lies outside of the folder that imports may come from.
    Outside,
    /// It is more levels down than the host follows.
    TooDeep(usize),
    /// The host does not take it: why, in words.
    Refused(String),
}

/// Looks at every import of every file that a host with imports loads.
pub fn collect(material: &Material<'_>) -> Vec<Import> {
    let by_path: HashMap<&Path, usize> =
        material.files.iter().enumerate().map(|(i, file)| (file.absolute.as_path(), i)).collect();
    let mut mentions: HashMap<(usize, usize), Arc<Vec<Mention>>> = HashMap::new();
    let mut found: BTreeMap<(usize, usize, String), Import> = BTreeMap::new();
    for (h, d, context) in reach::launches(material) {
        let host = &material.selections[h].host;
        if host.imports.is_empty() {
            continue;
        }
        let reasons: HashMap<&Path, &Reason> =
            context.omissions.iter().map(|o| (o.path.as_path(), &o.reason)).collect();
        for (path, piece) in reach::pieces(material, context) {
            let Some(file) = by_path.get(path.as_path()).copied() else { continue };
            // An imported file is read as the one that imports it.
            let top = top_of(context, piece);
            let Some(dialect) = reach::import_dialect(host, &piece.source, &top) else { continue };
            let text = &material.files[file].document.text;
            let mentions = mentions.entry((h, file)).or_insert_with(|| Arc::new(imports::find(text, dialect))).clone();
            for mention in mentions.iter().filter(|m| !m.path.starts_with('~')) {
                let named = paths::join(path.parent().unwrap_or(Path::new("/")), &mention.path);
                let outcome = match reasons.get(named.as_path()) {
                    Some(Reason::ImportMissing { .. }) => Outcome::Missing,
                    Some(Reason::ImportOutside { .. }) => Outcome::Outside,
                    Some(Reason::ImportTooDeep { depth, .. }) => Outcome::TooDeep(*depth),
                    Some(Reason::ImportRefused { why, .. }) => Outcome::Refused(why.clone()),
                    // Left out under its own name, it may still be there under another.
                    _ if is_loaded(material, &by_path, context, &named) => Outcome::Loaded,
                    _ => continue,
                };
                let import = found.entry((file, mention.range.start, mention.path.clone())).or_insert_with(|| Import {
                    file,
                    span: mention.range.clone(),
                    written: mention.path.clone(),
                    named,
                    outcomes: BTreeMap::new(),
                });
                import.outcomes.entry(outcome).or_default().add(h, d);
            }
        }
    }
    found.into_values().collect()
}

/// Whether a file is in front of the model, under its own name or another.
fn is_loaded(material: &Material<'_>, by_path: &HashMap<&Path, usize>, context: &Context, path: &Path) -> bool {
    let real = by_path.get(path).map(|file| &material.files[*file].real);
    context.pieces.iter().any(|p| p.path.as_deref() == Some(path) || (real.is_some() && p.real.as_ref() == real))
}

/// The file at whose end of a chain of imports a piece stands.
fn top_of(context: &Context, piece: &Piece) -> PathBuf {
    let mut path = piece.path.clone().unwrap_or_default();
    let mut by = piece.imported_by.clone();
    // Imports can run in a circle.
    for _ in 0..32 {
        let Some(importer) = by else { break };
        by = context.pieces.iter().find(|p| p.path.as_ref() == Some(&importer)).and_then(|p| p.imported_by.clone());
        path = importer;
    }
    path
}

/// The endings of files that people import.
const TEXT_ENDINGS: &[&str] = &[".md", ".mdc", ".mdx", ".txt", ".rst", ".adoc", ".json", ".yaml", ".yml", ".toml"];

/// Whether what stands behind an `@` can only be meant as a path: it says where it begins, or ends as a text does. Names of
/// people, packages and decorators are none.
pub fn is_path(written: &str) -> bool {
    let written = written.trim_end_matches(['.', ',', ';', ':', ')', '!', '?']);
    let lower = written.to_lowercase();
    let begins = ["./", "../", "~/", "/"].iter().any(|start| written.starts_with(start)) && written.len() > 2;
    begins || TEXT_ENDINGS.iter().any(|ending| lower.ends_with(ending) && lower.len() > ending.len())
}

#[cfg(test)]
mod tests {
    use super::is_path;

    #[test]
    fn handles_packages_and_decorators_are_no_paths() {
        for path in ["docs/x.md", "./x", "../AGENTS.md", "AGENTS.md", "AGENTS.md.", "/etc/x", "a/b.json"] {
            assert!(is_path(path), "{path}");
        }
        for word in
            ["octocat", "types/node", "scope/pkg", "param", "Injectable()", "alice.", "vitest/expect", ".md", "./"]
        {
            assert!(!is_path(word), "{word}");
        }
    }
}
