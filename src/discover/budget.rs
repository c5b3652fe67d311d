//! Budgets: what is kept of a text that is too long.

use super::text::{self, Text};
use crate::host::schema::{Keep, Unit};

/// What a limit leaves of one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All of it.
    Whole,
    /// A part of it.
    Cut,
    /// Nothing.
    Dropped,
}

/// The facts that a notice in the text can name.
#[derive(Debug, Clone, Default)]
pub struct Names<'a> {
    /// The file's base name or label.
    pub name: &'a str,
    /// The file's path.
    pub path: &'a str,
}

/// Cuts a text to `limit` units.
pub fn cut(text: &mut Text, limit: u64, unit: Unit, keep: Keep, notice: Option<&str>, names: &Names<'_>) -> Outcome {
    let flat = text.flatten();
    let length = text::measure(&flat, unit);
    if length <= limit {
        return Outcome::Whole;
    }
    let end = match keep {
        Keep::Nothing => return Outcome::Dropped,
        Keep::Head => text::offset_of(&flat, limit, unit),
        Keep::HeadExact => {
            let end = text::offset_of(&flat, limit, unit);
            text.keep(0..end);
            // The bytes of a character that the cut splits are decoded to the replacement character.
            if unit == Unit::Bytes && (end as u64) < limit {
                text.replace(end..end, "\u{fffd}");
            }
            return Outcome::Cut;
        }
        Keep::HeadLines => {
            let end = text::offset_of(&flat, limit, unit);
            // A cut that falls right behind a line loses nothing of it.
            match flat[..end].rfind('\n') {
                _ if flat[end..].starts_with('\n') => end,
                Some(line_end) => line_end,
                None => end,
            }
        }
    };
    text.keep(0..end);
    if let Some(notice) = notice {
        let filled = fill(notice, names, limit, length, &flat[..end]);
        text.replace(end..end, &filled);
    }
    Outcome::Cut
}

fn fill(template: &str, names: &Names<'_>, limit: u64, length: u64, kept: &str) -> String {
    template
        .replace("{name}", names.name)
        .replace("{path}", names.path)
        .replace("{limit}", &limit.to_string())
        .replace("{length}", &length.to_string())
        .replace("{next-line}", &(text::count_lines(kept) + 1).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str, limit: u64, unit: Unit, keep: Keep) -> String {
        let mut text = Text::new(text.to_owned());
        cut(&mut text, limit, unit, keep, None, &Names::default());
        text.flatten()
    }

    #[test]
    fn a_byte_budget_cuts_inside_a_character() {
        assert_eq!(kept("aé", 3, Unit::Bytes, Keep::HeadExact), "aé");
        assert_eq!(kept("aéb", 2, Unit::Bytes, Keep::HeadExact), "a\u{fffd}");
        assert_eq!(kept("ab", 0, Unit::Bytes, Keep::HeadExact), "");
    }

    #[test]
    fn a_line_budget_cuts_at_the_last_line_end_or_in_the_first_line() {
        assert_eq!(kept("one\ntwo\nthree", 9, Unit::Utf16Units, Keep::HeadLines), "one\ntwo");
        assert_eq!(kept("one\ntwo\nthree", 7, Unit::Utf16Units, Keep::HeadLines), "one\ntwo");
        assert_eq!(kept("abcdef\nx", 4, Unit::Utf16Units, Keep::HeadLines), "abcd");
        assert_eq!(kept("a\nb\nc\nd", 2, Unit::Lines, Keep::HeadLines), "a\nb");
    }
}
