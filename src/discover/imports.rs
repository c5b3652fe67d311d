//! Imports: where a text names another file with `@`, and which file that is.

use super::paths;
use super::resolve::Resolver;
use crate::filesystem::FileKind;
use crate::host::schema::{ImportDialect, ImportScanner, MarkerTest, Scope, WhiteSpace};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use regex_lite::Regex;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A place where a text names a file to import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// From the `@` to the end of the path, in bytes of the text that was searched.
    pub range: Range<usize>,
    /// The path as it is meant: escapes, fragment and trailing punctuation taken out.
    pub path: String,
}

/// Finds the imports of a text, in order.
pub fn find(text: &str, dialect: &ImportDialect) -> Vec<Mention> {
    if !text.contains('@') {
        return Vec::new();
    }
    let Some(first) = dialect.forms.first(&dialect.first) else { return Vec::new() };
    let rest = dialect.rest.as_ref().and_then(|r| dialect.forms.rest(r));
    let is_white = |c: char| is_white(c, dialect.white_space);
    // A path may go on into such a stretch; only where it begins counts.
    let inert = if dialect.scanner == ImportScanner::OutsideBackQuotes { back_quoted(text) } else { Vec::new() };
    let is_inert = |at: usize| inert[..inert.partition_point(|r| r.start <= at)].last().is_some_and(|r| at < r.end);
    let mut mentions = Vec::new();
    for region in regions(text, dialect.scanner) {
        let part = &text[region.clone()];
        let mut search = 0;
        while let Some(at) = part[search..].find('@').map(|a| search + a) {
            search = at + 1;
            // A stretch of Markdown text begins a text of its own; any other stretch is a part of the whole.
            let before = match dialect.scanner {
                ImportScanner::MarkdownText => part[..at].chars().next_back(),
                _ => text[..region.start + at].chars().next_back(),
            };
            let allowed =
                before.is_none_or(|c| (dialect.after.contains(' ') && is_white(c)) || dialect.after.contains(c));
            if !allowed || is_inert(region.start + at) || !first.is_match(&part[at + 1..]) {
                continue;
            }
            let (end, written) = token(&part[at + 1..], dialect, rest);
            let mut path = written.as_str();
            if let Some(fragment) = dialect.fragment {
                path = path.split(fragment).next().unwrap_or_default();
            }
            let trimmed = path.trim_end_matches(|c| dialect.trailing.contains(c));
            let cut = path.len() - trimmed.len();
            if trimmed.is_empty() {
                continue;
            }
            let end = at + 1 + end - if dialect.fragment.is_none() { cut } else { 0 };
            mentions.push(Mention { range: region.start + at..region.start + end, path: trimmed.to_owned() });
            search = end.max(search);
        }
    }
    mentions
}

fn is_white(c: char, white_space: WhiteSpace) -> bool {
    match white_space {
        WhiteSpace::Unicode => c.is_whitespace(),
        WhiteSpace::Basic => [' ', '\t', '\r', '\n'].contains(&c),
    }
}

/// The length of a path's token and the path without escapes.
fn token(text: &str, dialect: &ImportDialect, rest: Option<&Regex>) -> (usize, String) {
    let mut path = String::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if dialect.escaped_blanks && text[at..].starts_with("\\ ") {
            path.push(' ');
            at += 2;
            continue;
        }
        if is_white(c, dialect.white_space) || (at > 0 && rest.is_some_and(|r| !r.is_match(&text[at..]))) {
            break;
        }
        path.push(c);
        at += c.len_utf8();
    }
    (at, path)
}

/// The stretches of a text in which imports count. The start of a stretch is a start of text.
fn regions(text: &str, scanner: ImportScanner) -> Vec<Range<usize>> {
    match scanner {
        ImportScanner::MarkdownText => markdown_text(text),
        ImportScanner::OutsideCode => outside(text, &code_ranges(text)),
        ImportScanner::OutsideBackQuotes => std::iter::once(0..text.len()).collect(),
    }
}

/// Runs of plain text in a Markdown document; neighbouring text events are one run.
fn markdown_text(text: &str) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut inert = 0usize;
    let mut joined = false;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::Image { .. } | Tag::HtmlBlock) => inert += 1,
            Event::End(TagEnd::CodeBlock | TagEnd::Image | TagEnd::HtmlBlock) => inert = inert.saturating_sub(1),
            Event::Text(_) if inert == 0 => match runs.last_mut() {
                Some(last) if joined && last.end <= range.start => last.end = range.end,
                _ => runs.push(range),
            },
            _ => {}
        }
        joined = matches!(event, Event::Text(_));
        if matches!(event, Event::SoftBreak | Event::HardBreak) {
            joined = false;
        }
    }
    runs
}

