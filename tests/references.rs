//! Measures path and command resolution against labelled references of real repositories.
//!
//! Runs only where `AGENTSCTL_CORPUS` names a folder with the repositories checked out as `<owner>+<name>`. The labels
//! are in `fixtures/corpus`: `dead.jsonl` holds references that are truly dead, `alive.jsonl` such that only look so.
//! The first test feeds each label alone; the second reads every reference of the instruction files and counts all
//! that would be reported, where what is not labelled dead is false. `AGENTSCTL_CORPUS_LIST=1` prints what is wrong;
//! `AGENTSCTL_CORPUS_ONLY=owner/name,…` reads other repositories of the folder, without labels, to judge by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use agentsctl::document::command::Directory;
use agentsctl::document::{BaseSource, Document, Literalness, Place, Polarity, Reference, ReferenceKind, TreeEntry};
use agentsctl::project::{
    Certainty, CommandQuery, DrawingQuery, DrawnEntry, EntryKind, Mood, PathKind, PathQuery, PathResolution, Project,
    Resolution, ScanOptions, TOOLS, join, parent,
};
use serde_json::Value;

fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("AGENTSCTL_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: set AGENTSCTL_CORPUS to the folder with the corpus repositories to measure references");
    }
    folder
}

fn is_listing() -> bool {
    std::env::var_os("AGENTSCTL_CORPUS_LIST").is_some()
}

fn labels(name: &str) -> Vec<Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/corpus").join(name);
    let text = std::fs::read_to_string(&file).expect("the labels are part of the repository");
    text.lines().map(|line| serde_json::from_str(line).expect("a label is one JSON object a line")).collect()
}

fn text<'v>(label: &'v Value, key: &str) -> &'v str {
    label.get(key).and_then(Value::as_str).unwrap_or("")
}

fn line_of(label: &Value) -> usize {
    label.get("line").and_then(Value::as_u64).and_then(|line| usize::try_from(line).ok()).unwrap_or(0)
}

/// Half of the repositories are held out: rules are made with the others only.
fn half(repository: &str) -> &'static str {
    let hash = repository.bytes().fold(7_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)));
    if hash % 2 == 1 { "held out" } else { "development" }
}

fn scan(corpus: &Path, repository: &str) -> Option<Project> {
    let root = corpus.join(repository.replace('/', "+"));
    Project::scan(&root, ScanOptions::default()).map_err(|error| println!("not measured: {error}")).ok()
}

fn mood(polarity: Polarity) -> Mood {
    match polarity {
        Polarity { negated: true, .. } | Polarity { past: true, .. } | Polarity { wrong: true, .. } => Mood::Negative,
        Polarity { generated: true, .. } | Polarity { future: true, .. } => Mood::Made,
        Polarity { optional: true, .. } | Polarity { example: true, .. } => Mood::Hedged,
        Polarity { elsewhere: true, .. } => Mood::Elsewhere,
        _ => Mood::Plain,
    }
}

/// How the note behind an entry of a tree speaks of it.
fn note_mood(document: &Document, entry: &TreeEntry) -> Mood {
    let note = entry.note.clone().and_then(|span| document.text.get(span)).unwrap_or("");
    mood(Polarity::of(note))
}

/// What is reported of one reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Report {
    Nothing,
    Warning,
    Error,
}

struct Judgement {
    kind: &'static str,
    report: Report,
    /// The part of the path that stands for all mentions below it.
    prefix: Option<String>,
    why: String,
}

fn of_certainty(certainty: Certainty) -> Report {
    match certainty {
        Certainty::Certain => Report::Error,
        Certainty::Likely => Report::Warning,
        Certainty::Unsure => Report::Nothing,
    }
}

fn judge_command(project: &Project, query: &CommandQuery<'_>) -> Judgement {
    let resolution = project.resolve_command(query);
    let report = match &resolution {
        Resolution::Missing { certainty, .. } => of_certainty(*certainty),
        _ => Report::Nothing,
    };
    let kind = if query.words.first().is_some_and(|w| w == "cd") { "path" } else { "command" };
    Judgement { kind, report, prefix: None, why: format!("{resolution:?}") }
}

