//! A summary in Markdown for the page of a job or a comment: the counts, then a table.

use super::{Report, escape, plural};
use std::io::{self, Write};

/// Where to stop, in bytes: pages of jobs take no more than a mebibyte.
const LIMIT: usize = 900_000;

/// Writes the findings that count, the most severe first.
///
/// # Errors
/// What the writer answers.
pub fn write(report: &Report<'_>, output: &mut dyn Write) -> io::Result<()> {
    let mut text = format!("### agentsctl: {}\n", report.summary.sentence());
    let mut findings: Vec<_> = report.counting().map(|judged| &judged.finding).collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    if !findings.is_empty() {
        text.push_str("\n| | rule | place | finding |\n|---|---|---|---|\n");
    }
    for (index, finding) in findings.iter().enumerate() {
        let (start, _) = report.range(&finding.primary);
        let help = finding.help.as_ref().map_or(String::new(), |help| format!("<br>help: {}", prose(help)));
        let row = format!(
            "| {} | `{}` | {}:{} | {}{help} |\n",
            finding.severity.name(),
            finding.rule,
            escape::markdown(&finding.primary.path),
            start.line,
            prose(&finding.message),
        );
        if text.len() + row.len() > LIMIT {
            text.push_str(&format!("\n{} more left out\n", plural(findings.len() - index, "finding")));
            break;
        }
        text.push_str(&row);
    }
    output.write_all(escape::defuse_commands(&text).as_bytes())
}

/// A message: what stands between backticks becomes code.
fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let mut output = String::new();
    for (index, part) in parts.iter().enumerate() {
        let part = escape::markdown(part);
        // The last backtick may have no partner; then it is text.
        match (index % 2 == 1, index + 1 == parts.len()) {
            (true, false) => output.push_str(&format!("<code>{part}</code>")),
            (true, true) => output.push_str(&format!("\\`{part}")),
            (false, _) => output.push_str(&part),
        }
    }
    output
}

#[cfg(test)]
mod tests {
    use super::prose;

    #[test]
    fn backticks_in_pairs_are_code() {
        assert_eq!(prose("`a_b` is `x"), "<code>a\\_b</code> is \\`x");
        assert_eq!(prose("`</code><img>`"), "<code>&lt;/code&gt;&lt;img&gt;</code>");
        assert_eq!(prose("none"), "none");
    }
}
