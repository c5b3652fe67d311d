//! A repository as git has it: what is staged, or what a revision holds, without a checkout.
//!
//! [`Snapshot`] stands in for the disk below the root. What git does not have is absent there, so the answer is that of
//! a fresh clone: files that are not staged, or that git ignores, do not count. Outside of the root, in `.git` and in
//! submodules the disk answers.

pub mod git;

use crate::discover::paths::normalize;
use crate::filesystem::{Disk, Entry, FileKind, FileSystem, Metadata};
use crate::project::{EntryKind, Tree};
use git::{Git, GitError, Objects};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Component, Path, PathBuf};

/// How many links are followed on the way to a file.
const LINK_LIMIT: usize = 40;
/// The longest target of a link, in bytes.
const TARGET_LIMIT: u64 = 4096;

/// Why there is no snapshot.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The folder lies in no repository, or git cannot use it.
    #[error("`{}` is no repository that git can read: {error}", root.display())]
    Repository {
        /// The folder.
        root: PathBuf,
        /// What git says.
        error: GitError,
    },
    /// There is no such revision.
    #[error("there is no revision `{0}` in this repository")]
    Revision(String),
    /// Git gave no list.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// What git has at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Node {
    Folder,
    File {
        object: String,
        mode: u32,
    },
    Link {
        object: String,
    },
    /// Another repository; only the folder is known.
    Module,
}

/// The files of one state of a repository.
#[derive(Debug)]
pub struct Snapshot {
    root: PathBuf,
    git: Git,
    objects: Objects,
    nodes: HashMap<PathBuf, (u64, Node)>,
    children: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
    /// The revision's tree, for a snapshot of one.
    revision: Option<String>,
}

impl Snapshot {
    /// What is staged in the repository at `root`.
    ///
    /// # Errors
    /// [`SnapshotError`]
    pub fn staged(root: &Path) -> Result<Self, SnapshotError> {
        let git = repository(root)?;
        let list = git.ask(&["ls-files", "--stage", "--full-name", "-z"])?;
        Self::new(root, git, None, parse(&list, staged_entry)?)
    }

    /// What a revision holds.
    ///
    /// # Errors
    /// [`SnapshotError`]
    pub fn of_revision(root: &Path, revision: &str) -> Result<Self, SnapshotError> {
        let git = repository(root)?;
        let unknown = || SnapshotError::Revision(revision.to_owned());
        if revision.is_empty() || revision.starts_with('-') || revision.contains(['\0', '\n']) {
            return Err(unknown());
        }
        let name = format!("{revision}^{{tree}}");
        let answer = git.ask(&["rev-parse", "--verify", "--quiet", &name]).map_err(|error| match error {
            GitError::Refused(_) => unknown(),
            other => other.into(),
        })?;
        let tree = String::from_utf8_lossy(&answer).trim().to_owned();
        let list = git.ask(&["ls-tree", "-r", "-z", "--full-tree", &tree])?;
        Self::new(root, git, Some(tree), parse(&list, tree_entry)?)
    }

    fn new(
        root: &Path,
        git: Git,
        revision: Option<String>,
        entries: Vec<(PathBuf, Node)>,
    ) -> Result<Self, SnapshotError> {
        let mut nodes: HashMap<PathBuf, (u64, Node)> = HashMap::with_capacity(entries.len());
        let mut children: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
        let mut number = 0;
        for (path, node) in entries {
            let whole = path.components().all(|c| matches!(c, Component::Normal(_)));
            let own = path.components().any(|c| c.as_os_str().eq_ignore_ascii_case(".git"));
            if !whole || own || path.as_os_str().is_empty() {
                // Git itself refuses to check such a path out.
                continue;
            }
            number += 1;
            nodes.insert(path.clone(), (number, node));
            let mut below = path;
            while let Some(folder) = below.parent().map(Path::to_path_buf) {
                children.entry(folder.clone()).or_default().insert(below);
                if folder.as_os_str().is_empty() || nodes.contains_key(&folder) {
                    break;
                }
                number += 1;
                nodes.insert(folder.clone(), (number, Node::Folder));
                below = folder;
            }
        }
        let objects = git.objects();
        Ok(Self { root: root.to_path_buf(), git, objects, nodes, children, revision })
    }

    /// The list of what is there, for [`crate::project::Project::from_tree`].
    pub fn tree(&self) -> Tree {
        let mut entries: Vec<(String, EntryKind, Option<String>)> = Vec::with_capacity(self.nodes.len());
        for (path, (_, node)) in &self.nodes {
            let shown = slashed(path);
            match node {
                Node::Folder => entries.push((shown, EntryKind::Directory, None)),
                Node::File { .. } => entries.push((shown, EntryKind::File, None)),
                Node::Link { object } => {
                    let target = self.target(object).map(|t| slashed(&t)).unwrap_or_default();
                    entries.push((shown, EntryKind::Link, Some(target)));
                }
                Node::Module => {
                    // As a walk of the disk does: what is checked out there counts.
                    for entry in Tree::walk(&self.root.join(path)).entries() {
                        entries.push((format!("{shown}/{}", entry.path), entry.kind, None));
                    }
                    entries.push((shown, EntryKind::Directory, None));
                }
            }
        }
        Tree::from_entries(entries)
    }

