//! Measures what `lint` reports on real repositories against references that were labelled by hand.
//!
//! Runs only where `AGENTSCTL_CORPUS` names a folder with the repositories of `fixtures/corpus`, each checked out at its
//! commit as `<owner>+<name>`. `dead.jsonl` holds references that are truly dead, `alive.jsonl` such that only look so;
//! `judged.jsonl` holds what `lint` reported beyond the first, each looked up by hand afterwards. The table is that of
//! `docs/precision.md`. `AGENTSCTL_CORPUS_LIST=1` prints every report that is not known to be true, and every label that
//! no report covers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use agentsctl::discover::Launch;
use agentsctl::filesystem::{Cached, Disk, FileSystem};
use agentsctl::host::{Catalog, Selection};
use agentsctl::lint::config::discover::Configs;
use agentsctl::lint::config::{Config, Overrides};
use agentsctl::lint::finding::{Finding, Severity};
use agentsctl::lint::rules::registry;
use agentsctl::lint::run::{Outcome, Request, run};
use agentsctl::lint::sources::{FileSources, Sources};
use agentsctl::project::{Project, ScanOptions, TOOLS};
use serde_json::Value;

/// The rules that are measured and what they speak of.
const RULES: &[(&str, &str)] = &[
    ("dead-link", "link"),
    ("dead-path", "path"),
    ("dead-directory", "path"),
    ("stale-tree", "path"),
    ("wrong-case", "path"),
    ("dead-command", "command"),
    ("dead-scope", "scope"),
];

fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("AGENTSCTL_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: set AGENTSCTL_CORPUS to the folder with the corpus repositories to measure precision");
    }
    folder
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

/// What a label speaks of.
fn label_kind(label: &Value) -> &'static str {
    let (reference, note) = (text(label, "ref"), text(label, "note"));
    let mut words = reference.split_whitespace();
    let first = words.next().unwrap_or("");
    let program = words.next().is_some() && TOOLS.iter().any(|tool| tool.programs.contains(&first)) && first != "cd";
    match text(label, "kind") {
        _ if note.contains("front-matter glob") => "scope",
        "link" => "link",
        "script" | "target" => "command",
        _ if note.starts_with("argument of go") || program => "command",
        _ => "path",
    }
}

fn lint(root: &Path, selections: &[Selection]) -> (Outcome, BTreeMap<String, String>) {
    let files: std::sync::Arc<dyn FileSystem> = std::sync::Arc::new(Cached::new(Disk));
    let options = ScanOptions { files: files.clone(), history: false };
    let project = Project::scan(root, options).expect("a checkout can be scanned");
    let registry = registry();
    let configs =
        Configs::fixed(files.as_ref(), root.to_path_buf(), &registry, Overrides::default(), Config::default())
            .expect("the default configuration is one");
    let sources = FileSources::new(files.as_ref(), root.to_path_buf());
    let outcome = run(&Request {
        project: &project,
        selections,
        launch: &Launch::new(root.to_path_buf()),
        configs: &configs,
        registry: &registry,
        file_system: files.as_ref(),
        sources: &sources,
        only: &BTreeSet::new(),
        partial: false,
        baseline: None,
    })
    .expect("a checkout can be checked");
    let mut texts = BTreeMap::new();
    for judged in &outcome.findings {
        for place in std::iter::once(&judged.finding.primary).chain(&judged.finding.related) {
            let text = sources.text(&place.path).map_or(String::new(), |text| text.to_string());
            texts.entry(place.path.clone()).or_insert(text);
        }
    }
    (outcome, texts)
}

/// A place that a finding names: path, line and the text there.
fn places(finding: &Finding, texts: &BTreeMap<String, String>) -> Vec<(String, usize, String)> {
    std::iter::once(&finding.primary)
        .chain(&finding.related)
        .filter_map(|place| {
            let text = texts.get(&place.path)?;
            let line = text.get(..place.span.start)?.matches('\n').count() + 1;
            Some((place.path.clone(), line, text.get(place.span.clone())?.to_owned()))
        })
        .collect()
}

/// Whether a place is the one of a label.
fn covers((path, line, shown): &(String, usize, String), label: &Value) -> bool {
    let wanted = text(label, "ref");
    let last = wanted.trim_end_matches('/').rsplit('/').next().unwrap_or(wanted);
    text(label, "file") == path
        && line_of(label) == *line
        && !shown.is_empty()
        && (shown.contains(wanted) || wanted.contains(shown.as_str()) || shown.contains(last))
}

#[derive(Default)]
struct Count {
    true_errors: usize,
    false_errors: usize,
    true_warnings: usize,
    false_warnings: usize,
    found: usize,
    missed: usize,
}

impl Count {
    fn add(&mut self, severity: Severity, is_true: bool) {
        match (severity, is_true) {
            (Severity::Error, true) => self.true_errors += 1,
            (Severity::Error, false) => self.false_errors += 1,
            (_, true) => self.true_warnings += 1,
            (_, false) => self.false_warnings += 1,
        }
    }