fn code_ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Code(_) => ranges.push(range),
            Event::Start(Tag::CodeBlock(pulldown_cmark::CodeBlockKind::Fenced(_))) => ranges.push(range),
            // Back quotes are those of a code span here too, though for Markdown they are plain characters.
            Event::InlineHtml(_) | Event::Start(Tag::HtmlBlock | Tag::CodeBlock(_)) => {
                let quoted = back_quoted(&text[range.clone()]).into_iter();
                ranges.extend(quoted.map(|q| range.start + q.start..range.start + q.end));
            }
            _ => {}
        }
    }
    ranges
}

/// What stands between runs of back quotes of equal length, over the whole text, as the regular expression
/// ``(`+)([\s\S]*?)\1`` finds it: it takes as many back quotes as it can find again, and those may be a part of a run.
fn back_quoted(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut ticks: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find('`').map(|found| at + found) {
        let length = bytes[start..].iter().take_while(|b| **b == b'`').count();
        ticks.push(start..start + length);
        at = start + length;
    }
    // The longest run from each one on.
    let mut longest = vec![0; ticks.len() + 1];
    for (i, run) in ticks.iter().enumerate().rev() {
        longest[i] = run.len().max(longest[i + 1]);
    }
    let mut ranges = Vec::new();
    let (mut i, mut start) = (0, ticks.first().map_or(0, |run| run.start));
    while i < ticks.len() {
        let left = ticks[i].end - start;
        let taken = left.min(longest[i + 1]).max(left / 2);
        if taken == 0 {
            // A last back quote that nothing closes.
            break;
        }
        let close = match left - taken >= taken {
            true => start + taken,
            false => {
                i += 1;
                while ticks[i].len() < taken {
                    i += 1;
                }
                ticks[i].start
            }
        };
        ranges.push(start..close + taken);
        start = close + taken;
        if start == ticks[i].end {
            i += 1;
            start = ticks.get(i).map_or(start, |run| run.start);
        }
    }
    ranges
}

fn outside(text: &str, inert: &[Range<usize>]) -> Vec<Range<usize>> {
    // The character before the `@` is looked at even where the stretch begins, so stretches are cut from the whole.
    let mut result = Vec::new();
    let mut at = 0;
    for range in inert {
        if range.start > at {
            result.push(at..range.start);
        }
        at = at.max(range.end);
    }
    if at < text.len() {
        result.push(at..text.len());
    }
    result
}

/// What an import leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A file: its path as named and with links resolved.
    File(PathBuf, PathBuf),
    /// Nothing is there, or it is no file.
    Missing(PathBuf),
    /// It lies outside the folder (the second path) that imports may come from.
    Outside(PathBuf, PathBuf),
    /// The host does not take such a file.
    Refused(PathBuf, &'static str),
}

/// Who imports.
#[derive(Debug, Clone)]
pub struct Importer<'a> {
    /// The importing file.
    pub file: &'a Path,
    /// The file that loads by itself and at whose end of the chain the importing one stands.
    pub top: &'a Path,
    /// The scope of that file.
    pub scope: Scope,
    /// It was loaded on touch.
    pub on_touch: bool,
    /// The boundary of its file set, in place of the dialect's.
    pub boundary: Option<&'a str>,
}

/// Says what a mention leads to.
pub fn resolve(resolver: &Resolver<'_>, dialect: &ImportDialect, importer: &Importer<'_>, path: &str) -> Target {
    let folder = importer.file.parent().unwrap_or(Path::new("/"));
    if ["http://", "https://", "file://"].iter().any(|scheme| path.starts_with(scheme)) {
        return Target::Refused(PathBuf::from(path), "it is a URL");
    }
    let named = match path.strip_prefix("~/") {
        Some(rest) if dialect.home => match &resolver.launch.home {
            Some(home) => paths::join(home, rest),
            None => return Target::Missing(PathBuf::from(path)),
        },
        _ => paths::join(folder, path),
    };
    if Path::new(path).is_absolute() && !dialect.absolute {
        return Target::Refused(named, "absolute paths are not imported");
    }
    if let Some(endings) = &dialect.endings {
        let ending = named.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        if ending.is_some_and(|ending| !endings.contains(&ending)) {
            return Target::Refused(named, "the host imports no files of this kind");
        }
    }
    let real = match resolver.files.canonicalize(&named) {
        Ok(real) => real,
        Err(_) if path.starts_with("~/") && !dialect.home && !dialect.absolute => {
            return Target::Refused(named, "paths from the home folder are not imported");
        }
        Err(_) => match boundary(resolver, dialect, importer) {
            Some(boundary) if !named.starts_with(&boundary) => return Target::Outside(named, boundary),
            _ => return Target::Missing(named),
        },
    };
    if let Some(boundary) = boundary(resolver, dialect, importer) {
        let real_boundary = resolver.files.canonicalize(&boundary).unwrap_or_else(|_| boundary.clone());
        let outside = match dialect.boundary_by_name {
            true => !named.starts_with(&boundary) && !real.starts_with(&real_boundary),
            false => !real.starts_with(&real_boundary),
        };
        if outside {
            return Target::Outside(named, boundary);
        }
    }
    match resolver.files.metadata(&real) {
        Ok(metadata) if metadata.kind == FileKind::File => Target::File(named, real),
        _ => Target::Missing(named),
    }
}

