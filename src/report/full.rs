//! The format for people: each finding with its lines, its cause and what to do, then one sentence of counts.

use super::diagnosis::{Diagnosis, render};
use super::{Report, plural};
use crate::lint::rules::secret;
use crate::lint::sources::Sources;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

/// Texts in which what a finding calls a secret is struck out, so that a log does not spread it.
struct Masked<'s> {
    below: &'s dyn Sources,
    secrets: BTreeMap<&'s str, Vec<Range<usize>>>,
}

impl<'s> Masked<'s> {
    fn of(report: &Report<'s>) -> Self {
        let mut secrets: BTreeMap<&str, Vec<Range<usize>>> = BTreeMap::new();
        for finding in report.findings.iter().map(|j| &j.finding).filter(|f| f.rule == secret::INFO.id) {
            for place in std::iter::once(&finding.primary).chain(&finding.related) {
                secrets.entry(&place.path).or_default().push(place.span.clone());
            }
        }
        Self { below: report.sources, secrets }
    }
}

impl Sources for Masked<'_> {
    fn text(&self, path: &str) -> Option<Arc<str>> {
        let text = self.below.text(path)?;
        let Some(spans) = self.secrets.get(path) else { return Some(text) };
        let is_struck = |at: usize| spans.iter().any(|span| span.contains(&at));
        // Every byte keeps its place: a character is replaced by as many stars as it has bytes.
        let masked = text.char_indices().flat_map(|(at, c)| match is_struck(at) && c != '\n' {
            true => std::iter::repeat_n('*', c.len_utf8()),
            false => std::iter::repeat_n(c, 1),
        });
        Some(masked.collect::<String>().into())
    }
}

/// How many related places are shown with their lines; the others are counted.
const RELATED_SHOWN: usize = 2;

/// Writes the findings that count.
///
/// # Errors
/// What the writer answers.
pub fn write(report: &Report<'_>, output: &mut dyn Write) -> io::Result<()> {
    let mut first_rule = None;
    let sources = Masked::of(report);
    for judged in report.counting() {
        let finding = &judged.finding;
        first_rule.get_or_insert(finding.rule);
        let locations: Vec<_> =
            std::iter::once(&finding.primary).chain(finding.related.iter().take(RELATED_SHOWN)).collect();
        let mut help = finding.help.clone();
        if let Some(fix) = &finding.fix {
            let offer = format!("`agentsctl lint --fix` can {}", fix.description);
            help = Some(help.map_or(offer.clone(), |help| format!("{help} ({offer})")));
        }
        let others = finding.related.len().saturating_sub(RELATED_SHOWN);
        let mut notes = Vec::new();
        if others > 0 {
            notes.push(format!("{others} more places (`--format json` names them)"));
        }
        if !finding.hosts.is_empty() {
            notes.push(format!("hosts: {}", finding.hosts.join(", ")));
        }
        let notes = (!notes.is_empty()).then(|| notes.join("; "));
        let diagnosis = Diagnosis {
            code: &format!("{}[{}]", finding.severity.name(), finding.rule),
            severity: finding.severity,
            message: &finding.message,
            locations: &locations,
            help: help.as_deref(),
            note: notes.as_deref(),
        };
        output.write_all(render(&diagnosis, &sources, &report.terminal).as_bytes())?;
        output.write_all(b"\n")?;
    }
    writeln!(output, "{}", report.summary.sentence())?;
    if report.summary.fixable > 0 {
        writeln!(output, "{} can be fixed with `agentsctl lint --fix`", plural(report.summary.fixable, "finding"))?;
    }
    if let Some(rule) = first_rule {
        writeln!(output, "more about a rule: `agentsctl rule {rule}`")?;
    }
    Ok(())
}
