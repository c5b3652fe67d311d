//! Decides whether what a command names is defined by the repository, and hands each program to its ecosystem.
//!
//! Nothing is run. A command that the tree cannot decide is [`Resolution::Unknown`], one that names nothing of the
//! tree is [`Resolution::NotDefinedHere`]; neither is a finding.

use super::definitions::{DefinitionKind, Definitions, most_similar};
use super::mood::Mood;
use super::path::{PathKind, PathQuery, PathResolution};
use super::shape::has_stand_in;
use super::tree::{join, parent};
use super::{Certainty, EntryKind, Project};

/// A command as an instruction file states it.
#[derive(Debug, Clone, Copy)]
pub struct CommandQuery<'a> {
    /// The words after shell splitting, program first. Assignments and wrappers before the program may be left on.
    pub words: &'a [String],
    /// The folder it runs in, relative to the root; empty is the root.
    pub directory: &'a str,
    /// Whether the text states that folder (`cd x` before it, "run from `x/`"). Otherwise `directory` is a guess, such
    /// as the folder of the instruction file, and parents and hints are tried too.
    pub directory_is_stated: bool,
    /// Other folders it may run in: named in the heading, the sentence or the same fence.
    pub hints: &'a [String],
    /// How the text speaks of it.
    pub mood: Mood,
}

/// What became of a command's names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// All names are defined; this is the first.
    Found {
        /// The name.
        name: String,
        /// What it is.
        kind: DefinitionKind,
        /// The file that defines it, or the file or folder itself; empty where a pattern matches.
        file: String,
    },
    /// A name is defined nowhere it could be.
    Missing {
        /// The name.
        name: String,
        /// What it would be.
        kind: DefinitionKind,
        /// How sure that is.
        certainty: Certainty,
        /// The manifests or folders that were looked at; empty when the repository has no such manifest at all.
        searched: Vec<String>,
        /// A defined name that may be meant.
        suggestion: Option<String>,
    },
    /// Defined, but only in folders the command is not said to run in.
    ElsewhereOnly {
        /// The name.
        name: String,
        /// What it is.
        kind: DefinitionKind,
        /// The folders, at most ten.
        folders: Vec<String>,
    },
    /// The tree cannot decide it.
    Unknown {
        /// Why not.
        why: String,
    },
    /// Nothing that the repository would define is named: a tool's own subcommand, an unknown program.
    NotDefinedHere,
}

impl Resolution {
    pub(super) fn unknown(why: impl Into<String>) -> Self {
        Self::Unknown { why: why.into() }
    }

    pub(super) fn found(name: &str, kind: DefinitionKind, file: &str) -> Self {
        Self::Found { name: name.to_owned(), kind, file: file.to_owned() }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Missing { .. } => 4,
            Self::ElsewhereOnly { .. } => 3,
            Self::Unknown { .. } => 2,
            Self::Found { .. } => 1,
            Self::NotDefinedHere => 0,
        }
    }

    /// The more telling of two answers about one command: missing, elsewhere, unknown, found.
    pub(super) fn and(self, other: Self) -> Self {
        if other.rank() > self.rank() { other } else { self }
    }
}

/// A program and the ecosystem that answers for it.
#[derive(Debug, Clone, Copy)]
pub struct Tool {
    /// The names of the program.
    pub programs: &'static [&'static str],
    pub(super) resolve: fn(&Call<'_>) -> Resolution,
}

