//! A world of files in a temporary folder, and what a host makes of it, for tests of hosts' rules.

use super::context::{Context, Loads};
use super::{Launch, discover};
use crate::filesystem::Disk;
use crate::host::{Catalog, Host};
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

/// Files below one folder; `home` in it is the home folder. Paths are written relative to it.
pub struct World {
    host: Host,
    // Kept so that the folder stays.
    _folder: tempfile::TempDir,
    top: PathBuf,
    launch: RefCell<Launch>,
}

impl World {
    /// An empty world for a host, or for `host@version`.
    pub fn new(host: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        fs::create_dir_all(top.join("home")).unwrap();
        let host = Catalog::built_in().select(host).unwrap().host;
        let mut launch = Launch::new(top.clone());
        launch.home = Some(top.join("home"));
        launch.system_root = top.join("system");
        Self { host, _folder: folder, top, launch: RefCell::new(launch) }
    }

    /// The absolute path.
    pub fn path(&self, path: &str) -> String {
        self.top.join(path).to_string_lossy().trim_end_matches('/').to_owned()
    }

    /// Writes a file.
    pub fn file(&self, path: &str, text: &str) {
        self.bytes(path, text.as_bytes());
    }

    /// Writes a file that need not be text.
    pub fn bytes(&self, path: &str, bytes: &[u8]) {
        let path = self.top.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Makes a symbolic link.
    pub fn link(&self, path: &str, target: &str) {
        std::os::unix::fs::symlink(target, self.top.join(path)).unwrap();
    }

    /// Removes a file.
    pub fn remove(&self, path: &str) {
        fs::remove_file(self.top.join(path)).unwrap();
    }

    /// Sets an environment variable; an empty value takes it away.
    pub fn variable(&self, name: &str, value: &str) {
        let variables = &mut self.launch.borrow_mut().variables;
        variables.remove(name);
        if !value.is_empty() {
            variables.insert(name.to_owned(), value.to_owned());
        }
    }

    /// Sets the host's flags.
    pub fn arguments(&self, arguments: &[&str]) {
        self.launch.borrow_mut().arguments = arguments.iter().map(|a| (*a).to_owned()).collect();
    }

    /// Sets the mode.
    pub fn mode(&self, mode: &str) {
        self.launch.borrow_mut().mode = Some(mode.to_owned());
    }

    /// What the host has in front of it, launched in `directory`; relative paths of touches count from there.
    pub fn context(&self, directory: &str, touches: &[&str]) -> Context {
        let mut launch = self.launch.borrow().clone();
        launch.directory = self.top.join(directory);
        launch.touches = touches.iter().map(|t| t.parse().unwrap()).collect();
        discover(&self.host, &launch, &Disk)
    }

    /// The files that load at launch, in order, imported ones left out.
    pub fn at_launch(&self, directory: &str) -> Vec<String> {
        self.pieces(&self.context(directory, &[]), true)
    }

    /// The files that load on touch, in order, imported ones left out.
    pub fn on_touch(&self, directory: &str, touches: &[&str]) -> Vec<String> {
        self.pieces(&self.context(directory, touches), false)
    }

    fn pieces(&self, context: &Context, at_launch: bool) -> Vec<String> {
        let own =
            context.pieces.iter().filter(|p| (p.loads == Loads::AtLaunch) == at_launch && p.imported_by.is_none());
        own.map(|p| self.relative(p.path.as_deref().unwrap_or(Path::new(&p.label)))).collect()
    }

    fn relative(&self, path: &Path) -> String {
        path.strip_prefix(&self.top).unwrap_or(path).to_string_lossy().into_owned()
    }

    /// The name of the reason for which a file does not load, as JSON output has it.
    pub fn reason(&self, directory: &str, file: &str) -> String {
        let omissions = self.context(directory, &[]).omissions;
        let found = omissions.iter().find(|o| self.relative(&o.path) == file).map(|o| &o.reason);
        let value = serde_json::to_value(found.unwrap_or_else(|| panic!("{file} is not left out"))).unwrap();
        value["reason"].as_str().unwrap().to_owned()
    }
}