fn boundary(resolver: &Resolver<'_>, dialect: &ImportDialect, importer: &Importer<'_>) -> Option<PathBuf> {
    let expression = importer.boundary.or(dialect.boundary.as_deref())?;
    if dialect.boundary_exempt.contains(&importer.scope) {
        return None;
    }
    if !importer.on_touch && dialect.boundary_lifted.as_ref().is_some_and(|lifted| resolver.holds(lifted)) {
        return None;
    }
    let top_folder = importer.top.parent().unwrap_or(Path::new("/"));
    if !dialect.boundary_markers.is_empty() {
        let markers = resolver.expand_names(&dialect.boundary_markers);
        if let Some(found) = resolver.marker_above(top_folder, &markers, MarkerTest::Exists) {
            return Some(found);
        }
    }
    resolver.path_with(expression, &[("importer", &top_folder.to_string_lossy())])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialect() -> ImportDialect {
        let written = serde_json::json!({
            "scanner": "outside-back-quotes", "after": " ", "white-space": "basic", "first": "[./A-Za-z]",
            "place": "instead-of-mention", "once": "chain",
        });
        serde_json::from_value(written).unwrap()
    }

    fn found(text: &str) -> Vec<String> {
        find(text, &dialect()).into_iter().map(|mention| mention.path).collect()
    }

    /// Gemini CLI 0.61.0: where an `@` counts and how far its path runs.
    #[test]
    fn a_path_begins_behind_white_space_and_is_taken_literally() {
        assert_eq!(found("@a.md"), ["a.md"]);
        assert_eq!(found("x\t@./a.md\r\n@/b.md"), ["./a.md", "/b.md"]);
        assert_eq!(found("see @a.md, and @b.md#part (@c.md) x@d.md **@e.md**"), ["a.md,", "b.md#part"]);
        assert_eq!(found("@1.md @_b.md @é.md @~/a.md @.h.md"), [".h.md"]);
        assert_eq!(found("@my\\ file.md"), ["my\\"]);
        assert_eq!(found("\u{feff}@a.md \u{a0}@b.md @c\u{a0}d"), ["c\u{a0}d"]);
    }

    #[test]
    fn what_stands_between_back_quotes_is_no_import_but_a_path_may_run_into_it() {
        assert!(found("`@a.md`").is_empty());
        assert!(found("don`t\n@a.md\nit`s").is_empty());
        assert_eq!(found("don`t\n@a.md"), ["a.md"]);
        assert_eq!(found("@a.md`x` @b.md"), ["a.md`x`", "b.md"]);
        assert_eq!(found("~~~\n@c.md\n~~~\n\n    @d.md\n<!-- @e.md -->"), ["c.md", "d.md", "e.md"]);
    }

    /// The expected stretches are those of the regular expression in a browser's engine.
    #[test]
    fn back_quotes_pair_as_the_regular_expression_pairs_them() {
        let stretches = |text: &str| back_quoted(text).iter().map(|r| text[r.clone()].to_owned()).collect::<Vec<_>>();
        assert_eq!(stretches("``` a ```"), ["``` a ```"]);
        assert_eq!(stretches("``` a ` b"), ["``", "` a `"]);
        assert_eq!(stretches("` a ``` b ` c"), ["` a `", "``"]);
        assert_eq!(stretches("`` a ` b"), ["``"]);
        assert_eq!(stretches("`"), [""; 0]);
        assert_eq!(stretches("`a` `b"), ["`a`"]);
        assert_eq!(stretches("```` x ```"), ["```` x ```"]);
        assert_eq!(stretches("``x`y``z"), ["``x`y``"]);
    }
}
