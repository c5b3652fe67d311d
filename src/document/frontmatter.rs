//! The YAML header of an instruction file, read the way the hosts' own lenient readers do, with spans.
//!
//! Hosts differ: some read YAML strictly, some take each `key: value` line as it stands (`globs: **/*.ts` is no
//! YAML at all). So the lenient reading is always given, and what a strict reader would say stands beside it.

use super::Span;
use serde::Deserialize;

/// Longest header, in bytes, that is given to the strict YAML reader.
const STRICT_LIMIT: usize = 64 * 1024;
/// Deepest nesting of brackets that is given to the strict YAML reader.
const NESTING_LIMIT: usize = 64;

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quoting {
    /// As it stands.
    Bare,
    /// In `'…'`.
    Single,
    /// In `"…"`.
    Double,
    /// A block after `|` or `>`.
    Block,
}

/// One text value and where it stands (quotes left out).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scalar {
    /// The text without quotes and, if bare, without a comment behind it.
    pub text: String,
    /// Bytes of the text in the file.
    pub span: Span,
    /// How it is quoted.
    pub quoting: Quoting,
}

/// What stands behind a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Nothing.
    Empty,
    /// One text.
    Scalar(Scalar),
    /// A list in brackets on one or more lines.
    FlowList(Vec<Scalar>),
    /// A list of `- item` lines.
    BlockList(Vec<Scalar>),
    /// A nested mapping or anything else; only its extent is known.
    Other,
}

/// A top-level key of the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key as written, quotes left out.
    pub key: String,
    /// Bytes of the key.
    pub key_span: Span,
    /// The value.
    pub value: Value,
    /// Bytes of the whole value; empty behind the colon where there is none.
    pub value_span: Span,
}

/// Why a strict YAML reader refuses the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The reason, in one sentence.
    pub message: String,
    /// Byte offset in the file of the place, as well as it is known.
    pub offset: usize,
}

/// How a list of globs is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GlobForm {
    /// The key is there without a value.
    Empty,
    /// One pattern without quotes: `**/*.ts`.
    Bare,
    /// One pattern in quotes.
    Quoted,
    /// Several patterns in one text, with commas.
    CommaList,
    /// `["a", "b"]`.
    FlowList,
    /// `- a` lines.
    BlockList,
}

/// The patterns of a key such as `globs`, `applyTo` or `paths`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Globs {
    /// How they are written.
    pub form: GlobForm,
    /// Each pattern; commas inside braces do not split one.
    pub patterns: Vec<Scalar>,
}

/// The header of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frontmatter {
    /// Bytes from the opening `---` up to and with the closing line's end.
    pub span: Span,
    /// Bytes between the delimiters.
    pub content: Span,
    /// The top-level keys in order, a repeated one as often as it stands there.
    pub entries: Vec<Entry>,
    /// What a strict YAML reader says against it.
    pub problem: Option<Problem>,
    /// False when the closing `---` is missing; the header then reaches to the end of its `key: value` lines.
    pub closed: bool,
}

