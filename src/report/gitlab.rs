//! GitLab's code quality report, a JSON array.

use super::{Report, escape};
use crate::lint::finding::Severity;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Writes the findings that count.
///
/// # Errors
/// What the writer answers.
pub fn write(report: &Report<'_>, output: &mut dyn Write) -> io::Result<()> {
    let issues: Vec<Value> = report
        .counting()
        .map(|judged| {
            let finding = &judged.finding;
            let (start, end) = report.range(&finding.primary);
            json!({
                "description": escape::inline(&finding.message),
                "check_name": finding.rule,
                "fingerprint": judged.fingerprint,
                "severity": match finding.severity {
                    Severity::Error => "major",
                    Severity::Warning => "minor",
                    Severity::Info | Severity::Hint => "info",
                },
                "location": { "path": finding.primary.path, "lines": { "begin": start.line, "end": end.line } },
            })
        })
        .collect();
    escape::write_json(&issues, output)
}
