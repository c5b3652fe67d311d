//! The list of what a repository contains: one parallel walk, kept compactly.
//!
//! All paths are relative to the root, with `/`, sorted by bytes, in one text. Indexes by file name are built on
//! first use, so that a caller who only lists files pays for nothing else.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use ignore::{ParallelVisitor, ParallelVisitorBuilder, WalkBuilder, WalkState};

/// What lies at a path of the tree, links not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Directory,
    /// A symbolic link.
    Link,
    /// A pipe, socket or device.
    Special,
}

/// A place that the walk could not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// What the walk said, with the path where it is known.
    pub problem: String,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    start: u32,
    length: u32,
    kind: EntryKind,
}

/// The paths of a repository.
#[derive(Debug, Default)]
pub struct Tree {
    text: String,
    slots: Vec<Slot>,
    links: BTreeMap<String, String>,
    unreadable: Vec<Unreadable>,
    by_name: OnceLock<Vec<u32>>,
}

/// One entry of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeEntry<'a> {
    /// The path relative to the root, with `/`; never empty, no final slash.
    pub path: &'a str,
    /// What it is.
    pub kind: EntryKind,
}

impl<'a> TreeEntry<'a> {
    /// The last component.
    pub fn name(&self) -> &'a str {
        file_name(self.path)
    }
}

/// The last component of a path with `/`.
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The folder of a path with `/`; empty at the root.
pub fn parent(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..at])
}

/// `base` and `path` put together, with `.` and `..` taken out. `None` when it leads out of the root.
pub fn join(base: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in base.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Whether a folder's ignore file is a pipe or a device, links followed.
fn has_blocking_ignore_file(folder: &Path) -> bool {
    std::fs::metadata(folder.join(".gitignore")).is_ok_and(|m| !m.is_file() && !m.is_dir())
}

#[derive(Default)]
struct Batch {
    text: String,
    slots: Vec<Slot>,
    links: Vec<(String, String)>,
    unreadable: Vec<Unreadable>,
}

impl Batch {
    fn push(&mut self, path: &str, kind: EntryKind) {
        let (Ok(start), Ok(length)) = (u32::try_from(self.text.len()), u32::try_from(path.len())) else {
            self.unreadable.push(Unreadable { problem: "more than 4 GiB of path names".to_owned() });
            return;
        };
        if start.checked_add(length).is_none() {
            self.unreadable.push(Unreadable { problem: "more than 4 GiB of path names".to_owned() });
            return;
        }
        self.text.push_str(path);
        self.slots.push(Slot { start, length, kind });
    }
}

struct Collector<'s> {
    batch: Batch,
    prefix: usize,
    done: &'s Mutex<Vec<Batch>>,
}

impl Drop for Collector<'_> {
    fn drop(&mut self) {
        let batch = std::mem::take(&mut self.batch);
        match self.done.lock() {
            Ok(mut done) => done.push(batch),
            Err(poisoned) => poisoned.into_inner().push(batch),
        }
    }
}

impl ParallelVisitor for Collector<'_> {
    fn visit(&mut self, entry: Result<ignore::DirEntry, ignore::Error>) -> WalkState {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                self.batch.unreadable.push(Unreadable { problem: error.to_string() });
                return WalkState::Continue;
            }
        };
        if entry.depth() == 0 {
            return WalkState::Continue;
        }
        let kind = match entry.file_type() {
            Some(kind) if kind.is_symlink() => EntryKind::Link,
            Some(kind) if kind.is_dir() => EntryKind::Directory,
            Some(kind) if kind.is_file() => EntryKind::File,
            _ => EntryKind::Special,
        };
        let bytes = entry.path().as_os_str().as_encoded_bytes();
        let relative = String::from_utf8_lossy(bytes.get(self.prefix..).unwrap_or_default());
        let relative = relative.trim_start_matches(['/', std::path::MAIN_SEPARATOR]);
        if std::path::MAIN_SEPARATOR == '/' {
            self.batch.push(relative, kind);
        } else {
            self.batch.push(&relative.replace(std::path::MAIN_SEPARATOR, "/"), kind);
        }
        if kind == EntryKind::Link
            && let Ok(target) = std::fs::read_link(entry.path())
        {
            let target = target.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
            self.batch.links.push((relative.replace(std::path::MAIN_SEPARATOR, "/"), target));
        }
        WalkState::Continue
    }
}

struct CollectorBuilder<'s> {
    prefix: usize,
    done: &'s Mutex<Vec<Batch>>,
}

impl<'s> ParallelVisitorBuilder<'s> for CollectorBuilder<'s> {
    fn build(&mut self) -> Box<dyn ParallelVisitor + 's> {
        Box::new(Collector { batch: Batch::default(), prefix: self.prefix, done: self.done })
    }
}