/// All programs whose names the repository can define. Add a tool here.
pub const TOOLS: &[Tool] = &[
    Tool { programs: &["npm", "pnpm", "yarn", "bun"], resolve: super::npm::resolve },
    Tool { programs: &["npx", "pnpx", "bunx"], resolve: super::npm::resolve_runner },
    Tool { programs: &["deno"], resolve: super::npm::resolve_deno },
    Tool { programs: &["nx"], resolve: super::nx::resolve },
    Tool { programs: &["turbo"], resolve: super::turbo::resolve },
    Tool { programs: &["make", "gmake"], resolve: super::make::resolve },
    Tool { programs: &["just"], resolve: super::just::resolve },
    Tool { programs: &["task", "go-task"], resolve: super::task::resolve },
    Tool { programs: &["cargo"], resolve: super::cargo::resolve },
    Tool { programs: &["uv", "uvx"], resolve: super::python::resolve_uv },
    Tool { programs: &["poetry", "pdm", "hatch", "rye", "pixi", "pipenv"], resolve: super::python::resolve_manager },
    Tool { programs: &["poe"], resolve: super::python::resolve_poe },
    Tool { programs: &["tox", "nox", "invoke", "inv"], resolve: super::python::resolve_sessions },
    Tool { programs: &["pytest", "py.test"], resolve: super::python::resolve_pytest },
    Tool { programs: &["composer"], resolve: super::composer::resolve },
    Tool { programs: &["bundle", "rake", "rails"], resolve: super::ruby::resolve },
    Tool { programs: &["gradle", "gradlew", "gradlew.bat"], resolve: super::gradle::resolve },
    Tool { programs: &["mvn", "mvnw", "mvnw.cmd", "mvnd"], resolve: super::maven::resolve },
    Tool { programs: &["go"], resolve: super::go::resolve },
    Tool { programs: &["dotnet"], resolve: super::dotnet::resolve },
    Tool { programs: &["mise"], resolve: super::mise::resolve },
    Tool { programs: &["bazel", "bazelisk"], resolve: super::bazel::resolve },
    Tool { programs: &["docker", "docker-compose", "podman-compose"], resolve: super::compose::resolve },
    Tool {
        programs: &[
            "bash",
            "sh",
            "zsh",
            "node",
            "tsx",
            "ts-node",
            "python",
            "python3",
            "ruby",
            "php",
            "perl",
            "pwsh",
            "powershell",
            "source",
            ".",
        ],
        resolve: super::script::resolve_interpreter,
    },
    Tool { programs: &["cd", "pushd"], resolve: super::script::resolve_change_directory },
];

/// A command on its way to an answer: wrappers are off, `words` holds the arguments after the program.
pub(super) struct Call<'a> {
    pub(super) project: &'a Project,
    pub(super) query: &'a CommandQuery<'a>,
    /// The program's name without folder.
    pub(super) program: &'a str,
    /// What follows it.
    pub(super) words: &'a [String],
    /// The folders it may run in; the first is the most likely.
    pub(super) places: Vec<String>,
    /// Whether the text, or an option of the command, states the first of them.
    pub(super) stated: bool,
}

/// Where the definitions of one kind are.
pub(super) struct Manifests {
    /// A name for this way of reading, for the cache.
    pub(super) reader: &'static str,
    /// What it defines.
    pub(super) kind: DefinitionKind,
    /// File names, the preferred first.
    pub(super) names: &'static [&'static str],
    /// Whether the tool looks in the folders above.
    pub(super) climbs: bool,
    /// Reads one.
    pub(super) read: fn(&Project, &str) -> Definitions,
}

impl Manifests {
    fn in_folder(&self, project: &Project, folder: &str) -> Option<String> {
        self.names.iter().filter_map(|name| join(folder, name)).find(|path| project.is_file(path))
    }

    /// The manifest that the tool uses when run in a folder.
    pub(super) fn nearest(&self, project: &Project, folder: &str) -> Option<String> {
        let mut folder = folder;
        loop {
            if let Some(found) = self.in_folder(project, folder) {
                return Some(found);
            }
            if !self.climbs || folder.is_empty() {
                return None;
            }
            folder = parent(folder);
        }
    }

    /// All such manifests of the tree.
    pub(super) fn everywhere(&self, project: &Project) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for name in self.names {
            all.extend(
                project.tree().named(name).filter(|e| e.kind == EntryKind::File).map(|e| e.path.to_owned()).take(5000),
            );
        }
        all
    }

    /// What one manifest defines.
    pub(super) fn read(&self, project: &Project, manifest: &str) -> std::sync::Arc<Definitions> {
        project.definitions(self.reader, manifest, self.read)
    }
}

