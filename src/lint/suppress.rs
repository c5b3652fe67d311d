//! Suppressions: comments in instruction files and `[[suppress]]` entries, what they cover, and what is wrong with them.
//!
//! - `<!-- agentsctl-ignore RULE[, RULE] -- reason -->` covers its own line where that holds other text, else the block
//!   that follows: one list item, one fenced block, one heading, or the lines up to a blank line; in frontmatter one key.
//! - `<!-- agentsctl-ignore-file RULE[, RULE] -- reason -->` covers the file.
//! - `# agentsctl-ignore …` and `# agentsctl-ignore-file …` do the same in YAML frontmatter and in files that are not
//!   Markdown (`.cursorrules`).
//!
//! Comments inside code are text, not suppressions. A comment costs part of the budget on hosts that keep comments; an
//! entry in `agentsctl.toml` does not.

use super::finding::{Edit, Finding, Fix, Location, Severity};
use super::registry::{Group, Registry, RuleInfo, closest};
use crate::lines::Lines;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// The rule for suppressions that suppress nothing.
pub const UNUSED_SUPPRESSION: RuleInfo = RuleInfo {
    id: "unused-suppression",
    group: Group::Config,
    severity: Severity::Warning,
    summary: "a suppression that suppresses nothing",
    page: include_str!("../../docs/rules/unused-suppression.md"),
    hosts: &[],
    since: "0.1.0",
};

/// The rule for suppressions that cannot take effect.
pub const UNKNOWN_SUPPRESSION: RuleInfo = RuleInfo {
    id: "unknown-suppression",
    group: Group::Config,
    severity: Severity::Warning,
    summary: "a suppression without a reason, or of a rule that does not exist",
    page: include_str!("../../docs/rules/unknown-suppression.md"),
    hosts: &[],
    since: "0.1.0",
};

/// The rule for suppressions whose last day is over.
pub const EXPIRED_SUPPRESSION: RuleInfo = RuleInfo {
    id: "expired-suppression",
    group: Group::Config,
    severity: Severity::Warning,
    summary: "a suppression whose last day is over",
    page: include_str!("../../docs/rules/expired-suppression.md"),
    hosts: &[],
    since: "0.1.0",
};

const WORD: &str = "agentsctl-ignore";

/// One suppression comment that can take effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// The rules it names that exist, with the place of each name in bytes.
    pub rules: Vec<(&'static str, Range<usize>)>,
    /// How many names stand in it, existing or not.
    pub names: usize,
    /// Why.
    pub reason: String,
    /// The lines (from 1) that it covers; `None` for the whole file.
    pub covers: Option<Range<usize>>,
    /// The comment itself, in bytes.
    pub span: Range<usize>,
    /// What goes when the comment goes: the whole line where nothing else is on it.
    pub removal: Range<usize>,
}

impl Comment {
    /// Whether a finding on a line (from 1) is covered.
    pub fn covers(&self, rule: &str, line: usize) -> bool {
        self.rules.iter().any(|(name, _)| *name == rule)
            && self.covers.as_ref().is_none_or(|lines| lines.contains(&line))
    }
}

