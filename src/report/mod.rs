//! Prints findings: one file per format, all listed in [`Format::ALL`], all from one [`Report`].
//!
//! Whatever comes from a repository goes through [`escape`], so that it is text wherever it arrives.

pub mod concise;
pub mod diagnosis;
pub mod escape;
pub mod full;
pub mod github;
pub mod gitlab;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod sarif;

use crate::error::{CommandError, ExitStatus};
use crate::lines::{Lines, Position};
use crate::lint::finding::{Location, Severity};
use crate::lint::judge::{Judged, SuppressionKind};
use crate::lint::registry::{Registry, closest};
use crate::lint::sources::Sources;
use std::io::{self, Write};
use std::path::PathBuf;
use std::str::FromStr;

/// Everything that a format may print.
#[derive(Clone, Copy)]
pub struct Report<'r> {
    /// The findings in the order in which they are printed, suppressed ones included.
    pub findings: &'r [Judged],
    /// The texts behind them.
    pub sources: &'r dyn Sources,
    /// What is known of the rules.
    pub registry: &'r Registry,
    /// Counts.
    pub summary: Summary,
    /// The least severity that counts for the exit code.
    pub fail_on: Severity,
    /// The version of agentsctl.
    pub version: &'r str,
    /// What the output can show.
    pub terminal: Terminal,
}

/// What a terminal, or whatever stands in its place, can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terminal {
    /// Whether it shows colours.
    pub color: bool,
    /// Whether lines may be drawn with characters outside of ASCII.
    pub unicode: bool,
    /// Its width in columns.
    pub width: usize,
}

impl Terminal {
    /// A file or a pipe: no colour, ASCII lines, 80 columns.
    pub fn plain() -> Self {
        Self { color: false, unicode: false, width: 80 }
    }

    /// What a stream shows. `color` is the user's choice; `Auto` asks the stream and the environment (`NO_COLOR`,
    /// `CLICOLOR_FORCE` and their like).
    pub fn of<S: anstream::stream::RawStream>(stream: &S, color: anstream::ColorChoice) -> Self {
        let color = match color {
            anstream::ColorChoice::Auto => anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never,
            anstream::ColorChoice::Never => false,
            anstream::ColorChoice::Always | anstream::ColorChoice::AlwaysAnsi => true,
        };
        Self { color, unicode: stream.is_terminal() && supports_unicode::supports_unicode(), ..Self::plain() }
    }
}

/// Counts over all findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// Files that were checked.
    pub files: usize,
    /// Findings that count, by severity.
    pub errors: usize,
    /// See `errors`.
    pub warnings: usize,
    /// See `errors`.
    pub infos: usize,
    /// See `errors`.
    pub hints: usize,
    /// Findings that a comment or the configuration suppresses.
    pub suppressed: usize,
    /// Findings that the baseline knows.
    pub known: usize,
    /// Findings that count and have a fix.
    pub fixable: usize,
    /// Findings that were fixed in this run. They are not among the others.
    pub fixed: usize,
}

impl Summary {
    /// Counts findings.
    pub fn of(findings: &[Judged], files: usize, fixed: usize) -> Self {
        let mut summary = Self { files, fixed, ..Self::default() };
        for judged in findings {
            match judged.suppression.as_ref().map(|suppression| suppression.kind) {
                Some(SuppressionKind::Baseline) => summary.known += 1,
                Some(_) => summary.suppressed += 1,
                None => {
                    *summary.count_mut(judged.finding.severity) += 1;
                    summary.fixable += usize::from(judged.finding.fix.is_some());
                }
            }
        }
        summary
    }

    fn count_mut(&mut self, severity: Severity) -> &mut usize {
        match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
            Severity::Info => &mut self.infos,
            Severity::Hint => &mut self.hints,
        }
    }

    /// Findings of a severity that count.
    pub fn count(&self, severity: Severity) -> usize {
        match severity {
            Severity::Error => self.errors,
            Severity::Warning => self.warnings,
            Severity::Info => self.infos,
            Severity::Hint => self.hints,
        }
    }

    /// All findings that count.
    pub fn total(&self) -> usize {
        Severity::ALL.into_iter().map(|severity| self.count(severity)).sum()
    }

    /// The exit code: 1 if a finding of at least this severity counts.
    pub fn status(&self, fail_on: Severity) -> ExitStatus {
        let failing = Severity::ALL.into_iter().filter(|severity| *severity >= fail_on);
        if failing.map(|severity| self.count(severity)).sum::<usize>() > 0 {
            ExitStatus::Findings
        } else {
            ExitStatus::Clean
        }
    }

    /// One sentence for people, such as `2 errors, 1 warning in 5 files (1 suppressed)`.
    pub fn sentence(&self) -> String {
        let counts: Vec<String> = Severity::ALL
            .into_iter()
            .rev()
            .filter(|severity| self.count(*severity) > 0)
            .map(|severity| match severity {
                // "Info" has no plural that reads as English.
                Severity::Info => plural(self.count(severity), "note"),
                _ => plural(self.count(severity), severity.name()),
            })
            .collect();
        let found = if counts.is_empty() { "no findings".to_string() } else { counts.join(", ") };
        let mut more = Vec::new();
        for (count, word) in [(self.fixed, "fixed"), (self.suppressed, "suppressed"), (self.known, "in the baseline")] {
            if count > 0 {
                more.push(format!("{count} {word}"));
            }
        }
        let more = if more.is_empty() { String::new() } else { format!(" ({})", more.join(", ")) };
        format!("{found} in {}{more}", plural(self.files, "file"))
    }
}

