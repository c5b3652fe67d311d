//! The order in which a locale puts texts: marks before digits before letters, letter case and accents last.

use std::cmp::Ordering;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Marks in the order of the root locale.
const MARKS: &str = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// Compares two texts as the root locale does. Letters outside ASCII are ordered by their base letter's code point.
pub fn compare(a: &str, b: &str) -> Ordering {
    weights(a, primary).cmp(&weights(b, primary)).then_with(|| accents(a).cmp(&accents(b))).then_with(|| {
        // Of two letters that differ in case alone, the small one comes first.
        weights(a, |c| u64::from(c.is_uppercase())).cmp(&weights(b, |c| u64::from(c.is_uppercase())))
    })
}

fn weights(text: &str, weight: impl Fn(char) -> u64) -> Vec<u64> {
    text.nfd().filter(|c| !is_combining_mark(*c)).map(weight).collect()
}

fn accents(text: &str) -> Vec<char> {
    text.nfd().filter(|c| is_combining_mark(*c)).collect()
}

fn primary(c: char) -> u64 {
    let (class, rank) = match c {
        c if c.is_whitespace() => (0, 0),
        c if MARKS.contains(c) => (1, MARKS.find(c).unwrap_or(0) as u64),
        c if c.is_ascii_digit() => (3, u64::from(c)),
        c if c.is_alphabetic() => (4, u64::from(c.to_lowercase().next().unwrap_or(c))),
        c => (2, u64::from(c)),
    };
    (class << 32) | rank
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_come_before_digits_and_letters_and_case_comes_last() {
        let order = [
            "/w/_x/AGENTS.md",
            "/w/.x/AGENTS.md",
            "/w/1/AGENTS.md",
            "/w/a/AGENTS.md",
            "/w/AGENTS.md",
            "/w/b/AGENTS.md",
            "/w/B/AGENTS.md",
            "/w/é",
            "/w/f",
        ];
        for (i, a) in order.iter().enumerate() {
            for (j, b) in order.iter().enumerate() {
                assert_eq!(compare(a, b), i.cmp(&j), "{a} {b}");
            }
        }
    }
}
