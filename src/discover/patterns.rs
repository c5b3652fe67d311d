//! Names of files that are patterns: `*` and `?` within one folder, `[…]`, `{…}`, and `**` over folders.
//!
//! Only the folders that a pattern can lead into are listed. Names that begin with a dot have to be named.

use super::scope::expand_braces;
use crate::filesystem::{FileKind, FileSystem};
use globset::{GlobBuilder, GlobMatcher};
use std::path::{Path, PathBuf};

/// How many folders `**` enters below each other at most.
const DEPTH_LIMIT: usize = 64;

/// Whether a name is a pattern.
pub fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?', '{', '['])
}

/// The files in `folder` that a pattern names, in the order of their names.
pub fn find(files: &dyn FileSystem, folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for pattern in expand_braces(pattern) {
        let parts: Vec<&str> = pattern.split('/').filter(|p| !p.is_empty() && *p != ".").collect();
        if parts.contains(&"..") {
            continue;
        }
        let mut more = Vec::new();
        enter(files, folder, &parts, 0, &mut more);
        more.into_iter().for_each(|path| {
            if !found.contains(&path) {
                found.push(path);
            }
        });
    }
    found
}

fn enter(files: &dyn FileSystem, folder: &Path, parts: &[&str], depth: usize, found: &mut Vec<PathBuf>) {
    let Some((part, rest)) = parts.split_first() else { return };
    if *part == "**" {
        enter(files, folder, rest, depth, found);
        if depth < DEPTH_LIMIT {
            for (_, path) in entries(files, folder, "").into_iter().filter(|(kind, _)| *kind == FileKind::Directory) {
                enter(files, &path, parts, depth + 1, found);
            }
        }
        return;
    }
    if !is_pattern(part) {
        let path = folder.join(part);
        if !rest.is_empty() {
            enter(files, &path, rest, depth, found);
        } else if files.link_metadata(&path).is_ok() {
            found.push(path);
        }
        return;
    }
    let Some(matcher) = matcher(part) else { return };
    for (_, path) in entries(files, folder, part) {
        if path.file_name().is_some_and(|name| matcher.is_match(Path::new(name))) {
            match rest.is_empty() {
                true => found.push(path),
                false => enter(files, &path, rest, depth, found),
            }
        }
    }
}

/// What a folder holds, by name; hidden names only where the pattern itself begins with a dot.
fn entries(files: &dyn FileSystem, folder: &Path, part: &str) -> Vec<(FileKind, PathBuf)> {
    let mut entries = files.entries(folder).unwrap_or_default();
    entries.retain(|entry| part.starts_with('.') || !entry.name.starts_with('.'));
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    entries.into_iter().map(|entry| (entry.kind, entry.path)).collect()
}

fn matcher(part: &str) -> Option<GlobMatcher> {
    GlobBuilder::new(part).literal_separator(true).build().ok().map(|glob| glob.compile_matcher())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filesystem::Disk;

    #[test]
    fn stars_stay_in_their_folder_and_hidden_folders_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        for path in
            ["AGENTS.md", "p/a/AGENTS.md", "p/a/deep/AGENTS.md", "p/b/AGENTS.md", "p/.h/AGENTS.md", "p/b/SOUL.md"]
        {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x").unwrap();
        }
        let found = |pattern: &str| -> Vec<String> {
            let found = find(&Disk, folder.path(), pattern);
            found.iter().map(|p| p.strip_prefix(folder.path()).unwrap().to_string_lossy().into_owned()).collect()
        };
        assert_eq!(found("p/*/AGENTS.md"), ["p/a/AGENTS.md", "p/b/AGENTS.md"]);
        assert_eq!(found("**/AGENTS.md"), ["AGENTS.md", "p/a/AGENTS.md", "p/a/deep/AGENTS.md", "p/b/AGENTS.md"]);
        assert_eq!(found("./p/{b,a}/AGENTS.md"), ["p/b/AGENTS.md", "p/a/AGENTS.md"]);
        assert_eq!(found("p/b/*.md"), ["p/b/AGENTS.md", "p/b/SOUL.md"]);
        assert_eq!(found("p/?/SOUL.md"), ["p/b/SOUL.md"]);
        assert!(found("../**/AGENTS.md").is_empty() && found("p/c/*.md").is_empty());
    }
}