/// The suppression comments of one file, and findings about those that cannot take effect.
pub fn read_comments(path: &str, text: &str, registry: &Registry) -> (Vec<Comment>, Vec<Finding>) {
    if !text.contains(WORD) {
        return (Vec::new(), Vec::new());
    }
    let lines = Lines::of(text);
    let mut comments = Vec::new();
    let mut findings = Vec::new();
    for place in find_places(path, text) {
        let Some(body) = text.get(place.body.clone()) else { continue };
        let trimmed = body.trim_start();
        let Some(rest) = trimmed.strip_prefix(WORD) else { continue };
        let (whole_file, rest) = match rest.strip_prefix("-file") {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        if !rest.is_empty() && !rest.starts_with([' ', '\t', '\r', '\n', ',', ':']) {
            continue;
        }
        let start = place.body.end - rest.len();
        let report = |message: String, span: Range<usize>, label: &str, help: String| Finding {
            rule: UNKNOWN_SUPPRESSION.id,
            severity: UNKNOWN_SUPPRESSION.severity,
            message,
            primary: Location { path: path.to_string(), span, label: label.to_string() },
            related: Vec::new(),
            help: Some(help),
            hosts: Vec::new(),
            fix: None,
        };
        let (names, reason) = match split_reason(rest) {
            Some((names, reason)) => (names, reason.trim()),
            None => (rest, ""),
        };
        let names = split_names(names, start);
        if names.is_empty() {
            let help = format!("write `{WORD} RULE -- reason`");
            findings.push(report("the suppression names no rule".to_string(), place.span, "no rule", help));
            continue;
        }
        if reason.is_empty() {
            let help = "add ` -- ` and why the finding may stay".to_string();
            findings.push(report("the suppression gives no reason".to_string(), place.span, "no reason", help));
            continue;
        }
        let mut rules = Vec::new();
        for (name, span) in &names {
            match registry.rule(name) {
                Some(rule) => rules.push((rule.id, span.clone())),
                None => {
                    let help = match closest(name, registry.rules().iter().map(|rule| rule.id)) {
                        Some(nearest) => format!("did you mean `{nearest}`?"),
                        None => "`agentsctl rules` lists all rules".to_string(),
                    };
                    let message = format!("the suppression names a rule that does not exist: `{name}`");
                    findings.push(report(message, span.clone(), "unknown rule", help));
                }
            }
        }
        if rules.is_empty() {
            continue;
        }
        let covers = (!whole_file).then(|| covered(&lines, &place));
        let removal = removal(&lines, &place.span);
        comments.push(Comment {
            rules,
            names: names.len(),
            reason: reason.to_string(),
            covers,
            span: place.span,
            removal,
        });
    }
    (comments, findings)
}

/// The finding about a comment of which these rules suppressed nothing.
pub fn unused(path: &str, comment: &Comment, unused: &[usize]) -> Option<Finding> {
    let names: Vec<String> =
        unused.iter().filter_map(|index| comment.rules.get(*index)).map(|(rule, _)| format!("`{rule}`")).collect();
    let first = unused.first().and_then(|index| comment.rules.get(*index))?;
    let whole = unused.len() == comment.names;
    let fix = whole.then(|| Fix {
        description: "remove the suppression".to_string(),
        edits: vec![Edit { path: path.to_string(), span: comment.removal.clone(), replacement: String::new() }],
    });
    Some(Finding {
        rule: UNUSED_SUPPRESSION.id,
        severity: UNUSED_SUPPRESSION.severity,
        message: format!("the suppression of {} suppresses nothing", names.join(", ")),
        primary: Location {
            path: path.to_string(),
            span: if whole { comment.span.clone() } else { first.1.clone() },
            label: "nothing to suppress".to_string(),
        },
        related: Vec::new(),
        help: Some(if whole { "remove it".to_string() } else { format!("remove {} from it", names.join(", ")) }),
        hosts: Vec::new(),
        fix,
    })
}

/// A comment of any kind.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    /// The comment with its marks.
    span: Range<usize>,
    /// What is between the marks.
    body: Range<usize>,
    /// Where the following block may lie: the frontmatter or everything after it.
    within: Range<usize>,
    /// Whether blocks are YAML's: a key and what is indented below it.
    yaml: bool,
}

fn is_markdown(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    matches!(extension.as_deref(), Some("md" | "mdc" | "markdown"))
}

fn find_places(path: &str, text: &str) -> Vec<Place> {
    let mut places = Vec::new();
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let content = text.get(mark..).unwrap_or_default();
    let options = Options::ENABLE_YAML_STYLE_METADATA_BLOCKS | Options::ENABLE_TABLES;
    let mut metadata: Option<Range<usize>> = None;
    let mut html: Vec<Range<usize>> = Vec::new();
    let mut in_html = false;
    for (event, range) in Parser::new_ext(content, options).into_offset_iter() {
        let range = range.start + mark..range.end + mark;
        match event {
            Event::Start(Tag::MetadataBlock(_)) if metadata.is_none() => metadata = Some(range),
            Event::Start(Tag::HtmlBlock) => {
                in_html = true;
                html.push(range);
            }
            Event::End(TagEnd::HtmlBlock) => in_html = false,
            Event::Html(_) | Event::InlineHtml(_) if !in_html => html.push(range),
            _ => {}
        }
    }
    let after = metadata.as_ref().map_or(mark, |range| range.end)..text.len();
    for range in html {
        let mut from = range.start;
        while let Some(open) = text.get(from..range.end).and_then(|part| part.find("<!--")).map(|at| at + from) {
            let body = open + 4;
            let Some(length) = text.get(body..range.end).and_then(|part| part.find("-->")) else { break };
            let close = body + length;
            places.push(Place { span: open..close + 3, body: body..close, within: after.clone(), yaml: false });
            from = close + 3;
        }
    }
    if is_markdown(path) {
        if let Some(range) = metadata {
            hash_comments(text, &range, true, &mut places);
        }
    } else {
        hash_comments(text, &(mark..text.len()), false, &mut places);
    }
    places.sort_by_key(|place| place.span.start);
    places
}

