//! The line starts that a document keeps beside its text, so that an offset's line is found without a scan.

use super::Span;
use crate::lines::Position;

/// Where each line of one text begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineIndex {
    /// Byte offset of each line's first byte; never empty.
    starts: Vec<usize>,
    /// Length of the text in bytes.
    length: usize,
}

impl LineIndex {
    /// Reads the text once.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let starts =
            std::iter::once(0).chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1));
        Self { starts: starts.collect(), length: text.len() }
    }

    /// How many lines the text has. A final line end does not begin another line; an empty text has one line.
    #[must_use]
    pub fn count(&self) -> usize {
        match self.starts.last() {
            Some(last) if *last == self.length && self.starts.len() > 1 => self.starts.len() - 1,
            _ => self.starts.len(),
        }
    }

    /// The line (from 1) in which the byte at `offset` lies; offsets behind the end are on the last line.
    #[must_use]
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).max(1)
    }

    /// The bytes of a line (from 1), its line end left out. `None` where there is no such line.
    #[must_use]
    pub fn span(&self, text: &str, line: usize) -> Option<Span> {
        let start = *self.starts.get(line.checked_sub(1)?)?;
        let end = self.starts.get(line).copied().unwrap_or(self.length).min(text.len());
        let content = text.get(start..end)?;
        Some(start..start + content.trim_end_matches('\n').trim_end_matches('\r').len())
    }

    /// Line and column of a byte offset. An offset inside a character counts as that character.
    #[must_use]
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let offset = offset.min(text.len());
        let line = self.line(offset);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        // As in `crate::lines`, a byte order mark is no column.
        let start = if start == 0 && text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { start };
        let column =
            text.get(start..).unwrap_or("").char_indices().take_while(|(i, c)| start + i + c.len_utf8() <= offset);
        Position { line, column: column.count() + 1 }
    }

    /// The byte offset of a position; a column behind the line's end is taken as the line's end.
    #[must_use]
    pub fn offset(&self, text: &str, position: Position) -> Option<usize> {
        let span = self.span(text, position.line)?;
        let content = text.get(span.clone())?;
        let within = content.char_indices().nth(position.column.saturating_sub(1)).map_or(content.len(), |(i, _)| i);
        Some(span.start + within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_characters() {
        let text = "a\né漢x\r\n\n";
        let index = LineIndex::new(text);
        let offset = text.find('x').unwrap();
        assert_eq!(index.position(text, offset), Position { line: 2, column: 3 });
        assert_eq!(index.offset(text, Position { line: 2, column: 3 }), Some(offset));
        assert_eq!(index.span(text, 2), Some(2..offset + 1));
        assert_eq!(index.position(text, 3), Position { line: 2, column: 1 }, "inside the é");
        assert_eq!(index.count(), 3);
        assert_eq!(index.position(text, 999).line, 4);
        assert_eq!(index.span(text, 9), None);
    }

    #[test]
    fn an_empty_text_has_one_line() {
        let index = LineIndex::new("");
        assert_eq!(index.count(), 1);
        assert_eq!(index.position("", 0), Position { line: 1, column: 1 });
        assert_eq!(index.span("", 1), Some(0..0));
    }
}
