//! Measures path and command resolution against labelled references of real repositories.
//!
//! Runs only where `AGENTSCTL_CORPUS` names a folder with the repositories checked out as `<owner>+<name>`. The labels
//! are in `fixtures/corpus`: `dead.jsonl` holds references that are truly dead, `alive.jsonl` such that only look so.
//! The first test feeds each label alone; the second reads all inline code, links and shell lines of the instruction
//! files and counts everything that would be reported. `AGENTSCTL_CORPUS_LIST=1` prints what is reported and missed.
//!
//! The context handed over here (folders named before, `cd` in a fence) is a crude stand-in for what a Markdown reader
//! would find out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use agentsctl::project::{
    Certainty, CommandQuery, EntryKind, PathKind, PathQuery, PathResolution, Project, Resolution, ScanOptions, TOOLS,
    join, mood, parent,
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

/// Half of the repositories are held out: rules are made with the others only.
fn half(repository: &str) -> &'static str {
    let hash = repository.bytes().fold(7_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)));
    if hash % 2 == 1 { "held out" } else { "development" }
}

fn scan(corpus: &Path, repository: &str) -> Option<Project> {
    let root = corpus.join(repository.replace('/', "+"));
    Project::scan(&root, ScanOptions::default()).map_err(|error| println!("not measured: {error}")).ok()
}

/// What a line of an instruction file gives as context.
struct Place<'t> {
    line: &'t str,
    /// Folders that inline code named before.
    named: Vec<String>,
    /// The folder after the `cd` lines of the same fence.
    moved_to: Option<String>,
}

fn codes(line: &str) -> Vec<&str> {
    line.split('`').skip(1).step_by(2).filter(|code| !code.is_empty()).collect()
}

fn place<'t>(project: &Project, text: &'t str, file: &str, number: usize) -> Place<'t> {
    let mut place =
        Place { line: text.lines().nth(number.saturating_sub(1)).unwrap_or(""), named: vec![], moved_to: None };
    let mut in_fence = false;
    for current in text.lines().take(number.saturating_sub(1)) {
        if current.trim_start().starts_with("```") {
            in_fence = !in_fence;
            place.moved_to = None;
        }
        if in_fence {
            if let Some(folder) = current.trim().strip_prefix("cd ") {
                let folder = folder.split(" &&").next().unwrap_or(folder).trim();
                place.moved_to = join("", folder).filter(|f| project.is_directory(f));
            }
            continue;
        }
        for path in
            codes(current).into_iter().flat_map(|code| ["", parent(file)].map(|base| join(base, code))).flatten()
        {
            let folder = if project.is_directory(&path) { path.as_str() } else { parent(&path) };
            if !folder.is_empty() && project.exists(&path) && !place.named.iter().any(|n| n == folder) {
                place.named.push(folder.to_owned());
            }
        }
    }
    place
}

/// What is reported of one reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Report {
    Nothing,
    Warning,
    Error,
}

fn of_certainty(certainty: Certainty) -> Report {
    match certainty {
        Certainty::Certain => Report::Error,
        Certainty::Likely => Report::Warning,
        Certainty::Unsure => Report::Nothing,
    }
}

fn is_command(reference: &str) -> bool {
    let mut words = reference.split_whitespace();
    let first = words.next().unwrap_or("");
    words.next().is_some() && (TOOLS.iter().any(|tool| tool.programs.contains(&first)) || first.contains("/bin/"))
}

/// The globs of the front matter: bare, quoted, in a flow list or a block list.
fn front_matter_globs(text: &str) -> Vec<String> {
    let mut globs = Vec::new();
    let mut inside = false;
    for line in text.lines().skip(1).take_while(|line| line.trim() != "---") {
        let value = match line.split_once(':').filter(|(key, _)| !key.contains([' ', '*', '-'])) {
            Some((key, value)) => {
                inside = matches!(key.trim(), "globs" | "paths" | "applyTo");
                value
            }
            None => line.trim().strip_prefix("- ").unwrap_or(line),
        };
        if inside {
            let parts = value.trim().trim_matches(['[', ']']).split(',');
            globs.extend(parts.map(|g| g.trim().trim_matches(['"', '\'']).to_owned()).filter(|g| !g.is_empty()));
        }
    }
    globs
}

fn no_glob_matches(project: &Project, text: &str) -> (Report, String) {
    let globs = front_matter_globs(text);
    let dead = !globs.is_empty() && globs.iter().all(|glob| project.count_matches(glob, "", 1) == Ok(0));
    (if dead { Report::Error } else { Report::Nothing }, format!("{globs:?}"))
}

