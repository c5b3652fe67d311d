//! Files that look like instruction files and that a host does not look at: below the launch directory, above the root,
//! in another spelling, or under another host's name.

use super::NotLoaded;
use crate::discover::{Context, Launch, paths};
use crate::filesystem::{FileKind, FileSystem};
use crate::host::schema::{Host, Moment, Scope, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Spellings that people use and that no host reads by default, with the name that was meant.
const SLIPS: &[(&str, &str)] = &[
    ("AGENT.md", "AGENTS.md"),
    ("agent.md", "AGENTS.md"),
    ("Agents.md", "AGENTS.md"),
    ("agents.md", "AGENTS.md"),
    ("AGENTS.MD", "AGENTS.md"),
    ("AGENTS.txt", "AGENTS.md"),
    ("AGENTS.mdx", "AGENTS.md"),
    ("AGENTS.local.md", "AGENTS.override.md"),
    (".codex/AGENTS.md", "AGENTS.md"),
    (".agents/AGENTS.md", "AGENTS.md"),
    (".github/AGENTS.md", "AGENTS.md"),
    ("claude.md", "CLAUDE.md"),
    ("Claude.md", "CLAUDE.md"),
    ("CLAUDE.MD", "CLAUDE.md"),
    ("CLAUDE.override.md", "CLAUDE.local.md"),
    (".claude/CLAUDE.local.md", "CLAUDE.local.md"),
    ("gemini.md", "GEMINI.md"),
    ("Gemini.md", "GEMINI.md"),
    (".gemini/GEMINI.md", "GEMINI.md"),
    ("copilot-instructions.md", ".github/copilot-instructions.md"),
    (".github/copilot/copilot-instructions.md", ".github/copilot-instructions.md"),
    ("hermes.md", ".hermes.md"),
    (".cursor/.cursorrules", ".cursorrules"),
];

/// All names that a host may read in a project, by host.
#[derive(Debug, Clone, Default)]
pub struct Names {
    by_host: BTreeMap<String, BTreeSet<String>>,
}

impl Names {
    /// Collects the names that the hosts' models hold.
    pub fn collect<'a>(hosts: impl Iterator<Item = &'a Host>) -> Self {
        let own =
            |host: &Host| host.sources.values().filter(|s| is_of_project(s)).flat_map(|s| names(host, s)).collect();
        Self { by_host: hosts.map(|host| (host.id.clone(), own(host))).collect() }
    }

    /// The names of all hosts.
    pub fn all(&self) -> BTreeSet<&str> {
        self.by_host.values().flatten().map(String::as_str).collect()
    }

    /// Whether a host's model holds the name.
    pub fn has(&self, host: &str, name: &str) -> bool {
        self.by_host.get(host).is_some_and(|names| names.contains(name))
    }

    /// The hosts whose models hold the name.
    pub fn hosts(&self, name: &str) -> Vec<&str> {
        self.by_host.iter().filter(|(_, names)| names.contains(name)).map(|(host, _)| host.as_str()).collect()
    }
}

fn is_of_project(source: &Source) -> bool {
    matches!(source.scope, Scope::Project | Scope::Local)
        || source.files.iter().any(|set| matches!(set.scope, Some(Scope::Project | Scope::Local)))
}

/// The names of a source; of those that settings give, the ones that hold without any setting.
fn names(host: &Host, source: &Source) -> Vec<String> {
    let mut names = Vec::new();
    for name in source.files.iter().flat_map(|set| &set.names) {
        match name.strip_prefix('$') {
            Some(parameter) => {
                let Some(parameter) = host.parameters.get(parameter) else { continue };
                names.extend(crate::discover::resolve::strings(&parameter.default));
                names.extend(parameter.always.iter().cloned());
            }
            None if name.starts_with(['/', '{']) => {}
            None => names.push(name.clone()),
        }
    }
    names
}

/// The name that was meant by a slip.
pub fn meant(name: &str) -> Option<&'static str> {
    SLIPS.iter().find(|(slip, _)| *slip == name).map(|(_, meant)| *meant)
}

/// Names that were meant to be one of the known ones.
pub fn slips() -> impl Iterator<Item = &'static str> {
    SLIPS.iter().map(|(slip, _)| *slip)
}