/// `# …` comments: at the start of a line or after a space, as in YAML.
fn hash_comments(text: &str, within: &Range<usize>, yaml: bool, places: &mut Vec<Place>) {
    let Some(part) = text.get(within.clone()) else { return };
    let mut start = within.start;
    for line in part.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let mark = content.match_indices('#').map(|(at, _)| at).find(|at| {
            let before = content.get(..*at).unwrap_or_default();
            let after = content.get(at + 1..).unwrap_or_default();
            (before.is_empty() || before.ends_with([' ', '\t'])) && after.trim_start().starts_with(WORD)
        });
        if let Some(at) = mark {
            let span = start + at..start + content.len();
            places.push(Place { body: span.start + 1..span.end, span, within: within.clone(), yaml });
        }
        start += line.len();
    }
}

/// Splits at the first ` -- `; the marks need not have a space at the ends of the text.
fn split_reason(text: &str) -> Option<(&str, &str)> {
    text.match_indices("--").find_map(|(at, _)| {
        let (before, after) = (text.get(..at)?, text.get(at + 2..)?);
        let apart = before.is_empty() || before.ends_with(char::is_whitespace);
        (apart && (after.is_empty() || after.starts_with(char::is_whitespace))).then_some((before, after))
    })
}

/// The names in a list separated by commas or spaces, with the place of each; `start` is where the list begins.
fn split_names(text: &str, start: usize) -> Vec<(String, Range<usize>)> {
    let mut names = Vec::new();
    let mut from = start;
    for part in text.split_inclusive(|c: char| c == ',' || c == ':' || c.is_whitespace()) {
        let name = part.trim_matches(|c: char| c == ',' || c == ':' || c.is_whitespace());
        if !name.is_empty() {
            names.push((name.to_string(), from..from + name.len()));
        }
        from += part.len();
    }
    names
}

/// The lines (from 1) that a comment covers.
fn covered(lines: &Lines<'_>, place: &Place) -> Range<usize> {
    let (first, last) = (lines.line_of(place.span.start), lines.line_of(place.span.end.saturating_sub(1)));
    let text = lines.text();
    let before = text.get(lines.span(first).start.max(place.within.start)..place.span.start).unwrap_or_default();
    let after = text.get(place.span.end..lines.span(last).end.max(place.span.end)).unwrap_or_default();
    if !is_filler(before) || !is_filler(after) {
        return first..last + 1;
    }
    let end = lines.line_of(place.within.end.saturating_sub(1));
    let Some(start) = (last + 1..=end).find(|line| !is_filler(lines.line(*line))) else { return last..last };
    let opening = lines.line(start);
    let fence = fence_of(opening);
    if !place.yaml && opening.trim_start().starts_with('#') {
        return start..start + 1;
    }
    let mut line = start + 1;
    while line <= end {
        let content = lines.line(line);
        match fence {
            Some((mark, length)) => {
                if closes(content, mark, length) {
                    return start..line + 1;
                }
            }
            None => {
                let continues = if place.yaml { content.starts_with([' ', '\t', '-']) } else { !begins_block(content) };
                if content.trim().is_empty() || !continues || content.trim_end() == "---" {
                    break;
                }
            }
        }
        line += 1;
    }
    start..line
}