    /// Files that were renamed between this revision and what is staged: the earlier path by the present one, both
    /// relative to the root with `/`.
    ///
    /// # Errors
    /// [`GitError`]
    pub fn renames(&self) -> Result<BTreeMap<String, String>, GitError> {
        let Some(tree) = &self.revision else { return Ok(BTreeMap::new()) };
        let list = self.git.ask(&[
            "-c",
            "diff.renameLimit=2000",
            "diff-index",
            "--cached",
            "-M",
            "--diff-filter=R",
            "--name-status",
            "--no-ext-diff",
            "--no-textconv",
            "-z",
            tree,
        ])?;
        let text = String::from_utf8_lossy(&list);
        let mut fields = text.split('\0');
        let mut renames = BTreeMap::new();
        while let (Some(_), Some(old), Some(new)) = (fields.next(), fields.next(), fields.next()) {
            renames.insert(new.to_owned(), old.to_owned());
        }
        Ok(renames)
    }

    fn target(&self, object: &str) -> io::Result<PathBuf> {
        if self.objects.size(object)? > TARGET_LIMIT {
            return Err(io::Error::other("the target of the link is too long"));
        }
        Ok(native(&self.objects.content(object)?))
    }

    /// Where a path leads: a place of the snapshot, or one that the disk answers for. `follow` follows a link at its end.
    fn place(&self, path: &Path, follow: bool) -> io::Result<Place> {
        let mut path = path.to_path_buf();
        'links: for _ in 0..LINK_LIMIT {
            let clean = normalize(&path);
            let Ok(relative) = clean.strip_prefix(&self.root) else { return Ok(Place::Disk(clean)) };
            let mut parts = relative.components();
            let mut at = PathBuf::new();
            while let Some(part) = parts.next() {
                if part.as_os_str() == ".git" {
                    return Ok(Place::Disk(clean));
                }
                at.push(part);
                let rest = parts.as_path();
                let last = rest.as_os_str().is_empty();
                match self.nodes.get(&at) {
                    None => return Err(io::ErrorKind::NotFound.into()),
                    Some((_, Node::Module)) => return Ok(Place::Disk(clean)),
                    Some((_, Node::File { .. })) if !last => return Err(io::ErrorKind::NotADirectory.into()),
                    Some((_, Node::Link { object })) if !last || follow => {
                        let target = self.target(object)?;
                        let folder = self.root.join(at.parent().unwrap_or(Path::new("")));
                        path = folder.join(target).join(rest);
                        continue 'links;
                    }
                    Some(_) => {}
                }
            }
            return Ok(Place::Here(at));
        }
        Err(io::Error::other("too many levels of symbolic links"))
    }

    fn describe(&self, at: &Path) -> io::Result<Metadata> {
        let folder = |identity| Metadata { kind: FileKind::Directory, size: 0, identity, names: 1, mode: 0o755 };
        let Some((number, node)) = self.nodes.get(at) else { return Ok(folder(Some((u64::MAX, 0)))) };
        let identity = Some((u64::MAX, *number));
        Ok(match node {
            Node::Folder | Node::Module => folder(identity),
            Node::File { object, mode } => {
                Metadata { kind: FileKind::File, size: self.objects.size(object)?, identity, names: 1, mode: *mode }
            }
            Node::Link { object } => {
                Metadata { kind: FileKind::Link, size: self.objects.size(object)?, identity, names: 1, mode: 0o777 }
            }
        })
    }
}

/// A place that a path leads to.
enum Place {
    /// Relative to the root; empty for the root itself.
    Here(PathBuf),
    /// For the disk to say.
    Disk(PathBuf),
}

