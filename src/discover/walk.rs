//! Which folders a source looks at, and in which order.

use super::package;
use super::paths;
use super::resolve::Resolver;
use crate::host::schema::{Chain, ChainOrder, Source};
use std::cell::RefCell;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Names that only a walk knows, for expressions: `{touched}`, `{touched-folder}`, the folder `{reach}` that the touch is
/// allowed in and its project root (or itself) `{reach-root}`; `{each}` and its project root `{each-root}`.
pub type Names<'a> = &'a [(&'a str, &'a str)];

/// The folders that were looked at on touch in this session, by source.
#[derive(Debug, Default)]
pub struct Seen {
    before: RefCell<HashSet<(String, PathBuf)>>,
    /// Those of the touch that is looked at: a walk does not end at them, but they are not looked at twice.
    now: RefCell<HashSet<(String, PathBuf)>>,
}

impl Seen {
    fn holds(&self, source: &str, folder: &Path) -> bool {
        self.before.borrow().contains(&(source.to_owned(), folder.to_path_buf()))
    }

    fn holds_now(&self, source: &str, folder: &Path) -> bool {
        self.now.borrow().contains(&(source.to_owned(), folder.to_path_buf()))
    }

    /// Notes the folders of a walk.
    pub fn note(&self, source: &str, folders: impl IntoIterator<Item = PathBuf>) {
        self.now.borrow_mut().extend(folders.into_iter().map(|f| (source.to_owned(), f)));
    }

    /// Ends a touch: what was looked at for it was looked at before.
    pub fn settle(&self) {
        self.before.borrow_mut().extend(self.now.borrow_mut().drain());
    }
}

/// The folders of a chain, in its order.
pub fn folders(resolver: &Resolver<'_>, chain: &Chain, names: Option<Names<'_>>) -> Vec<PathBuf> {
    let names = names.unwrap_or_default();
    let Some(bottom) = resolver.path_with(&chain.bottom, names) else { return Vec::new() };
    let mut folders = match resolver.path_with(&chain.top, names) {
        Some(top) => paths::chain(&top, &bottom),
        None if chain.required => Vec::new(),
        None => vec![bottom],
    };
    let ends: Vec<PathBuf> = chain.ends_before.iter().filter_map(|e| resolver.path_with(e, names)).collect();
    if let Some(end) = folders.iter().rposition(|folder| ends.contains(folder)) {
        folders.drain(..=end);
    }
    let without: Vec<PathBuf> = chain.without.iter().filter_map(|w| resolver.path_with(w, names)).collect();
    folders.retain(|folder| !without.contains(folder));
    if let Some(inner) = chain.without_above.as_ref().and_then(|inner| resolver.path_with(inner, names)) {
        folders.retain(|folder| !inner.starts_with(folder));
    }
    if let Some(limit) = chain.limit {
        folders.drain(..folders.len().saturating_sub(limit));
    }
    if chain.order == ChainOrder::Up {
        folders.reverse();
    }
    folders
}

/// The folders that a source looks at, in its order. With `each`, those of each element follow each other.
pub fn source_folders(
    resolver: &Resolver<'_>,
    id: &str,
    source: &Source,
    names: Names<'_>,
    seen: &Seen,
) -> Vec<PathBuf> {
    let mut result: Vec<PathBuf> = Vec::new();
    let mut walk = |names: Names<'_>| {
        if let Some(folder) = source.folder.as_ref().and_then(|f| resolver.path_with(f, names)) {
            match &source.packages {
                Some(packages) => result.extend(package::in_force(resolver, packages, &folder)),
                None => result.push(folder),
            }
        }
        if let Some(chain) = &source.chain {
            let mut found = folders(resolver, chain, Some(names));
            if chain.stop_at_seen {
                // Going up, the first folder that was seen before ends the walk.
                let up = chain.order == ChainOrder::Up;
                let end = |folder: &PathBuf| seen.holds(id, folder);
                if up {
                    found.truncate(found.iter().position(end).unwrap_or(found.len()));
                } else {
                    found.drain(..found.iter().rposition(end).map_or(0, |at| at + 1));
                }
            }
            if chain.skip_seen {
                found.retain(|folder| !seen.holds(id, folder));
            }
            if chain.skip_seen || chain.stop_at_seen {
                found.retain(|folder| !seen.holds_now(id, folder));
            }
            result.extend(found);
        }
    };
    match &source.each {
        Some(parameter) => {
            for folder in each(resolver, parameter) {
                let root = resolver.root_above(Path::new(&folder)).map(|r| r.to_string_lossy().into_owned());
                let mut names = names.to_vec();
                names.push(("each", &folder));
                names.extend(root.as_ref().map(|root| ("each-root", root.as_str())));
                walk(&names);
            }
        }
        None => walk(names),
    }
    let mut seen_here = HashSet::new();
    result.retain(|folder| seen_here.insert(folder.clone()));
    result
}

/// The folders of a list parameter, absolute: relative ones count from where they were set.
pub fn each(resolver: &Resolver<'_>, parameter: &str) -> Vec<String> {
    let found = resolver.parameter(parameter);
    let launch = resolver.place("launch").unwrap_or_default();
    super::resolve::strings(&found.value)
        .iter()
        .enumerate()
        .map(|(i, folder)| {
            let base = found.bases.get(i).unwrap_or(&launch);
            paths::join(base, resolver.expand_home(folder)).to_string_lossy().into_owned()
        })
        .collect()
}
