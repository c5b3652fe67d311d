//! The one way in which the library looks at files.
//!
//! Everything that reads a repository, a home folder or a system folder goes through [`FileSystem`], so that a
//! test, an editor's unsaved buffer or staged content can stand in for the disk.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

/// What a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Directory,
    /// A symbolic link; only [`FileSystem::link_metadata`] answers this.
    Link,
    /// A pipe, socket or device: never opened, since reading may block or have effects.
    Special,
}

/// What is known of a path without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metadata {
    /// What it is.
    pub kind: FileKind,
    /// Size in bytes.
    pub size: u64,
    /// Device and inode: equal for two names of one file. `None` where the platform has no such number.
    pub identity: Option<(u64, u64)>,
    /// How many names (hard links) the file has; 1 where unknown.
    pub names: u64,
    /// Permission bits (`0o777`); `0o644` where unknown.
    pub mode: u32,
}

/// One entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The entry's name, lossy where it is not UTF-8 (such a name can be shown, but never matches an ASCII name).
    pub name: String,
    /// The entry's whole path.
    pub path: PathBuf,
    /// What it is, links not followed.
    pub kind: FileKind,
}

/// Read access to files.
///
/// # Errors
/// Every method answers with the platform's error; a missing path is [`io::ErrorKind::NotFound`].
pub trait FileSystem: Send + Sync {
    /// What the path leads to, links followed.
    fn metadata(&self, path: &Path) -> io::Result<Metadata>;
    /// What lies at the path itself, links not followed.
    fn link_metadata(&self, path: &Path) -> io::Result<Metadata>;
    /// The first `limit` bytes of a regular file, links followed. Pipes and devices are refused.
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>>;
    /// The entries of a folder in the order in which the disk returns them.
    fn entries(&self, path: &Path) -> io::Result<Vec<Entry>>;
    /// The absolute path with all links resolved.
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf>;
    /// Where a symbolic link points, as written in it.
    fn read_link(&self, path: &Path) -> io::Result<PathBuf>;

    /// Whether the path leads to something, links followed.
    fn exists(&self, path: &Path) -> bool {
        self.metadata(path).is_ok()
    }
    /// Whether the path leads to a folder.
    fn is_directory(&self, path: &Path) -> bool {
        self.metadata(path).is_ok_and(|m| m.kind == FileKind::Directory)
    }
    /// Whether the path leads to a regular file.
    fn is_file(&self, path: &Path) -> bool {
        self.metadata(path).is_ok_and(|m| m.kind == FileKind::File)
    }
}

/// The machine's own disk.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

fn describe(metadata: &std::fs::Metadata) -> Metadata {
    let file_type = metadata.file_type();
    let kind = if file_type.is_symlink() {
        FileKind::Link
    } else if file_type.is_dir() {
        FileKind::Directory
    } else if file_type.is_file() {
        FileKind::File
    } else {
        FileKind::Special
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        Metadata {
            kind,
            size: metadata.len(),
            identity: Some((metadata.dev(), metadata.ino())),
            names: metadata.nlink(),
            mode: metadata.permissions().mode() & 0o777,
        }
    }
    #[cfg(not(unix))]
    Metadata { kind, size: metadata.len(), identity: None, names: 1, mode: 0o644 }
}

impl FileSystem for Disk {
    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        std::fs::metadata(path).map(|m| describe(&m))
    }

    fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
        std::fs::symlink_metadata(path).map(|m| describe(&m))
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        use std::io::Read;
        let metadata = self.metadata(path)?;
        match metadata.kind {
            FileKind::File => {}
            FileKind::Directory => return Err(io::ErrorKind::IsADirectory.into()),
            _ => return Err(io::Error::new(io::ErrorKind::Unsupported, "a pipe, socket or device")),
        }
        let mut bytes = Vec::with_capacity(metadata.size.min(limit).min(1 << 20) as usize);
        std::fs::File::open(path)?.take(limit).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn entries(&self, path: &Path) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(path)? {
            let entry = entry?;
            let file_type = entry.file_type()?;
            let kind = if file_type.is_symlink() {
                FileKind::Link
            } else if file_type.is_dir() {
                FileKind::Directory
            } else if file_type.is_file() {
                FileKind::File
            } else {
                FileKind::Special
            };
            entries.push(Entry { name: entry.file_name().to_string_lossy().into_owned(), path: entry.path(), kind });
        }
        Ok(entries)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        std::fs::canonicalize(path)
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        std::fs::read_link(path)
    }
}

/// Another file system with some files' contents replaced: an editor's unsaved buffers, or what is staged.
pub struct Overlay<F> {
    below: F,
    contents: BTreeMap<PathBuf, Vec<u8>>,
}

