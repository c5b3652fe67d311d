//! Where a byte offset of a text is, in lines and columns, and which bytes a line has.

use std::ops::Range;

/// A place as people and editors count it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, counted from 1. `\n` and `\r\n` end a line.
    pub line: usize,
    /// Column in characters (Unicode scalar values), counted from 1. A byte order mark is not counted.
    pub column: usize,
}

/// The lines of one text.
///
/// Every method takes any offset: one beyond the end is taken as the end, one inside a character as the start of it,
/// since a finding may be older than the text that it is shown with.
#[derive(Debug, Clone)]
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// Finds the lines of a text.
    pub fn of(text: &'t str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(offset, _)| offset + 1));
        Self { text, starts }
    }

    /// The whole text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// How many lines there are; a text that ends with a line break has an empty last one, which is not counted.
    pub fn count(&self) -> usize {
        match self.starts.last() {
            Some(&start) if start == self.text.len() && start > 0 => self.starts.len() - 1,
            _ => self.starts.len(),
        }
    }

    /// The nearest character boundary at or before an offset (bytes).
    pub fn boundary(&self, offset: usize) -> usize {
        boundary(self.text, offset)
    }

    /// The line (from 1) that holds an offset (bytes).
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset.min(self.text.len())).max(1)
    }

    /// The bytes of a line (from 1) without its line break; empty at the end of the text for a line that is not there.
    pub fn span(&self, line: usize) -> Range<usize> {
        let end_of_text = self.text.len();
        let Some(&start) = line.checked_sub(1).and_then(|index| self.starts.get(index)) else {
            return end_of_text..end_of_text;
        };
        let end = self.starts.get(line).map_or(end_of_text, |next| next - 1);
        let end = if end > start && self.text.as_bytes().get(end - 1) == Some(&b'\r') && end < end_of_text {
            end - 1
        } else {
            end
        };
        start..end
    }

    /// The text of a line (from 1) without its line break.
    pub fn line(&self, line: usize) -> &'t str {
        self.text.get(self.span(line)).unwrap_or_default()
    }

    /// Line and column of an offset (bytes).
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.boundary(offset);
        let line = self.line_of(offset);
        let start = self.span(line).start;
        let before = self.text.get(start..offset).unwrap_or_default();
        let mark = usize::from(start == 0 && before.starts_with('\u{feff}'));
        Position { line, column: before.chars().count() - mark + 1 }
    }
}

/// The nearest character boundary of a text at or before an offset (bytes).
pub fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_and_characters_from_one() {
        let lines = Lines::of("añb\r\nc\n\nd");
        assert_eq!(lines.count(), 4);
        assert_eq!(lines.position(0), Position { line: 1, column: 1 });
        assert_eq!(lines.position(3), Position { line: 1, column: 3 });
        assert_eq!(lines.position(2), Position { line: 1, column: 2 }, "inside a character");
        assert_eq!(lines.position(6), Position { line: 2, column: 1 });
        assert_eq!(lines.position(8), Position { line: 3, column: 1 });
        assert_eq!(lines.position(999), Position { line: 4, column: 2 }, "beyond the end");
        assert_eq!(lines.line(1), "añb");
        assert_eq!(lines.line(3), "");
        assert_eq!(lines.line(9), "");
        assert_eq!(lines.line(0), "");
    }

    #[test]
    fn a_byte_order_mark_is_no_column() {
        assert_eq!(Lines::of("\u{feff}# x").position(3), Position { line: 1, column: 1 });
        assert_eq!(Lines::of("\u{feff}# x").position(0), Position { line: 1, column: 1 });
        assert_eq!(Lines::of("\u{feff}# x\ny").position(7), Position { line: 2, column: 1 });
    }

    #[test]
    fn a_last_line_break_starts_no_line() {
        assert_eq!(Lines::of("").count(), 1);
        assert_eq!(Lines::of("a\n").count(), 1);
        assert_eq!(Lines::of("a\nb").count(), 2);
        assert_eq!(Lines::of("a\r").line(1), "a\r", "a lone carriage return ends no line");
    }
}
