//! Answers about one place of a file: hover, definition, lenses, actions.

use super::position::{of_span, to_offset, uri_of};
use super::workspace::Workspace;
use crate::document::command::Directory;
use crate::document::{Document, Reference};
use crate::explain::Shown;
use crate::explain::human::kept;
use crate::explain::readers;
use crate::explain::wording::{number, unit};
use crate::lint::config::parse::Problem;
use crate::lint::finding::{Finding, Severity};
use crate::lint::judge::Judged;
use crate::project::{CommandQuery, Mood, Resolution};
use crate::report::escape;
use crate::survey::Survey;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A problem of a configuration file as a diagnostic.
pub fn problem(text: &str, problem: &Problem) -> Value {
    let message = match &problem.help {
        Some(help) => format!("{}\n{help}", problem.message),
        None => problem.message.clone(),
    };
    json!({ "range": of_span(text, &problem.span), "severity": 1, "source": "agentsctl", "message": message })
}

/// A finding as a diagnostic.
pub fn diagnostic(workspace: &Workspace, text: &str, judged: &Judged) -> Value {
    let finding = &judged.finding;
    let severity = match finding.severity {
        Severity::Error => 1,
        Severity::Warning => 2,
        Severity::Info => 3,
        Severity::Hint => 4,
    };
    let message = match &finding.help {
        Some(help) => format!("{}\n{help}", finding.message),
        None => finding.message.clone(),
    };
    let related = finding.related.iter().map(|location| {
        let path = workspace.root.join(&location.path);
        let text = workspace.text(&path).unwrap_or_default();
        json!({
            "location": { "uri": uri_of(&path), "range": of_span(&text, &location.span) },
            "message": location.label,
        })
    });
    json!({
        "range": of_span(text, &finding.primary.span),
        "severity": severity,
        "code": finding.rule,
        "source": "agentsctl",
        "message": message,
        "relatedInformation": related.collect::<Vec<_>>(),
    })
}

/// What is to be said about a place: what a path or command leads to, else who loads the file.
pub fn hover(workspace: &Workspace, path: &Path, position: &Value) -> Option<Value> {
    let text = workspace.text(path)?;
    let offset = to_offset(&text, position);
    let document = Document::parse(text.clone());
    if let Some(reference) = reference_at(&document, offset)
        && let Some(said) = say(workspace, path, &reference)
    {
        return Some(markdown(&said, Some(of_span(&text, &reference.span))));
    }
    Some(markdown(&file_in_words(workspace, path), None))
}

fn markdown(text: &str, range: Option<Value>) -> Value {
    let mut value = json!({ "contents": { "kind": "markdown", "value": text } });
    if let (Some(range), Some(map)) = (range, value.as_object_mut()) {
        map.insert("range".to_owned(), range);
    }
    value
}

fn reference_at(document: &Document, offset: usize) -> Option<Reference> {
    let mut found: Vec<Reference> =
        document.references().into_iter().filter(|r| r.span.start <= offset && offset <= r.span.end).collect();
    // The shortest one is the most exact.
    found.sort_by_key(|r| r.span.len());
    found.into_iter().next()
}

fn say(workspace: &Workspace, path: &Path, reference: &Reference) -> Option<String> {
    if reference.command.is_some() {
        return command_in_words(workspace, path, reference);
    }
    let target = target(workspace, path, reference)?;
    Some(code(&Shown::from(workspace.root.clone(), workspace.home()).path(&target)))
}

/// Text as code in Markdown, whatever it holds.
fn code(text: &str) -> String {
    format!("`{}`", escape::inline(text).replace('`', "'"))
}

/// What a command's name is defined by.
fn command_in_words(workspace: &Workspace, path: &Path, reference: &Reference) -> Option<String> {
    let command = reference.command.as_ref()?;
    let relative = workspace.relative(path)?;
    let folders = command.directories.iter().filter_map(|directory| match directory {
        Directory::Folder(folder) => Some(folder.clone()),
        _ => None,
    });
    let hints: Vec<String> = folders.chain(reference.bases.iter().map(|base| base.folder.clone())).collect();
    let words: Vec<String> = command.words.iter().map(|word| word.text.clone()).collect();
    let resolution = workspace.project().resolve_command(&CommandQuery {
        words: &words,
        directory: crate::project::parent(&relative),
        directory_is_stated: false,
        hints: &hints,
        mood: Mood::Plain,
    });
    let what = match resolution {
        Resolution::Found { name, file, .. } if !file.is_empty() => {
            format!("{} is defined in {}", code(&name), code(&file))
        }
        Resolution::Found { name, .. } => format!("{} is defined", code(&name)),
        Resolution::Missing { name, searched, .. } if searched.is_empty() => {
            format!("{} is defined nowhere in this repository", code(&name))
        }
        Resolution::Missing { name, searched, suggestion, .. } => {
            let files: Vec<String> = searched.iter().map(|file| code(file)).collect();
            let meant = suggestion.map_or_else(String::new, |other| format!("; did you mean {}?", code(&other)));
            format!("{} is not defined in {}{meant}", code(&name), files.join(", "))
        }
        Resolution::ElsewhereOnly { name, folders, .. } => {
            let folders: Vec<String> = folders.iter().map(|folder| code(folder)).collect();
            format!("{} is defined only in {}", code(&name), folders.join(", "))
        }
        Resolution::Unknown { why } => format!("cannot be told: {}", escape::inline(&why)),
        Resolution::NotDefinedHere => "nothing of this repository is named".to_owned(),
    };
    Some(format!("{}: {what}", code(&command.text)))
}

