//! `agentsctl lsp`: the language server.

use super::launch::{HostArguments, base_launch, repository_root, working_directory};
use crate::error::{CommandError, ExitStatus};
use crate::lsp;
use lsp_server::Connection;

/// Serve an editor over standard input and output, by the language server protocol
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    hosts: HostArguments,
    /// Accepted for editors that add it; standard input and output are the only way
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitStatus, CommandError> {
    let selections = arguments.hosts.selections(&arguments.hosts.catalog()?)?;
    let launch = base_launch(working_directory(None)?);
    let (connection, threads) = Connection::stdio();
    let result = lsp::serve(&connection, selections, launch, repository_root);
    // The writer ends when the connection does.
    drop(connection);
    threads.join()?;
    result.map(|()| ExitStatus::Clean)
}