fn judge_command(project: &Project, reference: &str, file: &str, place: &Place<'_>) -> (Report, String) {
    let words: Vec<String> = reference.split_whitespace().map(str::to_owned).collect();
    let resolution = project.resolve_command(&CommandQuery {
        words: &words,
        directory: place.moved_to.as_deref().unwrap_or(parent(file)),
        directory_is_stated: place.moved_to.is_some(),
        hints: &place.named,
        mood: mood(place.line),
    });
    let report = match &resolution {
        Resolution::Missing { certainty, .. } => of_certainty(*certainty),
        _ => Report::Nothing,
    };
    (report, format!("{resolution:?}"))
}

fn judge_path(project: &Project, reference: &str, kind: PathKind, file: &str, place: &Place<'_>) -> (Report, String) {
    let resolution = project.resolve_path(&PathQuery {
        text: reference,
        kind,
        folder: if kind == PathKind::ChangeDirectory { place.moved_to.as_deref().unwrap_or("") } else { parent(file) },
        named: &place.named,
        mood: mood(place.line),
    });
    let report = match &resolution {
        PathResolution::Missing(missing) => of_certainty(missing.certainty),
        PathResolution::CaseDiffers { .. } => Report::Warning,
        _ => Report::Nothing,
    };
    (report, format!("{resolution:?}"))
}

/// What is reported of a label, with the kind it counts under.
fn judge_label(project: &Project, label: &Value) -> (&'static str, (Report, String)) {
    let (reference, file, note) = (text(label, "ref"), text(label, "file"), text(label, "note"));
    let content = std::fs::read_to_string(project.root().join(file)).unwrap_or_default();
    let number = label.get("line").and_then(Value::as_u64).unwrap_or(0) as usize;
    let place = place(project, &content, file, number);
    if note.contains("front-matter glob") || text(label, "class") == "scope glob" {
        return ("scope", no_glob_matches(project, &content));
    }
    let command = matches!(text(label, "kind"), "script" | "target") || is_command(reference);
    if command || note.starts_with("argument of go test") {
        let words = if command { reference.to_owned() } else { format!("go test {reference}") };
        return ("command", judge_command(project, &words, file, &place));
    }
    let link = text(label, "kind") == "link" || text(label, "shape") == "link placeholder";
    let kind = if link && reference.starts_with("mdc:") {
        PathKind::RootLink
    } else if link {
        PathKind::Link
    } else if note.starts_with("argument of cd") {
        PathKind::ChangeDirectory
    } else if note.starts_with("entry of a") {
        PathKind::TreeEntry
    } else if note.contains("plain prose") {
        PathKind::Prose
    } else {
        PathKind::InlineCode
    };
    // A drawn tree in a nested file draws that file's folder.
    let below = match kind {
        PathKind::TreeEntry => join(parent(file), reference).unwrap_or_default() + "/",
        _ => reference.to_owned(),
    };
    (if link { "link" } else { "path" }, judge_path(project, &below, kind, file, &place))
}

#[derive(Default)]
struct Count {
    true_errors: usize,
    false_errors: usize,
    true_warnings: usize,
    false_warnings: usize,
    missed: usize,
}

impl Count {
    fn add(&mut self, dead: bool, report: Report) {
        match (dead, report) {
            (true, Report::Error) => self.true_errors += 1,
            (true, Report::Warning) => self.true_warnings += 1,
            (true, Report::Nothing) => self.missed += 1,
            (false, Report::Error) => self.false_errors += 1,
            (false, Report::Warning) => self.false_warnings += 1,
            (false, Report::Nothing) => {}
        }
    }