fn judge_path(project: &Project, query: &PathQuery<'_>) -> Judgement {
    let resolution = project.resolve_path(query);
    let (report, prefix) = match &resolution {
        PathResolution::Missing(missing) => (of_certainty(missing.certainty), Some(missing.missing_prefix.clone())),
        PathResolution::CaseDiffers { .. } => (Report::Warning, None),
        _ => (Report::Nothing, None),
    };
    let kind = if matches!(query.kind, PathKind::Link | PathKind::RootLink) { "link" } else { "path" };
    Judgement { kind, report, prefix, why: format!("{resolution:?}") }
}

/// Judges the references of a document in order, keeping the folders named on the way.
struct Reader<'p> {
    project: &'p Project,
    file: &'p str,
    named: Vec<String>,
}

impl Reader<'_> {
    fn judge(&mut self, reference: &Reference) -> Option<Judgement> {
        let bases = reference.bases.iter().filter(|b| b.source != BaseSource::HeadingWord);
        let mut hints: Vec<String> = bases.map(|b| b.folder.clone()).collect();
        if reference.command.is_none() {
            hints.extend(self.named.iter().cloned());
        }
        let mood = mood(reference.polarity);
        if let Some(command) = &reference.command {
            if command.literalness != Literalness::Literal {
                return None;
            }
            let stated = command.directories.iter().find_map(|d| match d {
                Directory::Folder(folder) => Some(folder.as_str()),
                _ => None,
            });
            if command.directories.contains(&Directory::Unknown) {
                return None;
            }
            let words: Vec<String> = command.words.iter().map(|w| w.text.clone()).collect();
            let is_stated = stated.is_some() && !command.directories.contains(&Directory::Start);
            if !is_stated {
                hints.splice(0..0, stated.map(str::to_owned));
            }
            let nearby = reference.bases.iter().find(|b| !matches!(b.source, BaseSource::HeadingWord));
            let start = nearby.map_or("", |b| b.folder.as_str());
            let folder = match (is_stated, stated) {
                (true, Some(folder)) if self.project.is_directory(folder) => folder.to_owned(),
                (true, Some(folder)) => join(start, folder).unwrap_or_default(),
                _ => parent(self.file).to_owned(),
            };
            return Some(judge_command(
                self.project,
                &CommandQuery {
                    words: &words,
                    directory: &folder,
                    directory_is_stated: is_stated,
                    hints: &hints,
                    mood,
                },
            ));
        }
        let kind = match reference.kind {
            ReferenceKind::Link | ReferenceKind::Image => PathKind::Link,
            ReferenceKind::RuleLink => PathKind::RootLink,
            // Trees are compared as a whole.
            ReferenceKind::TreeEntry => return None,
            _ if reference.literalness != Literalness::Literal => return None,
            ReferenceKind::Path | ReferenceKind::FileName | ReferenceKind::Slashed
                if reference.place == Place::Prose =>
            {
                PathKind::Prose
            }
            ReferenceKind::Path | ReferenceKind::FileName | ReferenceKind::Slashed => PathKind::InlineCode,
            _ => return None,
        };
        let query = PathQuery { text: &reference.text, kind, folder: parent(self.file), named: &hints, mood };
        if let PathResolution::Found { path, .. } = self.project.resolve_path(&query) {
            let folder = if self.project.is_directory(&path) { path.as_str() } else { parent(&path) };
            if !folder.is_empty() && !self.named.iter().any(|n| n == folder) {
                self.named.push(folder.to_owned());
            }
        }
        Some(judge_path(self.project, &query))
    }
}

#[derive(Default)]
struct Count {
    true_errors: usize,
    false_errors: usize,
    true_warnings: usize,
    false_warnings: usize,
    missed: usize,
    found: usize,
}

impl Count {
    fn add(&mut self, dead: bool, report: Report) {
        match (dead, report) {
            (true, Report::Error) => self.true_errors += 1,
            (true, Report::Warning) => self.true_warnings += 1,
            (false, Report::Error) => self.false_errors += 1,
            (false, Report::Warning) => self.false_warnings += 1,
            (_, Report::Nothing) => {}
        }
    }

