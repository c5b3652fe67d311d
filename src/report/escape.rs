//! The one place that decides how text from a repository is shown, so that it can be nothing but text.
//!
//! File names, quoted lines and messages come from people we do not know. Shown raw they can move the cursor, reorder
//! what is read, hide words or give commands to a continuous-integration runner that reads the log. Here such
//! characters become visible as `\u{hex}`.

use serde_json::ser::{Formatter, PrettyFormatter};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;

/// Whether a character acts on what displays it, or takes no space and so hides: control characters, marks of writing
/// direction, zero-width characters, tag characters, fillers that look like nothing.
pub fn is_hostile(character: char) -> bool {
    matches!(character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

fn push_escaped(output: &mut String, character: char) {
    // Writing to a string cannot fail.
    let _ = write!(output, "\\u{{{:x}}}", u32::from(character));
}

fn escape_where(text: &str, hostile: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&hostile) {
        return Cow::Borrowed(text);
    }
    let mut output = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if hostile(character) { push_escaped(&mut output, character) } else { output.push(character) }
    }
    Cow::Owned(output)
}

/// Text for a place inside a line: every hostile character is shown as `\u{hex}`, line breaks and tabs too.
pub fn inline(text: &str) -> Cow<'_, str> {
    escape_where(text, is_hostile)
}

/// Text of several lines: as [`inline`], but `\n` and tabs stay.
pub fn block(text: &str) -> Cow<'_, str> {
    escape_where(text, |character| !matches!(character, '\n' | '\t') && is_hostile(character))
}

/// A path at the head of `path:line:col: …`.
///
/// As [`inline`], and also
/// - a colon that a digit follows becomes `\u{3a}`, so that the first `:digits:digits: ` of the line is always ours;
/// - colons at the start become `\u{3a}`, so that no runner takes the line for a command;
/// - a backslash before `u{` becomes `\u{5c}`, so that the escaping can be undone.
pub fn path(path: &str) -> Cow<'_, str> {
    let mut output = String::with_capacity(path.len());
    let mut rest = path.chars().peekable();
    let mut at_start = true;
    while let Some(character) = rest.next() {
        let next = rest.peek().copied();
        let ambiguous = match character {
            ':' => at_start || next.is_none_or(|next| next.is_ascii_digit()),
            '\\' => next == Some('u') && rest.clone().nth(1) == Some('{'),
            _ => is_hostile(character),
        };
        at_start = at_start && (character == ':' || character.is_whitespace());
        if ambiguous { push_escaped(&mut output, character) } else { output.push(character) }
    }
    if output == path { Cow::Borrowed(path) } else { Cow::Owned(output) }
}

/// Turns what [`path`] or [`inline`] wrote back into what it was.
pub fn unescape(text: &str) -> String {
    let mut output = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("\\u{") {
        let (before, escape) = rest.split_at(start);
        output.push_str(before);
        let digits = escape.get(3..).and_then(|tail| tail.split_once('}')).map(|(digits, _)| digits);
        match digits.and_then(|d| u32::from_str_radix(d, 16).ok().and_then(char::from_u32).map(|c| (c, d.len()))) {
            Some((character, length)) => {
                output.push(character);
                rest = escape.get(length + 4..).unwrap_or_default();
            }
            None => {
                output.push_str("\\u{");
                rest = escape.get(3..).unwrap_or_default();
            }
        }
    }
    output.push_str(rest);
    output
}

/// Takes the power from lines that a continuous-integration runner would take for commands.
///
/// `::name …` counts at the start of a line, `##[name]` and `##vso[` anywhere. Only for output for people: it works on
/// whole, finished lines, because wrapping can bring any word to the start of one.
pub fn defuse_commands(output: &str) -> Cow<'_, str> {
    if !output.contains("::") && !output.contains("##") {
        return Cow::Borrowed(output);
    }
    let mut defused = String::with_capacity(output.len() + 16);
    for line in output.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let (before, rest) = line.split_at(indent);
        defused.push_str(before);
        let rest = match rest.strip_prefix("::") {
            Some(rest) => {
                defused.push_str("\\u{3a}:");
                rest
            }
            None => rest,
        };
        let mut rest = rest;
        while let Some(start) = rest.find("##") {
            let (before, marks) = rest.split_at(start);
            defused.push_str(before);
            let after = marks.trim_start_matches('#');
            let name = after.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
            let hashes = marks.len() - after.len();
            if name.starts_with('[') {
                defused.push_str(&"\\u{23}".repeat(hashes));
            } else {
                defused.push_str(&"#".repeat(hashes));
            }
            rest = after;
        }
        defused.push_str(rest);
    }
    Cow::Owned(defused)
}

/// Text inside a line of Markdown: as [`inline`], and what Markdown or HTML would act on is escaped.
pub fn markdown(text: &str) -> String {
    let mut output = String::with_capacity(text.len() + 16);
    for character in inline(text).chars() {
        match character {
            '&' => output.push_str("&amp;"),
            '<' => output.push_str("&lt;"),
            '>' => output.push_str("&gt;"),
            // A mention would notify somebody, an issue's number link to it. Both are looked for in the finished page,
            // where an entity is already a character; only a comment keeps the two apart.
            '@' => output.push_str("@<!-- -->"),
            '#' => output.push_str("\\#<!-- -->"),
            // Tables and bare addresses ignore the backslash, so these two need an entity.
            '|' => output.push_str("&#124;"),
            ':' => output.push_str("&#58;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '~' | '$' => {
                output.push('\\');
                output.push(character);
            }
            '.' if output.get(output.len().saturating_sub(3)..).is_some_and(|end| end.eq_ignore_ascii_case("www")) => {
                output.push_str("<!-- -->.")
            }
            _ => output.push(character),
        }
    }
    output
}

