//! How well the reading of instruction files agrees with labels made by hand.
//!
//! Runs only where `AGENTSCTL_CORPUS` names a folder that holds, as `<owner>+<name>`, a checkout of each repository
//! of `fixtures/corpus/labels.jsonl` at its commit. `AGENTSCTL_LABELS_SHOW=kind,scope` lists the disagreements.
//! All of these repositories have been used to tune the word lists, so a figure for unknown files needs others.

use agentsctl::document::rule::{CommandStatus, ScopeSource};
use agentsctl::document::{Context, Document, Kind, Rule};
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
struct Label {
    repo: String,
    file: String,
    line: usize,
    first_words: String,
    kind: String,
    scope: String,
    command: String,
    evidence: String,
    vague: bool,
}

/// Right answers out of all.
#[derive(Default, Clone, Copy)]
struct Share {
    right: usize,
    all: usize,
}

impl Share {
    fn add(&mut self, right: bool) {
        self.right += usize::from(right);
        self.all += 1;
    }

    fn value(self) -> f64 {
        if self.all == 0 { 1.0 } else { self.right as f64 / self.all as f64 }
    }
}

#[derive(Default)]
struct Measure {
    rule: Share,
    kind: Share,
    scope: Share,
    scope_of_rules: Share,
    command: Share,
    command_of_rules: Share,
    evidence: Share,
    evidence_of_rules: Share,
    vague_precision: Share,
    vague_recall: Share,
}

impl Measure {
    fn print(&self, name: &str) {
        println!("{name}:");
        for (what, share) in [
            ("rule or not", self.rule),
            ("kind", self.kind),
            ("scope", self.scope),
            ("scope of rules", self.scope_of_rules),
            ("command", self.command),
            ("command of rules", self.command_of_rules),
            ("evidence", self.evidence),
            ("evidence of rules", self.evidence_of_rules),
            ("vague, precision", self.vague_precision),
            ("vague, recall", self.vague_recall),
        ] {
            println!("  {what:18} {:3} of {:3}  {:.3}", share.right, share.all, share.value());
        }
    }
}

/// The item in which a line lies: the last one that begins on or before it and reaches it.
fn item_at<'r>(document: &Document, items: &'r [Rule], line: usize) -> Option<&'r Rule> {
    let of = |offset: usize| document.lines.line(offset);
    items.iter().rev().find(|r| of(r.span.start) <= line && line <= of(r.span.end.saturating_sub(1).max(r.span.start)))
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Rule => "rule",
        Kind::Fact => "fact",
        Kind::Pointer => "pointer",
        Kind::Example => "example",
        Kind::Heading => "heading",
        Kind::PersonaFluff => "persona-fluff",
        Kind::Temporary => "temporary",
        Kind::PermissionClaim => "permission-claim",
    }
}

fn status_name(status: CommandStatus) -> &'static str {
    match status {
        CommandStatus::Exact => "exact",
        CommandStatus::Partial => "partial",
        CommandStatus::None => "none",
    }
}

fn scope_name(source: ScopeSource) -> &'static str {
    match source {
        ScopeSource::Explicit => "explicit",
        ScopeSource::Heading => "inherited-from-heading",
        ScopeSource::Frontmatter | ScopeSource::Location => "inherited-from-file-location",
        ScopeSource::None => "none",
    }
}

#[test]
fn labels() {
    let Some(corpus) = std::env::var_os("AGENTSCTL_CORPUS") else {
        println!(
            "skipped: AGENTSCTL_CORPUS does not name a folder with the repositories of fixtures/corpus/labels.jsonl"
        );
        return;
    };
    let corpus = Path::new(&corpus);
    let source = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/corpus/labels.jsonl"))
        .expect("the labels are in the repository");
    let labels: Vec<Label> =
        source.lines().map(|line| serde_json::from_str(line).expect("a label is a JSON object")).collect();
    let show = std::env::var("AGENTSCTL_LABELS_SHOW").unwrap_or_default();
    let mut measure = Measure::default();
    let mut missing = 0;
    for label in &labels {
        let path = corpus.join(label.repo.replace('/', "+")).join(&label.file);
        let Ok(text) = std::fs::read_to_string(&path) else {
            println!("missing: {}", path.display());
            missing += 1;
            continue;
        };
        let document = Document::parse(text);
        let line = document.lines.span(&document.text, label.line).map(|s| document.slice(&s)).unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().collect();
        if !words.join(" ").starts_with(&label.first_words.split_whitespace().collect::<Vec<_>>().join(" ")) {
            println!("changed: {} {}:{}", label.repo, label.file, label.line);
            missing += 1;
            continue;
        }
        let items = document.rules(&Context::at(&label.file));
        let item = item_at(&document, &items, label.line);
        let kind = item.map_or("fact", |i| kind_name(i.kind));
        let is_rule = kind == "rule";
        let scope = scope_name(item.map_or(ScopeSource::None, |i| i.scope.source));
        let found = item.map_or(CommandStatus::None, |i| i.command);
        let command = match (is_rule, found) {
            (true, status) => status_name(status),
            // What is no rule has a command only as an example or a note on the state of things.
            (false, CommandStatus::None) => "not-applicable",
            (false, status) if matches!(kind, "example" | "temporary") => status_name(status),
            (false, _) => "not-applicable",
        };
        let present = if item.is_some_and(|i| i.evidence.is_some()) { "present" } else { "none" };
        let evidence = if is_rule { present } else { "not-applicable" };
        let vague = is_rule && item.is_some_and(|i| i.vague.is_some());
        measure.rule.add(is_rule == (label.kind == "rule"));
        measure.kind.add(kind == label.kind);
        measure.scope.add(scope == label.scope);
        measure.command.add(command == label.command);
        measure.evidence.add(evidence == label.evidence);
        if label.kind == "rule" {
            measure.scope_of_rules.add(scope == label.scope);
            measure.command_of_rules.add(status_name(found) == label.command);
            measure.evidence_of_rules.add(present == label.evidence);
        }
        if vague {
            measure.vague_precision.add(label.vague);
        }
        if label.vague {
            measure.vague_recall.add(vague);
        }
        let word = item.and_then(|i| i.vague.clone()).unwrap_or_default();
        let answers = [
            ("kind", kind.to_owned(), label.kind.clone()),
            ("scope", scope.to_owned(), label.scope.clone()),
            ("command", command.to_owned(), label.command.clone()),
            ("evidence", evidence.to_owned(), label.evidence.clone()),
            ("vague", vague.to_string(), label.vague.to_string()),
        ];
        for (what, said, is) in answers {
            if said != is && show.split(',').any(|s| s == what) {
                let parts = item.map(|i| format!("{:?}", i.scope.parts)).unwrap_or_default();
                println!("{what}: {said} is {is} | {}:{} | {} | {parts} {word}", label.repo, label.line, line.trim());
            }
        }
    }
    measure.print("all labels");
    assert_eq!(missing, 0, "the checkouts are not those of the labels");
    for share in [measure.rule, measure.command, measure.evidence, measure.command_of_rules, measure.evidence_of_rules]
    {
        assert!(share.value() >= 0.85, "{} of {}", share.right, share.all);
    }
}
