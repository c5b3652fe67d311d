//! `truncated`: a host cuts a file before its end.

use crate::discover::context::{Context, Cut, Piece};
use crate::explain::wording::{number, setting_of, unit};
use crate::host::schema::{BudgetSpan, Unit};
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::{InstructionFile, Material};
use crate::lint::reach::{self, Sightings};
use crate::lint::registry::{Group, RuleInfo};
use std::ops::Range;
use std::path::PathBuf;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "truncated",
    group: Group::Reach,
    severity: Severity::Error,
    summary: "a host cuts the file before its end",
    page: include_str!("../../../docs/rules/truncated.md"),
    hosts: &[],
    since: "0.1.0",
};

/// One finding for each file and host, for the launch directory that loses most.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for file in &material.files {
        for (h, contexts) in material.survey.contexts.iter().enumerate() {
            let mut worst: Option<(&Piece, &Cut, &Context, &PathBuf)> = None;
            let mut sightings = Sightings::default();
            for (d, (context, directory)) in contexts.iter().zip(&material.survey.directories).enumerate() {
                let cut = context.pieces.iter().filter(|p| p.path.as_ref() == Some(&file.absolute));
                for (piece, cut) in cut.filter_map(|p| Some((p, p.cut.as_ref()?))) {
                    sightings.add(h, d);
                    let lost = |cut: &Cut| cut.length.saturating_sub(cut.limit);
                    if worst.is_none_or(|(_, w, _, _)| lost(cut) > lost(w)) {
                        worst = Some((piece, cut, context, directory));
                    }
                }
            }
            if let Some(worst) = worst {
                findings.push(finding(material, file, h, worst, &sightings));
            }
        }
    }
}

fn finding(
    material: &Material<'_>,
    file: &InstructionFile,
    h: usize,
    (piece, cut, context, directory): (&Piece, &Cut, &Context, &PathBuf),
    sightings: &Sightings,
) -> Finding {
    let host = &material.selections[h].host;
    let lost = lost(piece);
    let headings: Vec<String> =
        file.document.headings.iter().filter(|h| lost.contains(&h.span.start)).map(|h| quoted(&h.text)).collect();
    let from = match sightings.directories().len() {
        1 => format!("launched in {}", material.directory(directory)),
        n => format!("from {n} launch directories, most in {}", material.directory(directory)),
    };
    // Of files that are cut as one text, a single one may be within the limit.
    let (kept, length, unit) = match cut.limit < cut.length {
        true => (cut.limit, cut.length, unit(cut.unit)),
        false => {
            let kept: usize = piece.text.kept().iter().map(ExactSizeIterator::len).sum();
            (kept as u64, piece.text.source().len() as u64, "bytes")
        }
    };
    let message = format!(
        "{} keeps {} of {} {unit} ({from}){}{}",
        host.name,
        number(kept),
        number(length),
        match headings.len() {
            0 => String::new(),
            1 => "; 1 heading is lost".to_owned(),
            n => format!("; {n} headings are lost"),
        },
        inside(file, piece, cut, lost.start).map_or_else(String::new, |what| format!("; the cut falls inside {what}")),
    );
    let budget = host.budgets.get(&cut.budget);
    let shared = budget.is_some_and(|b| b.spans != BudgetSpan::File);
    let before = context
        .pieces
        .iter()
        .take_while(|p| !std::ptr::eq(*p, piece))
        .filter(|p| shared && p.source == piece.source)
        .filter_map(|p| Some((p.path.as_ref()?, p.bytes)));
    let related = before
        .map(|(path, bytes)| Location {
            path: material.shown(path),
            span: 0..0,
            label: format!("{} bytes are spent here before", number(bytes)),
        })
        .collect();
    let place = if shared { "files nearer to where they apply" } else { "files of their own" };
    let help = match setting_of(host, &cut.budget) {
        Some(setting) => format!("move parts into {place}, or raise `{setting}`"),
        None => format!("move parts into {place}"),
    };
    let label = match headings.is_empty() {
        true => "lost from here on".to_owned(),
        false => format!("lost from here on, with {}", reach::short_list(&headings)),
    };
    Finding {
        rule: INFO.id,
        severity: reach::severity(material, sightings, INFO.severity),
        message,
        primary: Location { path: file.path.clone(), span: first_line(file, &lost), label },
        related,
        help: Some(help),
        hosts: vec![host.id.clone()],
        fix: None,
    }
}

fn quoted(heading: &str) -> String {
    format!("\"{heading}\"")
}

/// The lost stretch up to the end of its first line: the caret marks where it begins, not all of it.
fn first_line(file: &InstructionFile, lost: &Range<usize>) -> Range<usize> {
    let text = file.document.text.get(lost.clone()).unwrap_or_default();
    let text = text.trim_end_matches(['\n', '\r']);
    lost.start..lost.start + text.find('\n').unwrap_or(text.len())
}

/// What the cut goes through: a character, a code block, a list item.
fn inside(file: &InstructionFile, piece: &Piece, cut: &Cut, at: usize) -> Option<&'static str> {
    let document = &file.document;
    let is_split =
        cut.unit == Unit::Bytes && at < piece.text.source().len() && piece.text.flatten().ends_with('\u{fffd}');
    if is_split {
        return Some("a character");
    }
    let within = |span: &Range<usize>| span.start < at && at < span.end;
    if document.fences.iter().any(|fence| within(&fence.span)) {
        return Some("a code block");
    }
    let block = document.blocks.get(document.block_at(at)?)?;
    (matches!(block.kind, crate::document::BlockKind::Item(_)) && within(&block.span)).then_some("a list item")
}

/// The longest stretch of the file that is not kept.
fn lost(piece: &Piece) -> Range<usize> {
    let length = piece.text.source().len();
    let mut at = 0;
    let mut longest = length..length;
    for kept in piece.text.kept().into_iter().chain(std::iter::once(length..length)) {
        if kept.start - at.min(kept.start) > longest.len() {
            longest = at..kept.start;
        }
        at = kept.end;
    }
    longest
}
