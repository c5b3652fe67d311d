//! Finds the configuration that holds for a path: the nearest `agentsctl.toml` from the file upwards, up to the
//! project root or the root of a nested repository.

use super::parse::{ConfigError, Problem};
use super::{Config, FILE_NAME, Overrides};
use crate::error::CommandError;
use crate::filesystem::FileSystem;
use crate::lint::registry::Registry;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The largest configuration file that is read, in bytes.
const LIMIT: u64 = 1 << 20;

/// The project root for a folder: the nearest folder upwards that has `.git` or an `agentsctl.toml` with
/// `root = true`. `None` where there is neither.
pub fn project_root(file_system: &dyn FileSystem, start: &Path) -> Option<PathBuf> {
    start
        .ancestors()
        .find(|folder| file_system.exists(&folder.join(".git")) || marks_root(file_system, folder))
        .map(Path::to_path_buf)
}

/// Whether a folder's configuration says `root = true`. A file that is not TOML marks nothing here; it is reported
/// when it is read as a configuration.
fn marks_root(file_system: &dyn FileSystem, folder: &Path) -> bool {
    let bytes = file_system.read(&folder.join(FILE_NAME), LIMIT).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    text.trim_start_matches('\u{feff}')
        .parse::<toml::Table>()
        .is_ok_and(|table| table.get("root").and_then(toml::Value::as_bool) == Some(true))
}

/// Why there is no configuration for a path.
#[derive(Debug, Clone, thiserror::Error)]
pub enum FindError {
    /// A file was found and cannot be used.
    #[error(transparent)]
    File(#[from] ConfigError),
    /// The command line does not fit it.
    #[error("{}", .0.message)]
    Options(CommandError),
}

/// The configurations of a project, each read once.
pub struct Configs<'p> {
    file_system: &'p dyn FileSystem,
    root: PathBuf,
    registry: &'p Registry,
    overrides: Overrides,
    fixed: Option<Arc<Config>>,
    found: Mutex<BTreeMap<String, Arc<Config>>>,
}

impl<'p> Configs<'p> {
    /// Finds configurations in the project at `root`, an absolute path.
    pub fn find(file_system: &'p dyn FileSystem, root: PathBuf, registry: &'p Registry, overrides: Overrides) -> Self {
        Self { file_system, root, registry, overrides, fixed: None, found: Mutex::default() }
    }

    /// One configuration for every path: `--config FILE`, or [`Config::default`] for `--isolated`.
    ///
    /// # Errors
    /// The command line does not fit it.
    pub fn fixed(
        file_system: &'p dyn FileSystem,
        root: PathBuf,
        registry: &'p Registry,
        overrides: Overrides,
        config: Config,
    ) -> Result<Self, FindError> {
        let config = config.with_overrides(&overrides, registry).map_err(FindError::Options)?;
        Ok(Self { fixed: Some(Arc::new(config)), ..Self::find(file_system, root, registry, overrides) })
    }

    /// The configuration for a file, named as findings name it. Files outside of the project have the root's.
    ///
    /// # Errors
    /// The file that holds for it cannot be used.
    pub fn for_path(&self, path: &str) -> Result<Arc<Config>, FindError> {
        let outside = Path::new(path).is_absolute() || path.split('/').any(|part| part == "..");
        self.for_folder(if outside { "" } else { path.rsplit_once('/').map_or("", |(folder, _)| folder) })
    }

    /// The configuration of the project root, which holds for what concerns the whole run: hosts, launch directories,
    /// budgets, the exit code.
    ///
    /// # Errors
    /// The file cannot be used.
    pub fn root(&self) -> Result<Arc<Config>, FindError> {
        self.for_folder("")
    }