/// Whether a line holds nothing but space, a quote's or a list's mark, or other comments.
fn is_filler(text: &str) -> bool {
    let mut rest = text.trim();
    while let Some(comment) = rest.strip_prefix("<!--") {
        match comment.split_once("-->") {
            Some((_, after)) => rest = after.trim_start(),
            None => return true,
        }
    }
    rest.chars().all(|c| matches!(c, '>' | '-' | '*' | '+' | '\u{feff}') || c.is_whitespace())
        && !rest.contains("---")
        && !rest.contains("***")
}

fn fence_of(line: &str) -> Option<(char, usize)> {
    let line = line.trim_start_matches([' ', '\t', '>']);
    let line = list_mark(line).map_or(line, str::trim_start);
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = line.chars().take_while(|c| *c == mark).count();
    (length >= 3).then_some((mark, length))
}

fn closes(line: &str, mark: char, length: usize) -> bool {
    let line = line.trim_matches([' ', '\t', '>']);
    line.chars().count() >= length && line.chars().all(|c| c == mark)
}

/// What follows a list mark, if the line has one.
fn list_mark(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest =
        if digits > 0 { line.get(digits..)?.strip_prefix(['.', ')'])? } else { line.strip_prefix(['-', '*', '+'])? };
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some(rest)
}

fn begins_block(line: &str) -> bool {
    let trimmed = line.trim_start();
    list_mark(line).is_some() || trimmed.starts_with('#') || trimmed.starts_with("<!--") || fence_of(line).is_some()
}

