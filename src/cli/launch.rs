//! The arguments that say how a host is launched, shared by the commands.

use crate::discover::{Launch, Touch};
use crate::error::CommandError;
use crate::host::catalog::{CatalogError, InvalidFile};
use crate::host::{Catalog, Selection};
use crate::lint::config::parse::{ConfigError, Problem};
use std::path::{Path, PathBuf};

/// A model that cannot be used, as an error of the command line with its place in the file.
fn catalog_error(error: CatalogError) -> CommandError {
    match error {
        CatalogError::Invalid(invalid) => {
            let InvalidFile { name, message, text, span, help } = *invalid;
            let problem = Problem { message, span: span.unwrap_or(0..0), help };
            ConfigError { path: name, text: text.into(), problems: vec![problem] }.into()
        }
        CatalogError::Unknown(_, ref hint) | CatalogError::Version(_, ref hint) => {
            CommandError::usage(error.to_string()).hint(hint.clone())
        }
    }
}

/// Which hosts, from where.
#[derive(Debug, Clone, clap::Args)]
pub struct HostArguments {
    /// The hosts, parted by commas; `codex@0.150.1` asks for a version [default: all]
    #[arg(long, short = 'H', value_name = "HOST", value_delimiter = ',', help_heading = "Host")]
    pub host: Vec<String>,
    /// A file of the vocabulary of hosts.toml that adds hosts or changes them; may be given more than once
    #[arg(long, value_name = "FILE", help_heading = "Host", env = "AGENTSCTL_HOSTS")]
    pub hosts: Vec<PathBuf>,
}

/// How a host is launched.
#[derive(Debug, Clone, clap::Args)]
pub struct LaunchArguments {
    /// The launch directory [default: the current one]
    #[arg(long, value_name = "DIR", help_heading = "Launch")]
    pub from: Option<PathBuf>,
    /// How the host is started, by the host's own word (see `agentsctl hosts ID`)
    #[arg(long, value_name = "MODE", help_heading = "Launch")]
    pub mode: Option<String>,
    /// What is known of a session that is not made on the command line, as JSON
    #[arg(long, value_name = "JSON", help_heading = "Launch")]
    pub session: Option<String>,
    /// Which user turn of the session is looked at
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Launch")]
    pub turn: u32,
    /// The host's own flags, after `--`
    #[arg(last = true, value_name = "HOST FLAGS")]
    pub arguments: Vec<String>,
}

impl HostArguments {
    /// The models in force: built in, the user's own, the ones named.
    pub fn catalog(&self) -> Result<Catalog, CommandError> {
        let mut catalog = Catalog::built_in();
        let own = user_configuration().map(|folder| folder.join("hosts.toml")).filter(|file| file.is_file());
        for file in own.iter().chain(&self.hosts) {
            let text = std::fs::read_to_string(file).map_err(|error| {
                CommandError::input(&format!("read `{}`", file.display()), &error)
                    .hint("name a file of the vocabulary of hosts.toml; docs/hosts.md describes it")
            })?;
            catalog.overlay(&file.to_string_lossy(), &text).map_err(catalog_error)?;
        }
        Ok(catalog)
    }

    /// The hosts that were asked for, or all.
    pub fn selections(&self, catalog: &Catalog) -> Result<Vec<Selection>, CommandError> {
        let all: Vec<String> = catalog.ids().map(str::to_owned).collect();
        let asked = if self.host.is_empty() { &all } else { &self.host };
        asked.iter().map(|query| catalog.select(query.trim()).map_err(catalog_error)).collect()
    }
}

/// The user's configuration folder of this program.
pub fn user_configuration() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    set("XDG_CONFIG_HOME")
        .or_else(|| set("HOME").map(|home| home.join(".config")))
        .map(|folder| folder.join("agentsctl"))
}

/// The folder that a command works from.
pub fn working_directory(from: Option<&Path>) -> Result<PathBuf, CommandError> {
    let current = || {
        std::env::current_dir().map_err(|error| {
            CommandError::input("find the current directory", &error)
                .hint("it may have been deleted; change to another one, or name one with --from")
        })
    };
    let directory = match from {
        // The shell's own idea of the current directory keeps the links that led there.
        None => return current(),
        Some(path) if path.is_absolute() => path.to_path_buf(),
        Some(path) => current()?.join(path),
    };
    match std::fs::metadata(&directory) {
        Ok(metadata) if metadata.is_dir() => Ok(directory),
        Ok(_) => Err(CommandError::usage(format!("{} is not a folder", directory.display()))
            .hint("--from names the folder in which the host is launched")),
        Err(error) => Err(CommandError::usage(format!("cannot look at {}: {error}", directory.display()))
            .hint("--from names the folder in which the host is launched")),
    }
}

impl LaunchArguments {
    /// The launch that the arguments describe.
    pub fn launch(&self, touches: Vec<Touch>) -> Result<Launch, CommandError> {
        let session = match &self.session {
            None => serde_json::Value::Null,
            Some(text) => serde_json::from_str(text).map_err(|error| {
                CommandError::usage(format!("--session is not JSON: {error}"))
                    .hint("write it like --session '{\"cwd\": \"/path\"}'")
            })?,
        };
        Ok(Launch {
            arguments: self.arguments.clone(),
            mode: self.mode.clone(),
            session,
            turn: self.turn,
            touches,
            ..base_launch(working_directory(self.from.as_deref())?)
        })
    }
}

/// A launch with this user's home and environment.
pub fn base_launch(directory: PathBuf) -> Launch {
    Launch {
        home: std::env::var_os("HOME").filter(|h| !h.is_empty()).map(PathBuf::from),
        // A variable that is not Unicode cannot be one that a model names.
        variables: std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect(),
        system_root: std::env::var_os("AGENTSCTL_SYSTEM_ROOT").map_or_else(|| PathBuf::from("/"), PathBuf::from),
        ..Launch::new(directory)
    }
}

/// The root of the repository that holds a folder, or the folder itself.
pub fn repository_root(directory: &Path) -> PathBuf {
    let real = std::fs::canonicalize(directory).unwrap_or_else(|_| directory.to_path_buf());
    real.ancestors().find(|a| a.join(".git").exists()).unwrap_or(&real).to_path_buf()
}