/// A number and a noun that agrees with it.
pub fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

impl<'r> Report<'r> {
    /// The findings that count: neither suppressed nor in the baseline.
    pub fn counting(&self) -> impl Iterator<Item = &'r Judged> {
        self.findings.iter().filter(|judged| judged.suppression.is_none())
    }

    /// Where a location begins and ends, in lines and columns. Where the text is not to be had, the first character.
    pub fn range(&self, location: &Location) -> (Position, Position) {
        let text = self.sources.text(&location.path).unwrap_or_default();
        let lines = Lines::of(&text);
        let start = lines.position(location.span.start);
        (start, lines.position(location.span.end).max(start))
    }
}

/// A form of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// For people, with the lines in question.
    Full,
    /// `path:line:col: level[id] message`
    Concise,
    /// Everything, for programs.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of GitHub workflows.
    Github,
    /// GitLab's code quality report.
    Gitlab,
    /// JUnit's XML.
    Junit,
    /// A summary for a job's page or a comment.
    Markdown,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 8] =
        [Self::Full, Self::Concise, Self::Json, Self::Sarif, Self::Github, Self::Gitlab, Self::Junit, Self::Markdown];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Concise => "concise",
            Self::Json => "json",
            Self::Sarif => "sarif",
            Self::Github => "github",
            Self::Gitlab => "gitlab",
            Self::Junit => "junit",
            Self::Markdown => "markdown",
        }
    }
}

impl FromStr for Format {
    type Err = CommandError;

    fn from_str(name: &str) -> Result<Self, CommandError> {
        let formats = Self::ALL.map(Self::name);
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let error = CommandError::usage(format!("there is no output format `{name}`"));
            match closest(name, formats) {
                Some(nearest) => error.hint(format!("did you mean `{nearest}`?")),
                None => error.hint(format!("the formats are {}", formats.join(", "))),
            }
        })
    }
}

/// Writes a report in one format.
///
/// # Errors
/// What the writer answers.
pub fn write(format: Format, report: &Report<'_>, output: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Full => full::write(report, output),
        Format::Concise => concise::write(report, output),
        Format::Json => json::write(report, output),
        Format::Sarif => sarif::write(report, output),
        Format::Github => github::write(report, output),
        Format::Gitlab => gitlab::write(report, output),
        Format::Junit => junit::write(report, output),
        Format::Markdown => markdown::write(report, output),
    }
}

/// A format and where it goes: `FORMAT` or `FORMAT:FILE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// The format.
    pub format: Format,
    /// The file; standard output without one.
    pub file: Option<PathBuf>,
}

impl FromStr for Output {
    type Err = CommandError;

    fn from_str(text: &str) -> Result<Self, CommandError> {
        match text.split_once(':') {
            None => Ok(Self { format: text.parse()?, file: None }),
            Some((format, "")) => Err(CommandError::usage(format!("`{format}:` names no file"))),
            Some((format, file)) => Ok(Self { format: format.parse()?, file: Some(PathBuf::from(file)) }),
        }
    }
}

/// Writes a report to several places. Files get plain text whatever the terminal shows.
///
/// # Errors
/// Two outputs for one place, or what a writer answers.
pub fn write_all(outputs: &[Output], report: &Report<'_>, standard: &mut dyn Write) -> Result<(), CommandError> {
    for (index, output) in outputs.iter().enumerate() {
        if outputs.iter().take(index).any(|earlier| earlier.file == output.file) {
            let place = output.file.as_ref().map_or("standard output".into(), |file| format!("`{}`", file.display()));
            let error = CommandError::usage(format!("two outputs for {place}"));
            return Err(error.hint("send one of them to a file: FORMAT:FILE"));
        }
    }
    for output in outputs {
        match &output.file {
            None => write(output.format, report, standard)?,
            Some(file) => {
                let plain = Report { terminal: Terminal::plain(), ..*report };
                let mut text = Vec::new();
                write(output.format, &plain, &mut text)?;
                std::fs::write(file, text)
                    .map_err(|error| CommandError::input(&format!("write `{}`", file.display()), &error))?;
            }
        }
    }
    Ok(standard.flush()?)
}

#[cfg(test)]
mod tests;
