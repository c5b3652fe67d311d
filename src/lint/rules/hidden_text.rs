//! `hidden-text`: characters that a reader does not see and a model does.

use crate::document::Span;
use crate::lint::finding::{Edit, Finding, Fix, Location, Severity};
use crate::lint::material::{InstructionFile, Material};
use crate::lint::registry::{Group, RuleInfo};

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "hidden-text",
    group: Group::Safety,
    severity: Severity::Error,
    summary: "characters that a reader does not see and a model does",
    page: include_str!("../../../docs/rules/hidden-text.md"),
    hosts: &[],
    since: "0.1.0",
};

/// How many findings one file can have; whoever hides text in more places has been found out.
const LIMIT: usize = 50;
/// How much of a hidden text is shown, in characters.
const SHOWN: usize = 80;

/// What a hidden character does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hidden {
    /// Carries text that is not drawn at all.
    Tag,
    /// Changes the order in which letters are drawn.
    Direction,
    /// Has no width.
    Nothing,
}

/// One finding for each run of hidden characters, and for each command word that mixes alphabets.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for file in material.texts() {
        let text = file.document.text.as_str();
        let mut found: Vec<Finding> = runs(text).take(LIMIT).map(|(kind, span)| hidden(file, kind, span)).collect();
        found.extend(mixed_words(file).take(LIMIT));
        findings.append(&mut found);
    }
}

fn hidden(file: &InstructionFile, kind: Hidden, span: Span) -> Finding {
    let run = file.document.slice(&span);
    let codes: Vec<String> = run.chars().take(4).map(|c| format!("U+{:04X}", u32::from(c))).collect();
    let codes = codes.join(" ");
    let (severity, message, help) = match kind {
        Hidden::Tag => {
            let said: String = run.chars().filter_map(letter_of_tag).take(SHOWN).collect();
            (Severity::Error, format!("invisible characters spell {said:?}"), "remove them")
        }
        Hidden::Direction => (
            Severity::Error,
            format!("{codes} makes the text look otherwise than it is read"),
            "remove it, or write the passage in one direction",
        ),
        Hidden::Nothing => {
            (Severity::Warning, format!("{codes} stands inside of a word and is not drawn"), "remove it")
        }
    };
    // Who hid text should be found before it goes; a stray character without width may simply go.
    let fix = (kind == Hidden::Nothing).then(|| Fix {
        description: "remove the invisible character".to_owned(),
        edits: vec![Edit { path: file.path.clone(), span: span.clone(), replacement: String::new() }],
    });
    Finding {
        rule: INFO.id,
        severity,
        message,
        primary: Location { path: file.path.clone(), span, label: "here".to_owned() },
        related: Vec::new(),
        help: Some(help.to_owned()),
        hosts: Vec::new(),
        fix,
    }
}

/// The ASCII character that a tag character stands for.
fn letter_of_tag(c: char) -> Option<char> {
    u32::from(c).checked_sub(0xe0000).filter(|code| (0x20..0x7f).contains(code)).and_then(char::from_u32)
}

/// Runs of hidden characters of one kind.
fn runs(text: &str) -> impl Iterator<Item = (Hidden, Span)> + '_ {
    let mut characters = text.char_indices().peekable();
    let mut previous: Option<char> = None;
    std::iter::from_fn(move || {
        while let Some((start, c)) = characters.next() {
            let before = previous.replace(c);
            let next = characters.peek().map(|(_, c)| *c);
            let Some(kind) = kind(c, before, next, start, text) else { continue };
            let mut end = start + c.len_utf8();
            let mut last = c;
            while let Some((at, c)) = characters.peek().copied()
                && at == end
                && raw_kind(c) == Some(kind)
            {
                characters.next();
                end += c.len_utf8();
                last = c;
            }
            previous = Some(last);
            // A flag of a region is a black flag and tags.
            if kind == Hidden::Tag && before == Some('\u{1f3f4}') {
                continue;
            }
            return Some((kind, start..end));
        }
        None
    })
}

fn raw_kind(c: char) -> Option<Hidden> {
    match c {
        '\u{e0000}'..='\u{e007f}' => Some(Hidden::Tag),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some(Hidden::Direction),
        '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}' | '\u{180e}' => {
            Some(Hidden::Nothing)
        }
        _ => None,
    }
}

