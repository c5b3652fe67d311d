//! What one item of text is: a rule, a description, a pointer and so on, judged by its words and its surroundings.
//!
//! The judgement is a sum of small signs, since no single one decides: an item that begins with a verb is an
//! instruction, but "Test servers in `tests/`" under "Structure" is not. The words are in `words.toml`.

use super::reference::{ReferenceKind, mask_code, sentences, shape};
use super::words::Words;
use serde::Serialize;

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An instruction or prohibition that someone can follow.
    Rule,
    /// A statement about the project.
    Fact,
    /// Where to read on.
    Pointer,
    /// A sample: a line of code, a command shown.
    Example,
    /// A heading, or a line that only names what comes below.
    Heading,
    /// Who the reader is to be, or what the file is.
    PersonaFluff,
    /// A statement tied to the time of writing.
    Temporary,
    /// Grants, waives or withholds authority.
    PermissionClaim,
}

/// Which way a rule points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Directive {
    /// Do it.
    Obligation,
    /// Do not.
    Prohibition,
}

/// What stands around an item.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// The headings above it with their levels, the innermost first.
    pub headings: Vec<(String, u8)>,
    /// The line that leads in its list, if it ends in a colon.
    pub lead_in: Option<String>,
    /// What that line was judged to be.
    pub lead_in_kind: Option<Kind>,
    /// Whether it is an entry of a list.
    pub in_list: bool,
    /// Whether it is a table row.
    pub in_table: bool,
    /// Whether a list, table or code block follows it.
    pub leads: bool,
    /// Length in bytes of the bold text it begins with.
    pub lead_length: usize,
    /// Whether it has a box to tick.
    pub boxed: bool,
    /// Whether it begins with a link.
    pub link_first: bool,
    /// Whether it has a link to another text.
    pub has_text_link: bool,
    /// Whether it is a numbered step.
    pub numbered: bool,
    /// Its [`score`], where it is known already.
    pub score: Option<(f32, Option<Directive>)>,
    /// The mean [`score`] of the other entries of its list; lists are mostly of one kind.
    pub siblings: Option<f32>,
}

/// The judgement on one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judgement {
    /// What it is.
    pub kind: Kind,
    /// Which way it points, if it instructs at all.
    pub directive: Option<Directive>,
}

/// The label of a sentence and what it says.
struct Clause<'t> {
    /// The words with which the sentence itself begins.
    main: &'t str,
    /// The text before a colon or dash at the start.
    label: Option<&'t str>,
}

fn trim_marks(text: &str) -> &str {
    text.trim_start_matches(|c: char| {
        !c.is_alphanumeric() && !matches!(c, '`' | '@' | '$' | '/' | '.' | '_' | '~' | '<')
    })
}

/// The condition at the start of a sentence, up to its comma, and what follows.
pub(super) fn split_condition(text: &str) -> Option<(&str, &str)> {
    let words = Words::get();
    let length = words.condition.leading(text)?;
    let first = text.get(..length)?;
    // "In tests, …", but not "Only in …". The comma must come before the sentence is over.
    let masked = mask_code(text);
    let mut depth = 0usize;
    for (i, c) in masked.char_indices().skip(first.chars().count()) {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' | '，' | '、' | '：' if depth == 0 => {
                // Enumerations have more than one comma; the verb stands behind one of them.
                let rest = text.get(i + c.len_utf8()..)?;
                if c != ',' || begins_clause(rest.trim_start()) || masked.get(i + 1..).is_none_or(|m| !m.contains(", "))
                {
                    return Some((text.get(..i)?, rest.trim_start()));
                }
            }
            ':' if depth == 0 && masked.get(i + 1..).is_some_and(|r| r.starts_with(' ')) => {
                return Some((text.get(..i)?, text.get(i + 1..)?.trim_start()));
            }
            '—' | '–' | '→' if depth == 0 => {
                return Some((text.get(..i)?, text.get(i + c.len_utf8()..)?.trim_start()));
            }
            _ if i > 300 => return None,
            _ => {}
        }
    }
    None
}

fn begins_clause(text: &str) -> bool {
    imperative(text) > 0.9
        || Words::get().pointer.leading(text).is_some()
        || Words::get().prohibition.leading(text).is_some()
        || ["the ", "it ", "you ", "we ", "this ", "there ", "`"]
            .iter()
            .any(|s| text.to_ascii_lowercase().starts_with(s))
}

