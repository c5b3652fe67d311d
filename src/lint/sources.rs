//! Where the texts behind findings come from: snippets, suppressions and fingerprints look at the lines themselves.

use crate::filesystem::FileSystem;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Texts by the path that findings carry.
pub trait Sources: Send + Sync {
    /// The text of a file as decoded (lossy UTF-8, byte order mark kept); `None` where there is none to show.
    fn text(&self, path: &str) -> Option<Arc<str>>;
}

impl Sources for BTreeMap<String, String> {
    fn text(&self, path: &str) -> Option<Arc<str>> {
        self.get(path).map(|text| Arc::from(text.as_str()))
    }
}

/// The most that is read of one file for a snippet, in bytes.
const LIMIT: u64 = 16 << 20;

/// Texts read from a project's files when they are first asked for.
pub struct FileSources<'f> {
    file_system: &'f dyn FileSystem,
    root: PathBuf,
    texts: Mutex<BTreeMap<String, Option<Arc<str>>>>,
}

impl<'f> FileSources<'f> {
    /// Texts of the project at `root`, an absolute path.
    pub fn new(file_system: &'f dyn FileSystem, root: PathBuf) -> Self {
        Self { file_system, root, texts: Mutex::default() }
    }

    /// Gives the text of a path that is already known, so that it is not read again.
    pub fn insert(&self, path: &str, text: &str) {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_string(), Some(Arc::from(text)));
    }
}

impl Sources for FileSources<'_> {
    fn text(&self, path: &str) -> Option<Arc<str>> {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = texts.get(path) {
            return text.clone();
        }
        // Joining an absolute path yields that path.
        let bytes = self.file_system.read(&self.root.join(path), LIMIT).ok();
        let text = bytes.map(|bytes| Arc::from(String::from_utf8_lossy(&bytes).as_ref()));
        texts.insert(path.to_string(), text.clone());
        text
    }
}
