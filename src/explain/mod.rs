//! Explains one launch of one host: what loads, when and how much of it, what does not and why, and what would change it.

pub mod human;
pub mod json;
pub mod near;
pub mod readers;
pub mod wording;

use crate::discover::{self, Context, Launch, Omission, Reason};
use crate::filesystem::FileSystem;
use crate::host::Selection;
use crate::host::schema::Known;
use std::path::{Path, PathBuf};

/// What is said about one host.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The host's id.
    pub id: String,
    /// The host's name.
    pub name: String,
    /// The version that the model speaks for.
    pub version: String,
    /// How and when it was verified.
    pub verified: (Known, String),
    /// What the reader should know about the version.
    pub version_note: Option<String>,
    /// Why the host does not start until it trusts the folder; the context is then that of a trusted one.
    pub until_trusted: Option<String>,
    /// What the host has in front of it.
    pub context: Context,
    /// What does not load, with the reason and the change that would load it.
    pub not_loaded: Vec<NotLoaded>,
}

/// A file that does not load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotLoaded {
    /// The file.
    pub path: PathBuf,
    /// The reason as one word, for programs.
    pub code: &'static str,
    /// The reason, in words.
    pub reason: String,
    /// The one change that would load it, in the imperative.
    pub remedy: Option<String>,
}

/// Explains a launch. Where the host does not start only because it does not trust the folder yet, what it would load
/// once it does is explained, with a note.
pub fn explain(
    selection: &Selection,
    launch: &Launch,
    files: &dyn FileSystem,
    names: &near::Names,
    shown: &Shown,
) -> Explanation {
    let host = &selection.host;
    let mut context = discover::discover(host, launch, files);
    let mut until_trusted = None;
    if context.refusal.is_some() && host.trust.is_some() && !launch.trusted {
        let trusted = discover::discover(host, &Launch { trusted: true, ..launch.clone() }, files);
        if trusted.refusal.is_none() {
            until_trusted = context.refusal.take();
            context = trusted;
        }
    }
    let (words, omissions): (Vec<&Omission>, Vec<&Omission>) =
        context.omissions.iter().filter(|o| !is_settled(&context, o)).partition(|o| is_word(o));
    let mut not_loaded: Vec<NotLoaded> = omissions.into_iter().map(|o| wording::not_loaded(host, o, shown)).collect();
    not_loaded.extend(wording::words_taken_for_imports(&words));
    near::add(host, &context, launch, files, names, &mut not_loaded);
    Explanation {
        id: host.id.clone(),
        name: host.name.clone(),
        version: selection.requested.clone().unwrap_or_else(|| host.verified.version.clone()),
        verified: (host.verified.how, host.verified.date.clone()),
        version_note: selection.note.clone(),
        until_trusted,
        not_loaded,
        context,
    }
}

/// A name with `@` that is no path to the eye (a person, a package), but that the host takes for an import.
fn is_word(omission: &Omission) -> bool {
    matches!(omission.reason, Reason::ImportMissing { .. }) && omission.path.extension().is_none()
}

/// A file that the host names to the agent needs no second line that says it waits.
fn is_settled(context: &Context, omission: &Omission) -> bool {
    context.pointers.iter().any(|pointer| pointer.path == omission.path)
}

/// How paths are shown: from the project root, from the home folder, or whole.
#[derive(Debug, Clone)]
pub struct Shown {
    base: PathBuf,
    home: Option<PathBuf>,
}

impl Shown {
    /// Paths are shown from `base`.
    pub fn from(base: PathBuf, home: Option<PathBuf>) -> Self {
        Self { base, home }
    }

    /// A text with the paths in it as they are shown.
    pub fn text(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.base.to_string_lossy()), "")
    }

    /// The path as it is shown.
    pub fn path(&self, path: &Path) -> String {
        if let Some(relative) = discover::paths::relative(path, &self.base) {
            return if relative.is_empty() { ".".to_owned() } else { relative };
        }
        match self.home.as_ref().and_then(|home| discover::paths::relative(path, home)) {
            Some(relative) => format!("~/{relative}"),
            None => path.to_string_lossy().into_owned(),
        }
    }
}
