//! Cuts a text to its start, a digest of the lines that look like rules, and its end, all within the limit.

use super::ends::share;
use super::text::{self, Text};
use crate::host::schema::{Digest, Unit};
use regex::Regex;

/// A line that can be taken into the digest, with the line that it brings along.
#[derive(Debug, PartialEq, Eq)]
struct Candidate {
    text: String,
    first: bool,
}

/// Cuts a text that is longer than `limit` units.
pub fn cut(text: &mut Text, limit: u64, unit: Unit, digest: &Digest) {
    let flat = text.flatten();
    let length = text::measure(&flat, unit);
    let candidates = candidates(&flat, digest, unit);
    let (mut head, mut tail) = (share(limit, digest.head), share(limit, digest.tail));
    let mut room = share(limit, digest.share);
    let mut chosen = choose(&candidates, room, unit);
    loop {
        let start = text::offset_of(&flat, head, unit);
        let end = text::offset_from_end(&flat, tail, unit).max(start);
        let middle = middle(digest, &chosen, [head, tail, length], unit);
        let joint = |there: bool| if there { "\n" } else { "" };
        let between = format!("{}{middle}{}", joint(start > 0), joint(end < flat.len()));
        let whole =
            text::measure(&flat[..start], unit) + text::measure(&between, unit) + text::measure(&flat[end..], unit);
        let excess = whole.saturating_sub(limit);
        if excess > 0 && tail > 0 {
            tail = tail.saturating_sub(excess);
        } else if excess > 0 && head > 1 {
            head = head.saturating_sub(excess).max(1);
        } else if excess > 0 && room > 0 {
            room = room.saturating_sub(excess);
            chosen = choose(&candidates, room, unit);
        } else {
            text.replace(start..end, &between);
            break;
        }
    }
    let flat = text.flatten();
    text.keep(0..text::offset_of(&flat, limit, unit));
}

/// What stands between start and end. `sizes` are those of the start, the end and the whole text.
fn middle(digest: &Digest, chosen: &Choice, sizes: [u64; 3], unit: Unit) -> String {
    let [head, tail, length] = sizes.map(|size| size.to_string());
    let mut lines = vec![digest.note.clone()];
    if !chosen.text.is_empty() {
        lines.push(digest.heading.clone());
        lines.push(chosen.text.clone());
    }
    if chosen.omitted > 0 {
        lines.push(digest.omitted.replace("{omitted}", &chosen.omitted.to_string()));
    }
    let taken = text::measure(&chosen.text, unit).to_string();
    let summary = digest.summary.replace("{head}", &head).replace("{digest}", &taken);
    lines.push(summary.replace("{tail}", &tail).replace("{length}", &length));
    lines.join("\n")
}

/// What was taken into the digest.
struct Choice {
    text: String,
    omitted: usize,
}

/// Takes candidates while they fit, the urgent ones first; they are written in the order of the text.
fn choose(candidates: &[Candidate], room: u64, unit: Unit) -> Choice {
    if room == 0 {
        return Choice { text: String::new(), omitted: 0 };
    }
    let mut taken = vec![false; candidates.len()];
    let mut used = 0;
    for first in [true, false] {
        for (candidate, taken) in candidates.iter().zip(&mut taken).filter(|(c, _)| c.first == first) {
            let joint = u64::from(used > 0);
            let size = joint + text::measure(&candidate.text, unit);
            if used + size <= room {
                used += size;
                *taken = true;
            }
        }
    }
    let chosen: Vec<&str> = candidates.iter().zip(&taken).filter(|(_, t)| **t).map(|(c, _)| c.text.as_str()).collect();
    Choice { text: chosen.join("\n"), omitted: candidates.len() - chosen.len() }
}

/// Items and headings. A line is looked at without white space around it.
const MARKED: &str = r"^(?:#{1,6}|[-*+]|[0-9]+[.)])\s+\S";

