//! A text on its way to the model that still knows which lines of its file it is made of.

use crate::host::schema::Unit;
use std::ops::Range;
use std::sync::Arc;

/// Text of one file, with parts taken out and parts put in.
#[derive(Debug, Clone)]
pub struct Text {
    source: Arc<str>,
    parts: Vec<Part>,
}

/// A stretch of a [`Text`].
#[derive(Debug, Clone)]
enum Part {
    /// Bytes of the file's own text.
    Kept(Range<usize>),
    /// Text that the host adds, or another file's.
    Added(String),
}

impl Text {
    /// The whole of a file's text.
    pub fn new(source: String) -> Self {
        let whole = 0..source.len();
        Self { source: source.into(), parts: vec![Part::Kept(whole)] }
    }

    /// The file's own text, whole.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The text as it is now.
    pub fn flatten(&self) -> String {
        self.pieces().collect()
    }

    fn pieces(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|part| match part {
            Part::Kept(range) => &self.source[range.clone()],
            Part::Added(text) => text.as_str(),
        })
    }

    /// Its length in bytes.
    pub fn len(&self) -> usize {
        self.pieces().map(str::len).sum()
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether nothing but Unicode white space is left.
    pub fn is_blank(&self) -> bool {
        self.pieces().all(|p| p.trim().is_empty())
    }

    /// Puts `replacement` in the place of a range of the text as it is now. The range is cut to the text.
    pub fn replace(&mut self, range: Range<usize>, replacement: &str) {
        let mut parts = Vec::with_capacity(self.parts.len() + 2);
        let mut at = 0;
        let mut placed = replacement.is_empty();
        for part in std::mem::take(&mut self.parts) {
            let length = match &part {
                Part::Kept(range) => range.len(),
                Part::Added(text) => text.len(),
            };
            let (start, end) = (at, at + length);
            at = end;
            let head = range.start.clamp(start, end) - start;
            let tail = range.end.clamp(start, end) - start;
            if head > 0 {
                parts.push(slice(&part, 0..head));
            }
            if !placed && range.start <= end {
                parts.push(Part::Added(replacement.to_owned()));
                placed = true;
            }
            if tail.max(head) < length {
                parts.push(slice(&part, tail.max(head)..length));
            }
        }
        if !placed {
            parts.push(Part::Added(replacement.to_owned()));
        }
        self.parts = parts;
    }

    /// Puts replacements in the place of ranges of the text as it is now. The ranges are in order and do not overlap.
    pub fn edit(&mut self, edits: &[(Range<usize>, String)]) {
        if edits.is_empty() {
            return;
        }
        let mut parts = Vec::with_capacity(self.parts.len() + 2 * edits.len());
        let mut open = edits.iter().peekable();
        let mut at = 0;
        for part in std::mem::take(&mut self.parts) {
            let length = match &part {
                Part::Kept(range) => range.len(),
                Part::Added(text) => text.len(),
            };
            let (start, end) = (at, at + length);
            let mut from = start;
            while let Some((range, new)) = open.peek().filter(|(range, _)| range.start < end) {
                if range.start > from {
                    parts.push(slice(&part, from - start..range.start - start));
                }
                if range.start >= start && !new.is_empty() {
                    parts.push(Part::Added(new.clone()));
                }
                from = range.end.min(end).max(from);
                if range.end > end {
                    break;
                }
                open.next();
            }
            if from < end {
                parts.push(slice(&part, from - start..length));
            }
            at = end;
        }
        parts.extend(open.filter(|(r, new)| r.start >= at && !new.is_empty()).map(|(_, new)| Part::Added(new.clone())));
        self.parts = parts;
    }

    /// Where the byte `at` of the text as it is now stands in the file's own text; for added text, the next that does.
    pub fn source_offset(&self, at: usize) -> Option<usize> {
        let mut passed = 0;
        for part in &self.parts {
            match part {
                Part::Kept(range) if at < passed + range.len() => {
                    return Some(range.start + at.saturating_sub(passed));
                }
                Part::Kept(range) => passed += range.len(),
                Part::Added(text) => passed += text.len(),
            }
        }
        None
    }

    /// Keeps only a range of the text as it is now.
    pub fn keep(&mut self, range: Range<usize>) {
        self.replace(range.end..usize::MAX, "");
        self.replace(0..range.start, "");
    }

    /// Takes white space off both ends.
    pub fn trim(&mut self) {
        let flat = self.flatten();
        let start = flat.len() - flat.trim_start().len();
        self.keep(start..start.max(flat.trim_end().len()));
    }

    /// Takes white space off the end.
    pub fn trim_end(&mut self) {
        self.keep(0..self.flatten().trim_end().len());
    }

    /// The byte ranges of the file's own text that are left.
    pub fn kept(&self) -> Vec<Range<usize>> {
        let mut kept: Vec<Range<usize>> = Vec::new();
        for part in &self.parts {
            if let Part::Kept(range) = part
                && !range.is_empty()
            {
                match kept.last_mut() {
                    Some(last) if last.end == range.start => last.end = range.end,
                    _ => kept.push(range.clone()),
                }
            }
        }
        kept
    }

    /// The lines of the file, from 1, of which more than the line end is left, as runs of first and last.
    pub fn kept_lines(&self) -> Vec<(usize, usize)> {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        let mut line = 1;
        let mut counted = 0;
        for range in self.kept() {
            line += count_line_ends(&self.source.as_bytes()[counted..range.start]);
            let kept = &self.source[range.clone()];
            let last = line + count_line_ends(kept.trim_end_matches(['\n', '\r']).as_bytes());
            match runs.last_mut() {
                Some(run) if run.1 + 1 >= line => run.1 = run.1.max(last),
                _ => runs.push((line, last)),
            }
            line += count_line_ends(kept.as_bytes());
            counted = range.end;
        }
        runs
    }
}

