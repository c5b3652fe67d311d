//! Annotations of GitHub workflows: `::error file=…,line=…,title=…::message`.
//!
//! GitHub shows only some annotations of each step, so errors come first. Only the line where a finding starts is
//! given: ends beyond the file's end make an annotation vanish.

use super::{Report, escape};
use crate::lint::finding::Severity;
use std::io::{self, Write};

/// Writes the findings that count, the most severe first.
///
/// # Errors
/// What the writer answers.
pub fn write(report: &Report<'_>, output: &mut dyn Write) -> io::Result<()> {
    let mut findings: Vec<_> = report.counting().map(|judged| &judged.finding).collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    for finding in findings {
        let (start, _) = report.range(&finding.primary);
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info | Severity::Hint => "notice",
        };
        let mut message = escape::inline(&finding.message).into_owned();
        if let Some(help) = &finding.help {
            // A line break of ours: it is escaped below and shown as one.
            message.push_str(&format!("\nhelp: {}", escape::inline(help)));
        }
        let line = format!(
            "::{command} file={},line={},title={}::{}\n",
            property(&escape::inline(&finding.primary.path)),
            start.line,
            property(finding.rule),
            data(&message)
        );
        output.write_all(line.replace("##[", "\\u{23}\\u{23}[").as_bytes())?;
    }
    Ok(())
}

/// The message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a command's property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
