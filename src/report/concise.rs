//! One line for each finding: `path:line:col: level[id] message`.
//!
//! The path is escaped as [`escape::path`] says, the message as [`escape::inline`], so that a line is always one finding
//! and [`PATTERN`] always finds its parts. `docs/problem-matcher.json` has the same pattern for programs that colour
//! their input.

use super::{Report, escape};
use std::io::{self, Write};

/// Matches every line of this format: path, line, column, level, rule and message are the groups 1 to 6.
pub const PATTERN: &str = r"^(.+?):(\d+):(\d+): (error|warning|info|hint)\[([a-z0-9-]+)\] (.*)$";

/// Writes the findings that count.
///
/// # Errors
/// What the writer answers.
pub fn write(report: &Report<'_>, output: &mut dyn Write) -> io::Result<()> {
    for judged in report.counting() {
        let finding = &judged.finding;
        let (start, _) = report.range(&finding.primary);
        let line = format!(
            "{}:{}:{}: {}[{}] {}\n",
            escape::path(&finding.primary.path),
            start.line,
            start.column,
            finding.severity.name(),
            finding.rule,
            escape::inline(&finding.message)
        );
        output.write_all(escape::defuse_commands(&line).as_bytes())?;
    }
    Ok(())
}