impl FileSystem for Snapshot {
    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        match self.place(path, true)? {
            Place::Here(at) => self.describe(&at),
            Place::Disk(path) => Disk.metadata(&path),
        }
    }

    fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
        match self.place(path, false)? {
            Place::Here(at) => self.describe(&at),
            Place::Disk(path) => Disk.link_metadata(&path),
        }
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        match self.place(path, true)? {
            Place::Disk(path) => Disk.read(&path, limit),
            Place::Here(at) => match self.nodes.get(&at) {
                Some((_, Node::File { object, .. })) => {
                    let mut content = self.objects.content(object)?;
                    content.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
                    Ok(content)
                }
                _ => Err(io::ErrorKind::IsADirectory.into()),
            },
        }
    }

    fn entries(&self, path: &Path) -> io::Result<Vec<Entry>> {
        let at = match self.place(path, true)? {
            Place::Disk(path) => return Disk.entries(&path),
            Place::Here(at) => at,
        };
        if matches!(self.nodes.get(&at), Some((_, Node::File { .. }))) {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let children = self.children.get(&at).into_iter().flatten();
        let entry = |child: &PathBuf| {
            let kind = match self.nodes.get(child).map(|(_, node)| node) {
                Some(Node::File { .. }) => FileKind::File,
                Some(Node::Link { .. }) => FileKind::Link,
                _ => FileKind::Directory,
            };
            let name = child.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            Entry { path: path.join(child.file_name().unwrap_or_default()), name, kind }
        };
        let mut entries: Vec<Entry> = children.map(entry).collect();
        let git = path.join(".git");
        if at.as_os_str().is_empty()
            && let Ok(metadata) = Disk.link_metadata(&git)
        {
            entries.push(Entry { name: ".git".to_owned(), path: git, kind: metadata.kind });
        }
        Ok(entries)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        match self.place(path, true)? {
            Place::Here(at) if at.as_os_str().is_empty() => Ok(self.root.clone()),
            Place::Here(at) => Ok(self.root.join(at)),
            Place::Disk(path) => Disk.canonicalize(&path),
        }
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        match self.place(path, false)? {
            Place::Disk(path) => Disk.read_link(&path),
            Place::Here(at) => match self.nodes.get(&at) {
                Some((_, Node::Link { object })) => self.target(object),
                _ => Err(io::ErrorKind::InvalidInput.into()),
            },
        }
    }
}

/// Git, if it takes the folder for the top of a repository.
fn repository(root: &Path) -> Result<Git, SnapshotError> {
    let git = Git::new(root);
    let refuse = |error| SnapshotError::Repository { root: root.to_path_buf(), error };
    let prefix = git.ask(&["rev-parse", "--show-prefix"]).map_err(refuse)?;
    if !prefix.trim_ascii().is_empty() {
        return Err(refuse(GitError::Answer("its `.git` belongs to a folder above".to_owned())));
    }
    Ok(git)
}

/// Splits a list that ends each entry with a zero byte: what describes it, a tab, the path.
fn parse(list: &[u8], entry: fn(&str) -> Option<(Node, u32)>) -> Result<Vec<(PathBuf, Node)>, GitError> {
    let mut entries: Vec<(PathBuf, Node)> = Vec::new();
    let mut best: HashMap<PathBuf, (u32, usize)> = HashMap::new();
    for line in list.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
        let unreadable = || GitError::Answer(String::from_utf8_lossy(line).into_owned());
        let tab = line.iter().position(|byte| *byte == b'\t').ok_or_else(unreadable)?;
        let (head, path) = line.split_at(tab);
        let head = std::str::from_utf8(head).map_err(|_| unreadable())?;
        let (node, stage) = entry(head).ok_or_else(unreadable)?;
        let path = native(path.get(1..).unwrap_or_default());
        if stage == 0 {
            entries.push((path, node));
            continue;
        }
        // A merge that is not resolved: our side (2), else the base or theirs.
        match best.get(&path) {
            Some((known, _)) if *known == 2 => {}
            Some((_, index)) if stage == 2 => {
                if let Some(slot) = entries.get_mut(*index) {
                    slot.1 = node;
                }
                best.insert(path, (stage, entries.len()));
            }
            Some(_) => {}
            None => {
                best.insert(path.clone(), (stage, entries.len()));
                entries.push((path, node));
            }
        }
    }
    Ok(entries)
}

/// Reads `mode object stage`.
fn staged_entry(head: &str) -> Option<(Node, u32)> {
    let mut words = head.split(' ');
    let (mode, object, stage) = (words.next()?, words.next()?, words.next()?);
    Some((node(mode, object)?, stage.parse().ok()?))
}

/// Reads `mode kind object`.
fn tree_entry(head: &str) -> Option<(Node, u32)> {
    let mut words = head.split(' ');
    let (mode, _, object) = (words.next()?, words.next()?, words.next()?);
    Some((node(mode, object)?, 0))
}

fn node(mode: &str, object: &str) -> Option<Node> {
    if object.is_empty() || !object.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let object = object.to_owned();
    Some(match mode {
        "100755" => Node::File { object, mode: 0o755 },
        "120000" => Node::Link { object },
        "160000" => Node::Module,
        "040000" => Node::Folder,
        _ => Node::File { object, mode: 0o644 },
    })
}

#[cfg(unix)]
fn native(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn native(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' { text.into_owned() } else { text.replace(std::path::MAIN_SEPARATOR, "/") }
}

#[cfg(test)]
mod tests;
