//! What rules look at: the instruction files that some host loads, what every host makes of them, and the project's facts.

use super::config::Config;
use super::imports::{self, Import};
use super::mentions::{self, Mention};
use crate::discover::{Context, Launch, paths};
use crate::document::{self, Document, Rule};
use crate::explain::near::Names;
use crate::filesystem::FileSystem;
use crate::host::Selection;
use crate::host::schema::Host;
use crate::inventory::{self, Inventory, RuleFolders};
use crate::project::Project;
use crate::survey::{Reading, Survey};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The most that is read of one instruction file for its rules, in bytes; a longer one is judged by its head.
const TEXT_LIMIT: u64 = crate::document::READ_LIMIT as u64;

/// Everything that rules can look at.
pub struct Material<'m> {
    /// The project root, absolute.
    pub root: &'m Path,
    /// The hosts that the team supports.
    pub selections: &'m [Selection],
    /// For each of them, whether the team evidently uses it: it was asked for, or the repository has files of its own for it.
    pub in_use: Vec<bool>,
    /// Every host launched from every folder that has instructions.
    pub survey: &'m Survey,
    /// The project's facts.
    pub project: &'m Project,
    /// Which files look like instruction files.
    pub inventory: &'m Inventory,
    /// The files that some host loads, and the candidates that none does.
    pub files: Vec<InstructionFile>,
    /// The names that the hosts know.
    pub names: &'m Names,
    /// The root's configuration.
    pub config: &'m Config,
    /// The files themselves.
    pub file_system: &'m dyn FileSystem,
    imports: OnceLock<Vec<Import>>,
}

/// One instruction file.
pub struct InstructionFile {
    /// Relative to the root, with `/`.
    pub path: String,
    /// Absolute.
    pub absolute: PathBuf,
    /// With links resolved.
    pub real: PathBuf,
    /// Its text as decoded, read as a document.
    pub document: Arc<Document>,
    /// How the hosts read it: index of the host, index of the launch directory, and way.
    pub readings: Vec<(usize, usize, Reading)>,
    /// It could not be read: the system's words.
    pub unreadable: Option<String>,
    mentions: OnceLock<Vec<Mention>>,
    items: OnceLock<Vec<Rule>>,
}

impl InstructionFile {
    /// Whether some host loads it.
    pub fn is_loaded(&self) -> bool {
        !self.readings.is_empty()
    }

    /// The folder that holds it, relative to the root with `/`; empty for the root.
    pub fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The references in it that lead nowhere.
    pub fn mentions(&self, project: &Project) -> &[Mention] {
        self.mentions.get_or_init(|| mentions::read(project, &self.path, &self.document))
    }

    /// Its text split into items.
    pub fn items(&self) -> &[Rule] {
        self.items.get_or_init(|| self.document.rules(&document::rule::Context::at(&self.path)))
    }

    /// Whether it is a link to another file.
    pub fn is_link(&self) -> bool {
        self.absolute != self.real
    }
}

