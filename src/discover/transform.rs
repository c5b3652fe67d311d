//! What hosts do to a file's text before it counts: frontmatter, comments and white space taken out.

use super::frontmatter;
use super::text::Text;
use crate::host::schema::TextStep;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// Applies the steps in order.
pub fn apply(text: &mut Text, steps: &[TextStep]) {
    for step in steps {
        match step {
            TextStep::StripByteOrderMark => {
                if text.flatten().starts_with('\u{feff}') {
                    text.replace(0..'\u{feff}'.len_utf8(), "");
                }
            }
            TextStep::StripFrontmatter => {
                if let Some(block) = frontmatter::find(&text.flatten()) {
                    text.replace(block.whole, "");
                }
            }
            TextStep::StripLeadingDashes => strip_leading_dashes(text),
            TextStep::StripBlockComments => strip_block_comments(text),
            TextStep::Trim => text.trim(),
            TextStep::TrimEnd => text.trim_end(),
            TextStep::TrimEndOfScript => {
                let space = |c: char| (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}';
                text.keep(0..text.flatten().trim_end_matches(space).len());
            }
            TextStep::SqueezeBlankLines => squeeze_blank_lines(text),
            TextStep::PlainLineEnds => plain_line_ends(text),
        }
    }
}

fn strip_leading_dashes(text: &mut Text) {
    let flat = text.flatten();
    if !flat.starts_with("---") {
        return;
    }
    let Some(end) = flat[3..].find("\n---").map(|at| 3 + at + 4) else { return };
    let rest = flat[end..].trim_start_matches('\n');
    if !rest.trim().is_empty() {
        text.replace(0..flat.len() - rest.len(), "");
    }
}

fn plain_line_ends(text: &mut Text) {
    let flat = text.flatten();
    let ends = flat.match_indices('\r').map(|(at, _)| match flat[at + 1..].starts_with('\n') {
        true => (at..at + 1, String::new()),
        false => (at..at + 1, "\n".to_owned()),
    });
    text.edit(&ends.collect::<Vec<_>>());
}

/// Takes out the comments of HTML blocks that begin with `<!--`; what else is on their lines stays. A block of nothing
/// but comments goes with the line ends behind it. A text with comments gets plain line ends, as the hosts which do this
/// join it anew from what a Markdown parser made of it.
fn strip_block_comments(text: &mut Text) {
    if !text.flatten().contains("<!--") {
        return;
    }
    plain_line_ends(text);
    let cuts = block_comments(&text.flatten()).into_iter().map(|range| (range, String::new()));
    text.edit(&cuts.collect::<Vec<_>>());
}

fn block_comments(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    // A comment within a list item or a quote stays, so only top-level blocks count.
    let mut depth = 0usize;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::HtmlBlock) if depth == 0 => {
                found.extend(comments_of_block(text, range));
                depth += 1;
            }
            Event::Start(_) => depth += 1,
            Event::End(TagEnd::HtmlBlock) => depth = depth.saturating_sub(1),
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    found
}

/// What goes of a block: all of it, or its comments, or nothing.
fn comments_of_block(text: &str, block: Range<usize>) -> Vec<Range<usize>> {
    if !text[block.clone()].trim_start().starts_with("<!--") {
        return Vec::new();
    }
    let mut comments = Vec::new();
    let mut rest = String::new();
    let mut at = block.start;
    while let Some(start) = text[at..block.end].find("<!--").map(|found| at + found) {
        let Some(end) = text[start..block.end].find("-->").map(|found| start + found + 3) else { break };
        rest.push_str(&text[at..start]);
        comments.push(start..end);
        at = end;
    }
    rest.push_str(&text[at..block.end]);
    if comments.is_empty() || !rest.trim().is_empty() {
        return comments;
    }
    let behind = &text[block.end..];
    let line_ends = behind.len() - behind.trim_start_matches('\n').len();
    let whole = block.start..block.end + line_ends;
    Vec::from([whole])
}

fn squeeze_blank_lines(text: &mut Text) {
    let flat = text.flatten();
    let mut cuts: Vec<Range<usize>> = Vec::new();
    let mut run_start = None;
    for (at, byte) in flat.bytes().chain([0]).enumerate() {
        match (byte, run_start) {
            (b'\n', None) => run_start = Some(at),
            (b'\n', Some(_)) => {}
            (_, Some(start)) => {
                if at - start > 2 {
                    cuts.push(start + 2..at);
                }
                run_start = None;
            }
            _ => {}
        }
    }
    for cut in cuts.into_iter().rev() {
        text.replace(cut, "");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(text: &str, steps: &[TextStep]) -> String {
        let mut text = Text::new(text.to_owned());
        apply(&mut text, steps);
        text.flatten()
    }

    #[test]
    fn only_comments_that_begin_a_block_go() {
        let strip = |text| after(text, &[TextStep::StripBlockComments]);
        assert_eq!(strip("a\n\n<!-- x -->\n\nb\n"), "a\n\nb\n");
        assert_eq!(strip("a\r\n<!-- x\r\n\r\ny -->\r\nb\r\n"), "a\nb\n");
        assert_eq!(strip("<!-- x --> tail <!-- y -->\n\nb\n"), " tail \n\nb\n");
        assert_eq!(strip("<!-- x --> tail\n"), " tail\n");
        for stays in
            ["a <!-- x --> b\n", "- a\n  <!-- x -->\n", "```\n<!-- x -->\n```\n", "`<!-- x -->`\n", "<!-- open\n"]
        {
            assert_eq!(strip(stays), stays);
        }
    }

    #[test]
    fn line_ends_of_other_systems_become_plain() {
        assert_eq!(after("a\r\nb\rc\n\r\n", &[TextStep::PlainLineEnds]), "a\nb\nc\n\n");
    }

    #[test]
    fn a_leading_block_of_dashes_goes_unless_nothing_would_be_left() {
        let strip = |text| after(text, &[TextStep::StripLeadingDashes]);
        assert_eq!(strip("---\na: b\n---\n\ntext"), "text");
        assert_eq!(strip("---\nfirst part\n\n---- \nsecond"), "- \nsecond");
        for stays in ["---\na: b\n---", "---\nno end", "text\n---\nx", "--\na\n---\nb"] {
            assert_eq!(strip(stays), stays);
        }
    }

    #[test]
    fn blank_lines_are_squeezed_to_one() {
        assert_eq!(after("a\n\n\n\nb\n\nc\n\n\n", &[TextStep::SqueezeBlankLines]), "a\n\nb\n\nc\n\n");
    }
}
