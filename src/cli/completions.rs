//! `agentsctl completions`: what a shell needs to complete the command line.

use crate::error::{CommandError, ExitStatus};
use clap_complete::Shell;
use std::io::Write;

/// Print the completions for a shell
///
/// bash: agentsctl completions bash > ~/.local/share/bash-completion/completions/agentsctl
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitStatus, CommandError> {
    let mut command = super::definition();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    let mut out = std::io::stdout().lock();
    out.write_all(&script)?;
    out.flush()?;
    Ok(ExitStatus::Clean)
}
