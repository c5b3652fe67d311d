//! `truncated`: a host cuts a file before its end.

use crate::discover::context::{Context, Cut, Piece};
use crate::explain::wording::{number, setting_of, unit};
use crate::host::Selection;
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::{InstructionFile, Material};
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
        for (h, selection) in material.selections.iter().enumerate() {
            let mut worst: Option<(&Piece, &Cut, &Context, &PathBuf)> = None;
            let mut directories = 0;
            for (context, directory) in material.survey.contexts[h].iter().zip(&material.survey.directories) {
                let cut = context.pieces.iter().filter(|p| p.path.as_ref() == Some(&file.absolute));
                for (piece, cut) in cut.filter_map(|p| Some((p, p.cut.as_ref()?))) {
                    directories += 1;
                    if worst.is_none_or(|(_, w, _, _)| {
                        cut.length - cut.limit.min(cut.length) > w.length - w.limit.min(w.length)
                    }) {
                        worst = Some((piece, cut, context, directory));
                    }
                }
            }
            if let Some(worst) = worst {
                findings.push(finding(material, file, selection, worst, directories));
            }
        }
    }
}

fn finding(
    material: &Material<'_>,
    file: &InstructionFile,
    selection: &Selection,
    (piece, cut, context, directory): (&Piece, &Cut, &Context, &PathBuf),
    directories: usize,
) -> Finding {
    let host = &selection.host;
    let lost = lost(piece);
    let headings = file.document.headings.iter().filter(|h| lost.contains(&h.span.start)).count();
    let from = match directories {
        1 => format!("launched in {}", material.directory(directory)),
        n => format!("from {n} launch directories, most in {}", material.directory(directory)),
    };
    let unit = unit(cut.unit);
    let message = format!(
        "{} keeps {} of {} {unit} ({from}){}",
        host.name,
        number(cut.limit),
        number(cut.length),
        match headings {
            0 => String::new(),
            1 => "; 1 heading is lost".to_owned(),
            n => format!("; {n} headings are lost"),
        },
    );
    let before = context
        .pieces
        .iter()
        .take_while(|p| !std::ptr::eq(*p, piece))
        .filter(|p| p.source == piece.source)
        .filter_map(|p| Some((p.path.as_ref()?, p.bytes)));
    let related = before
        .map(|(path, bytes)| Location {
            path: material.shown(path),
            span: 0..0,
            label: format!("{} bytes of the budget are spent here", number(bytes)),
        })
        .collect();
    let help = match setting_of(host, &cut.budget) {
        Some(setting) => format!("move parts into files nearer to where they apply, or raise `{setting}`"),
        None => "move parts into files of their own".to_owned(),
    };
    Finding {
        rule: INFO.id,
        severity: INFO.severity,
        message,
        primary: Location { path: file.path.clone(), span: lost, label: "lost from here on".to_owned() },
        related,
        help: Some(help),
        hosts: vec![host.id.clone()],
        fix: None,
    }
}

/// The longest stretch of the file that is not kept.
fn lost(piece: &Piece) -> Range<usize> {
    let length = piece.text.source().len();
    let mut at = 0;
    let mut longest = length..length;
    for kept in piece.text.kept().into_iter().chain([length..length]) {
        if kept.start - at.min(kept.start) > longest.len() {
            longest = at..kept.start;
        }
        at = kept.end;
    }
    longest
}
