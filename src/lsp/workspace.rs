//! The texts that an editor has open, and what the rules say about them.

use crate::discover::Launch;
use crate::error::{CommandError, ErrorKind};
use crate::explain::near::Names;
use crate::filesystem::{Cached, Disk, Overlay};
use crate::host::Selection;
use crate::lint::config::Overrides;
use crate::lint::config::discover::Configs;
use crate::lint::judge::Judged;
use crate::lint::material;
use crate::lint::registry::Registry;
use crate::lint::rules::registry;
use crate::lint::run::{self, Request, RunError};
use crate::lint::sources::FileSources;
use crate::project::{Project, ScanOptions};
use crate::survey::Survey;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// One repository, as an editor sees it.
pub struct Workspace {
    /// The root.
    pub root: PathBuf,
    /// The hosts in question.
    pub selections: Vec<Selection>,
    launch: Launch,
    registry: Registry,
    project: Project,
    open: BTreeMap<PathBuf, Vec<u8>>,
    /// Made when it is first asked for after a change.
    survey: OnceCell<Survey>,
    /// What was found when it was last looked, by path relative to the root.
    pub findings: BTreeMap<String, Vec<Judged>>,
}

impl Workspace {
    /// Scans the repository.
    ///
    /// # Errors
    /// The root cannot be read.
    pub fn open(root: PathBuf, selections: Vec<Selection>, launch: Launch) -> Result<Self, CommandError> {
        let project = scan(&root)?;
        let launch = Launch { directory: root.clone(), ..launch };
        let (open, findings, survey) = (BTreeMap::new(), BTreeMap::new(), OnceCell::new());
        Ok(Self { root, selections, launch, registry: registry(), project, open, survey, findings })
    }

    /// Looks again which files there are.
    ///
    /// # Errors
    /// The root can no longer be read.
    pub fn rescan(&mut self) -> Result<(), CommandError> {
        self.project = scan(&self.root)?;
        self.survey.take();
        Ok(())
    }

    /// The project's facts.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// Sets the text of an open file, or closes it.
    pub fn set_text(&mut self, path: &Path, text: Option<String>) {
        let path = real(path);
        self.survey.take();
        match text {
            Some(text) => self.open.insert(path, text.into_bytes()),
            None => self.open.remove(&path),
        };
    }

    /// The text of a file: the editor's, else the disk's.
    pub fn text(&self, path: &Path) -> Option<String> {
        let bytes = match self.open.get(&real(path)) {
            Some(bytes) => bytes.clone(),
            None => crate::filesystem::FileSystem::read(&Disk, path, 16 << 20).ok()?,
        };
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The path relative to the root with `/`.
    pub fn relative(&self, path: &Path) -> Option<String> {
        crate::discover::paths::relative(&real(path), &self.root)
    }

    fn files(&self) -> Cached<Overlay<Disk>> {
        Cached::new(Overlay::new(Disk, self.open.clone()))
    }

    /// Runs the rules on what is open and saved.
    ///
    /// # Errors
    /// A configuration cannot be used.
    pub fn check(&mut self) -> Result<(), RunError> {
        let files = self.files();
        let configs = Configs::find(&files, self.root.clone(), &self.registry, Overrides::default());
        let sources = FileSources::new(&files, self.root.clone());
        let outcome = run::run(&Request {
            project: &self.project,
            selections: &self.selections,
            launch: &self.launch,
            configs: &configs,
            registry: &self.registry,
            file_system: &files,
            sources: &sources,
            only: &BTreeSet::new(),
            partial: false,
            baseline: None,
        })?;
        let mut findings: BTreeMap<String, Vec<Judged>> = BTreeMap::new();
        for judged in outcome.findings.into_iter().filter(|j| j.suppression.is_none()) {
            findings.entry(judged.finding.primary.path.clone()).or_default().push(judged);
        }
        self.findings = findings;
        Ok(())
    }

    /// Every host launched from every folder that matters, with the editor's texts.
    pub fn survey(&self) -> &Survey {
        self.survey.get_or_init(|| {
            let names = Names::collect(self.selections.iter().map(|s| &s.host));
            material::survey(&self.project, &self.selections, &self.launch, &[], &names, &self.files()).1
        })
    }

    /// The user's home folder.
    pub fn home(&self) -> Option<PathBuf> {
        self.launch.home.clone()
    }
}

fn scan(root: &Path) -> Result<Project, CommandError> {
    Project::scan(root, ScanOptions::default()).map_err(|error| CommandError::new(ErrorKind::Input, error.to_string()))
}

/// The path with the links of its folder resolved; a link that is the file itself stays.
fn real(path: &Path) -> PathBuf {
    match (path.parent().and_then(|p| std::fs::canonicalize(p).ok()), path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}