impl<'a> Call<'a> {
    /// The same command with another place, which an option such as `-C` states.
    pub(super) fn in_stated_folder(&self, folder: &str) -> Option<Call<'a>> {
        if folder.starts_with('/') || folder.starts_with('~') || is_placeholder(folder) {
            return None;
        }
        let place = self
            .places
            .iter()
            .filter_map(|base| join(base, folder))
            .find(|place| self.project.is_directory(place))
            .or_else(|| self.places.first().and_then(|base| join(base, folder)))?;
        Some(Call { places: vec![place], stated: true, ..*self })
    }

    /// The rest of the words as a command of its own (`uv run pytest x`, `bundle exec rake y`).
    pub(super) fn rest_as_command(&self, words: &'a [String]) -> Resolution {
        dispatch(self.project, self.query, words, self.places.clone(), self.stated, 0)
    }

    /// Looks a name up in the manifests of the places, then everywhere.
    pub(super) fn look_up(&self, manifests: &Manifests, name: &str) -> Resolution {
        if !is_plain_name(name) {
            return Resolution::unknown(format!("`{name}` is a placeholder or computed"));
        }
        let project = self.project;
        let kind = manifests.kind;
        let mut searched: Vec<String> = Vec::new();
        let mut open: Option<String> = None;
        let mut suggestion = None;
        for place in &self.places {
            let Some(manifest) = manifests.nearest(project, place) else { continue };
            if searched.contains(&manifest) {
                continue;
            }
            let definitions = manifests.read(project, &manifest);
            if let Some(file) = definitions.get(name) {
                return Resolution::found(name, kind, if file.is_empty() { &manifest } else { file });
            }
            open = open.or_else(|| definitions.open().map(str::to_owned));
            suggestion = suggestion.or_else(|| most_similar(name, definitions.names()));
            searched.push(manifest);
        }
        let stated = self.stated.then(|| self.places.first()).flatten();
        if let Some(folder) = stated {
            if !project.is_directory(folder) {
                return Resolution::unknown(format!("the folder {folder} it runs in is not there"));
            }
            if !searched.is_empty() {
                return match open {
                    Some(why) => Resolution::Unknown { why },
                    None => self.missing(name, kind, Certainty::Certain, searched, suggestion),
                };
            }
        }
        let mut folders: Vec<String> = Vec::new();
        let everywhere = manifests.everywhere(project);
        for manifest in &everywhere {
            let definitions = manifests.read(project, manifest);
            if definitions.get(name).is_some() {
                folders.push(parent(manifest).to_owned());
                if folders.len() >= 10 {
                    break;
                }
            }
            // A manifest that only fixtures have must not make every name undecidable.
            if searched.is_empty() {
                open = open.or_else(|| definitions.open().map(str::to_owned));
            }
            suggestion = suggestion.or_else(|| most_similar(name, definitions.names()));
        }
        if !folders.is_empty() {
            return Resolution::ElsewhereOnly { name: name.to_owned(), kind, folders };
        }
        if let Some(why) = open {
            return Resolution::Unknown { why };
        }
        if everywhere.is_empty() {
            return self.missing(name, kind, Certainty::Likely, Vec::new(), None);
        }
        if searched.is_empty() {
            searched = everywhere.into_iter().take(10).collect();
        }
        self.missing(name, kind, Certainty::Certain, searched, suggestion)
    }

    /// A missing name, less sure where the line takes it back.
    pub(super) fn missing(
        &self,
        name: &str,
        kind: DefinitionKind,
        certainty: Certainty,
        searched: Vec<String>,
        suggestion: Option<String>,
    ) -> Resolution {
        let certainty = match self.query.mood {
            Mood::Negative => Certainty::Unsure,
            Mood::Hedged => certainty.min(Certainty::Likely),
            Mood::Plain | Mood::Made | Mood::Elsewhere => certainty,
        };
        Resolution::Missing { name: name.to_owned(), kind, certainty, searched, suggestion }
    }

    /// A file or folder given to the program.
    pub(super) fn path(&self, text: &str, kind: DefinitionKind) -> Resolution {
        if is_placeholder(text) || has_stand_in(text) {
            return Resolution::unknown(format!("`{text}` is a placeholder"));
        }
        let place = self.places.first().map_or("", String::as_str);
        let others: Vec<String> = self.places.iter().skip(1).cloned().collect();
        let query = PathQuery {
            text,
            kind: PathKind::Argument,
            folder: place,
            named: if self.stated { &[] } else { &others },
            mood: self.query.mood,
        };
        match self.project.resolve_path(&query) {
            PathResolution::Found { path, .. } => Resolution::found(text, kind, &path),
            PathResolution::CaseDiffers { actual } => {
                self.missing(text, kind, Certainty::Likely, self.places.clone(), Some(actual))
            }
            PathResolution::Ignored { path } => {
                Resolution::unknown(format!("{path} is ignored by git: made or installed"))
            }
            PathResolution::Suffix { matches, .. } => Resolution::ElsewhereOnly {
                name: text.to_owned(),
                kind,
                folders: matches.iter().map(|m| parent(m).to_owned()).collect(),
            },
            PathResolution::Missing(missing) => {
                let plain = text.replace('\\', "/");
                let plain = plain.trim_start_matches("./").trim_end_matches('/');
                let elsewhere: Vec<String> = self
                    .project
                    .tree()
                    .ending_with(plain)
                    .filter(|e| !self.stated || e.path == plain)
                    .map(|e| e.path.strip_suffix(plain).unwrap_or("").trim_end_matches('/').to_owned())
                    .take(10)
                    .collect();
                if !elsewhere.is_empty() {
                    return Resolution::ElsewhereOnly { name: text.to_owned(), kind, folders: elsewhere };
                }
                let suggestion = missing.suggestions.first().cloned();
                self.missing(text, kind, missing.certainty, self.places.clone(), suggestion)
            }
            PathResolution::Glob { .. } => Resolution::unknown(format!("`{text}` is a pattern")),
            PathResolution::NotAPath { .. } => Resolution::NotDefinedHere,
        }
    }
}

