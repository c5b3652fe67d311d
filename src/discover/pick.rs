//! Which files of one folder a file set means, before they are read.

use super::package;
use super::paths;
use super::patterns;
use super::resolve::Resolver;
use crate::filesystem::{FileKind, FileSystem};
use crate::host::schema::{FileOrder, FileSet};
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

/// Folders below a rules folder are entered to this depth, as a stop for what links could make endless.
const DEPTH_LIMIT: usize = 256;

/// What was found under one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A regular file, links followed.
    File(PathBuf),
    /// A folder, pipe or device.
    NotAFile(PathBuf),
    /// A link that leads nowhere.
    BrokenLink(PathBuf),
    /// Something that cannot be looked at.
    Unreadable(PathBuf, String),
    /// A file larger than the set takes, with the limit in bytes.
    TooLarge(PathBuf, u64),
    /// A file that the set does not take, with what it does not take.
    Refused(PathBuf, String),
}

impl Found {
    /// The path under which it was found.
    pub fn path(&self) -> &Path {
        match self {
            Self::File(p)
            | Self::NotAFile(p)
            | Self::BrokenLink(p)
            | Self::Unreadable(p, _)
            | Self::TooLarge(p, _)
            | Self::Refused(p, _) => p,
        }
    }
}

/// The candidates of a set in a folder, in the order in which the host looks at them. What is not there is left out.
pub fn candidates(resolver: &Resolver<'_>, set: &FileSet, folder: &Path) -> Vec<Found> {
    match &set.folder {
        Some(rules) => resolver
            .fill(rules)
            .map(|rules| listed(resolver.files, set, &paths::join(folder, rules)))
            .unwrap_or_default(),
        None => named(resolver, set, folder),
    }
}

/// The files of a rules folder whose endings are not the host's.
pub fn idle(resolver: &Resolver<'_>, set: &FileSet, folder: &Path) -> Vec<PathBuf> {
    if set.idle_suffixes.is_empty() {
        return Vec::new();
    }
    let idle = FileSet { suffixes: set.idle_suffixes.clone(), ..set.clone() };
    let found = candidates(resolver, &idle, folder).into_iter();
    let files = found.filter_map(|found| if let Found::File(path) = found { Some(path) } else { None });
    // An ending that is taken may itself end in one that is not: `.instructions.md` in `.md`.
    files.filter(|path| !is_taken(set, &paths::file_name(path))).collect()
}

fn named(resolver: &Resolver<'_>, set: &FileSet, folder: &Path) -> Vec<Found> {
    let names = match &set.names_in {
        Some(manifest) => package::names(resolver, manifest, folder),
        None => resolver.expand_names(&set.names),
    };
    let base_names = resolver.expand_names(&set.base_names);
    let mut found = Vec::new();
    for path in names.iter().flat_map(|name| named_paths(resolver.files, set, folder, name)) {
        if let Some(refused) = refused(resolver.files, set, folder, &base_names, &path) {
            found.push(refused);
            continue;
        }
        let spelled = if set.any_letter_case { spelling(resolver.files, &path) } else { Some(path) };
        let Some(path) = spelled else { continue };
        if let Some(one) = look_at(resolver.files, path)
            && !found.contains(&one)
        {
            found.push(one);
        }
    }
    found
}

/// The paths that a name means: one, or those that match it if it is a pattern.
fn named_paths(files: &dyn FileSystem, set: &FileSet, folder: &Path, name: &str) -> Vec<PathBuf> {
    match set.globs && patterns::is_pattern(name) {
        true => patterns::find(files, folder, name),
        false => vec![paths::join(folder, name)],
    }
}

/// A file that is there but not taken for its name or place.
fn refused(files: &dyn FileSystem, set: &FileSet, folder: &Path, base_names: &[String], path: &Path) -> Option<Found> {
    if files.link_metadata(path).is_err() {
        return None;
    }
    if !set.base_names.is_empty() && !base_names.contains(&paths::file_name(path)) {
        let wanted = base_names.join(", ");
        return Some(Found::Refused(path.to_path_buf(), format!("names other than {wanted}")));
    }
    let real = |path: &Path| files.canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let leads_out = || path.parent().is_some_and(|parent| !real(parent).starts_with(real(folder)));
    if set.stays_inside && (!path.starts_with(folder) || leads_out()) {
        return Some(Found::Refused(path.to_path_buf(), format!("paths outside {}", folder.display())));
    }
    None
}

/// The entry that has the path's name in any letter case; the exact one wins.
fn spelling(files: &dyn FileSystem, path: &Path) -> Option<PathBuf> {
    if files.link_metadata(path).is_ok() {
        return Some(path.to_path_buf());
    }
    let wanted = paths::file_name(path).to_lowercase();
    let entries = files.entries(path.parent()?).ok()?;
    entries.into_iter().find(|e| e.name.to_lowercase() == wanted).map(|e| e.path)
}

