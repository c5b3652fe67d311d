//! The answer: what is in front of the model, in order, and what is not, with the reason.

use super::text::Text;
use crate::host::schema::{Scope, Unit};
use serde::Serialize;
use std::path::PathBuf;

/// What a host has in front of it for one launch.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// The host's id.
    pub host: String,
    /// The host's version that the model speaks for.
    pub version: String,
    /// The launch directory as the host sees it.
    pub launch: PathBuf,
    /// The project root, if the host looks for one and found it.
    pub root: Option<PathBuf>,
    /// What was loaded, in the order in which it stands in the text.
    pub pieces: Vec<Piece>,
    /// What was found and not loaded.
    pub omissions: Vec<Omission>,
    /// Files that are named to the model without their text.
    pub pointers: Vec<Pointer>,
    /// What the host says about it, on the screen or in its log.
    pub notices: Vec<String>,
    /// Budgets, as far as they were used.
    pub budgets: Vec<BudgetUse>,
    /// Flags that the model does not know.
    pub unknown_arguments: Vec<String>,
    /// Settings that changed something, for a reader.
    pub settings: Vec<String>,
    /// Configuration files that could not be read.
    pub problems: Vec<String>,
    /// Why the host sends nothing at all, if it does not.
    pub refusal: Option<String>,
    /// The text of the first request, as far as it comes from instruction files.
    pub launch_text: String,
    /// What touches added, in order.
    pub on_touch_text: String,
}

/// A text that is in front of the model.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The source's id in the model.
    pub source: String,
    /// For whom it speaks.
    pub scope: Scope,
    /// The file, by the path under which it was found. For a text that stands in a setting: `None`.
    pub path: Option<PathBuf>,
    /// The file with links resolved.
    pub real: Option<PathBuf>,
    /// The name under which the host shows it.
    pub label: String,
    /// When it loads.
    pub loads: Loads,
    /// The file that imports it.
    pub imported_by: Option<PathBuf>,
    /// The text stands inside the importing file's text.
    pub inline: bool,
    /// The patterns of a scoped rule; empty for others.
    pub patterns: Vec<String>,
    /// The pattern that the touched file matched.
    pub matched: Option<String>,
    /// The text.
    pub text: Text,
    /// Size of the file in bytes, as on disk.
    pub bytes: u64,
    /// How it was cut, if it was.
    pub cut: Option<Cut>,
}

/// When a piece loads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "when")]
pub enum Loads {
    /// In the first request.
    AtLaunch,
    /// After a file was touched.
    OnTouch {
        /// The kind of tool.
        tool: String,
        /// The touched path.
        path: PathBuf,
    },
}

/// How a text was cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cut {
    /// The budget's name in the model.
    pub budget: String,
    /// What was left for this text.
    pub limit: u64,
    /// How long it was.
    pub length: u64,
    /// In which unit.
    pub unit: Unit,
}

/// A file that was found and not loaded.
#[derive(Debug, Clone)]
pub struct Omission {
    /// The source's id in the model.
    pub source: String,
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub reason: Reason,
}

/// Why a file does not load.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "reason")]
pub enum Reason {
    /// Another file of the folder, or of the whole chain, takes its place.
    Shadowed {
        /// The other file.
        by: PathBuf,
    },
    /// It has no text.
    Blank,
    /// The budget was used up before it.
    OverBudget {
        /// The budget's name.
        budget: String,
        /// Its limit.
        limit: u64,
        /// In which unit.
        unit: Unit,
    },
    /// It is larger than the host reads.
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// Its scope does not match a touched file.
    WaitsForMatch {
        /// Its patterns.
        patterns: Vec<String>,
    },
    /// The agent decides by its description whether to open it.
    AgentDecides,
    /// It loads only when the user names it.
    ByMentionOnly,
    /// It is named to the model without its text.
    NamedOnly,
    /// The host does not read it there, though it reads such a file elsewhere.
    NeverRead {
        /// Why, in words.
        why: String,
    },
    /// Its own frontmatter keeps it from this host.
    ExcludesHost,
    /// A setting or flag keeps it out.
    Excluded {
        /// The setting or flag, with its file.
        by: String,
        /// The pattern.
        pattern: String,
    },
    /// It could not be read.
    Unreadable {
        /// The system's words.
        error: String,
    },
    /// It lies where such files are looked for, but its name is not one that the host takes.
    NameNotTaken {
        /// The endings that are taken.
        wanted: Vec<String>,
    },
    /// It is a folder, a pipe or a device.
    NotAFile,
    /// It is a link that leads nowhere.
    BrokenLink,
    /// It is a link that the host refuses.
    LinkRefused {
        /// Where it leads.
        target: Option<PathBuf>,
    },
    /// Another file of the same source cannot be read, and the host then gives up all of them.
    LostWith {
        /// That file.
        file: PathBuf,
    },
    /// The same file or text was loaded before.
    SameAs {
        /// The file that was loaded.
        path: PathBuf,
        /// What is the same, in words.
        by: String,
    },
    /// The host found phrases in it for which it holds the whole text back.
    Blocked {
        /// The host's names for what it found.
        findings: Vec<String>,
        /// The words of the first, in lower case.
        phrase: String,
        /// The line in which they begin, from 1.
        line: usize,
    },
    /// The host does not trust the folder.
    NotTrusted,
    /// A switch is off: a flag, variable or setting.
    SwitchedOff {
        /// The condition, in words.
        by: String,
    },
    /// An import that leads nowhere.
    ImportMissing {
        /// The importing file.
        by: PathBuf,
    },
    /// An import that leads out of where the host allows it.
    ImportOutside {
        /// The importing file.
        by: PathBuf,
        /// The folder that it would have to lie in.
        boundary: PathBuf,
    },
    /// An import too many levels down.
    ImportTooDeep {
        /// The importing file.
        by: PathBuf,
        /// The greatest depth.
        depth: usize,
    },
    /// An import of a kind of file that the host does not take, or beyond its number or size.
    ImportRefused {
        /// The importing file.
        by: PathBuf,
        /// Why, in words.
        why: String,
    },
}

/// A file that is named to the model without its text.
#[derive(Debug, Clone, Serialize)]
pub struct Pointer {
    /// The file.
    pub path: PathBuf,
    /// Its patterns.
    pub patterns: Vec<String>,
    /// Its description.
    pub description: Option<String>,
}

/// How far a budget was used.
#[derive(Debug, Clone, Serialize)]
pub struct BudgetUse {
    /// The budget's name in the model.
    pub budget: String,
    /// What it limits, in words.
    pub about: String,
    /// The file, for a budget per file.
    pub path: Option<PathBuf>,
    /// The limit.
    pub limit: u64,
    /// How much was used.
    pub used: u64,
    /// In which unit.
    pub unit: Unit,
    /// Where the limit was set, if it is not the host's default.
    pub set_by: Option<String>,
}
