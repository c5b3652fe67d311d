//! What a repository contains and defines: read, never executed.
//!
//! [`Project`] is made once by a walk of the tree and then answers questions: is this path there
//! ([`Project::resolve_path`]), is this command defined ([`Project::resolve_command`]), does a glob match
//! ([`Project::count_matches`]), would git ignore it ([`Project::is_ignored`]). Manifests are read on first use and
//! never larger than [`MANIFEST_LIMIT`]. Where the tree cannot decide, the answer says so and nothing is reported.

mod bazel;
mod cargo;
mod command;
mod compose;
mod composer;
mod definitions;
mod dotnet;
mod drawing;
mod glob;
mod go;
mod gradle;
mod history;
mod ignored;
mod just;
mod make;
mod maven;
mod mise;
mod mood;
mod npm;
mod nx;
mod path;
mod python;
mod ruby;
mod script;
mod shape;
mod task;
pub mod tree;
mod turbo;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use command::{CommandQuery, Resolution, TOOLS, Tool};
pub use definitions::{DefinitionKind, Definitions};
pub use drawing::{Comparison, DrawingQuery, DrawnEntry, LostPart};
pub use history::{Removal, RemovalKind};
pub use mood::Mood;
pub use path::{Base, Missing, PathKind, PathQuery, PathResolution};
pub use shape::{Shape, shape};
pub use tree::{EntryKind, Tree, TreeEntry, Unreadable, ends_with_components, file_name, join, parent};

use crate::filesystem::{Disk, FileKind, FileSystem};

/// The largest manifest that is read, in bytes. A larger one counts as undecidable.
pub const MANIFEST_LIMIT: u64 = 4 << 20;

/// How sure an answer "missing" is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// May well be fine: nothing to report, or a hint for those who ask.
    Unsure,
    /// Very likely dead: a warning.
    Likely,
    /// Dead unless the text means something else than it says: an error.
    Certain,
}

/// How a project is scanned.
#[derive(Clone)]
pub struct ScanOptions {
    /// What manifests are read through. The walk itself reads the disk.
    pub files: Arc<dyn FileSystem>,
    /// Whether git may be asked for removed and moved files. Off by default: a repository's own configuration can
    /// name programs for git to run; the ones known are switched off, but no process at all is safer.
    pub history: bool,
}

impl Default for ScanOptions {
    fn default() -> Self {
        Self { files: Arc::new(Disk), history: false }
    }
}

/// Why a project could not be scanned.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// The root does not lead to anything that can be read.
    #[error("cannot read the project root {}: {error}; give a folder that exists", root.display())]
    Unreadable {
        /// The root asked for.
        root: PathBuf,
        /// What the platform said.
        error: std::io::Error,
    },
    /// The root is a file.
    #[error("the project root {} is not a folder; give the folder that holds the repository", root.display())]
    NotADirectory {
        /// The root asked for.
        root: PathBuf,
    },
}

/// The facts of one repository. Cheap to share between threads; nothing in it changes after the scan.
pub struct Project {
    root: PathBuf,
    tree: Tree,
    files: Arc<dyn FileSystem>,
    ignored: ignored::IgnoreRules,
    definitions: definitions::Cache,
    history: history::History,
    names: std::sync::OnceLock<Vec<String>>,
}

impl std::fmt::Debug for Project {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Project").field("root", &self.root).field("entries", &self.tree.len()).finish()
    }
}

impl Project {
    /// Lists the repository below `root` with one walk. A root that is no git repository works too.
    ///
    /// # Errors
    /// [`ScanError`] when `root` is not a folder that can be read. Unreadable folders below it are no error; they are
    /// listed by [`Tree::unreadable`].
    pub fn scan(root: &Path, options: ScanOptions) -> Result<Self, ScanError> {
        let metadata =
            options.files.metadata(root).map_err(|error| ScanError::Unreadable { root: root.to_path_buf(), error })?;
        if metadata.kind != FileKind::Directory {
            return Err(ScanError::NotADirectory { root: root.to_path_buf() });
        }
        Ok(Self::from_tree(root, Tree::walk(root), options))
    }

    /// A project whose tree is already known, such as one made by [`Tree::from_paths`]. Manifests are read through
    /// `options.files` at `root` joined with their path.
    pub fn from_tree(root: &Path, tree: Tree, options: ScanOptions) -> Self {
        Self {
            root: root.to_path_buf(),
            tree,
            files: options.files,
            ignored: ignored::IgnoreRules::default(),
            definitions: definitions::Cache::default(),
            history: history::History::new(options.history),
            names: std::sync::OnceLock::new(),
        }
    }

