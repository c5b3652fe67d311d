//! How a run ends: the exit codes, and what is said when the job could not be done.

use crate::lint::config::discover::FindError;
use crate::lint::config::parse::ConfigError;
use crate::report::{self, Terminal, escape};
use std::io;
use std::process::ExitCode;

/// The exit codes, the same for every command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitStatus {
    /// Nothing to report; also when whoever read the output stopped reading.
    Clean = 0,
    /// There are findings at or above the level that counts.
    Findings = 1,
    /// The job could not be done.
    Failure = 2,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}

/// What kept a command from doing its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The command line asks for something that there is not.
    Usage,
    /// A configuration file cannot be used.
    Config,
    /// A file or folder cannot be read or written.
    Input,
    /// A defect of agentsctl.
    Internal,
    /// Whoever read the output stopped reading; no error to the user.
    ClosedPipe,
}

/// An error of a command, with what the user can do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CommandError {
    /// What kind it is.
    pub kind: ErrorKind,
    /// One sentence: what happened, and where. Lower case, without a full stop.
    pub message: String,
    /// What to do next, each a sentence.
    pub hints: Vec<String>,
    /// A configuration file that is shown with the message, where that is the cause.
    pub config: Option<Box<ConfigError>>,
}

impl CommandError {
    /// An error of a kind.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hints: Vec::new(), config: None }
    }

    /// The command line asks for something that there is not.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    /// A file or folder cannot be used: `action` says what was tried, such as "read `AGENTS.md`".
    pub fn input(action: &str, error: &io::Error) -> Self {
        Self::new(ErrorKind::Input, format!("cannot {action}: {error}"))
    }

    /// Adds what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The exit code: 2, and 0 for a closed pipe.
    pub fn status(&self) -> ExitStatus {
        if self.kind == ErrorKind::ClosedPipe { ExitStatus::Clean } else { ExitStatus::Failure }
    }

    /// The text for standard error, empty for a closed pipe.
    pub fn render(&self, terminal: &Terminal) -> String {
        if self.kind == ErrorKind::ClosedPipe {
            return String::new();
        }
        let mut text = match &self.config {
            Some(error) => report::diagnosis::render_config_error(error, terminal),
            None => {
                let label = if terminal.color { "\u{1b}[1;31merror\u{1b}[0m" } else { "error" };
                format!("{label}: {}\n", escape::inline(&self.message))
            }
        };
        for hint in &self.hints {
            text.push_str(&format!("  help: {}\n", escape::inline(hint)));
        }
        if self.kind == ErrorKind::Internal {
            text.push_str("  help: this is a defect of agentsctl; please report it with the command that showed it\n");
        }
        escape::defuse_commands(&text).into_owned()
    }
}

/// An error of writing the output: a closed pipe ends the run quietly.
impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::new(ErrorKind::ClosedPipe, "the output was closed");
        }
        Self::input("write the output", &error)
    }
}

impl From<ConfigError> for CommandError {
    fn from(error: ConfigError) -> Self {
        let message = format!("`{}` cannot be used", error.path);
        Self { config: Some(Box::new(error)), ..Self::new(ErrorKind::Config, message) }
    }
}

impl From<FindError> for CommandError {
    fn from(error: FindError) -> Self {
        match error {
            FindError::File(error) => error.into(),
            FindError::Options(error) => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_is_success_and_says_nothing() {
        let error = CommandError::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!((error.status(), error.render(&Terminal::plain())), (ExitStatus::Clean, String::new()));
        let error = CommandError::from(io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!(error.status(), ExitStatus::Failure);
    }

    #[test]
    fn errors_say_what_to_do_and_cannot_act() {
        let error = CommandError::usage("there is no host `co\u{1b}[2Jdex`").hint("did you mean `codex`?");
        assert_eq!(
            error.render(&Terminal::plain()),
            "error: there is no host `co\\u{1b}[2Jdex`\n  help: did you mean `codex`?\n"
        );
    }
}