fn look_at(files: &dyn FileSystem, path: PathBuf) -> Option<Found> {
    match files.metadata(&path) {
        Ok(metadata) if metadata.kind == FileKind::File => Some(Found::File(path)),
        Ok(_) => Some(Found::NotAFile(path)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            match files.link_metadata(&path) {
                Ok(metadata) if metadata.kind == FileKind::Link => Some(Found::BrokenLink(path)),
                _ => None,
            }
        }
        Err(error) => Some(Found::Unreadable(path, error.to_string())),
    }
}

/// All files below a rules folder that the set means.
fn listed(files: &dyn FileSystem, set: &FileSet, root: &Path) -> Vec<Found> {
    if !files.is_directory(root) {
        return Vec::new();
    }
    let mut listing = Listing { files, set, found: Vec::new(), looked_at: 0, entered: HashSet::new() };
    let mut open = vec![(root.to_path_buf(), 0)];
    while let Some((folder, depth)) = open.pop() {
        open.extend(listing.enter(&folder, depth));
    }
    let mut found = listing.found;
    let key = |found: &Found| found.path().as_os_str().to_owned();
    match set.order {
        FileOrder::Found => {}
        FileOrder::Path => found.sort_by_key(key),
        FileOrder::Name => found.sort_by_key(|f| paths::file_name(f.path())),
    }
    let mut bytes = 0;
    found.into_iter().map(|found| within_limits(files, set, found, &mut bytes)).collect()
}

/// The file, unless it is larger than one of the set, or all of them together, may be.
fn within_limits(files: &dyn FileSystem, set: &FileSet, found: Found, bytes: &mut u64) -> Found {
    let Found::File(path) = found else { return found };
    if set.file_limit.is_none() && set.total_limit.is_none() {
        return Found::File(path);
    }
    let size = files.metadata(&path).map_or(0, |m| m.size);
    if let Some(limit) = set.file_limit.filter(|limit| size > *limit) {
        return Found::TooLarge(path, limit);
    }
    if let Some(limit) = set.total_limit.filter(|limit| bytes.saturating_add(size) > *limit) {
        return Found::TooLarge(path, limit);
    }
    *bytes = bytes.saturating_add(size);
    Found::File(path)
}

struct Listing<'a> {
    files: &'a dyn FileSystem,
    set: &'a FileSet,
    found: Vec<Found>,
    looked_at: usize,
    entered: HashSet<PathBuf>,
}

impl Listing<'_> {
    /// Looks at a folder, and at its subfolders unless they have to wait: those are the answer, with their depth.
    fn enter(&mut self, folder: &Path, depth: usize) -> Vec<(PathBuf, usize)> {
        let mut waiting = Vec::new();
        let real = self.files.canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
        if depth > DEPTH_LIMIT || !self.entered.insert(real) {
            return waiting;
        }
        let mut entries = match self.files.entries(folder) {
            Ok(entries) => entries,
            Err(error) => {
                self.found.push(Found::Unreadable(folder.to_path_buf(), error.to_string()));
                return waiting;
            }
        };
        if self.set.order != FileOrder::Found {
            entries.sort_by(|a, b| a.name.cmp(&b.name));
        }
        for entry in entries {
            self.looked_at += 1;
            if self.set.entry_limit.is_some_and(|limit| self.looked_at > limit) {
                return Vec::new();
            }
            if self.set.skip_hidden && entry.name.starts_with('.') {
                continue;
            }
            let linked = entry.kind == FileKind::Link;
            let is_folder = match entry.kind {
                FileKind::Directory => true,
                FileKind::Link => self.files.is_directory(&entry.path),
                _ => false,
            };
            if is_folder {
                let hidden = self.set.skip_hidden_folders && entry.name.starts_with('.');
                let wanted = self.set.recursive && (!linked || self.set.enter_linked_folders) && !hidden;
                if wanted && !self.set.ignored_folders.contains(&entry.name) {
                    match self.set.entry_limit {
                        Some(_) => waiting.push((entry.path, depth + 1)),
                        None => drop(self.enter(&entry.path, depth + 1)),
                    }
                }
                continue;
            }
            if is_taken(self.set, &entry.name)
                && let Some(found) = look_at(self.files, entry.path)
            {
                self.found.push(found);
            }
        }
        waiting
    }
}

/// Whether a file of that name in a rules folder is one of the set.
fn is_taken(set: &FileSet, name: &str) -> bool {
    let fold = |text: &str| if set.any_letter_case { text.to_lowercase() } else { text.to_owned() };
    let name = fold(name);
    set.suffixes.iter().any(|s| name.ends_with(&fold(s))) && !set.ignored_names.contains(&name)
}

/// No host sends more than this, in bytes; of a larger file only so much is looked at.
pub const READ_LIMIT: u64 = 16 << 20;
