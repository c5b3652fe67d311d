//! Which files of a repository are instruction files of some host, and which only look like it.

use crate::explain::near::{self, Names};
use crate::filesystem::FileSystem;
use crate::host::schema::{Host, Scope};
use crate::project::tree::{EntryKind, Tree};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a repository has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inventory {
    /// Files with a name or in a folder that some host reads, by path relative to the root, with `/`.
    pub candidates: Vec<String>,
    /// Files whose name is nearly one of those, with the name that was meant.
    pub near_misses: Vec<(String, &'static str)>,
}

/// The folders of rules that the hosts' models hold, with the endings that count there.
#[derive(Debug, Clone, Default)]
pub struct RuleFolders(Vec<(String, Vec<String>)>);

impl RuleFolders {
    /// Collects them.
    pub fn collect<'a>(hosts: impl Iterator<Item = &'a Host>) -> Self {
        let mut folders: Vec<(String, Vec<String>)> = Vec::new();
        for set in hosts.flat_map(|h| h.sources.values()).filter(|s| s.scope != Scope::Memory).flat_map(|s| &s.files) {
            let Some(folder) = set.folder.as_ref().filter(|f| f.starts_with('.') && !f.contains('{')) else { continue };
            let suffixes: Vec<String> = set.suffixes.iter().map(|s| s.to_lowercase()).collect();
            if !suffixes.is_empty() && !folders.contains(&(folder.clone(), suffixes.clone())) {
                folders.push((folder.clone(), suffixes));
            }
        }
        Self(folders)
    }

    fn hold(&self, path: &str) -> Option<bool> {
        let lower = path.to_lowercase();
        let mut inside = None;
        for (folder, suffixes) in &self.0 {
            let within = path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'))
                || path.contains(&format!("/{folder}/"));
            if within {
                let counts = suffixes.iter().any(|s| lower.ends_with(s.as_str()));
                inside = Some(inside.unwrap_or(false) || counts);
            }
        }
        inside
    }
}

/// Finds the instruction files among the paths of a repository (relative, with `/`).
///
/// Files that git ignores are not among those paths, but a host reads them all the same: the known names are looked for
/// in the root and in every folder that has an instruction file.
pub fn find<'p>(
    paths: impl Iterator<Item = &'p str>,
    root: &Path,
    files: &dyn FileSystem,
    names: &Names,
    folders: &RuleFolders,
) -> Inventory {
    let all = names.all();
    let known: BTreeSet<&str> = all.iter().copied().collect();
    let lower: BTreeSet<String> = all.iter().map(|n| last(n).to_lowercase()).collect();
    let slips: BTreeSet<String> = near::slips().map(|n| last(n).to_lowercase()).collect();
    let mut inventory = Inventory::default();
    let mut candidates: BTreeSet<String> = BTreeSet::new();
    for path in paths {
        let name = last(path).to_lowercase();
        match folders.hold(path) {
            Some(true) => {
                candidates.insert(path.to_owned());
                continue;
            }
            Some(false) if name.ends_with(".md") || name.ends_with(".mdc") => {
                inventory.near_misses.push((path.to_owned(), "a file that the rules folder takes"));
                continue;
            }
            _ => {}
        }
        if !lower.contains(&name) && !slips.contains(&name) {
            continue;
        }
        if tails(path).any(|tail| known.contains(tail) && !is_second_spelling(tail, path)) {
            candidates.insert(path.to_owned());
        } else if let Some(meant) = tails(path).filter_map(near::meant).next() {
            inventory.near_misses.push((path.to_owned(), meant));
        }
    }
    let owners: BTreeSet<PathBuf> =
        candidates.iter().map(|c| owner(root, &root.join(c))).chain([root.to_path_buf()]).collect();
    for folder in owners {
        for name in &all {
            let path = folder.join(name);
            if let Some(relative) = crate::discover::paths::relative(&path, root)
                && !candidates.contains(&relative)
                && !is_second_spelling(name, &relative)
                && files.is_file(&path)
                && !inventory.near_misses.iter().any(|(near, _)| near.eq_ignore_ascii_case(&relative))
                && !candidates.iter().any(|c| c.eq_ignore_ascii_case(&relative))
            {
                candidates.insert(relative);
            }
        }
    }
    inventory.candidates = candidates.into_iter().collect();
    inventory
}

/// Whether a path is that of an instruction file, by its name or folder.
pub fn is_instruction_file(path: &Path, root: &Path, names: &Names, folders: &RuleFolders) -> bool {
    let relative = crate::discover::paths::relative(path, root).unwrap_or_else(|| path.to_string_lossy().into_owned());
    folders.hold(&relative) == Some(true) || names.all().iter().any(|name| tails(&relative).any(|tail| tail == *name))
}

/// Whether a name is one that only some hosts take for another (`agents.md`), somewhere below the root: there it is more often
/// a page than an instruction file.
fn is_second_spelling(name: &str, path: &str) -> bool {
    name != path && near::meant(name).is_some()
}

/// The path from each of its parts on: `a/.claude/CLAUDE.md`, `.claude/CLAUDE.md`, `CLAUDE.md`.
fn tails(path: &str) -> impl Iterator<Item = &str> {
    std::iter::once(path).chain(path.match_indices('/').map(|(at, _)| &path[at + 1..]))
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The folder that a file of a repository speaks for: the one that holds it, or the one above the dot folder it lies in.
pub fn owner(root: &Path, file: &Path) -> PathBuf {
    let parent = file.parent().unwrap_or(file);
    let is_dotted = |folder: &&Path| folder.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
    let dotted = parent.ancestors().take_while(|a| a.starts_with(root) && *a != root).filter(is_dotted).last();
    dotted.and_then(Path::parent).unwrap_or(parent).to_path_buf()
}

/// A file of a folder that an agent could touch: the first one that is no instruction file.
pub fn sample(tree: &Tree, root: &Path, folder: &Path) -> Option<PathBuf> {
    let relative = crate::discover::paths::relative(folder, root)?;
    let files = || tree.children(&relative).filter(|entry| entry.kind == EntryKind::File);
    let plain = files().find(|entry| !entry.name().starts_with('.') && !entry.name().to_lowercase().ends_with(".md"));
    plain.or_else(|| files().next()).map(|entry| root.join(entry.path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_in_a_dot_folder_speaks_for_the_folder_above() {
        let root = Path::new("/home/.cache/r");
        assert_eq!(owner(root, &root.join("a/.claude/rules/x/y.md")), root.join("a"));
        assert_eq!(owner(root, &root.join("a/AGENTS.md")), root.join("a"));
        assert_eq!(owner(root, &root.join(".github/copilot-instructions.md")), root);
    }
}