    /// The configuration for the files of a folder, named relative to the root with `/`.
    ///
    /// # Errors
    /// The file that holds for it cannot be used.
    pub fn for_folder(&self, folder: &str) -> Result<Arc<Config>, FindError> {
        if let Some(config) = &self.fixed {
            return Ok(config.clone());
        }
        if let Some(config) = self.found.lock().unwrap_or_else(PoisonError::into_inner).get(folder) {
            return Ok(config.clone());
        }
        let own = self.read(folder)?;
        let config = match (own, folder.rsplit_once('/')) {
            (Some(config), _) => Arc::new(config),
            // A nested repository has its own settings or none, whoever vendors it.
            (None, _) if folder.is_empty() || self.file_system.exists(&self.root.join(folder).join(".git")) => {
                Arc::new(Config::default().with_overrides(&self.overrides, self.registry).map_err(FindError::Options)?)
            }
            (None, Some((parent, _))) => self.for_folder(parent)?,
            (None, None) => self.for_folder("")?,
        };
        self.found.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_string(), config.clone());
        Ok(config)
    }

    /// Every configuration file that was in use so far, each once.
    pub fn used(&self) -> Vec<Arc<Config>> {
        if let Some(config) = &self.fixed {
            return vec![config.clone()];
        }
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let mut used: BTreeMap<String, Arc<Config>> = BTreeMap::new();
        for config in found.values() {
            if let Some(path) = &config.path {
                used.entry(path.clone()).or_insert_with(|| config.clone());
            }
        }
        used.into_values().collect()
    }

    fn read(&self, folder: &str) -> Result<Option<Config>, FindError> {
        let shown = if folder.is_empty() { FILE_NAME.to_string() } else { format!("{folder}/{FILE_NAME}") };
        let path = self.root.join(&shown);
        if self.file_system.link_metadata(&path).is_err() {
            return Ok(None);
        }
        let config = read_file(self.file_system, &path, &shown, folder, self.registry)?;
        Ok(Some(config.with_overrides(&self.overrides, self.registry).map_err(FindError::Options)?))
    }
}

/// Reads one configuration file. `shown` is its path as findings carry it, `folder` where its globs start.
///
/// # Errors
/// It cannot be read, is too large, is not UTF-8, or [`Config::parse`] refuses it.
pub fn read_file(
    file_system: &dyn FileSystem,
    path: &Path,
    shown: &str,
    folder: &str,
    registry: &Registry,
) -> Result<Config, ConfigError> {
    let refuse = |message: String, text: &str| ConfigError {
        path: shown.to_string(),
        text: Arc::from(text),
        problems: vec![Problem { span: 0..0, message, help: None }],
    };
    let bytes = file_system.read(path, LIMIT + 1).map_err(|error| refuse(format!("it cannot be read: {error}"), ""))?;
    if bytes.len() as u64 > LIMIT {
        return Err(refuse(format!("it is larger than {LIMIT} bytes"), ""));
    }
    let text = String::from_utf8(bytes)
        .map_err(|error| refuse(format!("it is not UTF-8 at byte {}", error.utf8_error().valid_up_to()), ""))?;
    Config::parse(&text, shown, folder, registry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filesystem::Disk;
    use crate::lint::finding::Severity;
    use std::fs;

    fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn the_nearest_file_holds_alone() {
        let project = project(&[
            ("agentsctl.toml", "fail-on = 'error'\npersona = 'pedantic'"),
            ("a/agentsctl.toml", "fail-on = 'info'"),
            ("a/b/x.md", ""),
            ("vendor/lib/.git", "gitdir: elsewhere"),
        ]);
        let registry = Registry::new([]);
        let configs = Configs::find(&Disk, project.path().to_path_buf(), &registry, Overrides::default());
        let fail_on = |path: &str| configs.for_path(path).unwrap().fail_on.0.value;
        assert_eq!(fail_on("x.md"), Severity::Error);
        assert_eq!(fail_on("a/b/x.md"), Severity::Info);
        assert_eq!(fail_on("vendor/x.md"), Severity::Error);
        assert_eq!(fail_on("vendor/lib/x.md"), Severity::Warning, "a nested repository inherits nothing");
        assert_eq!(fail_on("/home/somebody/.codex/AGENTS.md"), Severity::Error);
        assert_eq!(configs.for_path("a/b/x.md").unwrap().persona.value, super::super::Persona::Default);
        assert_eq!(configs.for_path("a/b/x.md").unwrap().relative("a/b/x.md"), "b/x.md");
        assert_eq!(configs.used().len(), 2);
    }

    #[test]
    fn the_root_is_where_git_or_the_file_says() {
        let project = project(&[("top/.git/HEAD", ""), ("top/a/agentsctl.toml", "root = true"), ("top/a/b/x.md", "")]);
        let root = |folder: &str| project_root(&Disk, &project.path().join(folder));
        assert_eq!(root("top/a/b"), Some(project.path().join("top/a")));
        assert_eq!(root("top"), Some(project.path().join("top")));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_no_missing_file() {
        let project = project(&[("agentsctl.toml/x", ""), ("b/agentsctl.toml", "")]);
        fs::write(project.path().join("b/agentsctl.toml"), b"# \xff").unwrap();
        let registry = Registry::new([]);
        let configs = Configs::find(&Disk, project.path().to_path_buf(), &registry, Overrides::default());
        assert!(configs.root().unwrap_err().to_string().starts_with("agentsctl.toml:1:1: it cannot be read"));
        assert_eq!(configs.for_path("b/x").unwrap_err().to_string(), "b/agentsctl.toml:1:1: it is not UTF-8 at byte 2");
    }
}