    fn print(&self, kind: &str, half: &str) {
        let errors = self.true_errors + self.false_errors;
        let hits = self.true_errors + self.true_warnings;
        let reports = hits + self.false_errors + self.false_warnings;
        let ratio = |part: usize, whole: usize| match whole {
            0 => "   -".to_owned(),
            _ => format!("{:.2}", part as f64 / whole as f64),
        };
        println!(
            "{kind:<8} {half:<12} errors {errors:>3} precision {}   errors and warnings {reports:>3} precision {}   labels found {} of {}: recall {}",
            ratio(self.true_errors, errors),
            ratio(hits, reports),
            self.found,
            self.found + self.missed,
            ratio(self.found, self.found + self.missed),
        );
    }
}

/// The kind a label counts under.
fn label_kind(label: &Value) -> &'static str {
    let (reference, note) = (text(label, "ref"), text(label, "note"));
    let mut words = reference.split_whitespace();
    let first = words.next().unwrap_or("");
    let program = words.next().is_some() && TOOLS.iter().any(|tool| tool.programs.contains(&first)) && first != "cd";
    if note.contains("front-matter glob") || text(label, "class") == "scope glob" {
        "scope"
    } else if text(label, "kind") == "link" || text(label, "shape") == "link placeholder" {
        "link"
    } else if matches!(text(label, "kind"), "script" | "target") || note.starts_with("argument of go") || program {
        "command"
    } else {
        "path"
    }
}

/// A label by itself: the text alone, the folder of its file and a plain mood.
fn judge_label(project: &Project, label: &Value) -> Judgement {
    let (reference, file, note) = (text(label, "ref"), text(label, "file"), text(label, "note"));
    let content = std::fs::read_to_string(project.root().join(file)).unwrap_or_default();
    let line = content.lines().nth(line_of(label).saturating_sub(1)).unwrap_or("");
    let mood = mood(Polarity::of(line));
    match label_kind(label) {
        "scope" => Judgement { kind: "scope", report: dead_scope(project, &content), prefix: None, why: String::new() },
        "command" => {
            let go = if note.starts_with("argument of go") { "go test " } else { "" };
            let words: Vec<String> = format!("{go}{reference}").split_whitespace().map(str::to_owned).collect();
            let directory = parent(file);
            judge_command(
                project,
                &CommandQuery { words: &words, directory, directory_is_stated: false, hints: &[], mood },
            )
        }
        kind => {
            let path_kind = match kind {
                "link" if reference.starts_with("mdc:") => PathKind::RootLink,
                "link" => PathKind::Link,
                _ if note.starts_with("argument of cd") => PathKind::ChangeDirectory,
                _ if note.starts_with("entry of a") => PathKind::TreeEntry,
                _ if note.contains("plain prose") => PathKind::Prose,
                _ => PathKind::InlineCode,
            };
            // A drawn tree in a nested file draws that file's folder.
            let below = match path_kind {
                PathKind::TreeEntry => join(parent(file), reference).unwrap_or_default() + "/",
                _ => reference.to_owned(),
            };
            let folder = if path_kind == PathKind::ChangeDirectory { "" } else { parent(file) };
            judge_path(project, &PathQuery { text: &below, kind: path_kind, folder, named: &[], mood })
        }
    }
}

/// Whether the front matter has globs of which none matches a file.
fn dead_scope(project: &Project, content: &str) -> Report {
    let document = Document::parse(content);
    let globs: Vec<String> = document
        .frontmatter
        .iter()
        .flat_map(|f| ["globs", "paths", "applyTo"].map(|key| f.globs(key)))
        .flatten()
        .flat_map(|globs| globs.patterns.into_iter().map(|p| p.text))
        .collect();
    // A pattern without a slash matches at any depth.
    let anchored = |glob: &String| if glob.contains('/') { glob.clone() } else { format!("**/{glob}") };
    let dead = !globs.is_empty() && globs.iter().all(|glob| project.count_matches(&anchored(glob), "", 1) == Ok(0));
    if dead { Report::Error } else { Report::Nothing }
}