impl Frontmatter {
    /// Reads the header at the start of `text` (a byte order mark before it is skipped).
    ///
    /// A `---` line that opens no `key:` lines is a rule drawn across the page, not a header.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let mut lines = lines_from(text, start);
        let first = lines.next()?;
        if text.get(first.clone())?.trim_end() != "---" {
            return None;
        }
        let content_start = next_start(text, first.end);
        let mut content_end = content_start;
        let mut end = content_start;
        let mut closed = false;
        let mut keys = 0usize;
        let mut open_end = content_start;
        let mut in_keys = true;
        for line in lines {
            let content = text.get(line.clone())?;
            let trimmed = content.trim_end();
            if trimmed == "---" || trimmed == "..." {
                content_end = line.start;
                end = next_start(text, line.end);
                closed = true;
                break;
            }
            let is_key = split_key(content).is_some();
            keys += usize::from(is_key);
            // Without a closing line the header is what looks like one: up to the first blank line.
            in_keys &= is_key || (!trimmed.is_empty() && (content.starts_with([' ', '\t', '-', '#'])));
            if in_keys {
                open_end = next_start(text, line.end);
            }
        }
        if !closed {
            if keys == 0 || open_end == content_start {
                return None;
            }
            content_end = open_end;
            end = open_end;
        }
        let body = text.get(content_start..content_end)?;
        if keys == 0 && !body.lines().all(|l| l.trim().is_empty() || l.trim_start().starts_with('#')) {
            return None;
        }
        let mut header = Self {
            span: start..end,
            content: content_start..content_end,
            entries: entries(text, content_start..content_end),
            problem: strict_problem(body, content_start),
            closed,
        };
        if !closed {
            header.problem = Some(Problem { message: "the closing `---` line is missing".to_owned(), offset: start });
        } else if header.problem.is_none() {
            let repeated = header.duplicates().next().map(|entry| Problem {
                message: format!("the key `{}` stands there twice", entry.key),
                offset: entry.key_span.start,
            });
            header.problem = repeated;
        }
        Some(header)
    }

    /// The first entry of that name.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// Entries whose key stood there before.
    pub fn duplicates(&self) -> impl Iterator<Item = &Entry> {
        let mut seen = std::collections::HashSet::new();
        self.entries.iter().filter(move |entry| !seen.insert(entry.key.as_str()))
    }

    /// The text of a key that has one.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&Scalar> {
        match &self.get(key)?.value {
            Value::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// The truth value of a bare `true` or `false` (any case).
    #[must_use]
    pub fn flag(&self, key: &str) -> Option<bool> {
        let scalar = self.text(key).filter(|scalar| scalar.quoting == Quoting::Bare)?;
        match scalar.text.to_ascii_lowercase().as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// The patterns of a key in any of the five forms found in real files, or empty. `None` without the key.
    #[must_use]
    pub fn globs(&self, key: &str) -> Option<Globs> {
        let entry = self.get(key)?;
        let (form, patterns) = match &entry.value {
            Value::Empty | Value::Other => (GlobForm::Empty, Vec::new()),
            Value::FlowList(items) => (GlobForm::FlowList, items.iter().flat_map(split_commas).collect()),
            Value::BlockList(items) => (GlobForm::BlockList, items.iter().flat_map(split_commas).collect()),
            Value::Scalar(scalar) => {
                let patterns = split_commas(scalar);
                let form = match (patterns.len(), scalar.quoting) {
                    (0, _) => GlobForm::Empty,
                    (1, Quoting::Bare | Quoting::Block) => GlobForm::Bare,
                    (1, _) => GlobForm::Quoted,
                    _ => GlobForm::CommaList,
                };
                (form, patterns)
            }
        };
        Some(Globs { form, patterns })
    }
}

/// The spans of the lines from `start` on, line ends left out.
fn lines_from(text: &str, start: usize) -> impl Iterator<Item = Span> + '_ {
    let mut at = start;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        if rest.is_empty() {
            return None;
        }
        let length = rest.find('\n').unwrap_or(rest.len());
        let line = at..at + rest.get(..length)?.trim_end_matches('\r').len();
        at = (at + length + 1).min(text.len());
        Some(line)
    })
}

/// Where the next line begins, given the end of a line's content.
fn next_start(text: &str, end: usize) -> usize {
    text.get(end..).and_then(|rest| rest.find('\n')).map_or(text.len(), |i| end + i + 1)
}

/// `key` and the offset behind its colon, for a line that begins a top-level entry.
fn split_key(line: &str) -> Option<(Span, usize)> {
    let first = line.chars().next()?;
    if let quote @ ('"' | '\'') = first {
        let close = line.get(1..)?.find(quote)? + 1;
        let rest = line.get(close + 1..)?;
        let colon = rest.len() - rest.trim_start().len();
        return rest.trim_start().starts_with(':').then_some((1..close, close + 1 + colon + 1));
    }
    if !(first.is_alphabetic() || first == '_' || first == '$') {
        return None;
    }
    let colon = line.find(':')?;
    let key = line.get(..colon)?.trim_end();
    let behind = line.get(colon + 1..)?;
    let plain = key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '$' | ' '));
    (plain && key.len() <= 64 && (behind.is_empty() || behind.starts_with([' ', '\t', '[', '"', '\''])))
        .then_some((0..key.len(), colon + 1))
}

fn entries(text: &str, content: Span) -> Vec<Entry> {
    let lines: Vec<Span> = lines_from(text, content.start).take_while(|l| l.start < content.end).collect();
    let mut entries = Vec::new();
    let mut i = 0;
    while let Some(line) = lines.get(i) {
        i += 1;
        let Some(source) = text.get(line.clone()) else { continue };
        let Some((key_span, behind)) = split_key(source) else { continue };
        // What belongs to the entry: deeper lines, list items at the same depth, blank lines and comments between.
        let more_start = i;
        while let Some(next) = lines.get(i).and_then(|l| text.get(l.clone())) {
            let belongs = next.trim().is_empty() || next.starts_with([' ', '\t', '-', '#', ']']);
            if !belongs {
                break;
            }
            i += 1;
        }
        let more = lines.get(more_start..i).unwrap_or(&[]);
        let key = source.get(key_span.clone()).unwrap_or("").to_owned();
        let (value, value_span) = read_value(text, line.start + behind..line.end, more);
        entries.push(Entry {
            key,
            key_span: line.start + key_span.start..line.start + key_span.end,
            value,
            value_span,
        });
    }
    entries
}