fn kind(c: char, before: Option<char>, next: Option<char>, at: usize, text: &str) -> Option<Hidden> {
    let kind = raw_kind(c)?;
    match kind {
        Hidden::Tag => Some(kind),
        // Isolates around words of a script that runs from right to left are what they are for.
        Hidden::Direction => (!line_at(text, at).chars().any(is_right_to_left)).then_some(kind),
        Hidden::Nothing => {
            // Between letters of the ASCII range they have no use; in other scripts and in emoji they do.
            let plain = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
            let hidden = |c: Option<char>| c.is_some_and(|c| raw_kind(c) == Some(Hidden::Nothing));
            (at > 0 && plain(before) && (plain(next) || hidden(next))).then_some(kind)
        }
    }
}

fn line_at(text: &str, at: usize) -> &str {
    let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
    let end = text.get(at..).and_then(|rest| rest.find('\n')).map_or(text.len(), |newline| at + newline);
    text.get(start..end).unwrap_or("")
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// Words of commands in which a letter of another alphabet stands among Latin ones.
fn mixed_words(file: &InstructionFile) -> impl Iterator<Item = Finding> + '_ {
    // Asked of the whole text first: most files have none.
    let commands = if file.document.text.chars().any(looks_latin) { file.document.commands() } else { Vec::new() };
    commands.into_iter().flat_map(|command| command.words).filter(|word| !word.quoted).filter_map(|word| {
        let mut parts = word.text.split(|c: char| !c.is_alphanumeric());
        let odd = parts.find_map(|part| {
            let mixed = part.chars().any(|c| c.is_ascii_alphabetic());
            part.chars().find(|c| looks_latin(*c)).filter(|_| mixed)
        })?;
        Some(Finding {
            rule: INFO.id,
            severity: Severity::Warning,
            message: format!("the letter U+{:04X} in `{}` only looks like a Latin one", u32::from(odd), word.text),
            primary: Location { path: file.path.clone(), span: word.span, label: String::new() },
            related: Vec::new(),
            help: Some("type the command anew".to_owned()),
            hosts: Vec::new(),
            fix: None,
        })
    })
}

/// Letters of other alphabets that are drawn as Latin ones are.
fn looks_latin(c: char) -> bool {
    matches!(
        c,
        'а' | 'с'
            | 'ԁ'
            | 'е'
            | 'һ'
            | 'і'
            | 'ј'
            | 'к'
            | 'о'
            | 'р'
            | 'ѕ'
            | 'у'
            | 'х'
            | 'ԛ'
            | 'ԝ'
            | 'А'
            | 'В'
            | 'Е'
            | 'К'
            | 'М'
            | 'Н'
            | 'О'
            | 'Р'
            | 'С'
            | 'Т'
            | 'Х'
            | 'І'
            | 'Ѕ'
            | 'α'
            | 'ο'
            | 'ν'
            | 'ρ'
            | 'υ'
            | 'ι'
            | 'κ'
            | 'Α'
            | 'Β'
            | 'Ε'
            | 'Ζ'
            | 'Η'
            | 'Ι'
            | 'Κ'
            | 'Μ'
            | 'Ν'
            | 'Ο'
            | 'Ρ'
            | 'Τ'
            | 'Χ'
            | '\u{ff01}'..='\u{ff5e}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Hidden> {
        runs(text).map(|(kind, _)| kind).collect()
    }

    #[test]
    fn hidden_text_is_told_from_writing() {
        assert_eq!(kinds("a \u{e0068}\u{e0069} b"), [Hidden::Tag]);
        assert_eq!(kinds("a \u{202e}b\u{202c}"), [Hidden::Direction, Hidden::Direction]);
        assert_eq!(kinds("exe\u{200b}cute"), [Hidden::Nothing]);
        assert_eq!(kinds("exe\u{200b}\u{200b}cute"), [Hidden::Nothing]);
        // A family, a flag, Persian, a mark at the start, Hebrew in isolates.
        for text in [
            "👩\u{200d}👩\u{200d}👧",
            "🏴\u{e0067}\u{e0062}\u{e007f}",
            "می\u{200c}خواهم",
            "\u{feff}# a",
            "\u{2067}שלום\u{2069}",
        ] {
            assert_eq!(kinds(text), [], "{text}");
        }
    }
}
