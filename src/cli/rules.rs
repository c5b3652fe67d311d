//! `agentsctl rules`: the rules that a repository's instruction files state.

use super::launch::{HostArguments, base_launch, repository_root, working_directory};
use super::output::{self, Format};
use crate::error::{CommandError, ErrorKind, ExitStatus};
use crate::filesystem::{Cached, Disk};
use crate::project::{Project, ScanOptions};
use crate::rulebook::{self, Rulebook};
use std::io::Write;
use std::path::PathBuf;

/// Show the rules that the instruction files state: scope, command, evidence, and which hosts have them loaded
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A file or a folder [default: the whole repository]
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
    /// The launch directory for which the hosts are named [default: the repository's root]
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
    #[command(flatten)]
    hosts: HostArguments,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitStatus, CommandError> {
    let catalog = arguments.hosts.catalog()?;
    let selections = arguments.hosts.selections(&catalog)?;
    let current = working_directory(arguments.from.as_deref())?;
    let root = repository_root(&current);
    let files = Cached::new(Disk);
    let project = Project::scan(&root, ScanOptions::default())
        .map_err(|error| CommandError::new(ErrorKind::Input, error.to_string()))?;
    let only = arguments
        .path
        .as_ref()
        .map(|path| crate::discover::paths::join(&working_directory(None).unwrap_or_default(), path));
    let book = Rulebook::read(&project, &selections, &base_launch(root.clone()), &current, only.as_deref(), &files);
    let mut out = output::stdout();
    match arguments.format {
        Format::Json => writeln!(out, "{:#}", rulebook::json(&book))?,
        Format::Human => rulebook::write_human(&book, &mut out)?,
    }
    out.flush()?;
    Ok(ExitStatus::Clean)
}