/// Text inside XML, in an element or a quoted attribute. What XML 1.0 cannot hold at all is shown as `\u{hex}`.
pub fn xml(text: &str) -> String {
    let mut output = String::with_capacity(text.len() + 16);
    for character in block(text).chars() {
        match character {
            '&' => output.push_str("&amp;"),
            '<' => output.push_str("&lt;"),
            '>' => output.push_str("&gt;"),
            '"' => output.push_str("&quot;"),
            '\'' => output.push_str("&apos;"),
            '\n' => output.push_str("&#10;"),
            '\t' => output.push_str("&#9;"),
            '\u{fffe}' | '\u{ffff}' => push_escaped(&mut output, character),
            _ => output.push(character),
        }
    }
    output
}

/// Writes JSON whose strings hold no raw hostile character: `\u009b` stays `\u009b` instead of reaching a terminal.
/// The values are unchanged for whoever parses it.
#[derive(Default)]
pub struct HarmlessJson<'indent>(PrettyFormatter<'indent>);

impl Formatter for HarmlessJson<'_> {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut units = [0; 2];
        let mut clean_from = 0;
        for (offset, character) in fragment.char_indices().filter(|(_, character)| is_hostile(*character)) {
            writer.write_all(fragment.get(clean_from..offset).unwrap_or_default().as_bytes())?;
            for unit in character.encode_utf16(&mut units) {
                write!(writer, "\\u{unit:04x}")?;
            }
            clean_from = offset + character.len_utf8();
        }
        writer.write_all(fragment.get(clean_from..).unwrap_or_default().as_bytes())
    }
    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }
    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }
    fn begin_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }
    fn end_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }
    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }
    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }
    fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }
    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }
    fn end_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

/// Writes a value as indented JSON with a last line break, harmless on a terminal.
///
/// # Errors
/// What the writer answers.
pub fn write_json<T: serde::Serialize>(value: &T, output: &mut dyn io::Write) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut *output, HarmlessJson::default());
    value.serialize(&mut serializer).map_err(io::Error::from)?;
    output.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_or_hides_becomes_visible() {
        assert_eq!(inline("a\u{1b}[31mb\nc\td"), "a\\u{1b}[31mb\\u{a}c\\u{9}d");
        assert_eq!(
            inline("\u{202e}txt\u{200b}\u{feff}\u{e0041}\u{9b}"),
            "\\u{202e}txt\\u{200b}\\u{feff}\\u{e0041}\\u{9b}"
        );
        assert_eq!(inline("naïve 漢字 ❤\u{fe0f}"), "naïve 漢字 ❤\u{fe0f}", "ordinary text stays");
        assert_eq!(block("a\n\tb\r\n"), "a\n\tb\\u{d}\n");
    }

    #[test]
    fn paths_cannot_look_like_positions_and_can_be_restored() {
        assert_eq!(path("a:12:3: error[x] y"), "a\\u{3a}12\\u{3a}3: error[x] y");
        assert_eq!(path("C:/x"), "C:/x");
        assert_eq!(path("::add-mask::x"), "\\u{3a}\\u{3a}add-mask::x");
        for hostile in ["a:1", "\\u{3a}", "x\ny", "a\\", "::x", "\\u{", "\\\\u{41}", "end:", "\u{202e}:9"] {
            assert_eq!(unescape(&path(hostile)), hostile);
        }
    }

    #[test]
    fn runners_get_no_commands() {
        assert_eq!(defuse_commands("x\n  ::add-mask::y\n"), "x\n  \\u{3a}:add-mask::y\n");
        assert_eq!(defuse_commands("see ##[add-matcher]x"), "see \\u{23}\\u{23}[add-matcher]x");
        assert_eq!(defuse_commands("###vso[task]"), "\\u{23}\\u{23}\\u{23}vso[task]");
        assert_eq!(defuse_commands("Token::New ## Heading"), "Token::New ## Heading");
        assert_eq!(defuse_commands("\u{a0}::debug::x"), "\u{a0}\\u{3a}:debug::x");
    }

    #[test]
    fn markdown_and_xml_take_text_for_text() {
        assert_eq!(markdown("a|b `c` @team #1 www.x"), "a&#124;b \\`c\\` @<!-- -->team \\#<!-- -->1 www<!-- -->.x");
        assert_eq!(markdown("<b> [x](http://y) &amp;"), "&lt;b&gt; \\[x\\](http&#58;//y) &amp;amp;");
        assert_eq!(xml("<a b='\"'>&\u{0}\u{ffff}\n"), "&lt;a b=&apos;&quot;&apos;&gt;&amp;\\u{0}\\u{ffff}&#10;");
    }

    #[test]
    fn json_keeps_its_values() {
        let value = serde_json::json!({"a": ["x\u{9b}y\u{e0041}\u{1b}\"\\"]});
        let mut output = Vec::new();
        write_json(&value, &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        assert!(!output.chars().any(|c| c != '\n' && is_hostile(c)), "{output:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&output).unwrap(), value);
    }
}