/// The label before a colon or dash at the start of a sentence, and what follows.
fn split_label(text: &str, lead: usize) -> Option<(&str, &str)> {
    // Bold text at the start with a separator behind it.
    if lead > 0
        && let Some(behind) = text.get(lead..)
    {
        let trimmed = behind.trim_start();
        let inner = text.get(..lead)?.trim_end();
        let separator = trimmed.starts_with([':', '：', '—', '–', '-', '→']) || inner.ends_with([':', '：', '.']);
        if separator {
            let rest = trimmed.trim_start_matches([':', '：', '—', '–', '-', '→', ' ']);
            return Some((inner.trim_end_matches([':', '：', '.']), rest));
        }
    }
    let masked = mask_code(text);
    for mark in [": ", "：", " — ", " – ", " - ", " -- ", " → "] {
        if let Some(at) = masked.find(mark)
            && at > 0
            && masked.get(..at).is_some_and(|label| {
                label.chars().count() <= 60 && !label.contains(". ") && label.split_whitespace().count() <= 8
            })
        {
            return Some((text.get(..at)?, text.get(at + mark.len()..)?.trim_start()));
        }
    }
    None
}

fn clause(sentence: &str, lead: usize) -> Clause<'_> {
    let mut main = trim_marks(sentence);
    let cut = sentence.len() - main.len();
    let mut label = None;
    if let Some((before, rest)) = split_label(main, lead.saturating_sub(cut)) {
        label = Some(before);
        main = rest;
    }
    // The condition at the start: "When …,".
    if let Some((_, rest)) = split_condition(main) {
        main = rest;
    }
    Clause { main: trim_marks(main), label }
}