impl<'m> Material<'m> {
    /// Reads the files that the inventory names.
    #[allow(clippy::too_many_arguments)]
    pub fn gather(
        root: &'m Path,
        selections: &'m [Selection],
        survey: &'m Survey,
        project: &'m Project,
        inventory: &'m Inventory,
        names: &'m Names,
        config: &'m Config,
        file_system: &'m dyn FileSystem,
    ) -> Self {
        // Two names of one file are read once.
        let mut documents: BTreeMap<PathBuf, (Arc<Document>, Option<String>)> = BTreeMap::new();
        let mut read = |real: &PathBuf| {
            let entry = documents.entry(real.clone()).or_insert_with(|| match file_system.read(real, TEXT_LIMIT) {
                Ok(bytes) => (Arc::new(Document::parse(String::from_utf8_lossy(&bytes).into_owned())), None),
                Err(error) => (Arc::new(Document::parse("")), Some(error.to_string())),
            });
            entry.clone()
        };
        // Imported files, and those whose names only the settings say.
        let loaded = survey.contexts.iter().flatten().flat_map(|c| &c.pieces);
        let mut all: Vec<PathBuf> = inventory.candidates.iter().map(|c| root.join(c)).collect();
        all.extend(loaded.filter_map(|p| p.path.clone()).filter(|p| p.starts_with(root)));
        all.sort();
        all.dedup();
        let files = all
            .into_iter()
            .filter_map(|absolute| {
                let path = paths::relative(&absolute, root)?;
                let real = file_system.canonicalize(&absolute).unwrap_or_else(|_| absolute.clone());
                let (document, unreadable) = read(&real);
                let readings = survey.readings(&absolute);
                Some(InstructionFile {
                    path,
                    absolute,
                    real,
                    document,
                    readings,
                    unreadable,
                    mentions: OnceLock::new(),
                    items: OnceLock::new(),
                })
            })
            .collect();
        let in_use = selections.iter().map(|s| !config.hosts.value.is_empty() || has_signs(project, &s.host)).collect();
        Self {
            root,
            selections,
            in_use,
            survey,
            project,
            inventory,
            files,
            names,
            config,
            file_system,
            imports: OnceLock::new(),
        }
    }

    /// The files whose text is judged: loaded by some host, each real file once (by its own path if that is among them).
    pub fn texts(&self) -> impl Iterator<Item = &InstructionFile> {
        self.files.iter().filter(|file| {
            let twin = || self.files.iter().any(|other| other.absolute == file.real && other.is_loaded());
            file.is_loaded() && file.unreadable.is_none() && !(file.is_link() && twin())
        })
    }

    /// The imports that the files write, with what became of them.
    pub fn imports(&self) -> &[Import] {
        self.imports.get_or_init(|| imports::collect(self))
    }

    /// The file with a path relative to the root.
    pub fn file(&self, path: &str) -> Option<&InstructionFile> {
        self.files.iter().find(|file| file.path == path)
    }

    /// A path as findings name it.
    pub fn shown(&self, path: &Path) -> String {
        paths::relative(path, self.root).unwrap_or_else(|| path.to_string_lossy().into_owned())
    }

    /// Every context with its host and launch directory.
    pub fn contexts(&self) -> impl Iterator<Item = (&Selection, &PathBuf, &Context)> {
        self.survey.contexts.iter().zip(self.selections).flat_map(|(contexts, selection)| {
            contexts
                .iter()
                .zip(&self.survey.directories)
                .map(move |(context, directory)| (selection, directory, context))
        })
    }

    /// A launch directory in words.
    pub fn directory(&self, directory: &Path) -> String {
        match self.shown(directory).as_str() {
            "" => "the root".to_owned(),
            other => format!("`{other}`"),
        }
    }
}

/// Whether the repository has files or folders that are there for this host alone.
fn has_signs(project: &Project, host: &Host) -> bool {
    host.signs.iter().any(|sign| match sign.contains('/') {
        true => project.tree().kind(sign.trim_end_matches('/')).is_some(),
        false => project.tree().named(sign).next().is_some(),
    })
}

/// The steps before the rules: the inventory and the survey of a project.
pub fn survey(
    project: &Project,
    selections: &[Selection],
    launch: &Launch,
    more_directories: &[PathBuf],
    names: &Names,
    file_system: &dyn FileSystem,
) -> (Inventory, Survey) {
    let root = project.root();
    let folders = RuleFolders::collect(selections.iter().map(|s| &s.host));
    let inventory = inventory::find(project.tree().files(), root, file_system, names, &folders);
    let paths: Vec<PathBuf> = inventory.candidates.iter().map(|c| root.join(c)).collect();
    let sample = |folder: &Path| inventory::sample(project.tree(), root, folder);
    let survey = Survey::run(selections, root, &paths, more_directories, launch, file_system, &sample);
    (inventory, survey)
}
