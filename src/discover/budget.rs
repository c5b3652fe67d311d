//! Budgets: what is kept of a text that is too long.

use super::text::{self, Text};
use super::{digest, ends};
use crate::host::schema::{Budget, Digest, Keep, OmittedHeadings, Unit};
use indexmap::IndexMap;

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

/// Cuts a text to `limit` units as its budget says for a file of this name.
pub fn cut_by(
    text: &mut Text,
    limit: u64,
    budget: &Budget,
    notice: Option<&str>,
    digests: &IndexMap<String, Digest>,
    names: &Names<'_>,
) -> Outcome {
    let keep = by_name(&budget.keep_by_name, names.name).unwrap_or(budget.keep);
    let is_too_long = text::measure(&text.flatten(), budget.unit) > limit;
    match (keep, &budget.split, budget.digest.as_ref().and_then(|name| digests.get(name))) {
        (Keep::HeadAndTailWithin, Some(split), _) if is_too_long => {
            ends::cut(text, limit, budget.unit, split, names.name);
            Outcome::Cut
        }
        (Keep::HeadDigestTail, _, Some(digest)) if is_too_long => {
            digest::cut(text, limit, budget.unit, digest);
            Outcome::Cut
        }
        _ if keep == budget.keep => cut(text, limit, budget, notice, names),
        _ => cut(text, limit, &Budget { keep, ..budget.clone() }, notice, names),
    }
}

/// What a table says for a base name, letter case aside.
pub fn by_name<T: Copy>(table: &IndexMap<String, T>, name: &str) -> Option<T> {
    table.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| *value)
}

/// Cuts a text to `limit` units.
pub fn cut(text: &mut Text, limit: u64, budget: &Budget, notice: Option<&str>, names: &Names<'_>) -> Outcome {
    let Budget { unit, keep, .. } = *budget;
    let flat = text.flatten();
    let length = text::measure(&flat, unit);
    if length <= limit {
        return Outcome::Whole;
    }
    let end = match keep {
        Keep::Nothing => return Outcome::Dropped,
        Keep::HeadAndTail => {
            return cut_joined(&mut [text], limit, budget, notice, names).pop().unwrap_or(Outcome::Whole);
        }
        // The latter two are cut elsewhere; without the data that they need, they keep the start.
        Keep::Head | Keep::HeadAndTailWithin | Keep::HeadDigestTail => text::offset_of(&flat, limit, unit),
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

/// Cuts several texts as if they were one: of the whole, the start and the end are kept, and the notice stands between.
/// Says for each what is left of it.
pub fn cut_joined(
    texts: &mut [&mut Text],
    limit: u64,
    budget: &Budget,
    notice: Option<&str>,
    names: &Names<'_>,
) -> Vec<Outcome> {
    let unit = budget.unit;
    let flat: Vec<String> = texts.iter().map(|t| t.flatten()).collect();
    let lengths: Vec<u64> = flat.iter().map(|t| text::measure(t, unit)).collect();
    let total: u64 = lengths.iter().sum();
    if total <= limit {
        return vec![Outcome::Whole; texts.len()];
    }
    let (head, tail) = (share(limit, budget.head_share), share(limit, budget.tail_share));
    let joined = flat.concat();
    let omitted = text::offset_of(&joined, head, unit)..text::offset_of(&joined, total.saturating_sub(tail), unit);
    let notice = notice.map_or(String::new(), |notice| {
        let headings = budget.omitted_headings.as_ref().map_or(String::new(), |form| headings(&joined, &omitted, form));
        fill(notice, names, limit, total, &joined[..omitted.start])
            .replace("{head}", &head.to_string())
            .replace("{tail}", &tail.to_string())
            .replace("{omitted-headings}", &headings)
    });
    if tail == 0 {
        // The last nothing of a text is all of it, in the language that the hosts which do this are written in.
        if let Some(first) = texts.first_mut() {
            first.replace(0..0, &format!("{}{notice}", &joined[..omitted.start]));
        }
        return vec![Outcome::Cut; texts.len()];
    }
    let mut outcomes = Vec::with_capacity(texts.len());
    let mut start = 0;
    let mut told = false;
    for (text, flat) in texts.iter_mut().zip(&flat) {
        let end = start + flat.len();
        let from = omitted.start.clamp(start, end) - start;
        let to = omitted.end.clamp(start, end) - start;
        // The notice stands behind the last character that is kept of the start.
        let here = !told && omitted.start <= end;
        told |= here;
        outcomes.push(match (from == to, from == 0 && to == flat.len()) {
            (true, _) if !here => Outcome::Whole,
            (_, true) if !here => Outcome::Dropped,
            _ => Outcome::Cut,
        });
        text.replace(from..to, if here { &notice } else { "" });
        start = end;
    }
    outcomes
}

/// A share of a limit, cut to whole units.
fn share(limit: u64, share: f64) -> u64 {
    // Limits are far below what a float holds exactly.
    (limit as f64 * share).trunc().max(0.0) as u64
}

/// The Markdown headings that begin in a stretch of a text, as a notice names them.
fn headings(text: &str, stretch: &std::ops::Range<usize>, form: &OmittedHeadings) -> String {
    let mut found: Vec<&str> = Vec::new();
    let (mut at, mut fenced) = (0, false);
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        let level = content.len() - content.trim_start_matches('#').len();
        if content.starts_with("```") || content.starts_with("~~~") {
            fenced = !fenced;
        } else if !fenced
            && stretch.contains(&at)
            && (1..=6).contains(&level)
            && content[level..].starts_with(' ')
            && content[level + 1..].chars().next().is_some_and(|c| !c.is_whitespace())
        {
            found.push(content[level..].trim());
        }
        at += line.len();
    }
    if found.is_empty() {
        return String::new();
    }
    if found.len() > form.limit {
        found.truncate(form.limit);
        found.push(&form.more);
    }
    format!("{}{}{}", form.open, found.join(&form.between), form.close)
}

/// A number with a comma between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut result = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            result.push(',');
        }
        result.push(digit);
    }
    result
}

