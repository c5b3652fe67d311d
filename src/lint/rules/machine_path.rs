//! `machine-path`: a shared file names a folder that only its author's machine has.

use crate::document::{Polarity, Span};
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::{InstructionFile, Material};
use crate::lint::registry::{Group, RuleInfo};
use regex::Regex;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "machine-path",
    group: Group::Safety,
    severity: Severity::Warning,
    summary: "a shared file names a folder that only one machine has",
    page: include_str!("../../../docs/rules/machine-path.md"),
    hosts: &[],
    since: "0.1.0",
};

/// How many places one finding lists.
const LISTED: usize = 100;

/// Names of accounts that stand for any, or that machines rather than people have.
const NOBODY: &[&str] = &[
    "user",
    "username",
    "users",
    "you",
    "me",
    "name",
    "myuser",
    "myname",
    "someone",
    "somebody",
    "anyone",
    "alice",
    "bob",
    "john",
    "jane",
    "foo",
    "bar",
    "xxx",
    "example",
    "test",
    "tester",
    "runner",
    "vscode",
    "node",
    "ubuntu",
    "debian",
    "fedora",
    "app",
    "appuser",
    "git",
    "circleci",
    "gitpod",
    "codespace",
    "coder",
    "developer",
    "dev",
    "agent",
    "admin",
    "root",
    "jovyan",
    "shared",
    "public",
    "default",
    "linuxbrew",
    "sandbox",
    "workspace",
    "claude",
    "codex",
    "deploy",
    "ec2-user",
    "vagrant",
    "docker",
    "pi",
    "postgres",
    "www",
    "www-data",
    "nonroot",
    "opc",
    "container",
    "builder",
    "build",
    "ci",
    "jenkins",
    "runneradmin",
    "containeradmin",
    "devbox",
    "oai",
    "bun",
    "deno",
    "web",
    "service",
    "guest",
];

/// Words of a line that speaks of another machine than the reader's.
const ELSEWHERE: &[&str] = &[
    "server",
    "servers",
    "production",
    "staging",
    "ssh",
    "container",
    "containers",
    "docker",
    "vm",
    "remote",
    "image",
    "host",
    "deployment",
    "systemd",
    "nginx",
    "pod",
];

/// One finding for each home folder that a file names.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for file in material.texts() {
        // A file that git ignores is its author's own.
        if material.project.is_ignored(&file.path) {
            continue;
        }
        let mut homes: BTreeMap<String, Vec<Span>> = BTreeMap::new();
        for (home, span) in personal_paths(file) {
            homes.entry(home).or_default().push(span);
        }
        for (home, spans) in homes {
            let location = |span: &Span| Location { path: file.path.clone(), span: span.clone(), label: String::new() };
            let Some((first, others)) = spans.split_first() else { continue };
            let times = match others.len() {
                0 => String::new(),
                n => format!(", {} times", n + 1),
            };
            findings.push(Finding {
                rule: INFO.id,
                severity: INFO.severity,
                message: format!("`{home}` is a folder of one person's machine{times}"),
                primary: location(first),
                related: others.iter().take(LISTED).map(location).collect(),
                help: Some("name the path from the root of the repository, or with `~` or `$HOME`".to_owned()),
                hosts: Vec::new(),
                fix: None,
            });
        }
    }
}

fn personal_paths(file: &InstructionFile) -> Vec<(String, Span)> {
    static SHAPE: OnceLock<Option<Regex>> = OnceLock::new();
    let shape = SHAPE.get_or_init(|| {
        Regex::new(r"(?:^|[\s`\x22'(=:|\[])((?:/home/|/Users/|(?i:[A-Z]:[\\/]+Users[\\/]+))([\p{L}\p{N}._-]+)[/\\])")
            .ok()
    });
    let text = file.document.text.as_str();
    let Some(shape) = shape else { return Vec::new() };
    let mut paths = Vec::new();
    // Lines by hand, since an anchor may stand at the start of one.
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        for found in shape.captures_iter(line) {
            let (Some(whole), Some(name)) = (found.get(1), found.get(2)) else { continue };
            let lower = name.as_str().to_lowercase();
            let stands_for_any = NOBODY.contains(&lower.as_str())
                || ["your", "my", "some", "user", "xxx", "name"].iter().any(|word| lower.starts_with(word))
                || lower.contains("username");
            if !stands_for_any && !is_about_elsewhere(line) {
                let end = whole.end() - 1;
                paths.push((line.get(whole.start()..end).unwrap_or("").to_owned(), start + whole.start()..start + end));
            }
        }
        start += line.len();
    }
    paths
}

fn is_about_elsewhere(line: &str) -> bool {
    let lower = line.to_lowercase();
    let polarity = Polarity::of(line);
    polarity.negated
        || polarity.wrong
        || polarity.example
        || lower.split(|c: char| !c.is_alphanumeric()).any(|word| ELSEWHERE.contains(&word))
}