    fn row(&self, kind: &str, half: &str) -> String {
        let ratio = |part: usize, whole: usize| match whole {
            0 => "–".to_owned(),
            _ => format!("{:.2}", part as f64 / whole as f64),
        };
        let errors = self.true_errors + self.false_errors;
        let hits = self.true_errors + self.true_warnings;
        let reports = errors + self.true_warnings + self.false_warnings;
        let labels = self.found + self.missed;
        format!(
            "| {kind} | {half} | {errors} | {} | {reports} | {} | {} of {labels} | {} |",
            ratio(self.true_errors, errors),
            ratio(hits, reports),
            self.found,
            ratio(self.found, labels),
        )
    }
}

#[test]
fn reports_against_labels() {
    let Some(corpus) = corpus() else { return };
    let listing = std::env::var_os("AGENTSCTL_CORPUS_LIST").is_some();
    let mut by_repository: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for label in labels("dead.jsonl") {
        by_repository.entry(text(&label, "repo").to_owned()).or_default().push(label);
    }
    for label in labels("alive.jsonl") {
        by_repository.entry(text(&label, "repo").to_owned()).or_default();
    }
    let judged = labels("judged.jsonl");
    let mut catalog = Catalog::built_in();
    // As on the command line: models of more hosts, whose instruction files are then read too.
    if let Some(file) = std::env::var_os("AGENTSCTL_HOSTS") {
        let text = std::fs::read_to_string(&file).expect("AGENTSCTL_HOSTS names a file");
        catalog.overlay("AGENTSCTL_HOSTS", &text).expect("AGENTSCTL_HOSTS names a file of models");
    }
    let selections: Vec<Selection> =
        catalog.ids().map(|id| catalog.select(id).expect("a built-in model can be selected")).collect();
    let mut counts: BTreeMap<(&str, &str), Count> = BTreeMap::new();
    println!();
    for (repository, labels) in &by_repository {
        let root = corpus.join(repository.replace('/', "+"));
        let Ok(root) = root.canonicalize() else {
            println!("not measured: {repository} is not in the corpus");
            continue;
        };
        let (outcome, texts) = lint(&root, &selections);
        let mut found: BTreeSet<usize> = BTreeSet::new();
        for finding in outcome.findings.iter().map(|judged| &judged.finding) {
            let Some((_, kind)) = RULES.iter().find(|(rule, _)| *rule == finding.rule) else { continue };
            let places = places(finding, &texts);
            let kind = if *kind == "path" && places.iter().any(|p| p.2.starts_with("mdc:")) { "link" } else { kind };
            let hits = labels.iter().enumerate().filter(|(_, label)| match kind {
                "scope" => label_kind(label) == "scope" && text(label, "file") == finding.primary.path,
                _ => places.iter().any(|place| covers(place, label)),
            });
            let hits: Vec<usize> = hits.map(|(index, _)| index).collect();
            let by_hand = judged.iter().find(|verdict| {
                text(verdict, "repo") == repository && places.iter().any(|place| covers(place, verdict))
            });
            let is_true = !hits.is_empty() || by_hand.is_some_and(|verdict| text(verdict, "verdict") == "true");
            found.extend(hits);
            if finding.severity >= Severity::Warning {
                counts.entry((kind, half(repository))).or_default().add(finding.severity, is_true);
            }
            if listing && !is_true {
                let (path, line, shown) = places.first().cloned().unwrap_or_default();
                let known = by_hand.map_or("not judged", |_| "false");
                let context = texts.get(&path).and_then(|text| text.lines().nth(line.saturating_sub(1))).unwrap_or("");
                println!(
                    "{known}: {} {} {repository} {path}:{line} {shown} | {} | {:.200}",
                    finding.severity.name(),
                    finding.rule,
                    finding.message,
                    context.trim(),
                );
            }
        }
        for (index, label) in labels.iter().enumerate() {
            let count = counts.entry((label_kind(label), half(repository))).or_default();
            if found.contains(&index) {
                count.found += 1;
            } else {
                count.missed += 1;
                if listing {
                    let (kind, file, reference) = (label_kind(label), text(label, "file"), text(label, "ref"));
                    println!("missed: {kind} {repository} {file}:{} {reference}", line_of(label));
                }
            }
        }
    }
    println!("| of | repositories | errors | true | errors and warnings | true | dead ones found | recall |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for ((kind, half), count) in &counts {
        println!("{}", count.row(kind, half));
    }
    let (false_errors, errors) =
        counts.values().fold((0, 0), |(f, e), c| (f + c.false_errors, e + c.false_errors + c.true_errors));
    assert!(!counts.is_empty(), "no repository of the corpus is in {}", corpus.display());
    assert!(false_errors * 20 <= errors, "more than 5 % of the errors are false: {false_errors} of {errors}");
}