fn slice(part: &Part, range: Range<usize>) -> Part {
    match part {
        Part::Kept(kept) => Part::Kept(kept.start + range.start..kept.start + range.end),
        Part::Added(text) => Part::Added(text[range].to_owned()),
    }
}

fn count_line_ends(bytes: &[u8]) -> usize {
    bytes.iter().filter(|b| **b == b'\n').count()
}

/// How many lines a text has; a last line without line end counts.
pub fn count_lines(text: &str) -> usize {
    text.lines().count()
}

/// The length of a text.
pub fn measure(text: &str, unit: Unit) -> u64 {
    (match unit {
        Unit::Bytes => text.len(),
        Unit::Characters => text.chars().count(),
        Unit::Utf16Units => text.chars().map(char::len_utf16).sum(),
        Unit::Lines => count_lines(text),
    }) as u64
}

/// The byte offset at which the first `amount` units end; inside a character it is that character's start.
pub fn offset_of(text: &str, amount: u64, unit: Unit) -> usize {
    let mut left = amount;
    match unit {
        Unit::Lines => {
            let mut end = 0;
            for line in text.split_inclusive('\n') {
                if left == 0 {
                    break;
                }
                end += line.len();
                left -= 1;
            }
            end
        }
        _ => {
            for (at, c) in text.char_indices() {
                let size = match unit {
                    Unit::Bytes => c.len_utf8(),
                    Unit::Utf16Units => c.len_utf16(),
                    _ => 1,
                } as u64;
                if size > left {
                    return at;
                }
                left -= size;
            }
            text.len()
        }
    }
}

/// The byte offset from which on the last `amount` units begin.
pub fn offset_from_end(text: &str, amount: u64, unit: Unit) -> usize {
    let total = measure(text, unit);
    let skip = total.saturating_sub(amount);
    let mut at = offset_of(text, skip, unit);
    // A character that the cut would split belongs to the part that is dropped.
    while at < text.len() && measure(&text[at..], unit) > amount {
        at += text[at..].chars().next().map_or(1, char::len_utf8);
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_are_taken_out_are_no_longer_kept() {
        let mut text = Text::new("one\ntwo\nthree\nfour\n".to_owned());
        text.replace(4..8, "");
        assert_eq!(text.flatten(), "one\nthree\nfour\n");
        assert_eq!(text.kept_lines(), [(1, 1), (3, 4)]);
        text.replace(4..4, "ADDED\n");
        assert_eq!(text.flatten(), "one\nADDED\nthree\nfour\n");
        assert_eq!(text.kept_lines(), [(1, 1), (3, 4)]);
        text.keep(0..13);
        assert_eq!(text.flatten(), "one\nADDED\nthr");
        assert_eq!(text.kept_lines(), [(1, 1), (3, 3)]);
    }

    #[test]
    fn many_edits_are_done_at_once() {
        let edits = |list: &[(Range<usize>, &str)]| {
            let list: Vec<_> = list.iter().map(|(range, new)| (range.clone(), (*new).to_owned())).collect();
            let mut text = Text::new("one\ntwo\nthree\n".to_owned());
            text.replace(4..4, "NEW\n");
            text.edit(&list);
            text.flatten()
        };
        assert_eq!(edits(&[]), "one\nNEW\ntwo\nthree\n");
        assert_eq!(edits(&[(0..0, "<"), (3..4, ""), (18..18, ">")]), "<oneNEW\ntwo\nthree\n>");
        assert_eq!(edits(&[(2..9, "-"), (9..10, "W"), (12..18, "")]), "on-Wo\n");
        assert_eq!(edits(&[(0..18, "all")]), "all");
        let mut text = Text::new("one\ntwo\n".to_owned());
        text.edit(&[(0..4, String::new())]);
        assert_eq!((text.kept_lines(), text.source_offset(0), text.source_offset(9)), (vec![(2, 2)], Some(4), None));
    }

    #[test]
    fn an_insertion_at_either_end_is_placed() {
        let mut text = Text::new("ab".to_owned());
        text.replace(0..0, "<");
        text.replace(3..3, ">");
        assert_eq!(text.flatten(), "<ab>");
        let mut empty = Text::new(String::new());
        empty.replace(0..0, "x");
        assert_eq!(empty.flatten(), "x");
    }

    #[test]
    fn offsets_never_split_a_character() {
        assert_eq!(offset_of("aé😀b", 2, Unit::Bytes), 1);
        assert_eq!(offset_of("aé😀b", 3, Unit::Utf16Units), 3);
        assert_eq!(offset_of("aé😀b", 4, Unit::Utf16Units), 7);
        assert_eq!(offset_from_end("aé😀b", 2, Unit::Utf16Units), 7);
        assert_eq!(offset_from_end("aé😀b", 2, Unit::Characters), 3);
    }
}
