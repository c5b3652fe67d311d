//! What the references of instruction files lead to, kept where they lead nowhere: read once for all rules about them.

use super::material::{InstructionFile, Material};
use crate::document::command::Directory;
use crate::document::{BaseSource, Document, Literalness, Place, Polarity, Reference, ReferenceKind, Span, TreeEntry};
use crate::project::{
    Certainty, CommandQuery, DefinitionKind, DrawingQuery, DrawnEntry, Missing, Mood, PathKind, PathQuery,
    PathResolution, Project, Resolution, Shape, file_name, join, parent,
};

/// A reference that leads nowhere, as far as that is worth a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// Its bytes in the file.
    pub span: Span,
    /// What it refers to, as the document reads it.
    pub text: String,
    /// What is lost.
    pub lost: Lost,
}

/// What a reference refers to and the project lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lost {
    /// The target of a link or image.
    Link(Missing),
    /// A path in inline code.
    Path(Missing),
    /// A path in inline code that may be dead: nothing is there, but it may be the end of another path, or words. Its
    /// text, from the root. Worth a word only where something else says that a part of it is gone.
    Doubtful(String),
    /// Only the case of letters differs.
    Case {
        /// The path as the tree has it.
        actual: String,
    },
    /// What a command names.
    Command(LostCommand),
    /// The folder that a command changes into.
    Directory(LostCommand),
    /// A part of a drawn tree.
    Drawn {
        /// The folder that the tree draws; empty is the root.
        base: String,
        /// What is missing.
        missing: Missing,
        /// The entries below it, as bytes of the file.
        below: Vec<Span>,
    },
}

/// A name in a command that nothing defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostCommand {
    /// The name.
    pub name: String,
    /// What it would be.
    pub kind: DefinitionKind,
    /// The program.
    pub program: String,
    /// How sure that is.
    pub certainty: Certainty,
    /// The manifests or folders that were looked at.
    pub searched: Vec<String>,
    /// What may be meant.
    pub suggestion: Option<String>,
}

/// An instruction file whose references are judged, with its copies.
pub struct Subject<'m> {
    /// The file.
    pub file: &'m InstructionFile,
    /// Files beside it with the same text; what is wrong with one is wrong with all.
    pub copies: Vec<&'m InstructionFile>,
}

/// Folders whose files stand for others: their instruction files speak of a project that is elsewhere.
const FOREIGN: &[&str] = &[
    "vendor",
    "node_modules",
    "third_party",
    "third-party",
    "fixture",
    "fixtures",
    "__fixtures__",
    "testdata",
    "test-data",
    "test_data",
    "template",
    "templates",
    "snapshots",
    "__snapshots__",
];

/// The files whose text speaks of this project: loaded by some host, copies once, none of a fixture or of somebody
/// else's project.
pub fn subjects<'m>(material: &'m Material<'_>) -> Vec<Subject<'m>> {
    let mut subjects: Vec<Subject<'m>> = Vec::new();
    for file in material.texts() {
        if file.folder().split('/').any(|part| FOREIGN.contains(&part)) || is_page(material, file) {
            continue;
        }
        let same = |subject: &&mut Subject<'_>| {
            subject.file.folder() == file.folder() && subject.file.document.text == file.document.text
        };
        match subjects.iter_mut().find(same) {
            Some(subject) => subject.copies.push(file),
            None => subjects.push(Subject { file, copies: Vec::new() }),
        }
    }
    subjects
}

/// Whether a file below the root is a page about its subject (`docs/agents.md`) rather than an instruction file: it has
/// such a file's name in lower case, and no host reads it that the repository has other files for.
fn is_page(material: &Material<'_>, file: &InstructionFile) -> bool {
    let name = file_name(&file.path);
    let is_lower = !name.chars().any(char::is_uppercase);
    let capital = || material.names.all().into_iter().any(|known| known != name && known.eq_ignore_ascii_case(name));
    let in_use = || file.readings.iter().any(|(host, _, _)| material.in_use.get(*host).copied().unwrap_or(false));
    is_lower && !file.folder().is_empty() && capital() && !in_use()
}

