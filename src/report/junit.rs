//! JUnit's XML, for systems that show test results: one suite for each file, one case for each finding.
//!
//! What makes the exit code 1 is a failure, what is suppressed is skipped, and the rest passes with its message as
//! output. Without findings there is one case that passes, since an empty report is an error to many readers.

use super::{Report, escape};
use crate::lint::judge::Judged;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes all findings, suppressed ones included.
///
/// # Errors
/// What the writer answers.
pub fn write(report: &Report<'_>, output: &mut dyn Write) -> io::Result<()> {
    let mut suites: BTreeMap<&str, Vec<&Judged>> = BTreeMap::new();
    for judged in report.findings {
        suites.entry(&judged.finding.primary.path).or_default().push(judged);
    }
    writeln!(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    let (cases, failures, skipped) = counts(report, report.findings.iter());
    let cases = cases.max(1);
    writeln!(
        output,
        "<testsuites name=\"agentsctl\" tests=\"{cases}\" failures=\"{failures}\" skipped=\"{skipped}\">"
    )?;
    if suites.is_empty() {
        writeln!(output, "  <testsuite name=\"agentsctl\" tests=\"1\" failures=\"0\" skipped=\"0\">")?;
        writeln!(output, "    <testcase name=\"no findings\" classname=\"agentsctl\"/>")?;
        writeln!(output, "  </testsuite>")?;
    }
    for (path, findings) in suites {
        let (cases, failures, skipped) = counts(report, findings.iter().copied());
        let path = escape::xml(&escape::inline(path));
        writeln!(
            output,
            "  <testsuite name=\"{path}\" tests=\"{cases}\" failures=\"{failures}\" skipped=\"{skipped}\">"
        )?;
        for judged in findings {
            case(report, &path, judged, output)?;
        }
        writeln!(output, "  </testsuite>")?;
    }
    writeln!(output, "</testsuites>")
}

fn fails(report: &Report<'_>, judged: &Judged) -> bool {
    judged.suppression.is_none() && judged.finding.severity >= report.fail_on
}

fn counts<'j>(report: &Report<'_>, findings: impl Iterator<Item = &'j Judged>) -> (usize, usize, usize) {
    findings.fold((0, 0, 0), |(cases, failures, skipped), judged| {
        let failure = usize::from(fails(report, judged));
        (cases + 1, failures + failure, skipped + usize::from(judged.suppression.is_some()))
    })
}

fn case(report: &Report<'_>, path: &str, judged: &Judged, output: &mut dyn Write) -> io::Result<()> {
    let finding = &judged.finding;
    let (start, _) = report.range(&finding.primary);
    let message = escape::xml(&escape::inline(&finding.message));
    let (severity, rule) = (finding.severity.name(), finding.rule);
    let help = finding.help.as_ref().map_or(String::new(), |help| format!("\nhelp: {}", escape::inline(help)));
    let place = format!("{path}:{}:{}", start.line, start.column);
    writeln!(
        output,
        "    <testcase name=\"{rule} at {}:{}\" classname=\"{path}\" file=\"{path}\" line=\"{}\">",
        start.line, start.column, start.line
    )?;
    match &judged.suppression {
        Some(suppression) => {
            let reason = escape::xml(&escape::inline(&suppression.reason));
            writeln!(output, "      <skipped message=\"{reason}\"/>")?;
        }
        None if fails(report, judged) => {
            let help = escape::xml(&help);
            writeln!(
                output,
                "      <failure message=\"{message}\" type=\"{severity}\">{place}: {severity}[{rule}] {message}{help}</failure>"
            )?;
        }
        None => writeln!(output, "      <system-out>{place}: {severity}[{rule}] {message}</system-out>")?,
    }
    writeln!(output, "    </testcase>")
}