fn fill(template: &str, names: &Names<'_>, limit: u64, length: u64, kept: &str) -> String {
    template
        .replace("{name}", names.name)
        .replace("{path}", names.path)
        .replace("{limit}", &limit.to_string())
        .replace("{length}", &length.to_string())
        .replace("{length-in-groups}", &grouped(length))
        .replace("{next-line}", &(text::count_lines(kept) + 1).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str, limit: u64, unit: Unit, keep: Keep) -> String {
        let mut text = Text::new(text.to_owned());
        cut(&mut text, limit, &budget(unit, keep), None, &Names::default());
        text.flatten()
    }

    fn budget(unit: Unit, keep: Keep) -> Budget {
        let form = serde_json::json!({"limit": 0, "unit": unit, "keep": "head", "head-share": 0.7, "tail-share": 0.2});
        Budget { keep, ..serde_json::from_value(form).unwrap() }
    }

    fn joined(texts: &[&str], limit: u64) -> (Vec<String>, Vec<Outcome>) {
        let mut texts: Vec<Text> = texts.iter().map(|t| Text::new((*t).to_owned())).collect();
        let budget = budget(Unit::Characters, Keep::HeadAndTail);
        let names = Names { name: "F", path: "/f" };
        let mut open: Vec<&mut Text> = texts.iter_mut().collect();
        let outcomes = cut_joined(&mut open, limit, &budget, Some("[{name} {head}+{tail} of {length}]"), &names);
        (texts.iter().map(Text::flatten).collect(), outcomes)
    }

    #[test]
    fn head_and_tail_are_kept_of_characters() {
        let kept = |text: &str, limit| kept(text, limit, Unit::Characters, Keep::HeadAndTail);
        assert_eq!(kept("0123456789", 10), "0123456789");
        assert_eq!(kept("0123456789é", 10), "01234569é");
        // Nothing is left for the end: all of it is taken.
        assert_eq!(kept("abcdefg", 4), "ababcdefg");
        for (limit, head, tail) in
            [(8000, 5600, 1600), (20160, 14112, 4032), (61440, 43008, 12288), (31457, 22019, 6291)]
        {
            assert_eq!((share(limit, 0.7), share(limit, 0.2)), (head, tail));
        }
    }

    #[test]
    fn several_texts_are_cut_as_one() {
        let (texts, outcomes) = joined(&["0123", "4567", "89ab", "cdef"], 10);
        assert_eq!(texts, ["0123", "456[F 7+2 of 16]", "", "ef"]);
        assert_eq!(outcomes, [Outcome::Whole, Outcome::Cut, Outcome::Dropped, Outcome::Cut]);
        let (texts, outcomes) = joined(&["0123456", "789", "ab"], 10);
        assert_eq!(texts, ["0123456[F 7+2 of 12]", "", "ab"]);
        assert_eq!(outcomes, [Outcome::Cut, Outcome::Dropped, Outcome::Whole]);
        assert_eq!(joined(&["01234", "56789"], 10).1, [Outcome::Whole, Outcome::Whole]);
    }

    #[test]
    fn headings_of_the_cut_part_are_named() {
        let form = OmittedHeadings {
            limit: 2,
            open: " Omitted: ".to_owned(),
            between: "; ".to_owned(),
            more: "...".to_owned(),
            close: ".".to_owned(),
        };
        let text = "# A\n## B\n```\n# no\n```\n####### no\n#no\n### C #\n# D\n";
        assert_eq!(headings(text, &(0..text.len()), &form), " Omitted: A; B; ....");
        assert_eq!(headings(text, &(1..text.len() - 4), &form), " Omitted: B; C #.");
        assert_eq!(headings(text, &(0..0), &form), "");
        assert_eq!(
            (grouped(999), grouped(8001), grouped(1_234_567)),
            ("999".into(), "8,001".into(), "1,234,567".into())
        );
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