/// The references of a file that lead nowhere, in the order of the text.
pub fn read(project: &Project, path: &str, document: &Document) -> Vec<Mention> {
    let mut mentions = Vec::new();
    let mut reader = Reader { project, folder: parent(path), named: Vec::new(), made: Vec::new() };
    for reference in document.references() {
        let mention = reader.judge(&reference);
        mentions.extend(mention.filter(|mention| !reader.is_made(mention)));
        reader.note_made(&reference);
    }
    for tree in &document.trees {
        mentions.append(&mut drawn(project, parent(path), document, &tree.entries));
    }
    mentions.sort_by_key(|mention| mention.span.start);
    mentions
}

/// How a sentence speaks of what it names.
fn mood(polarity: Polarity) -> Mood {
    match polarity {
        Polarity { negated: true, .. } | Polarity { past: true, .. } | Polarity { wrong: true, .. } => Mood::Negative,
        Polarity { generated: true, .. } | Polarity { future: true, .. } => Mood::Made,
        Polarity { optional: true, .. } | Polarity { example: true, .. } => Mood::Hedged,
        Polarity { elsewhere: true, .. } => Mood::Elsewhere,
        _ => Mood::Plain,
    }
}

/// Whether a sentence speaks of what it names as of something that is there, be it as an example.
fn is_told(polarity: Polarity) -> bool {
    Polarity { example: false, ..polarity }.is_plain()
}

/// Judges references in order and keeps the folders named on the way, from which later ones may be meant.
struct Reader<'p> {
    project: &'p Project,
    folder: &'p str,
    named: Vec<String>,
    /// The words of commands that make folders.
    made: Vec<String>,
}

/// Programs, or a program and its first word, that make folders, by what they clone, unpack or begin.
const MAKERS: &[&str] = &[
    "mkdir",
    "git clone",
    "git worktree",
    "gh repo",
    "cargo new",
    "cargo init",
    "uv init",
    "npm create",
    "npm init",
    "pnpm create",
    "pnpm dlx",
    "yarn create",
    "bun create",
    "npx",
    "tar",
    "unzip",
    "cp",
    "degit",
    "dotnet new",
    "rails new",
    "django-admin",
    "cookiecutter",
    "composer create-project",
    "flutter create",
    "cmake",
    "meson",
    "python",
    "python3",
];