/// How much a clause looks like an instruction by its first words: 0 to 2.5.
fn imperative(text: &str) -> f32 {
    let words = Words::get();
    let mut rest = trim_marks(text);
    let lower = |t: &str| -> String {
        t.chars()
            .take_while(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’'))
            .flat_map(char::to_lowercase)
            .collect()
    };
    for _ in 0..3 {
        let first = lower(rest);
        let adverb = matches!(
            first.as_str(),
            "please"
                | "also"
                | "then"
                | "first"
                | "finally"
                | "next"
                | "just"
                | "instead"
                | "otherwise"
                | "generally"
                | "and"
                | "or"
                | "but"
                | "so"
                | "you"
                | "explicitly"
                | "carefully"
                | "strictly"
                | "simply"
                | "consistently"
                | "usually"
                | "immediately"
                | "manually"
                | "still"
                | "clearly"
                | "strongly"
                | "when"
                | "where"
                | "optionally"
                | "directly"
                | "actively"
                | "proactively"
                | "correctly"
                | "properly"
        );
        if !adverb || first.is_empty() {
            break;
        }
        match rest.get(first.len()..).map(|r| r.trim_start_matches([' ', ',', '\u{a0}'])) {
            Some(next) if next.len() < rest.len() && !next.is_empty() => rest = next,
            _ => break,
        }
    }
    let first = lower(rest);
    if first.is_empty() {
        return 0.0;
    }
    let behind =
        rest.get(rest.char_indices().nth(first.chars().count()).map_or(rest.len(), |(i, _)| i)..).unwrap_or("");
    let next = behind.trim_start();
    let second = lower(next);
    // "Build: …", "Test - …" are labels.
    if matches!(next.chars().next(), Some(':' | '：' | '—' | '–' | '|' | '=' | '/'))
        || behind.starts_with([':', '/', '.', '('])
    {
        return 0.0;
    }
    let object = next.starts_with(['`', '"', '[', '\'', '*', '_'])
        || matches!(
            second.as_str(),
            "the"
                | "a"
                | "an"
                | "all"
                | "any"
                | "your"
                | "each"
                | "every"
                | "new"
                | "both"
                | "only"
                | "for"
                | "from"
                | "to"
                | "with"
                | "it"
                | "them"
                | "this"
                | "that"
                | "these"
                | "those"
                | "existing"
                | "no"
                | "before"
                | "after"
                | "if"
                | "as"
                | "at"
                | "code"
                | "changes"
                | "up"
                | "out"
                | "either"
                | "one"
                | "their"
                | "its"
                | "multiple"
                | "full"
                | "specific"
                | "in"
                | "on"
                | "through"
                | "using"
                | "by"
                | "against"
                | "locally"
                | "early"
                | "how"
                | "what"
                | "whether"
                | "first"
                | "related"
                | "relevant"
        );
    // A noun phrase goes on with a plural noun and a place: "Test servers in …".
    if words.imperative_maybe.contains(&first) {
        return if object && !matches!(second.as_str(), "in" | "for" | "with" | "on" | "from" | "by" | "code") {
            2.5
        } else if object {
            0.9
        } else {
            0.3
        };
    }
    if words.imperative.contains(&first) {
        if words.noun_like.contains(&first) && !object {
            return 1.2;
        }
        if words.noun_like.contains(&first) && matches!(second.as_str(), "in" | "for" | "with" | "from") {
            return 1.2;
        }
        return 2.5;
    }
    0.0
}

/// How much a sentence looks like an instruction; negative where it describes.
fn sentence_score(sentence: &str, lead: usize, first: bool) -> (f32, Option<Directive>) {
    let words = Words::get();
    let masked = mask_code(sentence);
    let parts = clause(sentence, lead);
    let mut score = 0.0f32;
    let mut directive = None;
    let whole = trim_marks(sentence);
    let offered =
        ["you can also ", "you can ", "you should ", "you must "].iter().find_map(|w| parts.main.strip_prefix(w));
    let start =
        imperative(offered.unwrap_or(parts.main)).max(parts.label.map_or(0.0, imperative)).max(imperative(whole));
    if start > 0.0 {
        score += start;
        directive = Some(Directive::Obligation);
    }
    if words.obligation.occur(&masked) {
        score += 1.8;
        directive = Some(Directive::Obligation);
    }
    if words.prohibition.occur(&masked) {
        score += 2.2;
        directive = Some(Directive::Prohibition);
    } else if words.contrast.occur(&masked) {
        score += 0.5;
    }
    if start < 2.0 && first {
        let describes = words.descriptive.leading(parts.main).is_some();
        if describes {
            score -= 2.0;
        } else if directive.is_none() && states(parts.main) {
            score -= 0.8;
        }
    }
    // A later clause may instruct: "…; use X", "so do not", "- remove the `/src` part".
    if start < 2.0 {
        for mark in ["; ", " — ", " - ", ", so ", ": ", ", and "] {
            let tail = masked.rfind(mark).and_then(|at| sentence.get(at + mark.len()..));
            if tail.is_some_and(|tail| imperative(tail) >= 2.5) {
                score += 1.3;
                directive = directive.or(Some(Directive::Obligation));
                break;
            }
        }
    }
    (score, directive)
}

/// Whether a sentence has a verb of description behind its subject: "The library includes tests".
fn states(main: &str) -> bool {
    let words = Words::get();
    let masked = mask_code(main);
    masked.split_whitespace().skip(1).take(7).any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        !word.is_empty() && words.descriptive.leading(word) == Some(word.len())
    })
}

/// The shape of the code span or bold text that an item begins with, if it is one.
fn leading_reference(text: &str) -> Option<ReferenceKind> {
    let start = text.trim_start_matches(['*', '_', ' ', '[', '\u{fe0f}']);
    let start = start.trim_start_matches(|c: char| !c.is_ascii() && !c.is_alphanumeric()).trim_start();
    if let Some(rest) = start.strip_prefix('`') {
        return Some(shape(rest.split('`').next().unwrap_or("")));
    }
    let word = start.split([' ', ',']).next().unwrap_or("").trim_end_matches([':', ',', ';', '*']);
    match shape(word) {
        kind @ (ReferenceKind::Path | ReferenceKind::FileName) => Some(kind),
        _ => None,
    }
}

fn names_a_place(kind: ReferenceKind) -> bool {
    matches!(
        kind,
        ReferenceKind::Path
            | ReferenceKind::FileName
            | ReferenceKind::Slashed
            | ReferenceKind::Glob
            | ReferenceKind::Absolute
    )
}

