//! Everything about the findings, for programs. Described by `docs/schema/findings.schema.json`.
//!
//! Lines and columns count from 1, columns in characters; offsets are bytes of the text as decoded. A change that
//! could break a reader raises `schema`; new keys do not.

use super::{Report, escape};
use crate::lines::Position;
use crate::lint::finding::{Edit, Location};
use crate::lint::judge::{Judged, SuppressionKind};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The version of the format.
pub const SCHEMA: u32 = 1;

/// Writes all findings, suppressed ones included.
///
/// # Errors
/// What the writer answers.
pub fn write(report: &Report<'_>, output: &mut dyn Write) -> io::Result<()> {
    escape::write_json(&value(report), output)
}

/// The same as a value.
pub fn value(report: &Report<'_>) -> Value {
    let summary = &report.summary;
    json!({
        "schema": SCHEMA,
        "tool": { "name": "agentsctl", "version": report.version },
        "summary": {
            "files": summary.files,
            "errors": summary.errors,
            "warnings": summary.warnings,
            "infos": summary.infos,
            "hints": summary.hints,
            "suppressed": summary.suppressed,
            "known": summary.known,
            "fixable": summary.fixable,
            "fixed": summary.fixed,
        },
        "findings": report.findings.iter().map(|judged| finding(report, judged)).collect::<Vec<_>>(),
    })
}

fn finding(report: &Report<'_>, judged: &Judged) -> Value {
    let finding = &judged.finding;
    let group = report.registry.rule(finding.rule).map(|rule| rule.group.name());
    let suppression = judged.suppression.as_ref().map(|suppression| {
        json!({
            "kind": match suppression.kind {
                SuppressionKind::Comment => "comment",
                SuppressionKind::Config => "config",
                SuppressionKind::Baseline => "baseline",
            },
            "reason": suppression.reason,
            "location": suppression.location.as_ref().map(|location| self::location(report, location)),
        })
    });
    let fix = finding.fix.as_ref().map(|fix| {
        let edits: Vec<Value> = fix.edits.iter().map(|edit| self::edit(report, edit)).collect();
        json!({ "description": fix.description, "edits": edits })
    });
    json!({
        "rule": finding.rule,
        "group": group,
        "severity": finding.severity.name(),
        "message": finding.message,
        "location": location(report, &finding.primary),
        "related": finding.related.iter().map(|related| location(report, related)).collect::<Vec<_>>(),
        "help": finding.help,
        "hosts": finding.hosts,
        "fix": fix,
        "fingerprint": judged.fingerprint,
        "suppression": suppression,
    })
}

fn place(position: Position, offset: usize) -> Value {
    json!({ "line": position.line, "column": position.column, "offset": offset })
}

fn location(report: &Report<'_>, location: &Location) -> Value {
    let (start, end) = report.range(location);
    json!({
        "path": location.path,
        "start": place(start, location.span.start),
        "end": place(end, location.span.end),
        "label": location.label,
    })
}

fn edit(report: &Report<'_>, edit: &Edit) -> Value {
    let location = Location { path: edit.path.clone(), span: edit.span.clone(), label: String::new() };
    let (start, end) = report.range(&location);
    json!({
        "path": edit.path,
        "start": place(start, edit.span.start),
        "end": place(end, edit.span.end),
        "replacement": edit.replacement,
    })
}
