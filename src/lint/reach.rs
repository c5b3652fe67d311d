//! What several reach rules ask: which hosts see a fact, launched from where, and how that is said.

use super::finding::Severity;
use super::material::{InstructionFile, Material};
use crate::discover::context::{Context, Omission, Piece};
use crate::discover::paths;
use crate::host::Host;
use crate::host::schema::{FileSet, ImportDialect, Scope, ScopeDialect};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One fact as several launches show it: pairs of host and launch directory, as indices of the survey.
#[derive(Debug, Clone, Default)]
pub struct Sightings(Vec<(usize, usize)>);

impl Sightings {
    /// Notes one more launch.
    pub fn add(&mut self, host: usize, directory: usize) {
        if !self.0.contains(&(host, directory)) {
            self.0.push((host, directory));
        }
    }

    /// The launches.
    pub fn pairs(&self) -> &[(usize, usize)] {
        &self.0
    }

    /// The hosts, each once, in the order of the selections.
    pub fn hosts(&self) -> Vec<usize> {
        let mut hosts: Vec<usize> = self.0.iter().map(|(host, _)| *host).collect();
        hosts.sort_unstable();
        hosts.dedup();
        hosts
    }

    /// The launch directories, each once, the root first.
    pub fn directories(&self) -> Vec<usize> {
        let mut directories: Vec<usize> = self.0.iter().map(|(_, directory)| *directory).collect();
        directories.sort_unstable();
        directories.dedup();
        directories
    }

    /// Only the launches of hosts that the team evidently uses; all if it uses none of them.
    #[must_use]
    pub fn in_use(&self, material: &Material<'_>) -> Self {
        let used: Vec<(usize, usize)> = self.0.iter().copied().filter(|(host, _)| is_in_use(material, *host)).collect();
        if used.is_empty() { self.clone() } else { Self(used) }
    }

    /// Whether the team evidently uses one of the hosts.
    pub fn matters(&self, material: &Material<'_>) -> bool {
        self.0.iter().any(|(host, _)| is_in_use(material, *host))
    }

    /// The hosts' ids.
    pub fn ids(&self, material: &Material<'_>) -> Vec<String> {
        self.hosts().into_iter().filter_map(|h| Some(material.selections.get(h)?.host.id.clone())).collect()
    }

    /// The hosts' names as a list in words: "Codex, Claude Code and Cursor".
    pub fn names(&self, material: &Material<'_>) -> String {
        names(material, &self.hosts())
    }

    /// The launch directories in words: "launched in the root", "from 3 launch directories, such as `a`".
    pub fn from(&self, material: &Material<'_>) -> String {
        let directories = self.directories();
        let word = |d: &usize| material.survey.directories.get(*d).map_or_else(String::new, |d| material.directory(d));
        match directories.as_slice() {
            [] => String::new(),
            [one] => format!("launched in {}", word(one)),
            [first, second] => format!("launched in {} or {}", word(first), word(second)),
            [first, ..] => format!("from {} launch directories, such as {}", directories.len(), word(first)),
        }
    }
}

/// Whether the team evidently uses a host.
pub fn is_in_use(material: &Material<'_>, host: usize) -> bool {
    material.in_use.get(host).copied().unwrap_or(false)
}

/// Names of hosts as a list in words.
pub fn names(material: &Material<'_>, hosts: &[usize]) -> String {
    list(hosts.iter().filter_map(|h| Some(material.selections.get(*h)?.host.name.clone())))
}

/// A list in words: "a, b and c".
pub fn list(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    match items.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A list of at most three things in words, with the number of those left out.
pub fn short_list(items: &[String]) -> String {
    match items.len() {
        0..=4 => list(items.iter().cloned()),
        n => list(items.iter().take(3).cloned().chain([format!("{} more", n - 3)])),
    }
}

/// The severity where the team uses one of the hosts; otherwise the fact is for those who ask for hints.
pub fn severity(material: &Material<'_>, sightings: &Sightings, severity: Severity) -> Severity {
    if sightings.matters(material) { severity } else { Severity::Hint }
}

/// Every launch with its indices: host, launch directory, context.
pub fn launches<'m>(material: &'m Material<'_>) -> impl Iterator<Item = (usize, usize, &'m Context)> {
    let contexts = material.survey.contexts.iter().enumerate();
    contexts.flat_map(|(host, contexts)| contexts.iter().enumerate().map(move |(d, context)| (host, d, context)))
}

/// Every file of the repository that was found and not loaded, with its launch.
pub fn omissions<'m>(material: &'m Material<'_>) -> impl Iterator<Item = (usize, usize, &'m Omission)> {
    launches(material)
        .flat_map(|(host, d, context)| context.omissions.iter().map(move |omission| (host, d, omission)))
        .filter(|(_, _, omission)| omission.path.starts_with(material.root))
}

