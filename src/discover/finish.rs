//! What is done to a text after the budgets: entries of other projects and fixed blocks taken out.

use super::resolve::Resolver;
use super::text::Text;
use super::transform;
use crate::host::schema::Finishing;
use regex::Regex;
use std::ops::Range;

/// Applies one named finishing.
pub fn apply(resolver: &Resolver<'_>, text: &mut Text, finishing: &Finishing) {
    if let Some(key) = &finishing.annotation {
        let active = finishing.active.as_ref().map(|name| resolver.list(name)).unwrap_or_default();
        drop_annotated_entries(text, key, &active);
    }
    for pattern in &finishing.remove {
        let Ok(pattern) = Regex::new(pattern) else { continue };
        let found: Vec<Range<usize>> = pattern.find_iter(&text.flatten()).map(|m| m.range()).collect();
        found.into_iter().rev().for_each(|range| text.replace(range, ""));
    }
    transform::apply(text, &finishing.text);
}

/// Takes out the entries whose annotations name a value that is not active.
fn drop_annotated_entries(text: &mut Text, key: &str, active: &[String]) {
    let key = regex::escape(key);
    let (Ok(opening), Ok(whole)) =
        (Regex::new(&format!(r"(?i)<!--\s*{key}\s*:")), Regex::new(&format!(r"(?is)<!--\s*{key}\s*:\s*(.*?)\s*-->")))
    else {
        return;
    };
    let active: Vec<String> = active.iter().filter_map(|v| normalize(v)).collect();
    let flat = text.flatten();
    let stays = |entry: &str| {
        let openings = opening.find_iter(entry).count();
        let values: Vec<&str> = whole.captures_iter(entry).filter_map(|c| c.get(1)).map(|m| m.as_str()).collect();
        // An annotation that is not closed hides its entry, since nobody can say for whom it is.
        openings == values.len()
            && values.iter().flat_map(|v| v.split(';')).all(|v| normalize(v).is_some_and(|v| active.contains(&v)))
    };
    let entries = entries(&flat);
    let kept: Vec<bool> = entries.iter().map(|range| stays(&flat[range.clone()])).collect();
    let mut left = kept.iter().filter(|kept| **kept).count();
    for (range, kept) in entries.iter().zip(&kept).rev() {
        if *kept {
            left -= 1;
            continue;
        }
        // Entries are joined by line ends: the one after the entry goes with it, or if none follows, the one before.
        let last = range.end == text.flatten().len();
        let start = if last && left > 0 { range.start - 1 } else { range.start };
        let end = if last { range.end } else { range.end + 1 };
        text.replace(start..end, "");
    }
}

/// A value as it is compared: what stands before the first slash (a server's name) in lower case.
fn normalize(value: &str) -> Option<String> {
    let value = value.trim();
    if value.is_empty() || value.contains(['\r', '\n', '<', '>']) {
        return None;
    }
    match value.split_once('/') {
        Some((server, rest)) if !server.is_empty() && !value.starts_with("path:") => {
            Some(format!("{}/{rest}", server.to_lowercase()))
        }
        _ => Some(value.to_owned()),
    }
}

/// The entries of a text, without the line ends between them. What stands before the first one is an entry too.
fn entries(text: &str) -> Vec<Range<usize>> {
    let mut starts = vec![0];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if at > 0 && begins_entry(line) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).map(|next| next - 1).chain([text.len()]).collect::<Vec<_>>();
    starts.into_iter().zip(ends).map(|(start, end)| start..end).collect()
}

fn begins_entry(line: &str) -> bool {
    let heading = line.trim_start_matches('#');
    let level = line.len() - heading.len();
    line.starts_with("- ") || ((1..=6).contains(&level) && heading.chars().next().is_none_or(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str, active: &[&str]) -> String {
        let mut text = Text::new(text.to_owned());
        drop_annotated_entries(&mut text, "project", &active.iter().map(|a| (*a).to_owned()).collect::<Vec<_>>());
        text.flatten()
    }

    #[test]
    fn an_entry_with_what_follows_goes_with_its_annotation() {
        let text = "# T\n- one\n- two <!-- project: a/b -->\n  more\n- three";
        assert_eq!(left(text, &[]), "# T\n- one\n- three");
        assert_eq!(left(text, &["a/b"]), text);
        assert_eq!(left("- two <!-- project: a/b; c -->\n- x", &["a/b"]), "- x");
        assert_eq!(left("- x\n- two <!-- PROJECT : A/b -->", &["a/B"]), "- x");
        assert_eq!(left("- x\n- two <!-- PROJECT : A/b -->", &["a/b"]), "- x\n- two <!-- PROJECT : A/b -->");
        assert_eq!(left("- x <!-- project: a\n- y", &["a"]), "- y");
    }

    #[test]
    fn a_heading_is_an_entry_up_to_the_next() {
        let text = "intro\n## A <!-- project: x -->\ntext\n\n## B\ntext";
        assert_eq!(left(text, &[]), "intro\n## B\ntext");
        assert_eq!(left("- a <!-- project: x -->\n- b <!-- project: x -->", &[]), "");
    }
}