/// Whether a word is a stand-in or computed by the shell.
pub(super) fn is_placeholder(word: &str) -> bool {
    word.contains(['<', '>', '{', '}', '$', '`', '*', '…', '[', ']']) || word.contains("...") || word.is_empty()
}

/// Whether a word can be the name of a script, target or package as it stands.
pub(super) fn is_plain_name(word: &str) -> bool {
    !is_placeholder(word)
        && !word.starts_with('-')
        && word.chars().any(char::is_alphanumeric)
        && word.chars().all(|c| c.is_alphanumeric() || "_-:./@+#!".contains(c))
        && !word.chars().all(|c| c.is_ascii_uppercase() || c == '_')
        && !matches!(
            word.to_ascii_lowercase().as_str(),
            "foo"
                | "bar"
                | "script-name"
                | "target-name"
                | "task-name"
                | "recipe-name"
                | "name"
                | "xxx"
                | "your-script"
        )
}

/// The words that are neither options nor the values of the options in `with_value`; stops at `--`.
pub(super) fn operands<'w>(words: &'w [String], with_value: &[&str]) -> Vec<&'w str> {
    let mut operands = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--" {
            break;
        }
        if is_operator(word) {
            break;
        }
        if word.starts_with('-') && word.len() > 1 {
            if with_value.contains(&word.as_str()) {
                words.next();
            }
        } else {
            operands.push(word.as_str());
        }
    }
    operands
}

/// The value of the first option among `names`, as `--name value`, `--name=value` or `-Nvalue`.
pub(super) fn option<'w>(words: &'w [String], names: &[&str]) -> Option<&'w str> {
    options(words, names).into_iter().next()
}

/// The values of all options among `names`.
pub(super) fn options<'w>(words: &'w [String], names: &[&str]) -> Vec<&'w str> {
    let mut values = Vec::new();
    let mut rest = words.iter().peekable();
    while let Some(word) = rest.next() {
        if word == "--" || is_operator(word) {
            break;
        }
        for name in names {
            if word == name {
                if let Some(value) = rest.peek()
                    && !is_operator(value)
                {
                    values.push(value.as_str());
                }
            } else if let Some(value) = word.strip_prefix(name) {
                if let Some(value) = value.strip_prefix('=') {
                    values.push(value);
                } else if name.len() == 2 && !name.starts_with("--") && !value.is_empty() {
                    values.push(value);
                }
            }
        }
    }
    values
}