impl Tree {
    /// Walks `root` once. Hidden files are listed, `.git` and what git would ignore are not, links are not followed.
    /// What cannot be read is kept in [`Tree::unreadable`].
    pub fn walk(root: &Path) -> Self {
        let own = std::fs::symlink_metadata(root.join(".git")).is_ok();
        let above = !own && root.ancestors().skip(1).any(|folder| folder.join(".git").exists());
        let tree = Self::walk_with(root, above);
        // A root that the repository above ignores as a whole is still a project of its own.
        if above && tree.slots.is_empty() { Self::walk_with(root, false) } else { tree }
    }

    fn walk_with(root: &Path, parents: bool) -> Self {
        let done = Mutex::new(Vec::new());
        let prefix = root.as_os_str().as_encoded_bytes().len();
        // The walk opens ignore files itself; opening a pipe in place of one would block for ever.
        if has_blocking_ignore_file(root) {
            let problem = format!("{} has a .gitignore that is no regular file", root.display());
            return Self { unreadable: vec![Unreadable { problem }], ..Self::default() };
        }
        let skipped = Arc::new(Mutex::new(Vec::new()));
        let refused = Arc::clone(&skipped);
        WalkBuilder::new(root)
            .hidden(false)
            .ignore(false)
            .git_global(false)
            .git_exclude(true)
            .git_ignore(true)
            .require_git(false)
            .parents(parents)
            .follow_links(false)
            .filter_entry(move |entry| {
                let folder = entry.file_type().is_some_and(|kind| kind.is_dir());
                if entry.file_name() == ".git" {
                    return false;
                }
                if folder && has_blocking_ignore_file(entry.path()) {
                    let problem = format!("{} has a .gitignore that is no regular file", entry.path().display());
                    if let Ok(mut refused) = refused.lock() {
                        refused.push(Unreadable { problem });
                    }
                    return false;
                }
                true
            })
            .build_parallel()
            .visit(&mut CollectorBuilder { prefix, done: &done });
        let batches = match done.into_inner() {
            Ok(batches) => batches,
            Err(poisoned) => poisoned.into_inner(),
        };
        let mut tree = Self::from_batches(batches);
        if let Ok(mut skipped) = skipped.lock() {
            tree.unreadable.append(&mut skipped);
        }
        tree
    }