/// The part of `span` without white space around it.
fn trim(text: &str, span: Span) -> Span {
    let content = text.get(span.clone()).unwrap_or("");
    let start = span.start + (content.len() - content.trim_start().len());
    start..start + content.trim().len()
}

fn read_value(text: &str, first: Span, more: &[Span]) -> (Value, Span) {
    let head = trim(text, first.clone());
    let source = text.get(head.clone()).unwrap_or("");
    let filled: Vec<&Span> = more
        .iter()
        .filter(|l| text.get((*l).clone()).is_some_and(|s| !s.trim().is_empty() && !s.trim_start().starts_with('#')))
        .collect();
    let end = filled.last().map_or(head.end, |l| l.end);
    if source.is_empty() || source.starts_with('#') {
        let Some(start) = filled.first() else { return (Value::Empty, first.start..first.start) };
        let whole = start.start..end;
        if text.get((*start).clone()).is_some_and(|s| s.trim_start().starts_with('[')) {
            return (Value::FlowList(flow_items(text, trim(text, whole.clone()))), whole);
        }
        let items: Option<Vec<Scalar>> = filled
            .iter()
            .map(|l| {
                let item = trim(text, (*l).clone());
                let rest = text.get(item.clone())?.strip_prefix('-')?;
                (rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| scalar(text, item.start + 1..item.end))
            })
            .collect();
        return match items {
            Some(items) => (Value::BlockList(items), whole),
            None => (Value::Other, whole),
        };
    }
    if source.starts_with('[') {
        let whole = head.start..end;
        return (Value::FlowList(flow_items(text, whole.clone())), whole);
    }
    if matches!(source.trim_end_matches(['+', '-']), "|" | ">") {
        let start = filled.first().map_or(head.end, |l| trim(text, (*l).clone()).start);
        let lines: Vec<&str> = filled.iter().filter_map(|l| text.get((*l).clone())).map(str::trim).collect();
        let separator = if source.starts_with('|') { "\n" } else { " " };
        let block = Scalar { text: lines.join(separator), span: start..end.max(start), quoting: Quoting::Block };
        return (Value::Scalar(block), head.start..end);
    }
    if source.starts_with('{') {
        return (if text.get(head.start..end) == Some("{}") { Value::Empty } else { Value::Other }, head.start..end);
    }
    let mut value = scalar(text, head.clone());
    // A plain text may go on in deeper lines.
    if value.quoting == Quoting::Bare {
        for line in &filled {
            let continued = text.get((*line).clone()).unwrap_or("").trim();
            value.text.push(' ');
            value.text.push_str(continued);
            value.span.end = line.end;
        }
    }
    (Value::Scalar(value), head.start..end)
}

/// One text, its quotes and (if bare) the comment behind it taken off.
fn scalar(text: &str, span: Span) -> Scalar {
    let span = trim(text, span);
    let source = text.get(span.clone()).unwrap_or("");
    for (quote, quoting) in [('"', Quoting::Double), ('\'', Quoting::Single)] {
        if let Some(rest) = source.strip_prefix(quote)
            && let Some(close) = rest.find(quote)
            && rest
                .get(close + 1..)
                .is_some_and(|behind| matches!(behind.trim_start().chars().next(), None | Some('#' | ']')))
        {
            let inner = rest.get(..close).unwrap_or("").to_owned();
            return Scalar { text: inner, span: span.start + 1..span.start + 1 + close, quoting };
        }
    }
    let end = source.find(" #").or_else(|| source.find("\t#")).unwrap_or(source.len());
    let bare = source.get(..end).unwrap_or(source).trim_end();
    Scalar { text: bare.to_owned(), span: span.start..span.start + bare.len(), quoting: Quoting::Bare }
}

/// The items of `[a, "b", …]`; commas in quotes and braces do not split.
fn flow_items(text: &str, span: Span) -> Vec<Scalar> {
    let source = text.get(span.clone()).unwrap_or("");
    let inner_start = usize::from(source.starts_with('['));
    let inner_end = source.rfind(']').filter(|i| *i >= inner_start).unwrap_or(source.len());
    let inner = source.get(inner_start..inner_end).unwrap_or("");
    let base = span.start + inner_start;
    split_outside(inner)
        .into_iter()
        .map(|part| scalar(text, base + part.start..base + part.end))
        .filter(|item| !item.text.is_empty())
        .collect()
}

