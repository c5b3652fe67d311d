//! The command line: what can be typed, and one file per command that turns it into calls of the library.

mod context;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Says which instruction files each coding agent loads, and whether the rules in them work.
#[derive(Debug, Parser)]
#[command(name = "agentsctl", version, about, long_about = None)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print the instruction text that a host sends, in order and cut where the host cuts it
    Context(context::Arguments),
}

/// Runs the program.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    match cli.command {
        Command::Context(arguments) => context::run(&arguments),
    }
}