    /// A tree made of a plain list of file paths; a path that ends with `/` is a folder. Parent folders are added.
    pub fn from_paths<'p>(paths: impl IntoIterator<Item = &'p str>) -> Self {
        let mut kinds: BTreeMap<String, EntryKind> = BTreeMap::new();
        for path in paths {
            let Some(clean) = join("", path) else { continue };
            let mut folder = parent(&clean);
            while !folder.is_empty() {
                kinds.insert(folder.to_owned(), EntryKind::Directory);
                folder = parent(folder);
            }
            if !clean.is_empty() {
                let kind = if path.ends_with('/') { EntryKind::Directory } else { EntryKind::File };
                kinds.entry(clean).or_insert(kind);
            }
        }
        let mut batch = Batch::default();
        for (path, kind) in &kinds {
            batch.push(path, *kind);
        }
        Self::from_batches(vec![batch])
    }

    /// A tree made of entries that are known one by one: path (relative, clean, with `/`), what it is, and where a link
    /// points. Every folder has to be among them.
    pub fn from_entries(entries: impl IntoIterator<Item = (String, EntryKind, Option<String>)>) -> Self {
        let mut batch = Batch::default();
        for (path, kind, target) in entries {
            batch.push(&path, kind);
            batch.links.extend(target.map(|target| (path, target)));
        }
        Self::from_batches(vec![batch])
    }

    /// Adds a symbolic link to a tree made by [`Tree::from_paths`].
    #[must_use]
    pub fn with_link(self, path: &str, target: &str) -> Self {
        let mut batch = Batch { text: self.text, slots: self.slots, ..Batch::default() };
        batch.push(path, EntryKind::Link);
        batch.links = self.links.into_iter().collect();
        batch.links.push((path.to_owned(), target.to_owned()));
        Self::from_batches(vec![batch])
    }

    fn from_batches(batches: Vec<Batch>) -> Self {
        let mut tree = Self::default();
        tree.text.reserve_exact(batches.iter().map(|b| b.text.len()).sum());
        tree.slots.reserve_exact(batches.iter().map(|b| b.slots.len()).sum());
        for mut batch in batches {
            tree.unreadable.append(&mut batch.unreadable);
            tree.links.extend(batch.links);
            match u32::try_from(tree.text.len()) {
                Ok(base) if u32::try_from(tree.text.len() + batch.text.len()).is_ok() => {
                    tree.text.push_str(&batch.text);
                    tree.slots.extend(batch.slots.iter().map(|s| Slot { start: s.start + base, ..*s }));
                }
                _ => tree.unreadable.push(Unreadable { problem: "more than 4 GiB of path names".to_owned() }),
            }
        }
        let text = &tree.text;
        tree.slots.sort_unstable_by(|a, b| slice(text, *a).cmp(slice(text, *b)));
        tree
    }

    fn at(&self, index: usize) -> Option<TreeEntry<'_>> {
        self.slots.get(index).map(|slot| TreeEntry { path: slice(&self.text, *slot), kind: slot.kind })
    }

    fn lower_bound(&self, path: &str) -> usize {
        self.slots.partition_point(|slot| slice(&self.text, *slot) < path)
    }

    /// How many entries there are, folders included.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Places that could not be read.
    pub fn unreadable(&self) -> &[Unreadable] {
        &self.unreadable
    }

    /// All entries, sorted by the bytes of their path.
    pub fn entries(&self) -> impl Iterator<Item = TreeEntry<'_>> {
        self.slots.iter().map(|slot| TreeEntry { path: slice(&self.text, *slot), kind: slot.kind })
    }

    /// All files and links that are not folders of the tree.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.entries().filter(|e| matches!(e.kind, EntryKind::File | EntryKind::Link)).map(|e| e.path)
    }

    /// What lies at exactly this path, links not followed. The root is a folder.
    pub fn kind(&self, path: &str) -> Option<EntryKind> {
        if path.is_empty() {
            return Some(EntryKind::Directory);
        }
        self.at(self.lower_bound(path)).filter(|e| e.path == path).map(|e| e.kind)
    }

    /// Where the link at exactly this path points, as written.
    pub fn link_target(&self, path: &str) -> Option<&str> {
        self.links.get(path).map(String::as_str)
    }

    /// Everything below a folder, at any depth. The empty path is the root.
    pub fn under<'t>(&'t self, folder: &str) -> impl Iterator<Item = TreeEntry<'t>> + use<'t> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        self.starting_with(prefix)
    }

    /// All entries whose path begins with these characters.
    pub fn starting_with<'t>(&'t self, prefix: String) -> impl Iterator<Item = TreeEntry<'t>> + use<'t> {
        let first = self.lower_bound(&prefix);
        (first..self.slots.len()).map_while(|i| self.at(i)).take_while(move |e| e.path.starts_with(&prefix))
    }

    /// The entries directly in a folder.
    pub fn children<'t>(&'t self, folder: &str) -> impl Iterator<Item = TreeEntry<'t>> + use<'t> {
        let skip = if folder.is_empty() { 0 } else { folder.len() + 1 };
        self.under(folder).filter(move |e| e.path.get(skip..).is_some_and(|rest| !rest.contains('/')))
    }

    fn names(&self) -> &[u32] {
        self.by_name.get_or_init(|| {
            let mut order: Vec<u32> = (0..u32::try_from(self.slots.len()).unwrap_or(u32::MAX)).collect();
            order.sort_unstable_by(|a, b| compare_ignoring_case(self.name_of(*a), self.name_of(*b)).then(a.cmp(b)));
            order
        })
    }

    fn name_of(&self, index: u32) -> &str {
        self.at(index as usize).map_or("", |e| e.name())
    }

    fn name_range<'t, M>(&'t self, from: &str, matches: M) -> impl Iterator<Item = TreeEntry<'t>> + use<'t, M>
    where
        M: Fn(&str) -> bool + 't,
    {
        let names = self.names();
        let first = names.partition_point(|i| compare_ignoring_case(self.name_of(*i), from) == Ordering::Less);
        names
            .get(first..)
            .unwrap_or_default()
            .iter()
            .filter_map(|i| self.at(*i as usize))
            .take_while(move |e| matches(e.name()))
    }

    /// Entries with this name in any folder, ASCII case ignored.
    pub fn named_ignoring_case<'t>(&'t self, name: &'t str) -> impl Iterator<Item = TreeEntry<'t>> {
        self.name_range(name, move |other| other.eq_ignore_ascii_case(name))
    }

    /// Entries with exactly this name in any folder.
    pub fn named<'t>(&'t self, name: &'t str) -> impl Iterator<Item = TreeEntry<'t>> {
        self.named_ignoring_case(name).filter(move |e| e.name() == name)
    }

    /// Entries whose name is `stem` with an extension added (`stem.…`), in any folder.
    pub fn with_stem<'t>(&'t self, stem: &'t str) -> impl Iterator<Item = TreeEntry<'t>> {
        let from = format!("{stem}.");
        let wanted = from.clone();
        self.name_range(&from, move |other| {
            other.as_bytes().get(..wanted.len()).is_some_and(|start| start.eq_ignore_ascii_case(wanted.as_bytes()))
        })
        .filter(move |e| e.name().starts_with(stem))
    }

    /// Entries whose path ends with these whole components.
    pub fn ending_with<'t>(&'t self, suffix: &'t str) -> impl Iterator<Item = TreeEntry<'t>> {
        self.named(file_name(suffix)).filter(move |e| ends_with_components(e.path, suffix))
    }

    /// The entry at this path when ASCII case is ignored.
    pub fn ignoring_case(&self, path: &str) -> Option<TreeEntry<'_>> {
        let name = file_name(path).to_owned();
        let names = self.names();
        let first = names.partition_point(|i| compare_ignoring_case(self.name_of(*i), &name) == Ordering::Less);
        names
            .get(first..)?
            .iter()
            .filter_map(|i| self.at(*i as usize))
            .take_while(|e| e.name().eq_ignore_ascii_case(&name))
            .find(|e| e.path.eq_ignore_ascii_case(path))
    }
}