/// Facts by what they are about, each with the launches that show it.
pub fn gather<K: Ord>(facts: impl IntoIterator<Item = (K, usize, usize)>) -> BTreeMap<K, Sightings> {
    let mut gathered: BTreeMap<K, Sightings> = BTreeMap::new();
    for (key, host, directory) in facts {
        gathered.entry(key).or_default().add(host, directory);
    }
    gathered
}

/// The import dialect that a host reads a file with, by the source that loaded it.
pub fn import_dialect<'h>(host: &'h Host, source: &str, path: &Path) -> Option<&'h ImportDialect> {
    let set = host.sources.get(source)?.files.iter().find(|set| takes(set, path))?;
    let name = set.imports.as_ref()?;
    let named_by_parameter = name.strip_prefix('$').map(|p| host.parameters.get(p).and_then(|p| p.default.as_str()));
    host.imports.get(named_by_parameter.unwrap_or(Some(name))?)
}

/// Whether a file is one that a set means, by its name or folder.
fn takes(set: &FileSet, path: &Path) -> bool {
    let path = path.to_string_lossy();
    if let Some(folder) = &set.folder {
        return path.contains(&format!("/{folder}/"));
    }
    let ends = |name: &String| {
        let tail = format!("/{}", name.trim_start_matches("./"));
        if set.any_letter_case { path.to_lowercase().ends_with(&tail.to_lowercase()) } else { path.ends_with(&tail) }
    };
    // A name that a setting or place gives is not known here, and then the set may mean any file.
    set.names.iter().any(|name| name.starts_with(['$', '{']) || ends(name)) || set.names.is_empty()
}

/// A file in a folder of scoped rules, as one host reads it.
pub struct RuleFile<'m> {
    /// The file.
    pub file: &'m InstructionFile,
    /// The host.
    pub host: usize,
    /// How the host reads its frontmatter.
    pub dialect: &'m ScopeDialect,
    /// The set of files that it belongs to.
    pub set: &'m FileSet,
    /// The folder that patterns count from, relative to the root with `/`; empty for the root.
    pub base: String,
}

/// The files in folders of scoped rules, as each host that reads them does.
pub fn rule_files<'m>(material: &'m Material<'_>) -> Vec<RuleFile<'m>> {
    let mut found = Vec::new();
    for (h, selection) in material.selections.iter().enumerate() {
        let host = &selection.host;
        let project = host.sources.values().filter(|s| matches!(s.scope, Scope::Project | Scope::Local | Scope::Rule));
        let sets: Vec<(&FileSet, &String, &ScopeDialect)> = project
            .flat_map(|source| &source.files)
            .filter_map(|set| Some((set, set.folder.as_ref()?, host.scopes.get(set.rules.as_ref()?)?)))
            .collect();
        for file in &material.files {
            if file.unreadable.is_some() || !file.readings.iter().any(|(reader, _, _)| *reader == h) {
                continue;
            }
            let path = format!("/{}", file.path);
            let inside = sets.iter().find_map(|(set, folder, dialect)| {
                let at = path.rfind(&format!("/{folder}/"))?;
                let suffix = |s: &String| path.to_lowercase().ends_with(&s.to_lowercase());
                (set.suffixes.is_empty() || set.suffixes.iter().any(suffix)).then_some((*set, *dialect, at))
            });
            if let Some((set, dialect, at)) = inside {
                // A host that reads the folder in its launch directory alone is launched there.
                let base = set.rules_base.as_ref().unwrap_or(&dialect.base);
                let from_owner = base == "{rules-base}" || base == "{launch}";
                let owner = path.get(1.min(at)..at).unwrap_or_default();
                let base = if from_owner { owner.to_owned() } else { String::new() };
                found.push(RuleFile { file, host: h, dialect, set, base });
            }
        }
    }
    found
}

/// Where a path in a file leads, relative to the root, links not resolved; `None` outside of the root.
pub fn target(material: &Material<'_>, file: &InstructionFile, path: &str) -> Option<String> {
    let folder = file.absolute.parent()?;
    paths::relative(&paths::join(folder, path), material.root)
}

/// The pieces of a context that come from files of the repository.
pub fn pieces<'c>(material: &'c Material<'_>, context: &'c Context) -> impl Iterator<Item = (&'c PathBuf, &'c Piece)> {
    let own = |piece: &'c Piece| piece.path.as_ref().filter(|p| p.starts_with(material.root)).map(|p| (p, piece));
    context.pieces.iter().filter_map(own)
}

/// "1 file" or "3 files".
pub fn counted(count: usize, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    }
}
