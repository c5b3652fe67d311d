//! What is asked: how a host is started, where, by whom, and what it touches.

use crate::host::schema::Flag;
use indexmap::IndexMap;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// One launch of a host.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The launch directory as given, absolute. Links in it are kept: a host may or may not resolve them.
    pub directory: PathBuf,
    /// The user's home folder, if there is one.
    pub home: Option<PathBuf>,
    /// The environment.
    pub variables: BTreeMap<String, String>,
    /// The host's own flags.
    pub arguments: Vec<String>,
    /// How the host is started, where it is not its default mode.
    pub mode: Option<String>,
    /// What is known of the session beyond the command line (a gateway's or an editor's).
    pub session: Value,
    /// Which user turn of the session is looked at, from 1.
    pub turn: u32,
    /// The folder that stands for `/` in the paths of system-wide files.
    pub system_root: PathBuf,
    /// What the agent touches, in order.
    pub touches: Vec<Touch>,
    /// The folder is taken to be trusted, whatever the user has told the host so far.
    pub trusted: bool,
}

/// One touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touch {
    /// The kind of tool: `read`, `write`, `edit`, `patch`, `list`, `grep`, `glob`, `shell`, `code`, `mention`, `agent`.
    pub tool: String,
    /// The path, or for `shell` and `code` the text, for `agent` the kind of sub-agent.
    pub value: String,
}

/// The kinds of tool that a touch can name.
pub const TOOLS: &[&str] =
    &["read", "write", "edit", "patch", "list", "grep", "glob", "shell", "code", "mention", "agent"];

impl Launch {
    /// A launch in `directory` with an empty environment and no home.
    pub fn new(directory: PathBuf) -> Self {
        Self {
            directory,
            home: None,
            variables: BTreeMap::new(),
            arguments: Vec::new(),
            mode: None,
            session: Value::Null,
            turn: 1,
            system_root: PathBuf::from("/"),
            touches: Vec::new(),
            trusted: false,
        }
    }
}

impl std::str::FromStr for Touch {
    type Err = String;

    /// Reads `TOOL:VALUE`.
    fn from_str(text: &str) -> Result<Self, String> {
        let form = || format!("write TOOL:PATH, where TOOL is one of {}", TOOLS.join(", "));
        let (tool, value) = text.split_once(':').ok_or_else(form)?;
        if !TOOLS.contains(&tool) {
            return Err(form());
        }
        Ok(Self { tool: tool.to_owned(), value: value.to_owned() })
    }
}

/// The host's flags, read.
#[derive(Debug, Clone, Default)]
pub struct Arguments {
    given: IndexMap<String, Vec<String>>,
    /// Arguments that the model does not know.
    pub unknown: Vec<String>,
}

impl Arguments {
    /// Reads arguments by the flags that the host's model knows.
    pub fn parse(arguments: &[String], known: &IndexMap<String, Flag>) -> Self {
        let mut read = Self::default();
        let find = |name: &str| known.iter().find(|(flag, f)| *flag == name || f.aliases.iter().any(|a| a == name));
        let mut rest = arguments.iter().peekable();
        while let Some(argument) = rest.next() {
            let (name, mut value) = match argument.split_once('=') {
                Some((name, value)) if name.starts_with('-') => (name, Some(value.to_owned())),
                _ => (argument.as_str(), None),
            };
            let Some((flag, form)) = find(name) else {
                read.unknown.push(argument.clone());
                continue;
            };
            let values = read.given.entry(flag.clone()).or_default();
            if !form.value {
                continue;
            }
            loop {
                if value.is_none() {
                    value = rest.next().cloned();
                }
                match (value.take(), &form.separator) {
                    (Some(value), Some(separator)) => {
                        values.extend(value.split(separator.as_str()).map(|v| v.trim().to_owned()));
                    }
                    (Some(value), None) => values.push(value),
                    (None, _) => break,
                }
                if !(form.many && rest.peek().is_some_and(|next| !next.starts_with('-'))) {
                    break;
                }
            }
        }
        read
    }

    /// Whether the flag was given.
    pub fn has(&self, flag: &str) -> bool {
        self.given.contains_key(flag)
    }

    /// The values of the flag, in order.
    pub fn values(&self, flag: &str) -> &[String] {
        self.given.get(flag).map_or(&[], Vec::as_slice)
    }

    /// The last value of the flag.
    pub fn value(&self, flag: &str) -> Option<&str> {
        self.values(flag).last().map(String::as_str)
    }
}
