//! Draws one statement with the lines that it is about, for people.
//!
//! Only the lines in question are handed to the drawing crate, escaped and clipped to the width, with the places in
//! them translated: a line of an instruction file can be a whole paragraph, and may hold anything.

use super::{Terminal, escape};
use crate::lines::{Lines, Position};
use crate::lint::config::parse::ConfigError;
use crate::lint::finding::{Location, Severity};
use crate::lint::sources::Sources;
use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan,
    SpanContents, ThemeCharacters, ThemeStyles,
};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// A span over more lines than this is shown by its first line.
const MOST_LINES: usize = 4;

/// A statement about places.
#[derive(Debug, Clone, Copy)]
pub struct Diagnosis<'d> {
    /// The first word, such as `warning[missing-path]`.
    pub code: &'d str,
    /// What the colours say.
    pub severity: Severity,
    /// One sentence.
    pub message: &'d str,
    /// Where; the first one is the place itself, the others are its causes or counterparts.
    pub locations: &'d [&'d Location],
    /// What to do.
    pub help: Option<&'d str>,
    /// A last line.
    pub note: Option<&'d str>,
}

/// Draws a diagnosis; the text ends with a line break.
pub fn render(diagnosis: &Diagnosis<'_>, sources: &dyn Sources, terminal: &Terminal) -> String {
    let snippets = Snippets::new(diagnosis.locations, sources, terminal.width);
    let drawn = Drawn {
        code: diagnosis.code,
        message: escape::inline(diagnosis.message).into_owned(),
        help: diagnosis.help.map(|help| escape::inline(help).into_owned()),
        severity: match diagnosis.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Info | Severity::Hint => miette::Severity::Advice,
        },
        snippets,
    };
    let theme = GraphicalTheme {
        characters: if terminal.unicode { ThemeCharacters::unicode() } else { ThemeCharacters::ascii() },
        styles: if terminal.color { ThemeStyles::ansi() } else { ThemeStyles::none() },
    };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(terminal.width)
        .with_links(false)
        // A path or command that is broken in two can neither be clicked nor copied.
        .with_break_words(false)
        .with_word_splitter(textwrap::WordSplitter::NoHyphenation)
        .with_word_separator(textwrap::WordSeparator::AsciiSpace)
        .without_syntax_highlighting();
    let mut text = String::new();
    if handler.render_report(&mut text, &drawn).is_err() {
        // Cannot happen with spans that we made ourselves; the statement must not be lost if it does.
        text = format!("{}: {}\n", drawn.code, drawn.message);
    }
    if let Some(note) = diagnosis.note {
        text.push_str(&format!("  {}\n", escape::inline(note)));
    }
    let text: String = text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    escape::defuse_commands(&text).into_owned()
}

/// Draws a configuration file that cannot be used.
pub fn render_config_error(error: &ConfigError, terminal: &Terminal) -> String {
    let sources: BTreeMap<String, String> = [(error.path.clone(), error.text.to_string())].into();
    let mut text = String::new();
    for problem in &error.problems {
        let location = Location { path: error.path.clone(), span: problem.span.clone(), label: String::new() };
        let diagnosis = Diagnosis {
            code: "error[config]",
            severity: Severity::Error,
            message: &problem.message,
            locations: &[&location],
            help: problem.help.as_deref(),
            note: None,
        };
        text.push_str(&render(&diagnosis, &sources, terminal));
    }
    text
}

#[derive(Debug)]
struct Drawn<'d> {
    code: &'d str,
    message: String,
    help: Option<String>,
    severity: miette::Severity,
    snippets: Snippets,
}

impl fmt::Display for Drawn<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Drawn<'_> {}

impl miette::Diagnostic for Drawn<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.code))
    }
    fn severity(&self) -> Option<miette::Severity> {
        Some(self.severity)
    }
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.snippets)
    }
    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.snippets.labels.iter().cloned()))
    }
}

/// Pieces of files, one after the other in one text.
#[derive(Debug, Default)]
struct Snippets {
    text: String,
    pieces: Vec<Piece>,
    labels: Vec<LabeledSpan>,
    /// Where in its file each label begins, by its offset in `text`.
    positions: BTreeMap<usize, Position>,
}

/// Consecutive lines of one file.
#[derive(Debug)]
struct Piece {
    name: String,
    /// The first line's number, from 1.
    first: usize,
    /// Each line's bytes in the joint text, with its line break.
    lines: Vec<Range<usize>>,
}

/// A label as it is shown: spans of many lines cut to their first.
struct Shown {
    span: Range<usize>,
    first: usize,
    last: usize,
    label: String,
    primary: bool,
}