    /// The folder that was scanned.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The list of what is there.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The path with links on the way followed inside the tree. `None` when nothing is there or a link leads out.
    /// The answer for a link to a file is the file.
    pub fn follow(&self, path: &str) -> Option<String> {
        let mut path = join("", path)?;
        if path.len() > 4096 {
            return None;
        }
        'hops: for _ in 0..40 {
            match self.tree.kind(&path) {
                Some(EntryKind::Link) => {
                    let target = self.tree.link_target(&path)?;
                    if target.starts_with('/') {
                        return None;
                    }
                    path = join(parent(&path), target)?;
                }
                Some(_) => return Some(path),
                None => {
                    let mut folder = parent(&path);
                    while !folder.is_empty() {
                        match self.tree.kind(folder) {
                            Some(EntryKind::Link) => {
                                let target = self.tree.link_target(folder)?;
                                if target.starts_with('/') {
                                    return None;
                                }
                                let rest = path.get(folder.len()..).unwrap_or_default();
                                path = join(&join(parent(folder), target)?, rest)?;
                                continue 'hops;
                            }
                            Some(_) => return None,
                            None => folder = parent(folder),
                        }
                    }
                    return None;
                }
            }
        }
        None
    }

    /// Whether the path leads to a folder, links inside the tree followed.
    pub fn is_directory(&self, path: &str) -> bool {
        self.follow(path).is_some_and(|p| self.tree.kind(&p) == Some(EntryKind::Directory))
    }

    /// Whether the path leads to a file, links inside the tree followed.
    pub fn is_file(&self, path: &str) -> bool {
        self.follow(path).is_some_and(|p| self.tree.kind(&p) == Some(EntryKind::File))
    }

    /// Whether the path leads to anything, links inside the tree followed.
    pub fn exists(&self, path: &str) -> bool {
        self.follow(path).is_some()
    }

    /// Whether the path exists on the disk, although the list may lack it (ignored by git, behind a link that leads
    /// out of the tree). One look at the file system.
    pub fn exists_on_disk(&self, path: &str) -> bool {
        join("", path).is_some_and(|p| self.files.link_metadata(&self.root.join(p)).is_ok())
    }

    /// Whether git would ignore this path. It need not exist. A final `/` says that a folder is meant.
    pub fn is_ignored(&self, path: &str) -> bool {
        self.ignored.matches(self, path)
    }

    /// The text of a file of the tree, at most [`MANIFEST_LIMIT`] bytes; invalid UTF-8 is replaced, a BOM dropped.
    ///
    /// # Errors
    /// A sentence that says why it cannot be read: missing, too large, a pipe, no permission.
    pub fn read(&self, path: &str) -> Result<String, String> {
        let whole = self.root.join(path);
        let metadata = self.files.metadata(&whole).map_err(|error| format!("{path} cannot be read: {error}"))?;
        if metadata.kind != FileKind::File {
            return Err(format!("{path} is not a regular file"));
        }
        if metadata.size > MANIFEST_LIMIT {
            return Err(format!("{path} has {} bytes, more than the {MANIFEST_LIMIT} that are read", metadata.size));
        }
        let bytes =
            self.files.read(&whole, MANIFEST_LIMIT).map_err(|error| format!("{path} cannot be read: {error}"))?;
        let text = String::from_utf8_lossy(&bytes);
        Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
    }

    /// The names by which the repository may be called at the start of a path: its folder's and its root manifests'.
    pub fn names(&self) -> &[String] {
        self.names.get_or_init(|| {
            let mut names: Vec<String> =
                self.root.file_name().map(|n| n.to_string_lossy().into_owned()).into_iter().collect();
            if let Ok(text) = self.read("package.json")
                && let Ok(value) = serde_json::from_str::<serde_json::Value>(&text)
                && let Some(name) = value.get("name").and_then(|n| n.as_str())
            {
                names.push(name.rsplit('/').next().unwrap_or(name).to_owned());
            }
            for manifest in ["pyproject.toml", "Cargo.toml"] {
                if let Ok(text) = self.read(manifest)
                    && let Ok(value) = text.parse::<toml::Table>()
                {
                    let name = ["project", "package"].iter().find_map(|t| value.get(*t)?.get("name")?.as_str());
                    names.extend(name.map(str::to_owned));
                }
            }
            names
        })
    }
}
