//! One finding: a fact about a place in a file, how sure we are, and what to do about it.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// How much a finding matters. Ordered from least to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// A judgement, shown only when asked for.
    Hint,
    /// Worth knowing; nothing is wrong.
    Info,
    /// Very likely wrong.
    Warning,
    /// A fact that breaks loading, or a reference that is certainly dead.
    Error,
}

impl Severity {
    /// All severities from least to most.
    pub const ALL: [Self; 4] = [Self::Hint, Self::Info, Self::Warning, Self::Error];

    /// The name that users read and write.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hint => "hint",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The severity with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.name() == name)
    }
}

/// A place in a file of the project.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Location {
    /// Path relative to the project root with `/`, or absolute for files outside of it.
    pub path: String,
    /// Byte range in the file's text as decoded (lossy UTF-8, BOM kept). Empty at 0 for a finding on the whole file.
    pub span: Range<usize>,
    /// What is to be seen there, shown beside the caret; may be empty.
    pub label: String,
}

/// A replacement of one byte range of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Path as in [`Location::path`].
    pub path: String,
    /// Byte range that is replaced.
    pub span: Range<usize>,
    /// What is put there.
    pub replacement: String,
}

/// A change that is certain to be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What the change does, in the imperative.
    pub description: String,
    /// The edits; they do not overlap.
    pub edits: Vec<Edit>,
}

/// What a rule says about a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule's id, such as `truncated`.
    pub rule: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// One sentence that states the fact.
    pub message: String,
    /// Where.
    pub primary: Location,
    /// The cause or the counterpart elsewhere.
    pub related: Vec<Location>,
    /// What to do, in the imperative.
    pub help: Option<String>,
    /// The hosts (ids) that it is true for; empty where it does not depend on a host.
    pub hosts: Vec<String>,
    /// A change that is certain to be right, if there is one.
    pub fix: Option<Fix>,
}