impl Snippets {
    fn new(locations: &[&Location], sources: &dyn Sources, width: usize) -> Self {
        let mut snippets = Self::default();
        let mut paths: Vec<&str> = Vec::new();
        for location in locations {
            if !paths.contains(&location.path.as_str()) {
                paths.push(&location.path);
            }
        }
        for path in paths {
            let text = sources.text(path).unwrap_or_default();
            let lines = Lines::of(&text);
            let here = locations.iter().enumerate().filter(|(_, location)| location.path == path);
            let mut shown: Vec<Shown> =
                here.map(|(index, location)| Shown::new(location, &lines, index == 0)).collect();
            shown.sort_by_key(|shown| (shown.span.start, shown.span.end));
            snippets.add_file(path, &lines, &shown, width);
        }
        snippets
    }

    fn add_file(&mut self, path: &str, lines: &Lines<'_>, shown: &[Shown], width: usize) {
        let last_line = lines.count();
        let mut pieces: Vec<Range<usize>> = Vec::new();
        for label in shown {
            let lines = label.first.saturating_sub(1).max(1)..(label.last + 1).min(last_line).max(label.last) + 1;
            match pieces.last_mut() {
                Some(piece) if piece.end >= lines.start => piece.end = piece.end.max(lines.end),
                _ => pieces.push(lines),
            }
        }
        for numbers in pieces {
            let number_width = numbers.end.saturating_sub(1).to_string().len();
            // Spans over several lines are drawn as arrows left of the text.
            let arrows = shown
                .iter()
                .filter(|label| label.first < label.last && label.first < numbers.end && label.last >= numbers.start)
                .count();
            let gutter = if arrows == 0 { 0 } else { arrows + 3 };
            let room = width.saturating_sub(number_width + 4 + gutter).max(20);
            let mut piece = Piece { name: escape::path(path).into_owned(), first: numbers.start, lines: Vec::new() };
            for number in numbers.clone() {
                let labels: Vec<&Shown> =
                    shown.iter().filter(|label| label.first <= number && number <= label.last).collect();
                let focus = labels.iter().filter(|label| label.first == number).map(|label| label.span.start).min();
                let line = ClippedLine::new(lines, number, focus, room);
                let start = self.text.len();
                self.text.push_str(&line.text);
                self.text.push('\n');
                piece.lines.push(start..self.text.len());
                for label in labels.iter().filter(|label| label.first == number) {
                    let from = start + line.place(label.span.start);
                    self.positions.insert(from, lines.position(label.span.start));
                    if label.first == label.last {
                        let to = start + line.place(label.span.end);
                        let column = from - start;
                        self.label(from..to.max(from), label, room.saturating_sub(column + 6));
                    } else {
                        // Closed when its last line is reached.
                        self.label(from..from, label, room.saturating_sub(8));
                    }
                }
                for label in labels.iter().filter(|label| label.first < number && label.last == number) {
                    let to = start + line.place(label.span.end);
                    self.close(label, to, lines);
                }
            }
            self.pieces.push(piece);
            // Keeps a label at the end of one piece from touching the next.
            self.text.push('\n');
        }
    }

    fn label(&mut self, span: Range<usize>, label: &Shown, room: usize) {
        let text = (!label.label.is_empty()).then(|| {
            let options = textwrap::Options::new(room.max(30))
                .break_words(false)
                .word_separator(textwrap::WordSeparator::AsciiSpace)
                .word_splitter(textwrap::WordSplitter::NoHyphenation);
            textwrap::fill(&label.label, options)
        });
        let span = SourceSpan::from((span.start, span.len()));
        self.labels.push(if label.primary {
            LabeledSpan::new_primary_with_span(text, span)
        } else {
            LabeledSpan::new_with_span(text, span)
        });
    }

    fn close(&mut self, label: &Shown, end: usize, lines: &Lines<'_>) {
        let start = lines.position(label.span.start);
        let opened = self.labels.iter_mut().rev().find(|open| {
            open.is_empty() && open.primary() == label.primary && self.positions.get(&open.offset()) == Some(&start)
        });
        if let Some(open) = opened {
            let text = open.label().map(str::to_string);
            let span = SourceSpan::from((open.offset(), end.saturating_sub(open.offset())));
            *open = if label.primary {
                LabeledSpan::new_primary_with_span(text, span)
            } else {
                LabeledSpan::new_with_span(text, span)
            };
        }
    }
}

