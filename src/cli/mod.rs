//! The command line: what can be typed, and one file per command that turns it into calls of the library.

mod completions;
mod context;
mod explain;
mod hosts;
mod launch;
mod lint;
mod list;
mod lsp;
mod man;
mod output;
mod rule;
mod rules;

use crate::error::{CommandError, ExitStatus};
use crate::host::Host;
use clap::{CommandFactory, Parser, Subcommand};
use std::io::Write;
use std::process::ExitCode;

/// Says which instruction files each coding agent loads, and whether the rules in them work
#[derive(Debug, Parser)]
#[command(name = "agentsctl", version, about, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 nothing to report, 1 findings at or above the level that counts, 2 the job could not \
be done. Nothing found in a repository is executed, and nothing is sent anywhere.";

#[derive(Debug, Subcommand)]
enum Command {
    Explain(explain::Arguments),
    Context(context::Arguments),
    List(list::Arguments),
    Hosts(hosts::Arguments),
    Lint(Box<lint::Arguments>),
    Rules(rules::Arguments),
    Lsp(lsp::Arguments),
    Rule(rule::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// The definition of the command line, for what is made from it.
fn definition() -> clap::Command {
    Cli::command()
}

/// Runs the program.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let result = match &cli.command {
        Command::Explain(arguments) => explain::run(arguments),
        Command::Context(arguments) => context::run(arguments),
        Command::List(arguments) => list::run(arguments),
        Command::Hosts(arguments) => hosts::run(arguments),
        Command::Lint(arguments) => lint::run(arguments),
        Command::Rules(arguments) => rules::run(arguments),
        Command::Lsp(arguments) => lsp::run(arguments),
        Command::Rule(arguments) => rule::run(arguments),
        Command::Completions(arguments) => completions::run(arguments),
        Command::Man(arguments) => man::run(arguments),
    };
    finish(result)
}

fn finish(result: Result<ExitStatus, CommandError>) -> ExitCode {
    match result {
        Ok(status) => status.into(),
        Err(error) => {
            let stderr = std::io::stderr();
            let terminal = output::terminal(&stderr);
            // When standard error is closed too, there is nobody left to tell.
            let _ = stderr.lock().write_all(error.render(&terminal).as_bytes());
            error.status().into()
        }
    }
}

/// The mode that was asked for, if the host has it; a host that does not is started in its default mode.
fn mode_for(host: &Host, asked: Option<&str>) -> Option<String> {
    asked.filter(|mode| host.modes.iter().any(|m| m == mode)).map(str::to_owned)
}