#[test]
fn labelled_references() {
    let Some(corpus) = corpus() else { return };
    let mut by_repository: BTreeMap<String, Vec<(bool, Value)>> = BTreeMap::new();
    for (dead, file) in [(true, "dead.jsonl"), (false, "alive.jsonl")] {
        for label in labels(file) {
            by_repository.entry(text(&label, "repo").to_owned()).or_default().push((dead, label));
        }
    }
    let mut counts: BTreeMap<(&str, &str), Count> = BTreeMap::new();
    println!();
    for (repository, labels) in &by_repository {
        let Some(project) = scan(&corpus, repository) else { continue };
        for (dead, label) in labels {
            let judgement = judge_label(&project, label);
            for group in [label_kind(label), "all"] {
                let count = counts.entry((group, half(repository))).or_default();
                count.add(*dead, judgement.report);
                match (dead, judgement.report) {
                    (true, Report::Nothing) => count.missed += 1,
                    (true, _) => count.found += 1,
                    _ => {}
                }
            }
            if is_listing() && *dead == (judgement.report == Report::Nothing) {
                let mark = if *dead { "alone missed" } else { "alone FALSE" };
                let (file, line) = (text(label, "file"), line_of(label));
                println!("{mark} {repository} {file}:{line} {} {:.260}", text(label, "ref"), judgement.why);
            }
        }
    }
    for ((kind, half), count) in &counts {
        count.print(kind, half);
    }
    assert!(!counts.is_empty(), "no repository of the corpus is in {}", corpus.display());
}

fn is_instruction_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let known = ["AGENTS.md", "CLAUDE.md", "GEMINI.md", "copilot-instructions.md", ".cursorrules"];
    known.contains(&name)
        || path == "agents.md"
        || name.ends_with(".instructions.md")
        || (path.contains(".cursor/rules/") && name.ends_with(".mdc"))
        || ((path.contains(".claude/rules/") || path.contains(".agents/rules/")) && name.ends_with(".md"))
}