impl Shown {
    fn new(location: &Location, lines: &Lines<'_>, primary: bool) -> Self {
        let start = lines.boundary(location.span.start);
        let end = lines.boundary(location.span.end).max(start);
        // A span that ends with a line break ends with that line.
        let spanned = lines.text().get(start..end).unwrap_or_default();
        let end = start + spanned.trim_end_matches(['\n', '\r']).len();
        let (first, last) = (lines.line_of(start), lines.line_of(end));
        let mut label = escape::inline(&location.label).into_owned();
        if last - first < MOST_LINES {
            return Self { span: start..end, first, last, label, primary };
        }
        let through = format!("through line {last}");
        label = if label.is_empty() { through } else { format!("{label} ({through})") };
        Self { span: start..lines.span(first).end.max(start), first, last: first, label, primary }
    }
}

/// One line as it is shown.
struct ClippedLine {
    text: String,
    /// Offset in the file, offset in `text`; ascending.
    places: Vec<(usize, usize)>,
}

const CUT: &str = "...";

impl ClippedLine {
    /// Shows a line in `room` columns; what is at `focus` (an offset in the file) stays in sight.
    fn new(lines: &Lines<'_>, number: usize, focus: Option<usize>, room: usize) -> Self {
        let span = lines.span(number);
        let source = lines.text().get(span.clone()).unwrap_or_default();
        let mut characters: Vec<(usize, String, usize)> = Vec::new();
        let mut column = 0;
        for (offset, character) in source.char_indices() {
            let offset = span.start + offset;
            if offset == 0 && character == '\u{feff}' {
                continue;
            }
            let mut buffer = [0; 4];
            let shown = match character {
                // As many spaces as a tab takes, so that a caret stays under its character.
                '\t' => " ".repeat(4 - column % 4),
                _ => escape::inline(character.encode_utf8(&mut buffer)).into_owned(),
            };
            let width = shown.chars().filter_map(UnicodeWidthChar::width).sum::<usize>();
            characters.push((offset, shown, width));
            column += width;
        }
        let mut before = 0;
        let mut kept = room;
        if column > room {
            kept = room.saturating_sub(2 * CUT.len()).max(1);
            let focus = focus.unwrap_or(0);
            let focus_column: usize = characters.iter().take_while(|(at, ..)| *at < focus).map(|(.., w)| w).sum();
            if focus_column > kept * 2 / 3 {
                before = focus_column - kept / 3;
            }
        }
        let mut line = Self { text: String::new(), places: Vec::new() };
        if before > 0 {
            line.text.push_str(CUT);
        }
        let mut column = 0;
        let mut cut = false;
        for (offset, shown, width) in characters {
            let inside = column >= before && column + width <= before + kept;
            // What is clipped away has the place of the mark that stands for it.
            let place = if column < before { 0 } else { line.text.len() };
            line.places.push((offset, place));
            if inside && !cut {
                line.text.push_str(&shown);
            } else if column >= before && !cut {
                cut = true;
                line.text.push_str(CUT);
            }
            column += width;
        }
        line.places.push((span.end, line.text.len()));
        line
    }

    /// Where an offset of the file is in the shown line.
    fn place(&self, offset: usize) -> usize {
        let index = self.places.partition_point(|(at, _)| *at < offset);
        self.places.get(index).map_or(self.text.len(), |(_, place)| *place)
    }
}

impl SourceCode for Snippets {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (start, end) = (span.offset(), span.offset() + span.len());
        let holds = |lines: &Range<usize>, offset: usize| lines.start <= offset && offset < lines.end;
        for piece in &self.pieces {
            let Some(first) = piece.lines.iter().position(|line| holds(line, start)) else { continue };
            // A span over two pieces is none: both are shown apart.
            let last = piece.lines.iter().position(|line| holds(line, end)).ok_or(MietteError::OutOfBounds)?;
            let from = first.saturating_sub(before);
            let to = (last + after).min(piece.lines.len().saturating_sub(1));
            let bounds = piece.lines.get(from).zip(piece.lines.get(to)).ok_or(MietteError::OutOfBounds)?;
            let range = bounds.0.start..bounds.1.end;
            let data = self.text.get(range.clone()).ok_or(MietteError::OutOfBounds)?.as_bytes();
            // Asked without context for the head of the snippet: there the place in the file itself is wanted.
            let position = self.positions.get(&start).filter(|_| before == 0 && after == 0);
            let (line, column) = match position {
                Some(position) => (position.line - 1, position.column - 1),
                None => (piece.first - 1 + from, 0),
            };
            return Ok(Box::new(MietteSpanContents::new_named(
                piece.name.clone(),
                data,
                SourceSpan::from((range.start, range.len())),
                line,
                column,
                to - from + 1,
            )));
        }
        Err(MietteError::OutOfBounds)
    }
}