/// The file or folder that a reference leads to: from the file's folder, then from the root.
fn target(workspace: &Workspace, path: &Path, reference: &Reference) -> Option<PathBuf> {
    let named = reference.text.trim_start_matches('@').trim_start_matches("mdc:");
    let named = named.split('#').next().filter(|n| !n.is_empty())?;
    let folder = path.parent()?;
    let bases = [folder.to_path_buf(), workspace.root.clone()];
    let hints = reference.bases.iter().map(|hint| workspace.root.join(&hint.folder));
    bases.into_iter().chain(hints).map(|base| crate::discover::paths::join(&base, named)).find(|p| p.exists())
}

/// Where a reference leads, for "go to definition".
pub fn definition(workspace: &Workspace, path: &Path, position: &Value) -> Option<Value> {
    let text = workspace.text(path)?;
    let document = Document::parse(text.clone());
    let reference = reference_at(&document, to_offset(&text, position))?;
    let target = target(workspace, path, &reference).filter(|t| t.is_file())?;
    let start = json!({ "line": 0, "character": 0 });
    Some(json!({ "uri": uri_of(&target), "range": { "start": start, "end": start } }))
}

/// Who loads a file, when, and how much of the budget is left, in Markdown.
fn file_in_words(workspace: &Workspace, path: &Path) -> String {
    let survey = workspace.survey();
    let shown = Shown::from(workspace.root.clone(), workspace.home());
    let mut lines = vec![format!("**{}**", shown.path(path)), String::new()];
    for reader in readers::readers(survey, &workspace.selections, path, &shown) {
        lines.push(match &reader.never {
            None => format!("- {}: {}", reader.name, reader.ways.join("; ")),
            Some(why) => format!("- {}: never ({why})", reader.name),
        });
    }
    for (context, selection) in contexts(survey, workspace, path) {
        for budget in context.budgets.iter().filter(|b| b.path.is_none() || b.path.as_deref() == Some(path)) {
            let left = budget.limit.saturating_sub(budget.used);
            lines.push(format!(
                "- {}: {} {} left of {}",
                selection,
                number(left),
                unit(budget.unit),
                number(budget.limit)
            ));
        }
    }
    lines.join("\n")
}

/// The contexts launched from the folder that the file speaks for, with the hosts' names.
fn contexts<'s>(
    survey: &'s Survey,
    workspace: &'s Workspace,
    path: &Path,
) -> impl Iterator<Item = (&'s crate::discover::Context, &'s str)> {
    let owner = crate::inventory::owner(&workspace.root, path);
    let directory = survey.directories.iter().position(|d| *d == owner).unwrap_or(0);
    survey
        .contexts
        .iter()
        .zip(&workspace.selections)
        .filter_map(move |(contexts, selection)| Some((contexts.get(directory)?, selection.host.name.as_str())))
}

/// The line above the first: what each host makes of the file.
pub fn lenses(workspace: &Workspace, path: &Path) -> Value {
    if workspace.relative(path).is_none() {
        return json!([]);
    }
    let survey = workspace.survey();
    let mut parts: Vec<String> = Vec::new();
    let mut without: Vec<&str> = Vec::new();
    for (h, selection) in workspace.selections.iter().enumerate() {
        let pieces = survey.contexts[h].iter().flat_map(|c| &c.pieces);
        let mut own: Vec<_> =
            pieces.filter(|p| p.path.as_deref() == Some(path) || p.real.as_deref() == Some(path)).collect();
        own.sort_by_key(|p| p.cut.is_none());
        match own.first() {
            Some(piece) if piece.cut.is_some() => parts.push(format!("{}: {}", selection.host.name, kept(piece))),
            Some(_) => parts.push(format!("{}: whole", selection.host.name)),
            None => without.push(&selection.host.name),
        }
    }
    if parts.is_empty() {
        parts.push("no host loads this file".to_owned());
    } else if !without.is_empty() {
        parts.push(format!("not loaded: {}", without.join(", ")));
    }
    let start = json!({ "line": 0, "character": 0 });
    json!([{
        "range": { "start": start, "end": start },
        "command": { "title": parts.join(" · "), "command": "" },
    }])
}

/// The fixes of the findings that touch a range.
pub fn actions(workspace: &Workspace, path: &Path, range: &Value) -> Value {
    let Some((text, relative)) = workspace.text(path).zip(workspace.relative(path)) else { return json!([]) };
    let (start, end) = (to_offset(&text, &range["start"]), to_offset(&text, &range["end"]));
    let findings = workspace.findings.get(&relative).into_iter().flatten();
    let touching = findings.filter(|j| j.finding.primary.span.start <= end && start <= j.finding.primary.span.end);
    touching.filter_map(|judged| action(workspace, &text, judged)).collect()
}

fn action(workspace: &Workspace, text: &str, judged: &Judged) -> Option<Value> {
    let Finding { fix, .. } = &judged.finding;
    let fix = fix.as_ref()?;
    let mut changes: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for edit in &fix.edits {
        let path = workspace.root.join(&edit.path);
        let text = workspace.text(&path)?;
        let change = json!({ "range": of_span(&text, &edit.span), "newText": edit.replacement });
        changes.entry(uri_of(&path)).or_default().push(change);
    }
    Some(json!({
        "title": fix.description,
        "kind": "quickfix",
        "diagnostics": [diagnostic(workspace, text, judged)],
        "isPreferred": true,
        "edit": { "changes": changes },
    }))
}