/// Whether a word ends a command: shell operators, a comment, and the slash of "`make up / down`".
pub(super) fn is_operator(word: &str) -> bool {
    matches!(
        word,
        "&&" | "||"
            | ";"
            | "|"
            | "&"
            | "/"
            | "#"
            | "→"
            | "->"
            | ">"
            | ">>"
            | "<"
            | "2>&1"
            | "2>/dev/null"
            | "\\"
            | ","
            | "("
            | ")"
            | "+"
    ) || word.starts_with('#')
}

/// Programs that run the command that follows, and how many of their own words come before it.
fn unwrap_program(words: &[String]) -> &[String] {
    let mut rest = words;
    for _ in 0..8 {
        let Some(first) = rest.first() else { return rest };
        let assignment = first
            .split_once('=')
            .is_some_and(|(name, _)| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
        let skip = if assignment
            || matches!(
                first.as_str(),
                "$" | "%"
                    | "sudo"
                    | "time"
                    | "env"
                    | "exec"
                    | "command"
                    | "nohup"
                    | "cross-env"
                    | "xvfb-run"
                    | "then"
                    | "do"
                    | "if"
                    | "!"
                    | "noglob"
                    | "rtk"
                    | "winpty"
            ) {
            1
        } else if first == "timeout" || first == "nice" {
            2
        } else {
            return rest;
        };
        rest = rest.get(skip..).unwrap_or_default();
        while skip == 1 && !assignment && rest.first().is_some_and(|w| w.starts_with('-')) {
            rest = rest.get(1..).unwrap_or_default();
        }
    }
    rest
}

fn dispatch(
    project: &Project,
    query: &CommandQuery<'_>,
    words: &[String],
    places: Vec<String>,
    stated: bool,
    depth: usize,
) -> Resolution {
    let words = unwrap_program(words);
    // Only the first command of a line; the caller splits the rest and keeps track of `cd`.
    let end = words.iter().position(|w| is_operator(w)).unwrap_or(words.len());
    let words = words.get(..end).unwrap_or(words);
    let Some((program, rest)) = words.split_first() else {
        return Resolution::unknown("there is no command");
    };
    if depth > 8 {
        return Resolution::unknown("too many commands in commands");
    }
    if is_placeholder(program) {
        return Resolution::unknown(format!("`{program}` is a placeholder"));
    }
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let local = program.contains(['/', '\\']) && program != ".";
    let call = Call { project, query, program: name, words: rest, places, stated };
    let tool = TOOLS.iter().find(|tool| tool.programs.contains(&name));
    if local {
        let wrapper = matches!(name, "gradlew" | "gradlew.bat" | "mvnw" | "mvnw.cmd" | "rails" | "rake");
        let file = call.path(program, DefinitionKind::File);
        return match tool {
            Some(tool) if wrapper => file.and((tool.resolve)(&call)),
            _ => super::script::judge_program(program, file),
        };
    }
    match tool {
        Some(tool) => (tool.resolve)(&call),
        None => super::script::resolve_unknown_program(&call, program),
    }
}

impl Project {
    /// Whether what a command names is defined. Only the first command of a compound line is looked at.
    pub fn resolve_command(&self, query: &CommandQuery<'_>) -> Resolution {
        let Some(directory) = join("", query.directory) else {
            return Resolution::unknown("it runs outside the repository");
        };
        // A `cd` after one that leads nowhere is meant from the start.
        let is_lost = query.directory_is_stated && !self.is_directory(&directory);
        let moves = query.words.first().is_some_and(|w| w == "cd");
        let directory = if is_lost && moves { String::new() } else { directory };
        if is_lost && !moves {
            return Resolution::unknown(format!("the folder {directory} it runs in is not there"));
        }
        let mut places = vec![directory.clone()];
        let mut add = |folder: Option<String>| {
            if let Some(folder) = folder
                && !places.contains(&folder)
                && self.is_directory(&folder)
            {
                places.push(folder);
            }
        };
        if !query.directory_is_stated {
            for hint in query.hints {
                let hint = hint.trim_matches('/');
                add(join("", hint));
                add(join(&directory, hint));
            }
            let mut folder = directory.as_str();
            while !folder.is_empty() {
                folder = parent(folder);
                add(Some(folder.to_owned()));
            }
        }
        dispatch(self, query, query.words, places, query.directory_is_stated, 0)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::filesystem::{Disk, Overlay};
    use crate::project::{ScanOptions, Tree};
    use std::path::Path;
    use std::sync::Arc;

    /// A project of files that exist only in memory.
    pub(in crate::project) fn project(files: &[(&str, &str)]) -> Project {
        let root = Path::new("/there-is-no-such-folder/project");
        let contents = files.iter().map(|(path, text)| (root.join(path), text.as_bytes().to_vec())).collect();
        let options = ScanOptions { files: Arc::new(Overlay::new(Disk, contents)), ..ScanOptions::default() };
        Project::from_tree(root, Tree::from_paths(files.iter().map(|(path, _)| *path)), options)
    }

    /// Resolves a command said to run in a folder that the text does not state.
    pub(in crate::project) fn run(project: &Project, command: &str, directory: &str) -> Resolution {
        run_with(project, command, directory, false)
    }

    /// Resolves a command in a folder that the text states.
    pub(in crate::project) fn run_in(project: &Project, command: &str, directory: &str) -> Resolution {
        run_with(project, command, directory, true)
    }

    fn run_with(project: &Project, command: &str, directory: &str, stated: bool) -> Resolution {
        let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        project.resolve_command(&CommandQuery {
            words: &words,
            directory,
            directory_is_stated: stated,
            hints: &[],
            mood: Mood::Plain,
        })
    }

    /// Asserts that every command is defined.
    #[track_caller]
    pub(in crate::project) fn all_found(project: &Project, commands: &[&str]) {
        for command in commands {
            let resolution = run(project, command, "");
            assert!(matches!(resolution, Resolution::Found { .. }), "{command}: {resolution:?}");
        }
    }

    /// Asserts that every command names something missing, at least likely so.
    #[track_caller]
    pub(in crate::project) fn all_missing(project: &Project, commands: &[&str]) {
        for command in commands {
            let resolution = run(project, command, "");
            assert!(
                matches!(&resolution, Resolution::Missing { certainty, .. } if *certainty >= Certainty::Likely),
                "{command}: {resolution:?}"
            );
        }
    }

    /// Asserts that no command is said to be missing or found.
    #[track_caller]
    pub(in crate::project) fn all_undecided(project: &Project, commands: &[&str]) {
        for command in commands {
            let resolution = run(project, command, "");
            assert!(
                matches!(resolution, Resolution::Unknown { .. } | Resolution::NotDefinedHere),
                "{command}: {resolution:?}"
            );
        }
    }

    #[test]
    fn options_and_operands() {
        let words: Vec<String> =
            ["-C", "dir", "--x=y", "a", "-j4", "b", "--", "c"].iter().map(|s| (*s).to_owned()).collect();
        assert_eq!(operands(&words, &["-C"]), ["a", "b"]);
        assert_eq!(option(&words, &["-C"]), Some("dir"));
        assert_eq!(option(&words, &["--x"]), Some("y"));
        assert_eq!(option(&words, &["-j"]), Some("4"));
        assert_eq!(option(&words, &["--y"]), None);
    }

    #[test]
    fn wrappers_and_assignments_are_taken_off() {
        let project = project(&[("Makefile", "build:\n\techo\n")]);
        all_found(
            &project,
            &[
                "make build",
                "A=b make build",
                "sudo -E make build",
                "time make build && make gone",
                "timeout 60 make build",
            ],
        );
        all_missing(&project, &["A=b make gone"]);
        all_undecided(&project, &["", "echo x", "<command> x", "$TOOL x", "git status", "A=b"]);
    }

    #[test]
    fn a_negative_mood_takes_certainty_away() {
        let project = project(&[("Makefile", "build:\n")]);
        let words = ["make".to_owned(), "migrate".to_owned()];
        let query =
            CommandQuery { words: &words, directory: "", directory_is_stated: false, hints: &[], mood: Mood::Negative };
        assert!(matches!(project.resolve_command(&query), Resolution::Missing { certainty: Certainty::Unsure, .. }));
    }
}