/// The patterns of one text with commas.
fn split_commas(value: &Scalar) -> Vec<Scalar> {
    split_outside(&value.text)
        .into_iter()
        .filter_map(|part| {
            let source = value.text.get(part.clone())?;
            let trimmed = source.trim();
            let start = part.start + (source.len() - source.trim_start().len());
            // Quotes inside a comma list: `"a", "b"` as one bare text.
            let bare = trimmed.trim_matches(['"', '\'']);
            let start = start + (trimmed.len() - trimmed.trim_start_matches(['"', '\'']).len());
            let quoting = if bare.len() == trimmed.len() { value.quoting } else { Quoting::Double };
            // A text joined from several lines has no byte for byte place; then the whole value is named.
            let span = if value.span.len() == value.text.len() {
                value.span.start + start..value.span.start + start + bare.len()
            } else {
                value.span.clone()
            };
            (!bare.is_empty()).then(|| Scalar { text: bare.to_owned(), span, quoting })
        })
        .collect()
}

/// The parts between commas that stand outside of quotes and braces.
fn split_outside(source: &str) -> Vec<Span> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut quote) = (0, 0usize, None);
    for (i, c) in source.char_indices() {
        match (quote, c) {
            (Some(q), _) if q == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.push(start..i);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(start..source.len());
    parts
}

fn strict_problem(body: &str, start: usize) -> Option<Problem> {
    if body.len() > STRICT_LIMIT {
        return Some(Problem { message: format!("the header is longer than {STRICT_LIMIT} bytes"), offset: start });
    }
    // The YAML reader's time grows with the square of the nesting.
    let depth = body.bytes().scan(0usize, |depth, byte| {
        match byte {
            b'{' | b'[' => *depth += 1,
            b'}' | b']' => *depth = depth.saturating_sub(1),
            _ => {}
        }
        Some(*depth)
    });
    if depth.max().unwrap_or(0) > NESTING_LIMIT {
        return Some(Problem { message: format!("brackets nest more than {NESTING_LIMIT} deep"), offset: start });
    }
    let mut documents = serde_norway::Deserializer::from_str(body);
    let read = match documents.next() {
        None => return None,
        Some(document) => serde_norway::Value::deserialize(document),
    };
    match read {
        Ok(serde_norway::Value::Mapping(_) | serde_norway::Value::Null) => None,
        Ok(_) => Some(Problem { message: "the header is not a list of `key: value` lines".to_owned(), offset: start }),
        Err(error) => {
            let within = error.location().map_or(0, |place| place.index().min(body.len()));
            // The reader adds the line inside the header, which would mislead beside a line of the file.
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or(&message).trim().to_owned();
            Some(Problem { message, offset: start + within })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Frontmatter {
        Frontmatter::read(&format!("---\n{body}---\n# Title\n")).unwrap()
    }

    fn patterns(body: &str, key: &str) -> (GlobForm, Vec<String>) {
        let globs = read(body).globs(key).unwrap();
        (globs.form, globs.patterns.into_iter().map(|p| p.text).collect())
    }

    #[test]
    fn globs_in_every_form_found_in_the_wild() {
        let one = vec!["**/*.ts".to_owned()];
        let two = vec!["src/**/*.ts".to_owned(), "tests/**".to_owned()];
        assert_eq!(patterns("globs: **/*.ts\n", "globs"), (GlobForm::Bare, one.clone()));
        assert_eq!(patterns("globs: \"**/*.ts\"\n", "globs"), (GlobForm::Quoted, one.clone()));
        assert_eq!(patterns("globs: '**/*.ts' # all\n", "globs"), (GlobForm::Quoted, one));
        assert_eq!(patterns("globs: src/**/*.ts, tests/**\n", "globs"), (GlobForm::CommaList, two.clone()));
        assert_eq!(patterns("applyTo: \"src/**/*.ts,tests/**\"\n", "applyTo"), (GlobForm::CommaList, two.clone()));
        assert_eq!(patterns("globs: [\"src/**/*.ts\", tests/**]\n", "globs"), (GlobForm::FlowList, two.clone()));
        assert_eq!(
            patterns("paths:\n  - src/**/*.ts\n  - \"tests/**\"\n", "paths"),
            (GlobForm::BlockList, two.clone())
        );
        assert_eq!(patterns("paths:\n- src/**/*.ts\n- 'tests/**'\n", "paths"), (GlobForm::BlockList, two.clone()));
        assert_eq!(patterns("globs:\ndescription: x\n", "globs"), (GlobForm::Empty, vec![]));
        assert_eq!(
            patterns("paths:\n  [\n    \"src/**/*.ts\",\n    tests/**,\n  ]\n", "paths"),
            (GlobForm::FlowList, two)
        );
        assert_eq!(read("description: x\n").globs("globs"), None);
    }

    #[test]
    fn braces_keep_their_commas() {
        let braces = vec!["**/*.{ts,tsx}".to_owned(), "a/**".to_owned()];
        assert_eq!(patterns("globs: **/*.{ts,tsx}, a/**\n", "globs"), (GlobForm::CommaList, braces.clone()));
        assert_eq!(patterns("globs: [\"**/*.{ts,tsx}\", \"a/**\"]\n", "globs"), (GlobForm::FlowList, braces.clone()));
        assert_eq!(patterns("globs: \"*.jira\", \"*.confluence\"\n", "globs").1, ["*.jira", "*.confluence"]);
        assert_eq!(patterns("globs: *.jira, \"*.confluence\"\n", "globs").1, ["*.jira", "*.confluence"]);
    }

    #[test]
    fn spans_point_at_the_pattern() {
        let text = "---\nglobs: a/**, b/**\npaths:\n  - \"c/**\"\n---\n";
        let header = Frontmatter::read(text).unwrap();
        for key in ["globs", "paths"] {
            for pattern in header.globs(key).unwrap().patterns {
                assert_eq!(&text[pattern.span.clone()], pattern.text);
            }
        }
        assert_eq!(&text[header.get("paths").unwrap().key_span.clone()], "paths");
        assert_eq!(&text[header.span.clone()], text);
    }

    #[test]
    fn lenient_values_stand_beside_the_strict_reason() {
        let header = read("globs: **/*.go\nalwaysApply: true\n");
        assert_eq!(header.flag("alwaysApply"), Some(true));
        assert!(header.problem.is_some(), "a bare star is an alias in YAML");
        let header = read("description: Use this: always\nglobs: \"a\"\n");
        assert_eq!(header.text("description").unwrap().text, "Use this: always");
        let problem = header.problem.unwrap();
        assert!(problem.message.contains("mapping values are not allowed"), "{}", problem.message);
        assert!(!problem.message.contains("line"), "{}", problem.message);
        assert_eq!(read("globs: \"a\"\n").problem, None);
        assert_eq!(read("alwaysApply: \"true\"\n").flag("alwaysApply"), None, "a text is no truth value");
    }

    #[test]
    fn repeated_keys_are_named() {
        let header = read("globs: a\nglobs: b\n");
        assert_eq!(header.duplicates().count(), 1);
        assert!(header.problem.unwrap().message.contains("globs"));
    }

    #[test]
    fn one_header_for_three_hosts() {
        let header = read("applyTo: \"**/*.rs\"\npaths:\n  - \"**/*.rs\"\nglobs: **/*.rs\n");
        for key in ["applyTo", "paths", "globs"] {
            assert_eq!(header.globs(key).unwrap().patterns[0].text, "**/*.rs", "{key}");
        }
    }

    #[test]
    fn a_rule_across_the_page_is_no_header() {
        assert_eq!(Frontmatter::read("---\n\nHello there.\n\n---\n"), None);
        assert_eq!(Frontmatter::read("# Title\n---\na: b\n---\n"), None);
        assert_eq!(Frontmatter::read("---\njust words\n"), None);
        assert!(Frontmatter::read("---\n---\n").is_some());
    }

    #[test]
    fn an_open_header_is_reported() {
        let header = Frontmatter::read("---\nglobs: a\n\n# Title\n").unwrap();
        assert!(!header.closed);
        assert!(header.problem.unwrap().message.contains("missing"));
        assert_eq!(header.span, 0..13);
    }

    #[test]
    fn crlf_and_byte_order_mark() {
        let text = "\u{feff}---\r\nglobs: a/**\r\n---\r\nbody";
        let header = Frontmatter::read(text).unwrap();
        assert_eq!(header.globs("globs").unwrap().patterns[0].text, "a/**");
        assert_eq!(&text[header.span.end..], "body");
        assert_eq!(header.problem, None);
    }

    #[test]
    fn block_texts_and_nested_maps() {
        let header = read("description: >\n  two\n  lines\nhooks:\n  before:\n    - x\nname: plain\n  goes on\n");
        assert_eq!(header.text("description").unwrap().text, "two lines");
        assert_eq!(header.get("hooks").unwrap().value, Value::Other);
        assert_eq!(header.text("name").unwrap().text, "plain goes on");
    }
}