impl<F: FileSystem> Overlay<F> {
    /// Lays `contents` (by absolute path) over `below`. A path that is not there below is added to its folder.
    pub fn new(below: F, contents: BTreeMap<PathBuf, Vec<u8>>) -> Self {
        Self { below, contents }
    }

    fn content(&self, path: &Path) -> Option<&Vec<u8>> {
        self.contents.get(path)
    }
}

impl<F: FileSystem> FileSystem for Overlay<F> {
    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        let Some(content) = self.content(path) else { return self.below.metadata(path) };
        let below = self.below.metadata(path).ok();
        Ok(Metadata {
            kind: FileKind::File,
            size: content.len() as u64,
            identity: below.and_then(|m| m.identity),
            names: below.map_or(1, |m| m.names),
            mode: below.map_or(0o644, |m| m.mode),
        })
    }

    fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
        match self.below.link_metadata(path) {
            Ok(metadata) if metadata.kind == FileKind::Link => Ok(metadata),
            other if self.content(path).is_none() => other,
            _ => self.metadata(path),
        }
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        match self.content(path) {
            Some(content) => Ok(content[..content.len().min(usize::try_from(limit).unwrap_or(usize::MAX))].to_vec()),
            None => self.below.read(path, limit),
        }
    }

    fn entries(&self, path: &Path) -> io::Result<Vec<Entry>> {
        let mut entries = self.below.entries(path)?;
        for added in self.contents.keys().filter(|p| p.parent() == Some(path)) {
            if !entries.iter().any(|e| &e.path == added) {
                let name = added.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
                entries.push(Entry { name, path: added.clone(), kind: FileKind::File });
            }
        }
        Ok(entries)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        match self.below.canonicalize(path) {
            Err(_) if self.content(path).is_some() => Ok(path.to_path_buf()),
            other => other,
        }
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        self.below.read_link(path)
    }
}

/// Another file system whose answers are kept, for many questions about the same files.
///
/// What is kept is never looked at again: make a new one when files may have changed.
pub struct Cached<F> {
    below: F,
    metadata: Answers<Metadata>,
    link_metadata: Answers<Metadata>,
    contents: Answers<Arc<[u8]>>,
    entries: Answers<Arc<[Entry]>>,
    real: Answers<PathBuf>,
}

type Answers<T> = RwLock<HashMap<PathBuf, Result<T, (io::ErrorKind, String)>>>;

impl<F: FileSystem> Cached<F> {
    /// Begins with nothing kept.
    pub fn new(below: F) -> Self {
        Self {
            below,
            metadata: RwLock::default(),
            link_metadata: RwLock::default(),
            contents: RwLock::default(),
            entries: RwLock::default(),
            real: RwLock::default(),
        }
    }
}

fn keep<T: Clone>(answers: &Answers<T>, path: &Path, ask: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    // A thread that panicked while it held the lock has left whole entries only, so they can still be used.
    let known = answers.read().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
    let answer = match known {
        Some(answer) => answer,
        None => {
            let answer = ask().map_err(|error| (error.kind(), error.to_string()));
            answers.write().unwrap_or_else(PoisonError::into_inner).insert(path.to_path_buf(), answer.clone());
            answer
        }
    };
    answer.map_err(|(kind, message)| io::Error::new(kind, message))
}

impl<F: FileSystem> FileSystem for Cached<F> {
    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        keep(&self.metadata, path, || self.below.metadata(path))
    }
    fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
        keep(&self.link_metadata, path, || self.below.link_metadata(path))
    }
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        // Only whole files are kept: a part of one does not answer for the rest.
        let whole = self.metadata(path).is_ok_and(|m| m.size < limit && m.size <= KEPT_FILE_SIZE);
        if !whole {
            return self.below.read(path, limit);
        }
        keep(&self.contents, path, || self.below.read(path, limit).map(Arc::from)).map(|bytes| bytes.to_vec())
    }
    fn entries(&self, path: &Path) -> io::Result<Vec<Entry>> {
        keep(&self.entries, path, || self.below.entries(path).map(Arc::from)).map(|entries| entries.to_vec())
    }
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        keep(&self.real, path, || self.below.canonicalize(path))
    }
    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        self.below.read_link(path)
    }
}

/// Files up to this size, in bytes, are kept in memory.
const KEPT_FILE_SIZE: u64 = 1 << 20;

impl<F: FileSystem + ?Sized> FileSystem for &F {
    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        (**self).metadata(path)
    }
    fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
        (**self).link_metadata(path)
    }
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        (**self).read(path, limit)
    }
    fn entries(&self, path: &Path) -> io::Result<Vec<Entry>> {
        (**self).entries(path)
    }
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        (**self).canonicalize(path)
    }
    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        (**self).read_link(path)
    }
}