fn candidates(text: &str, digest: &Digest, unit: Unit) -> Vec<Candidate> {
    let marked = Regex::new(MARKED).ok();
    let counts = matcher(&digest.words, &digest.signs);
    let first = matcher(&digest.first_words, &digest.first_signs);
    let holds = |pattern: &Option<Regex>, line: &str| pattern.as_ref().is_some_and(|p| p.is_match(line));
    let mut found = Vec::new();
    let mut before: Option<String> = None;
    for line in text.split('\n') {
        let line = squeeze(line, digest.line_limit, unit);
        if line.is_empty() || (digest.with_line_before && (line.starts_with("```") || line.starts_with("~~~"))) {
            before = None;
        } else if holds(&marked, &line) || holds(&counts, &line) {
            let first = holds(&first, &line);
            let text = match before.take().filter(|_| digest.with_line_before) {
                Some(before) => format!("{before}\n{line}"),
                None => line,
            };
            found.push(Candidate { text, first });
        } else {
            before = Some(line);
        }
    }
    found
}

/// The line with single blanks for white space, cut to the limit.
fn squeeze(line: &str, limit: u64, unit: Unit) -> String {
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    if text::measure(&line, unit) <= limit {
        return line;
    }
    let end = text::offset_of(&line, limit.saturating_sub(1), unit);
    format!("{}…", &line[..end])
}

fn matcher(words: &[String], signs: &[String]) -> Option<Regex> {
    let list = |texts: &[String]| texts.iter().map(|t| regex::escape(t)).collect::<Vec<_>>().join("|");
    let pattern = match (words, signs) {
        ([], []) => return None,
        (words, []) => format!(r"(?i)(?-u:\b)(?:{})(?-u:\b)", list(words)),
        ([], signs) => format!("(?i)(?:{})", list(signs)),
        (words, signs) => format!(r"(?i)(?-u:\b)(?:{})(?-u:\b)|(?:{})", list(words), list(signs)),
    };
    Regex::new(&pattern).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Catalog;

    fn policy() -> Digest {
        Catalog::built_in().select("openclaw").unwrap().host.digests["policy"].clone()
    }

    fn texts(text: &str) -> Vec<(String, bool)> {
        candidates(text, &policy(), Unit::Utf16Units).into_iter().map(|c| (c.text, c.first)).collect()
    }

    #[test]
    fn headings_items_and_lines_with_a_word_count() {
        let text = "# Head\n\n- item\n\n* item\n\n+ item\n\n2) item\n\nplain\n\nCommit often\n\nrecommit often\n\n#tag\n\nnever\n";
        let plain: Vec<String> = texts(text).into_iter().map(|(t, _)| t).collect();
        assert_eq!(plain, ["# Head", "- item", "* item", "+ item", "2) item", "Commit often", "never"]);
    }

    #[test]
    fn a_line_brings_the_prose_line_before_it_but_not_across_a_blank_line_or_a_fence() {
        let lines: Vec<String> =
            texts("intro\n- a\nmore\n\n- b\nsh\n```\n- c\nx\ny\n- d\n").into_iter().map(|(t, _)| t).collect();
        assert_eq!(lines, ["intro\n- a", "- b", "- c", "y\n- d"]);
    }

    #[test]
    fn prohibitions_are_taken_first_in_any_of_the_languages() {
        let urgent = |text: &str| texts(text).first().is_some_and(|(_, first)| *first);
        for text in ["You MUST", "do not push", "see AGENTS.md", "禁止共用帳號", "🔴 stop"] {
            assert!(urgent(text), "{text}");
        }
        for text in ["- item", "run the test", "必須測試"] {
            assert!(!urgent(text), "{text}");
            assert_eq!(texts(text).len(), 1, "{text}");
        }
        assert!(texts("mustard and pride").is_empty());
    }

    #[test]
    fn a_long_line_is_squeezed_and_cut_to_240() {
        let line = format!("-   {}", "x ".repeat(200));
        let (text, _) = texts(&line).remove(0);
        assert_eq!(text::measure(&text, Unit::Utf16Units), 240);
        assert!(text.starts_with("- x x") && text.ends_with('…'));
    }
}