/// Whether the text is nothing but code spans and signs.
fn only_code(text: &str) -> bool {
    let masked = mask_code(text);
    let mut inside = false;
    text.contains('`')
        && masked.chars().all(|c| {
            if c == '`' {
                inside = !inside;
            }
            inside || !c.is_alphanumeric()
        })
}

/// How much the words of an item instruct (above 1) or describe (below 0), without its surroundings.
#[must_use]
pub fn score(text: &str, lead_length: usize) -> (f32, Option<Directive>) {
    let trimmed = text.trim();
    let masked = mask_code(trimmed);
    let mut best = (f32::MIN, None);
    for (i, span) in sentences(&masked).into_iter().take(12).enumerate() {
        let lead = if i == 0 { lead_length } else { 0 };
        let Some(sentence) = trimmed.get(span) else { continue };
        let found = sentence_score(sentence.trim(), lead, i == 0);
        if found.0 > best.0 {
            best = found;
        }
    }
    if best.0 == f32::MIN { (0.0, None) } else { best }
}

/// Judges one item by its text (as in [`super::Block::text`]) and its surroundings.
#[must_use]
pub fn judge(text: &str, around: &Surroundings) -> Judgement {
    let words = Words::get();
    let trimmed = text.trim();
    let masked = mask_code(trimmed);
    let plain = |kind: Kind| Judgement { kind, directive: None };
    if trimmed.is_empty() {
        return plain(Kind::Fact);
    }
    let (mut score, mut directive) = around.score.unwrap_or_else(|| score(trimmed, around.lead_length));
    if around.in_table {
        score -= 0.1;
        // "Add a command | `src/commands/`" says where, not what to do.
        if trimmed.split(" | ").skip(1).any(|cell| leading_reference(cell).is_some_and(names_a_place)) {
            score -= 1.5;
        }
    }
    if around.numbered {
        score += 0.6;
    }
    // A box to tick asks for something.
    if around.boxed {
        score += 1.5;
    }
    if clause(trimmed, around.lead_length)
        .label
        .is_some_and(|label| words.fact_labels.leading(label) == Some(label.len()))
    {
        score -= 2.0;
    }
    let word_count = masked.split_whitespace().count();
    let only_names = word_count <= 9 && score < 1.5 || word_count <= 2;
    if around.leads && trimmed.ends_with([':', '：']) && only_names && !trimmed.contains('`') {
        return plain(Kind::Heading);
    }
    if words.persona.occur(masked.get(..masked.char_indices().nth(80).map_or(masked.len(), |(i, _)| i)).unwrap_or(""))
        && score < 4.0
    {
        return plain(Kind::PersonaFluff);
    }
    if words.persona_start.leading(trim_marks(trimmed)).is_some() && score < 4.0 {
        return plain(Kind::PersonaFluff);
    }
    if only_code(trimmed) {
        let command = super::reference::is_command(trimmed.trim_matches(['`', ' ', '.', ':']));
        return plain(if command { Kind::Example } else { Kind::Fact });
    }
    let single = sentences(&masked).len() <= 1;
    if leads_with_command(trimmed) && score < if single { 3.5 } else { 1.5 } {
        return plain(Kind::Example);
    }
    // "✅ …" and "❌ …" show a sample, unless an instruction follows.
    if let Some(rest) = trimmed.strip_prefix(['✅', '❌', '✓', '✗', '✔', '✘']) {
        let rest = rest.trim_start_matches(['\u{fe0f}', ' ', '*']);
        if imperative(rest) < 2.0 && words.prohibition.leading(rest).is_none() {
            return plain(Kind::Example);
        }
    }
    // "Tools (`src/tools/`)" and "Lint: `make lint`" name a thing and where or how it is found.
    let label = split_label(trimmed, around.lead_length).map(|(label, rest)| (label, rest.trim()));
    let lead = trimmed.get(..around.lead_length).filter(|l| !l.is_empty());
    let only_place = trimmed.find("(`").is_some_and(|at| {
        let (name, place) = trimmed.split_at(at);
        let named = lead.map_or(name.split_whitespace().count() <= 3, |lead| name.trim_end().len() <= lead.len());
        named && imperative(name) == 0.0 && only_code(place)
    });
    let noun_label = label.is_some_and(|(label, rest)| {
        imperative(label) == 0.0 && words.condition.leading(label).is_none_or(|n| n == label.len()) && only_code(rest)
    });
    let led = around.lead_in_kind == Some(Kind::Rule) || around.numbered;
    if only_place || noun_label && !led && !names_a_text(label.map_or("", |l| l.1)) && score < 2.0 {
        return plain(Kind::Fact);
    }
    if is_pointer(trimmed, &masked, around) {
        return plain(Kind::Pointer);
    }
    // Surroundings.
    // The title of the file says least; a heading counts less the farther it is.
    let heading = |list: fn(&Words) -> &super::words::Phrases, weight: f32| -> f32 {
        let near = |i: usize, level: u8| if level == 1 { 0.3 } else { 1.0 / (1 << i) as f32 };
        around
            .headings
            .iter()
            .take(3)
            .enumerate()
            .map(|(i, (text, level))| if list(words).occur(text) { weight * near(i, *level) } else { 0.0 })
            .sum()
    };
    let mut prior = heading(|w| &w.rule_headings, 1.0) + heading(|w| &w.fact_headings, -1.0);
    prior = prior.clamp(-1.2, 1.2);
    if let Some(siblings) = around.siblings {
        // Under "Code style" noun phrases are rules, whatever stands beside them.
        let least = if prior >= 1.0 { 0.0 } else { -0.6 };
        prior += (siblings * 0.4).clamp(least, 1.0);
    }
    if let Some(lead_in) = &around.lead_in {
        match around.lead_in_kind {
            Some(Kind::Rule | Kind::PersonaFluff) => prior += 1.5,
            Some(Kind::Pointer) if score < 2.0 => return plain(Kind::Pointer),
            _ => {
                if words.obligation.occur(lead_in) || words.prohibition.occur(lead_in) {
                    prior += 1.2;
                }
            }
        }
    }
    // "Never:" and the like turn the whole list.
    let turned = |text: &str| {
        let start = trim_marks(text);
        words.prohibition.leading(start).is_some()
            || ["never", "don't", "dont", "don’t", "forbidden"].iter().any(|w| start.to_lowercase().starts_with(w))
    };
    let heading_turns = around.headings.first().is_some_and(|(text, _)| turned(text));
    if around.lead_in.as_deref().map_or(heading_turns && around.in_list, turned) {
        directive = Some(Directive::Prohibition);
    }
    if let Some(kind) = leading_reference(trimmed)
        && names_a_place(kind)
        && (around.in_list || around.in_table)
    {
        prior -= 1.5;
    }
    score += prior;
    let instructs = score >= 1.0;
    // A sentence that instructs is a rule, though tied to its time; one beside it makes the item a note on the time.
    let fleeting =
        sentences(&masked).into_iter().filter_map(|span| Some((masked.get(span.clone())?, trimmed.get(span)?)));
    let fleeting = fleeting.take(12).any(|(masked, sentence)| {
        words.temporary.occur(masked) && (!instructs || sentence_score(sentence.trim(), 0, true).0 < 4.0)
    });
    if fleeting {
        return Judgement { kind: Kind::Temporary, directive: if instructs { directive } else { None } };
    }
    let first = sentences(&masked).into_iter().next().and_then(|span| masked.get(span)).unwrap_or("");
    if words.permission.occur(first) {
        return Judgement { kind: Kind::PermissionClaim, directive: if instructs { directive } else { None } };
    }
    if instructs {
        return Judgement { kind: Kind::Rule, directive: directive.or(Some(Directive::Obligation)) };
    }
    if heading(|w| &w.example_headings, 1.0) > 0.9 && super::reference::is_command(trimmed.trim_matches('`')) {
        return plain(Kind::Example);
    }
    plain(Kind::Fact)
}