/// The comment, with its whole line where nothing else is on it.
fn removal(lines: &Lines<'_>, span: &Range<usize>) -> Range<usize> {
    let text = lines.text();
    let (first, last) = (lines.line_of(span.start), lines.line_of(span.end.saturating_sub(1)));
    let (start, end) = (lines.span(first).start, lines.span(last).end);
    let alone = text.get(start..span.start).is_some_and(|before| before.trim().is_empty())
        && text.get(span.end..end.max(span.end)).is_some_and(|after| after.trim().is_empty());
    if !alone {
        return span.clone();
    }
    let next = lines.span(last + 1).start;
    start..if next > end { next } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::registry::OWN_RULES;

    fn registry() -> Registry {
        Registry::new([
            RuleInfo { id: "missing-path", group: Group::References, ..OWN_RULES[0] },
            RuleInfo { id: "truncated", group: Group::Reach, ..OWN_RULES[0] },
        ])
    }

    fn covered_lines(path: &str, text: &str) -> Vec<Option<Range<usize>>> {
        read_comments(path, text, &registry()).0.into_iter().map(|comment| comment.covers).collect()
    }

    const IGNORE: &str = "<!-- agentsctl-ignore missing-path -- built -->";

    #[test]
    fn covers_the_block_that_follows() {
        let one = |text: &str| covered_lines("AGENTS.md", &text.replace('@', IGNORE));
        assert_eq!(one("@\n\nfirst\nsecond\n\nthird\n"), [Some(3..5)]);
        assert_eq!(one("@\n- first\n  more\n- second\n"), [Some(2..4)]);
        assert_eq!(one("- first\n- @\n  second\n- third\n"), [Some(3..4)]);
        assert_eq!(one("@\n```sh\na\n\nb\n```\nafter\n"), [Some(2..7)]);
        assert_eq!(one("@\n@\ntext\n"), [Some(3..4), Some(3..4)], "comments may be stacked");
        assert_eq!(one("text\n\n@\n"), [Some(3..3)], "nothing follows");
        assert_eq!(one("@\n# Title\ntext\n"), [Some(2..3)], "a heading is a block of its own");
    }

    #[test]
    fn covers_its_own_line_where_that_holds_text() {
        assert_eq!(covered_lines("AGENTS.md", &format!("a\nsee `x` {IGNORE}\nb\n")), [Some(2..3)]);
        assert_eq!(covered_lines("AGENTS.md", &format!("a\n\n{IGNORE} see `x`\nb\n")), [Some(3..4)]);
    }

    #[test]
    fn covers_the_file() {
        let text = "# T\n\n<!-- agentsctl-ignore-file truncated,missing-path -- known -->\n";
        let (comments, findings) = read_comments("AGENTS.md", text, &registry());
        assert_eq!(findings, []);
        assert!(comments[0].covers("truncated", 1) && comments[0].covers("missing-path", 99));
        assert_eq!(&text[comments[0].rules[1].1.clone()], "missing-path");
    }

    #[test]
    fn reads_frontmatter_and_plain_files() {
        let text = "---\n# agentsctl-ignore truncated -- known\nglobs: '#x'\nalwaysApply: true # agentsctl-ignore truncated -- y\n---\n# agentsctl-ignore truncated -- a heading\n";
        assert_eq!(covered_lines(".cursor/rules/a.mdc", text), [Some(3..4), Some(4..5)]);
        assert_eq!(covered_lines(".cursorrules", "# agentsctl-ignore truncated -- x\n\nUse tabs.\n"), [Some(3..4)]);
        assert_eq!(covered_lines("AGENTS.md", "# agentsctl-ignore truncated -- x\n\nUse tabs.\n"), []);
    }

    #[test]
    fn comments_inside_code_are_text() {
        let text = format!("```md\n{IGNORE}\n```\n\nwrite `{IGNORE}` so\n\n    {IGNORE}\n");
        assert_eq!(covered_lines("AGENTS.md", &text), []);
    }

    #[test]
    fn says_what_cannot_take_effect() {
        let messages = |comment: &str| -> Vec<String> {
            let (comments, findings) = read_comments("AGENTS.md", &format!("{comment}\ntext\n"), &registry());
            assert_eq!(comments, [], "{comment}");
            findings.into_iter().map(|finding| format!("{} ({})", finding.message, finding.help.unwrap())).collect()
        };
        assert_eq!(
            messages("<!-- agentsctl-ignore mising-path -- why -->"),
            ["the suppression names a rule that does not exist: `mising-path` (did you mean `missing-path`?)"]
        );
        assert_eq!(
            messages("<!-- agentsctl-ignore truncated -->"),
            ["the suppression gives no reason (add ` -- ` and why the finding may stay)"]
        );
        assert_eq!(messages("<!-- agentsctl-ignore truncated --  -->").len(), 1);
        assert_eq!(messages("<!-- agentsctl-ignore -- why -->").len(), 1);
        assert_eq!(messages("<!-- agentsctl-ignored -->"), Vec::<String>::new(), "another word");
    }

    #[test]
    fn an_unused_comment_goes_with_its_line() {
        let text = format!("a\n\n  {IGNORE}\r\nb\n");
        let (comments, _) = read_comments("AGENTS.md", &text, &registry());
        let finding = unused("AGENTS.md", &comments[0], &[0]).unwrap();
        let edit = &finding.fix.unwrap().edits[0];
        assert_eq!(&text[edit.span.clone()], format!("  {IGNORE}\r\n"));
        let text = format!("see {IGNORE}\n");
        let (comments, _) = read_comments("AGENTS.md", &text, &registry());
        assert_eq!(&text[comments[0].removal.clone()], IGNORE);
    }

    /// Cut anywhere, a file is read without a panic and every place lies in the text.
    #[test]
    fn any_text_is_read() {
        let text = format!(
            "\u{feff}---\r\n# agentsctl-ignore truncated, nope -- ñ\r\nglobs:\r\n  - x # agentsctl-ignore\n---\n> - {IGNORE}\n\n\
             ~~~md\n{IGNORE}\n<!-- agentsctl-ignore-file: truncated\n-- 漢 --> <!--agentsctl-ignore x--y--z-->\n| a | {IGNORE} |\n<div>{IGNORE}"
        );
        let boundaries: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        for path in ["a.md", ".cursorrules"] {
            for (index, start) in boundaries.iter().enumerate().step_by(7) {
                for end in &boundaries[index..] {
                    let part = &text[*start..*end];
                    let (comments, findings) = read_comments(path, part, &registry());
                    for comment in &comments {
                        assert!(
                            part.get(comment.span.clone()).is_some() && part.get(comment.removal.clone()).is_some()
                        );
                        assert!(
                            comment.rules.iter().all(|(rule, span)| part.get(span.clone()) == Some(*rule)),
                            "{part}"
                        );
                    }
                    for finding in findings {
                        assert!(part.get(finding.primary.span.clone()).is_some(), "{part}");
                    }
                }
            }
        }
    }
}
