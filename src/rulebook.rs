//! The rules that a repository's instruction files state, with scope, command and evidence, and who has them loaded.

use crate::discover::Launch;
use crate::document::rule::{CommandStatus, ScopePart, ScopeSource};
use crate::document::{self, Document, Kind, Rule};
use crate::explain::human::paragraph;
use crate::explain::near::Names;
use crate::filesystem::FileSystem;
use crate::host::Selection;
use crate::lint::material;
use crate::project::Project;
use crate::report::escape::inline;
use crate::survey::{self, Reading};
use anstyle::Style;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The version of the JSON.
const SCHEMA: u32 = 1;

/// All rules, file by file.
#[derive(Debug, Clone)]
pub struct Rulebook {
    /// The launch directory for which hosts are named.
    pub from: PathBuf,
    /// The files.
    pub files: Vec<FileRules>,
}

/// The rules of one file.
#[derive(Debug, Clone)]
pub struct FileRules {
    /// Relative to the root, with `/`.
    pub path: String,
    /// Hosts (ids) that have it loaded at launch.
    pub at_launch: Vec<String>,
    /// Hosts (ids) that load it later.
    pub later: Vec<String>,
    /// Its rules with their lines, from 1.
    pub rules: Vec<(usize, Rule)>,
}

impl Rulebook {
    /// Reads the instruction files of a project; with `only`, those at or below a path.
    pub fn read(
        project: &Project,
        selections: &[Selection],
        launch: &Launch,
        from: &Path,
        only: Option<&Path>,
        files: &dyn FileSystem,
    ) -> Self {
        let from = files.canonicalize(from).unwrap_or_else(|_| from.to_path_buf());
        let names = Names::collect(selections.iter().map(|s| &s.host));
        let more = [from.clone()];
        let (inventory, survey) = material::survey(project, selections, launch, &more, &names, files);
        let directory = survey.directories.iter().position(|d| *d == from).unwrap_or(0);
        let wanted = |path: &Path| only.is_none_or(|only| path.starts_with(only));
        let candidates = inventory.candidates.iter().map(|c| (c, project.root().join(c))).filter(|(_, p)| wanted(p));
        let files = candidates.filter_map(|(relative, path)| {
            let bytes = files.read(&path, document::READ_LIMIT as u64).ok()?;
            let document = Document::parse(String::from_utf8_lossy(&bytes).into_owned());
            let context = document::Context::at(relative);
            let rules = document.rules(&context).into_iter().filter(|rule| rule.kind == Kind::Rule);
            let rules = rules.map(|rule| (document.position(rule.span.start).line, rule)).collect();
            let (mut at_launch, mut later) = (Vec::new(), Vec::new());
            for (contexts, selection) in survey.contexts.iter().zip(selections) {
                match contexts.get(directory).and_then(|context| survey::reading(context, &path)) {
                    Some(Reading::AtLaunch) => at_launch.push(selection.host.id.clone()),
                    Some(_) => later.push(selection.host.id.clone()),
                    None => {}
                }
            }
            Some(FileRules { path: relative.clone(), at_launch, later, rules })
        });
        Self { from, files: files.collect() }
    }
}

/// How many rules of a file have what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Shares {
    scope: usize,
    command: usize,
    evidence: usize,
    vague: usize,
}

fn shares(rules: &[(usize, Rule)]) -> Shares {
    let count = |has: fn(&Rule) -> bool| rules.iter().filter(|(_, rule)| has(rule)).count();
    Shares {
        scope: count(|r| r.scope.source != ScopeSource::None),
        command: count(|r| r.command == CommandStatus::Exact),
        evidence: count(|r| r.evidence.is_some()),
        vague: count(|r| r.vague.is_some()),
    }
}

/// The rulebook as JSON.
pub fn json(book: &Rulebook) -> Value {
    let rule = |(line, rule): &(usize, Rule)| {
        json!({
            "line": line, "text": rule.text, "scope": rule.scope, "command": rule.command,
            "commands": rule.commands.iter().map(|c| c.text.clone()).collect::<Vec<_>>(),
            "evidence": rule.evidence, "reason": rule.reason, "vague": rule.vague, "temporary": rule.temporary,
        })
    };
    let file = |file: &FileRules| {
        let shares = shares(&file.rules);
        json!({
            "path": file.path, "at_launch": file.at_launch, "later": file.later,
            "summary": {
                "rules": file.rules.len(), "with_scope": shares.scope, "with_command": shares.command,
                "with_evidence": shares.evidence, "vague": shares.vague,
            },
            "rules": file.rules.iter().map(rule).collect::<Vec<_>>(),
        })
    };
    json!({
        "schema": SCHEMA,
        "from": book.from.to_string_lossy(),
        "files": book.files.iter().map(file).collect::<Vec<_>>(),
    })
}

/// Writes the rulebook for people.
///
/// # Errors
/// What the writer answers.
pub fn write_human(book: &Rulebook, out: &mut dyn Write) -> io::Result<()> {
    let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
    for (i, file) in book.files.iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{bold}{}{bold:#}", inline(&file.path))?;
        let hosts = |hosts: &[String]| if hosts.is_empty() { "none".to_owned() } else { hosts.join(", ") };
        paragraph(
            out,
            "  ",
            &format!("loaded at launch: {}; later: {}", hosts(&file.at_launch), hosts(&file.later)),
            dim,
        )?;
        let shares = shares(&file.rules);
        let summary = format!(
            "{} rules: {} with a scope, {} with a command, {} with evidence, {} vague",
            file.rules.len(),
            shares.scope,
            shares.command,
            shares.evidence,
            shares.vague,
        );
        paragraph(out, "  ", &summary, dim)?;
        for (line, rule) in &file.rules {
            paragraph(out, "  ", &format!("{line:>4}  {}", rule.text), Style::new())?;
            let mut facts = vec![format!("scope: {}", scope(rule))];
            if !rule.commands.is_empty() {
                let commands: Vec<String> = rule.commands.iter().map(|c| c.text.clone()).collect();
                facts.push(format!("command: {}", commands.join("; ")));
            }
            if let Some(evidence) = &rule.evidence {
                facts.push(format!("evidence: {evidence}"));
            }
            if let Some(vague) = &rule.vague {
                facts.push(format!("vague: {vague}"));
            }
            paragraph(out, "        ", &facts.join(" · "), dim)?;
        }
    }
    Ok(())
}

fn scope(rule: &Rule) -> String {
    let parts: Vec<&str> = rule.scope.parts.iter().map(part).collect();
    match rule.scope.source {
        ScopeSource::None => "everywhere".to_owned(),
        ScopeSource::Explicit => parts.join(", "),
        ScopeSource::Heading => format!("{} (heading)", parts.join(", ")),
        ScopeSource::Frontmatter => format!("{} (frontmatter)", parts.join(", ")),
        ScopeSource::Location => format!("{} (the file's place)", parts.join(", ")),
    }
}

fn part(part: &ScopePart) -> &str {
    match part {
        ScopePart::Path(text)
        | ScopePart::Glob(text)
        | ScopePart::Package(text)
        | ScopePart::FileType(text)
        | ScopePart::Area(text) => text,
    }
}