impl Reader<'_> {
    /// Keeps what a command makes, so that what follows may enter it.
    fn note_made(&mut self, reference: &Reference) {
        let Some(command) = &reference.command else { return };
        let mut words = command.words.iter().map(|word| word.text.as_str());
        let (program, first) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        if MAKERS.contains(&program) || MAKERS.contains(&format!("{program} {first}").as_str()) {
            self.made.extend(command.words.iter().skip(1).map(|word| word.text.clone()));
        }
    }

    /// Whether the folder that a command enters was made by one before it.
    fn is_made(&self, mention: &Mention) -> bool {
        let Lost::Directory(lost) = &mention.lost else { return false };
        let first = lost.name.trim_start_matches("./").split(['/', '\\']).next().unwrap_or("");
        let names = |word: &String| word.split(['/', ':', '=', '.']).any(|part| part == first);
        !first.is_empty() && self.made.iter().any(names)
    }

    fn judge(&mut self, reference: &Reference) -> Option<Mention> {
        let bases = reference.bases.iter().filter(|base| base.source != BaseSource::HeadingWord);
        let mut hints: Vec<String> = bases.map(|base| base.folder.clone()).collect();
        let lost = match &reference.command {
            Some(_) => self.judge_command(reference, hints)?,
            None => {
                hints.extend(self.named.iter().cloned());
                self.judge_path(reference, &hints)?
            }
        };
        Some(Mention { span: reference.span.clone(), text: reference.text.clone(), lost })
    }

    fn judge_command(&self, reference: &Reference, mut hints: Vec<String>) -> Option<Lost> {
        let command = reference.command.as_ref()?;
        if command.literalness != Literalness::Literal || command.directories.contains(&Directory::Unknown) {
            return None;
        }
        let changed_into = command.directories.iter().find_map(|directory| match directory {
            Directory::Folder(folder) => Some(folder.as_str()),
            _ => None,
        });
        let is_stated = changed_into.is_some() && !command.directories.contains(&Directory::Start);
        if !is_stated {
            hints.splice(0..0, changed_into.map(str::to_owned));
        }
        let start = hints.first().map_or("", String::as_str);
        let directory = match changed_into.filter(|_| is_stated) {
            Some(folder) if self.project.is_directory(folder) => folder.to_owned(),
            Some(folder) => join(start, folder).unwrap_or_default(),
            None => self.folder.to_owned(),
        };
        let words: Vec<String> = command.words.iter().map(|word| word.text.clone()).collect();
        let resolution = self.project.resolve_command(&CommandQuery {
            words: &words,
            directory: &directory,
            directory_is_stated: is_stated,
            hints: &hints,
            mood: mood(reference.polarity),
        });
        let Resolution::Missing { name, kind, certainty, searched, suggestion } = resolution else { return None };
        if certainty == Certainty::Unsure {
            return None;
        }
        let program = command.program().to_owned();
        let changes = matches!(program.as_str(), "cd" | "pushd");
        let lost = LostCommand { name, kind, program, certainty, searched, suggestion };
        Some(if changes { Lost::Directory(lost) } else { Lost::Command(lost) })
    }

    fn judge_path(&mut self, reference: &Reference, hints: &[String]) -> Option<Lost> {
        let kind = match reference.kind {
            ReferenceKind::Link | ReferenceKind::Image => PathKind::Link,
            ReferenceKind::RuleLink => PathKind::RootLink,
            _ if reference.literalness != Literalness::Literal => return None,
            ReferenceKind::Path | ReferenceKind::FileName | ReferenceKind::Slashed => match reference.place {
                Place::Prose => PathKind::Prose,
                _ => PathKind::InlineCode,
            },
            // Trees are compared as a whole; imports are each host's own.
            _ => return None,
        };
        let query = PathQuery {
            text: &reference.text,
            kind,
            folder: self.folder,
            named: hints,
            mood: mood(reference.polarity),
        };
        let link = matches!(kind, PathKind::Link | PathKind::RootLink);
        match self.project.resolve_path(&query) {
            PathResolution::Found { path, .. } => {
                self.name(&path);
                None
            }
            PathResolution::CaseDiffers { actual } => {
                self.name(&actual);
                (link || query.mood != Mood::Negative).then_some(Lost::Case { actual })
            }
            PathResolution::Missing(missing) if missing.certainty > Certainty::Unsure => {
                Some(if link { Lost::Link(missing) } else { Lost::Path(missing) })
            }
            PathResolution::Missing(_)
            | PathResolution::Suffix { .. }
            | PathResolution::NotAPath { shape: Shape::Words }
                if kind == PathKind::InlineCode && is_told(reference.polarity) && reference.text.contains('/') =>
            {
                join("", reference.text.trim_end_matches('/')).map(Lost::Doubtful)
            }
            _ => None,
        }
    }

    /// Keeps the folder of something that was found.
    fn name(&mut self, path: &str) {
        let folder = if self.project.is_directory(path) { path } else { parent(path) };
        if !folder.is_empty() && !self.named.iter().any(|named| named == folder) {
            self.named.push(folder.to_owned());
        }
    }
}

/// The parts of a drawn tree that are not there.
fn drawn(project: &Project, folder: &str, document: &Document, entries: &[TreeEntry]) -> Vec<Mention> {
    let drawn: Vec<&TreeEntry> = entries.iter().filter(|entry| !entry.is_root && entry.filelike).collect();
    let note = |entry: &TreeEntry| entry.note.as_ref().map_or("", |span| document.slice(span));
    let queried: Vec<DrawnEntry<'_>> = drawn
        .iter()
        .map(|entry| DrawnEntry {
            path: &entry.path,
            directory: entry.directory,
            mood: mood(Polarity::of(note(entry))),
        })
        .collect();
    let root = drawn.iter().find_map(|entry| entry.root.as_deref());
    let Some(comparison) = project.compare_drawing(&DrawingQuery { entries: &queried, root, folder, named: &[] })
    else {
        return Vec::new();
    };
    let lost = comparison.lost.into_iter().filter(|part| part.missing.certainty > Certainty::Unsure);
    lost.filter_map(|part| {
        let top = drawn.get(part.entry)?;
        let under = format!("{}/", top.path);
        let below = drawn.iter().filter(|entry| entry.path.starts_with(&under)).map(|entry| entry.span.clone());
        let below = below.collect();
        let base = comparison.base.clone();
        let lost = Lost::Drawn { base, missing: part.missing, below };
        Some(Mention { span: top.span.clone(), text: top.path.clone(), lost })
    })
    .collect()
}
