//! `agentsctl man`: the manual pages, made from the same definitions as the command line.

use crate::error::{CommandError, ExitStatus};
use clap_mangen::Man;
use std::io::Write;
use std::path::PathBuf;

/// Print the manual page of agentsctl or of one of its commands
///
/// agentsctl man lint | man -l -
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The command whose page is meant
    #[arg(value_name = "COMMAND", conflicts_with = "directory")]
    command: Option<String>,
    /// Write all pages into this folder instead, such as ~/.local/share/man/man1
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitStatus, CommandError> {
    let mut definition = super::definition().disable_help_subcommand(true);
    definition.build();
    if let Some(folder) = &arguments.directory {
        let failed = |error| CommandError::input(&format!("write pages into `{}`", folder.display()), &error);
        std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(definition, folder)).map_err(failed)?;
        return Ok(ExitStatus::Clean);
    }
    let meant = match &arguments.command {
        None => definition,
        Some(name) => {
            let names: Vec<&str> = definition.get_subcommands().map(clap::Command::get_name).collect();
            let names = names.join(", ");
            definition.find_subcommand(name).cloned().ok_or_else(|| {
                CommandError::usage(format!("there is no command `{name}`")).hint(format!("the commands are {names}"))
            })?
        }
    };
    let mut page = Vec::new();
    Man::new(meant).render(&mut page)?;
    let mut out = std::io::stdout().lock();
    out.write_all(&page)?;
    out.flush()?;
    Ok(ExitStatus::Clean)
}