/// "`make test` — runs the tests": a list of commands, each with what it does.
fn leads_with_command(text: &str) -> bool {
    let start = text.trim_start_matches(['*', '_', ' ']);
    let Some((code, rest)) = start.strip_prefix('`').and_then(|rest| rest.split_once('`')) else { return false };
    let rest = rest.trim_start_matches(['*', '_', ' ']);
    super::reference::is_command(code)
        && (rest.is_empty() || rest.starts_with(['|', ':', '—', '–', '-', '#', '(', '→', '=']))
}

/// "Style guide: `docs/style.md`": a name and where it is written, and nothing else.
fn names_a_text(rest: &str) -> bool {
    let rest = rest.trim();
    let token = match rest.strip_prefix('`').and_then(|inner| inner.split_once('`')) {
        Some((code, behind))
            if behind.chars().all(|c| !c.is_alphanumeric()) || behind.trim_start().starts_with('(') =>
        {
            code
        }
        Some(_) => return false,
        None => rest.trim_end_matches('.'),
    };
    let lower = token.to_ascii_lowercase();
    !token.contains(char::is_whitespace)
        && [".md", ".mdc", ".mdx", ".rst", ".adoc"].iter().any(|end| lower.ends_with(end))
}

fn is_pointer(text: &str, masked: &str, around: &Surroundings) -> bool {
    let words = Words::get();
    let parts = clause(text, around.lead_length);
    let has_target = around.has_text_link
        || text.contains('`')
        || masked.contains("](")
        || text.contains(".md")
        || text.contains("http")
        || text.contains("docs")
        || text.contains("guide")
        || text.contains("section")
        || masked.split_whitespace().any(|w| w.len() > 4 && w.contains('/'));
    if words.pointer.leading(parts.main).is_some() || words.pointer.leading(trim_marks(text)).is_some() {
        let verb = imperative(parts.main);
        return has_target && verb < 2.6;
    }
    if parts.label.is_some() && names_a_text(parts.main) || around.link_first {
        return true;
    }
    if let Some((_, object)) = parts.main.split_once(' ')
        && ["load ", "conform to ", "open ", "study "].iter().any(|verb| parts.main.to_lowercase().starts_with(verb))
        && (around.has_text_link || object.contains(".md`"))
    {
        return true;
    }
    let strong = [
        "for details, see",
        "auto-suggested",
        "full details in",
        "more details in",
        "is documented in",
        "are documented in",
        "see also",
        "refer to",
        "documentation for",
        "for more information",
        "详见",
        "参见",
        "siehe",
        "を参照",
    ];
    let lower = masked.to_lowercase();
    strong.iter().any(|phrase| lower.contains(phrase)) && sentences(masked).len() <= 2 && has_target
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str, heading: &str) -> Kind {
        judge(text, &Surroundings { headings: vec![(heading.to_owned(), 2)], in_list: true, ..Surroundings::default() })
            .kind
    }

    #[test]
    fn instructions_and_descriptions() {
        for (text, heading, expected) in [
            ("Use `node:` prefixes for built-in modules", "Style", Kind::Rule),
            ("NEVER push to `main`", "Git", Kind::Rule),
            ("Comments should explain why.", "Style", Kind::Rule),
            ("When a test fails, fix the cause.", "Testing", Kind::Rule),
            ("`src/cli.ts` — reads the arguments. Calls `main()`.", "Structure", Kind::Fact),
            ("Test servers in `tests/servers/`", "Layout", Kind::Fact),
            ("Runs on Node.js 20 and later", "Overview", Kind::Fact),
            ("Uses `ruff` for linting", "Code Style", Kind::Fact),
            ("See `docs/style.md` for the whole guide.", "Docs", Kind::Pointer),
            ("You are an expert in TypeScript.", "Role", Kind::PersonaFluff),
            ("禁止修改 `gen/` 目录", "规范", Kind::Rule),
            ("必ずテストを書く", "方針", Kind::Rule),
            ("Niemals direkt auf `main` pushen", "Regeln", Kind::Rule),
        ] {
            assert_eq!(kind(text, heading), expected, "{text}");
        }
    }

    #[test]
    fn which_way_a_rule_points() {
        let directive = |text: &str| judge(text, &Surroundings::default()).directive;
        assert_eq!(directive("Do not edit generated files."), Some(Directive::Prohibition));
        assert_eq!(directive("Run the tests."), Some(Directive::Obligation));
        assert_eq!(directive("The code is old."), None);
        let never = Surroundings { lead_in: Some("Never:".into()), in_list: true, ..Surroundings::default() };
        assert_eq!(judge("Force push to `main`", &never).directive, Some(Directive::Prohibition));
    }
}