#[test]
fn everything_reported() {
    let Some(corpus) = corpus() else { return };
    let mut dead: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (file, is_dead) in [("dead.jsonl", true), ("alive.jsonl", false)] {
        for label in labels(file) {
            let of_repository = dead.entry(text(&label, "repo").to_owned()).or_default();
            if is_dead {
                of_repository.push(label);
            }
        }
    }
    if let Some(only) = std::env::var_os("AGENTSCTL_CORPUS_ONLY") {
        // Repositories without labels: everything reported is printed, to be judged by hand.
        dead = only.to_string_lossy().split(',').map(|repository| (repository.to_owned(), Vec::new())).collect();
    }
    let mut counts: BTreeMap<(&str, &str), Count> = BTreeMap::new();
    println!();
    for (repository, labels) in &dead {
        let Some(project) = scan(&corpus, repository) else { continue };
        let entries = project.tree().entries().filter(|e| e.kind == EntryKind::File && is_instruction_file(e.path));
        let mut found: BTreeSet<usize> = BTreeSet::new();
        for file in entries.map(|e| e.path) {
            let Ok(content) = std::fs::read_to_string(project.root().join(file)) else { continue };
            let document = Document::parse(content.clone());
            let here: Vec<(usize, &Value)> =
                labels.iter().enumerate().filter(|(_, l)| text(l, "file") == file).collect();
            if dead_scope(&project, &content) == Report::Error {
                let scopes: Vec<usize> =
                    here.iter().filter(|(_, l)| label_kind(l) == "scope").map(|(i, _)| *i).collect();
                counts.entry(("scope", half(repository))).or_default().add(!scopes.is_empty(), Report::Error);
                if scopes.is_empty() && is_listing() {
                    println!("Error scope {repository} {file}");
                }
                found.extend(scopes);
            }
            for tree in &document.trees {
                let drawn: Vec<&TreeEntry> = tree.entries.iter().filter(|e| !e.is_root && e.filelike).collect();
                let entries: Vec<DrawnEntry<'_>> = drawn
                    .iter()
                    .map(|e| DrawnEntry { path: &e.path, directory: e.directory, mood: note_mood(&document, e) })
                    .collect();
                let query = DrawingQuery {
                    entries: &entries,
                    root: drawn.iter().find_map(|e| e.root.as_deref()),
                    folder: parent(file),
                    named: &[],
                };
                let Some(comparison) = project.compare_drawing(&query) else { continue };
                for lost in comparison.lost.iter().filter(|l| l.missing.certainty >= Certainty::Likely) {
                    let lines: Vec<usize> = drawn
                        .iter()
                        .skip(lost.entry)
                        .take(lost.entries)
                        .map(|e| document.position(e.span.start).line)
                        .collect();
                    let hits: Vec<usize> =
                        here.iter().filter(|(_, l)| lines.contains(&line_of(l))).map(|(i, _)| *i).collect();
                    let is_dead = !hits.is_empty();
                    found.extend(hits);
                    counts.entry(("path", half(repository))).or_default().add(is_dead, Report::Warning);
                    if is_listing() && !is_dead {
                        println!(
                            "Warning tree {repository} {file}:{lines:?} {:?} {}",
                            lost.missing, comparison.existing
                        );
                    }
                }
            }
            let mut reader = Reader { project: &project, file, named: Vec::new() };
            for reference in document.references() {
                let Some(judgement) = reader.judge(&reference) else { continue };
                if judgement.report == Report::Nothing {
                    continue;
                }
                let line = document.position(reference.span.start).line;
                let shown = document.text.get(reference.span.clone()).unwrap_or("");
                // A label of this line; of a copy of this file; or below a part that is reported as a whole.
                let same = |label: &Value| {
                    let wanted = text(label, "ref");
                    wanted == shown
                        || shown.contains(wanted)
                        || wanted.contains(shown)
                        || reference.text.contains(wanted)
                };
                let mut hits: Vec<usize> =
                    here.iter().filter(|(_, l)| line_of(l) == line && same(l)).map(|(i, _)| *i).collect();
                if let Some(prefix) = &judgement.prefix {
                    hits.extend(here.iter().filter_map(|(i, l)| {
                        let path = text(l, "ref").trim_end_matches('/');
                        let below = ["", parent(file)].iter().filter_map(|b| join(b, path)).any(|whole| {
                            whole == *prefix || whole.strip_prefix(prefix.as_str()).is_some_and(|r| r.starts_with('/'))
                        });
                        (below && label_kind(l) == "path").then_some(*i)
                    }));
                }
                let is_dead = !hits.is_empty()
                    || labels.iter().any(|l| text(l, "ref") == reference.text || text(l, "ref") == shown);
                found.extend(hits);
                counts.entry((judgement.kind, half(repository))).or_default().add(is_dead, judgement.report);
                if is_listing() && !is_dead {
                    let (report, kind, why) = (judgement.report, judgement.kind, &judgement.why);
                    let context = content.lines().nth(line - 1).unwrap_or("").trim();
                    println!("{report:?} {kind} {repository} {file}:{line} {shown} | {context:.160} | {why:.300}");
                }
            }
        }
        for (index, label) in labels.iter().enumerate() {
            let count = counts.entry((label_kind(label), half(repository))).or_default();
            if found.contains(&index) {
                count.found += 1;
            } else {
                count.missed += 1;
                if is_listing() {
                    println!(
                        "missed {} {repository} {}:{} {}",
                        label_kind(label),
                        text(label, "file"),
                        line_of(label),
                        text(label, "ref")
                    );
                }
            }
        }
    }
    for ((kind, half), count) in &counts {
        count.print(kind, half);
    }
    if std::env::var_os("AGENTSCTL_CORPUS_ONLY").is_some() {
        return;
    }
    let (false_errors, errors) =
        counts.values().fold((0, 0), |(f, e), c| (f + c.false_errors, e + c.false_errors + c.true_errors));
    assert!(false_errors * 20 <= errors, "more than 5 % of the errors are false: {false_errors} of {errors}");
}