/// Adds the files that the host's own rules never come across, in the folders between the repository's root, the launch
/// directory and the touched files.
pub fn add(
    host: &Host,
    context: &Context,
    launch: &Launch,
    files: &dyn FileSystem,
    names: &Names,
    not_loaded: &mut Vec<NotLoaded>,
) {
    let mut known: BTreeSet<PathBuf> = context.pieces.iter().filter_map(|p| p.path.clone()).collect();
    known.extend(context.omissions.iter().map(|o| o.path.clone()));
    known.extend(context.pointers.iter().map(|p| p.path.clone()));
    let real: BTreeSet<PathBuf> = context.pieces.iter().filter_map(|p| p.real.clone()).collect();
    for folder in folders(context, launch, files) {
        let spellings =
            names.all().into_iter().map(|name| (name, None)).chain(SLIPS.iter().map(|(s, m)| (*s, Some(*m))));
        for (name, slip_of) in spellings {
            let path = folder.join(name);
            if known.contains(&path) || !files.is_file(&path) || !is_spelled_so(files, &path) {
                continue;
            }
            if files.canonicalize(&path).is_ok_and(|target| real.contains(&target)) {
                continue;
            }
            known.insert(path.clone());
            not_loaded.push(explain(host, context, names, &folder, name, slip_of, path));
        }
    }
}

/// A disk that ignores letter case answers for every spelling; only the one in the folder counts.
fn is_spelled_so(files: &dyn FileSystem, path: &Path) -> bool {
    match files.canonicalize(path) {
        Ok(real) if files.link_metadata(path).is_ok_and(|m| m.kind != FileKind::Link) => {
            real.file_name() == path.file_name()
        }
        _ => true,
    }
}

fn folders(context: &Context, launch: &Launch, files: &dyn FileSystem) -> Vec<PathBuf> {
    let root = context.launch.ancestors().find(|a| files.exists(&a.join(".git"))).unwrap_or(&context.launch);
    let mut folders = paths::chain(root, &context.launch);
    for touch in launch.touches.iter().filter(|t| t.tool != "shell" && t.tool != "code" && t.tool != "agent") {
        let path = paths::join(&context.launch, &touch.value);
        let folder = if files.is_directory(&path) { path.as_path() } else { path.parent().unwrap_or(&path) };
        folders.extend(paths::chain(&context.launch, folder));
        folders.extend(paths::chain(root, folder));
    }
    let mut seen = BTreeSet::new();
    folders.retain(|folder| seen.insert(folder.clone()));
    folders
}

fn explain(
    host: &Host,
    context: &Context,
    names: &Names,
    folder: &Path,
    name: &str,
    slip_of: Option<&str>,
    path: PathBuf,
) -> NotLoaded {
    let own_name = names.has(&host.id, name);
    if let (false, Some(meant)) = (own_name, slip_of) {
        return NotLoaded {
            path,
            code: "near-miss",
            reason: format!("{} does not read this name", host.name),
            remedy: Some(format!("name it {meant}")),
        };
    }
    if !own_name {
        let adapter = host.adapter.clone().filter(|_| name == "AGENTS.md");
        return NotLoaded {
            path,
            code: "other-host",
            reason: format!("{} does not read this name", host.name),
            remedy: adapter,
        };
    }
    let below = folder.starts_with(&context.launch) && folder != context.launch;
    let above = context.launch.starts_with(folder) && folder != context.launch;
    let on_touch = host.sources.values().any(|s| s.on == Moment::Touch && names_of_source(s, name));
    let shown = paths::relative_with_parents(folder, &context.launch);
    let (code, reason, remedy) = match (below, above) {
        (true, _) if on_touch => (
            "not-touched",
            "below the launch directory, and no touch brought it".to_owned(),
            Some(format!("read a file in {shown}")),
        ),
        (true, _) => ("below-launch", "below the launch directory".to_owned(), Some(format!("launch in {shown}"))),
        (_, true) => (
            "above-launch",
            "above the launch directory, where this host does not look".to_owned(),
            Some(format!("launch in {shown}")),
        ),
        _ => ("not-looked-at", "the host does not look in this folder".to_owned(), Some(format!("launch in {shown}"))),
    };
    NotLoaded { path, code, reason, remedy }
}

fn names_of_source(source: &Source, name: &str) -> bool {
    source.files.iter().any(|set| set.names.iter().any(|n| n == name))
}