    fn print(&self, kind: &str, half: &str) {
        let errors = self.true_errors + self.false_errors;
        let reports = errors + self.true_warnings + self.false_warnings;
        let hits = self.true_errors + self.true_warnings;
        let ratio = |part: usize, whole: usize| match whole {
            0 => "   -".to_owned(),
            _ => format!("{:.2}", part as f64 / whole as f64),
        };
        println!(
            "{kind:<8} {half:<12} errors {errors:>3} precision {}   errors and warnings {reports:>3} precision {} recall {} (missed {})",
            ratio(self.true_errors, errors),
            ratio(hits, reports),
            ratio(hits, hits + self.missed),
            self.missed
        );
    }
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
    for (repository, labels) in &by_repository {
        let Some(project) = scan(&corpus, repository) else { continue };
        for (dead, label) in labels {
            let (kind, (report, why)) = judge_label(&project, label);
            for group in [kind, "all"] {
                counts.entry((group, half(repository))).or_default().add(*dead, report);
            }
            if is_listing() && *dead == (report == Report::Nothing) {
                let mark = if *dead { "missed" } else { "FALSE " };
                let line = label.get("line").and_then(Value::as_u64).unwrap_or(0);
                println!("{mark} {repository} {}:{line} {} {why:.260}", text(label, "file"), text(label, "ref"));
            }
        }
    }
    for ((kind, half), count) in &counts {
        count.print(kind, half);
    }
    assert!(!counts.is_empty(), "no repository of the corpus is in {}", corpus.display());
    let all = || counts.iter().filter(|((kind, _), _)| *kind == "all").map(|(_, count)| count);
    let false_errors: usize = all().map(|c| c.false_errors).sum();
    let errors: usize = false_errors + all().map(|c| c.true_errors).sum::<usize>();
    assert!(false_errors * 20 <= errors, "more than 5 % of the errors are false: {false_errors} of {errors}");
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

/// All references of one line, with the kind they count under.
fn references(line: &str, fence: Option<&str>) -> Vec<(&'static str, String, PathKind)> {
    let trimmed = line.trim();
    let mut found = Vec::new();
    match fence {
        Some("bash" | "sh" | "shell" | "console" | "zsh") => {
            let command = trimmed.split(" #").next().unwrap_or(trimmed).trim_start_matches("$ ");
            match command.strip_prefix("cd ") {
                Some(folder) => {
                    let folder = folder.split(" &&").next().unwrap_or(folder).trim();
                    found.push(("path", folder.to_owned(), PathKind::ChangeDirectory));
                }
                None => found.push(("command", command.to_owned(), PathKind::Argument)),
            }
        }
        Some(_) => {}
        None => {
            for code in codes(line) {
                let (kind, path_kind) =
                    if is_command(code) { ("command", PathKind::Argument) } else { ("path", PathKind::InlineCode) };
                found.push((kind, code.to_owned(), path_kind));
            }
            for rest in line.split("](").skip(1) {
                let target = rest.split([')', ' ']).next().unwrap_or(rest);
                let kind = if target.starts_with("mdc:") { PathKind::RootLink } else { PathKind::Link };
                found.push(("link", target.to_owned(), kind));
            }
        }
    }
    found
}

/// Everything that would be reported of the instruction files: what is not labelled dead counts as false. References
/// that only a reader of Markdown finds (trees, front matter) are left out, so there is no recall here.
#[test]
fn everything_reported() {
    let Some(corpus) = corpus() else { return };
    let mut dead: BTreeSet<(String, String, String)> = BTreeSet::new();
    let mut repositories: BTreeSet<String> = BTreeSet::new();
    for (file, is_dead) in [("dead.jsonl", true), ("alive.jsonl", false)] {
        for label in labels(file) {
            let key = |k| text(&label, k).to_owned();
            repositories.insert(key("repo"));
            if is_dead {
                dead.insert((key("repo"), key("file"), key("ref")));
            }
        }
    }
    let mut counts: BTreeMap<(&str, &str), Count> = BTreeMap::new();
    for repository in &repositories {
        let Some(project) = scan(&corpus, repository) else { continue };
        let entries = project.tree().entries().filter(|e| e.kind == EntryKind::File && is_instruction_file(e.path));
        for file in entries.map(|e| e.path) {
            let Ok(content) = std::fs::read_to_string(project.root().join(file)) else { continue };
            let mut fence: Option<&str> = None;
            for (index, line) in content.lines().enumerate() {
                if let Some(info) = line.trim().strip_prefix("```") {
                    fence = if fence.is_some() { None } else { Some(info.trim()) };
                    continue;
                }
                let references = references(line, fence);
                if references.is_empty() {
                    continue;
                }
                let place = place(&project, &content, file, index + 1);
                for (kind, reference, path_kind) in references {
                    let (report, why) = match kind {
                        "command" => judge_command(&project, &reference, file, &place),
                        _ => judge_path(&project, &reference, path_kind, file, &place),
                    };
                    if report == Report::Nothing {
                        if std::env::var_os("UNSURE").is_some() {
                            let l = dead.iter().any(|(r, f, d)| r == repository && f == file && *d == reference);
                            println!(
                                "UNSURE {} {kind} {repository} {file}:{} {reference} | {:.200} | {why:.300}",
                                if l { "DEAD" } else { "fine" },
                                index + 1,
                                line.trim()
                            );
                        }
                        continue;
                    }
                    // Copies of one file have the same references, labelled once.
                    let labelled = dead.iter().any(|(r, _, d)| {
                        r == repository && (*d == reference || (kind == "command" && reference.contains(d.as_str())))
                    });
                    counts.entry((kind, half(repository))).or_default().add(labelled, report);
                    if is_listing() && !labelled {
                        let number = index + 1;
                        println!(
                            "{report:?} {kind} {repository} {file}:{number} {reference} | {:.160} | {why:.260}",
                            line.trim()
                        );
                    }
                }
            }
        }
    }
    for ((kind, half), count) in &counts {
        count.print(kind, half);
    }
}
