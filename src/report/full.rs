//! The format for people: each finding with its lines, its cause and what to do, then one sentence of counts.

use super::diagnosis::{Diagnosis, render};
use super::{Report, plural};
use std::io::{self, Write};

/// How many related places are shown with their lines; the others are counted.
const RELATED_SHOWN: usize = 2;

/// Writes the findings that count.
///
/// # Errors
/// What the writer answers.
pub fn write(report: &Report<'_>, output: &mut dyn Write) -> io::Result<()> {
    let mut first_rule = None;
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
        output.write_all(render(&diagnosis, report.sources, &report.terminal).as_bytes())?;
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