/// Whether `path` is `suffix` or ends with `/` and `suffix`.
pub fn ends_with_components(path: &str, suffix: &str) -> bool {
    path.strip_suffix(suffix).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

fn slice(text: &str, slot: Slot) -> &str {
    text.get(slot.start as usize..slot.start as usize + slot.length as usize).unwrap_or("")
}

fn compare_ignoring_case(a: &str, b: &str) -> Ordering {
    a.bytes().map(|c| c.to_ascii_lowercase()).cmp(b.bytes().map(|c| c.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths<'t>(entries: impl Iterator<Item = TreeEntry<'t>>) -> Vec<&'t str> {
        entries.map(|e| e.path).collect()
    }

    #[test]
    fn finds_by_path_name_end_and_case() {
        let tree = Tree::from_paths(["src/a.rs", "src/b/A.rs", "docs/readme.md", "src/a.rs.bak", "empty/"]);
        assert_eq!(tree.kind("src"), Some(EntryKind::Directory));
        assert_eq!(tree.kind("src/b/A.rs"), Some(EntryKind::File));
        assert_eq!(tree.kind("src/b/a.rs"), None);
        assert_eq!(tree.kind("empty"), Some(EntryKind::Directory));
        assert_eq!(paths(tree.named("a.rs")), ["src/a.rs"]);
        assert_eq!(paths(tree.named_ignoring_case("a.rs")), ["src/a.rs", "src/b/A.rs"]);
        assert_eq!(paths(tree.ending_with("b/A.rs")), ["src/b/A.rs"]);
        assert_eq!(paths(tree.ending_with("/A.rs")), Vec::<&str>::new());
        assert_eq!(tree.ignoring_case("DOCS/README.md").map(|e| e.path), Some("docs/readme.md"));
        assert_eq!(paths(tree.with_stem("a")), ["src/a.rs", "src/a.rs.bak"]);
        assert_eq!(paths(tree.children("src")), ["src/a.rs", "src/a.rs.bak", "src/b"]);
        assert_eq!(paths(tree.under("src/b")), ["src/b/A.rs"]);
    }

    #[test]
    fn join_stays_inside() {
        assert_eq!(join("a/b", "../c/./d"), Some("a/c/d".to_owned()));
        assert_eq!(join("a", "../.."), None);
        assert_eq!(join("", ""), Some(String::new()));
    }

    #[test]
    fn walk_lists_hidden_files_and_leaves_out_what_git_ignores() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path();
        for (path, text) in [
            (".gitignore", "out/\n*.log\n!keep.log\n"),
            (".hidden/x", ""),
            ("out/y", ""),
            ("a.log", ""),
            ("keep.log", ""),
        ] {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        std::fs::create_dir_all(root.join(".git/objects")).expect("a folder");
        let tree = Tree::walk(root);
        assert_eq!(paths(tree.entries()), [".gitignore", ".hidden", ".hidden/x", "keep.log"]);
        assert!(tree.unreadable().is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn walk_keeps_links_and_pipes_and_survives_loops() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path();
        std::os::unix::fs::symlink("loop", root.join("loop")).expect("a link");
        std::os::unix::fs::symlink("..", root.join("up")).expect("a link");
        let made = std::process::Command::new("mkfifo").arg(root.join("pipe")).status();
        let tree = Tree::walk(root);
        assert_eq!(tree.kind("loop"), Some(EntryKind::Link));
        assert_eq!(tree.link_target("up"), Some(".."));
        if made.is_ok_and(|status| status.success()) {
            assert_eq!(tree.kind("pipe"), Some(EntryKind::Special));
        }
    }

    #[test]
    fn a_root_that_the_repository_above_ignores_is_still_listed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir_all(folder.path().join(".git")).expect("a folder");
        std::fs::write(folder.path().join(".gitignore"), "inner/\n").expect("a file");
        std::fs::create_dir_all(folder.path().join("inner")).expect("a folder");
        std::fs::write(folder.path().join("inner/a"), "").expect("a file");
        assert_eq!(paths(Tree::walk(&folder.path().join("inner")).entries()), ["a"]);
    }
}
