//! The reasons in words, each with the one change that would load the file.

use super::{NotLoaded, Shown};
use crate::discover::paths::file_name;
use crate::discover::{Omission, Reason};
use crate::host::Host;
use crate::host::schema::Unit;
use std::path::Path;

/// A unit in words.
pub fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Bytes => "bytes",
        Unit::Characters => "characters",
        Unit::Utf16Units => "UTF-16 units",
        Unit::Lines => "lines",
    }
}

/// A number with commas between thousands.
pub fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut result = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            result.push(',');
        }
        result.push(digit);
    }
    result
}

/// An omission in words.
pub fn not_loaded(host: &Host, omission: &Omission, shown: &Shown) -> NotLoaded {
    let path = |p: &Path| shown.path(p);
    let own = path(&omission.path);
    let (code, reason, remedy) = match &omission.reason {
        Reason::Shadowed { by } => {
            let other = path(by);
            let remedy = match by.parent() == omission.path.parent() {
                true => format!("move its text into {other}, or take that file away"),
                false => format!("put its text into a {} beside it, or take {other} away", file_name(by)),
            };
            ("shadowed", format!("shadowed by {other}"), Some(remedy))
        }
        Reason::Blank => {
            ("blank", "it has no text".to_owned(), Some(format!("write something in {own}, or remove it")))
        }
        Reason::OverBudget { budget, limit, unit: u } => {
            let setting = setting_of(host, budget);
            (
                "over-budget",
                format!("over the budget of {} {}", number(*limit), unit(*u)),
                Some(match setting {
                    Some(setting) => format!("shorten what loads before it, or raise {setting}"),
                    None => "shorten what loads before it".to_owned(),
                }),
            )
        }
        Reason::TooLarge { limit } => (
            "too-large",
            format!("larger than {} bytes", number(*limit)),
            Some("split it into smaller files".to_owned()),
        ),
        Reason::WaitsForMatch { patterns } => (
            "no-match",
            format!("waits for a file that matches {}", patterns.join(", ")),
            Some(format!("touch such a file, or take the patterns out of {own}")),
        ),
        Reason::AgentDecides => (
            "agent-decides",
            "the agent decides by its description".to_owned(),
            Some("set alwaysApply: true".to_owned()),
        ),
        Reason::ByMentionOnly => (
            "by-mention-only",
            "only when the user names it with @".to_owned(),
            Some("give it a description, globs, or alwaysApply: true".to_owned()),
        ),
        Reason::NamedOnly => ("named-only", "the model is told that it is there, not what it says".to_owned(), None),
        Reason::NeverRead { why } => ("never-read", why.clone(), None),
        Reason::ExcludesHost => (
            "excludes-host",
            "its frontmatter excludes this host".to_owned(),
            Some(format!("take the exclusion out of {own}")),
        ),
        Reason::Excluded { by, pattern } => (
            "excluded",
            format!("kept out by `{pattern}` ({})", shorten(by, shown)),
            Some("take the pattern out there".to_owned()),
        ),
        Reason::Unreadable { error } => {
            ("unreadable", format!("it cannot be read: {error}"), Some(format!("make {own} readable")))
        }
        Reason::NameNotTaken { wanted } => (
            "name-not-taken",
            format!("here only files that end in {} are read", wanted.join(" or ")),
            wanted.first().map(|ending| format!("give {own} the ending {ending}")),
        ),
        Reason::NotAFile => {
            ("not-a-file", "it is a folder, a pipe or a device".to_owned(), Some("put a file there".to_owned()))
        }
        Reason::BrokenLink => {
            ("broken-link", "it is a link that leads nowhere".to_owned(), Some("mend the link".to_owned()))
        }
        Reason::LinkRefused { target } => (
            "link-refused",
            match target {
                Some(target) => format!("it is a link to {}, which this host refuses", path(target)),
                None => "it is a link, which this host refuses".to_owned(),
            },
            Some("put the file itself there".to_owned()),
        ),
        Reason::LostWith { file } => (
            "lost-with",
            format!("{} cannot be read, and the host then gives up all files of the chain", path(file)),
            Some(format!("make {} readable, or remove it", path(file))),
        ),
        Reason::SameAs { path: other, by } => {
            ("same-as", format!("the same {by} as {}, which was loaded", path(other)), None)
        }
        Reason::Blocked { findings, phrase, line } => (
            "blocked",
            format!("held back because of `{phrase}` in line {line} ({})", findings.join(", ")),
            Some(format!("put the words in line {line} of {own} otherwise")),
        ),
        Reason::NotTrusted => (
            "not-trusted",
            "the folder is not trusted".to_owned(),
            Some(host.trust_help.clone().unwrap_or_else(|| "trust the folder in the host".to_owned())),
        ),
        Reason::SwitchedOff { by } => ("switched-off", format!("switched off by {}", shorten(by, shown)), None),
        Reason::ImportMissing { by } => (
            "import-missing",
            format!("{} imports it, and it is not there", path(by)),
            Some(format!("mend the path in {}", path(by))),
        ),
        Reason::ImportOutside { by, boundary } => (
            "import-outside",
            format!("{} imports it from outside of {}", path(by), path(boundary)),
            Some("approve it in the host, or move the file inside".to_owned()),
        ),
        Reason::ImportTooDeep { by, depth } => (
            "import-too-deep",
            format!("{} imports it, more than {depth} levels down", path(by)),
            Some("import it from a file nearer to the top".to_owned()),
        ),
        Reason::ImportRefused { by, why } => ("import-refused", format!("{} imports it, but {why}", path(by)), None),
    };
    NotLoaded { path: omission.path.clone(), code, reason, remedy }
}

/// How many words are named before the rest is only counted.
const WORDS_SHOWN: usize = 4;

/// Words with `@` that were taken for imports, one entry for each file that holds some.
pub fn words_taken_for_imports(omissions: &[&Omission]) -> Vec<NotLoaded> {
    let mut by_file: Vec<(&Path, Vec<String>)> = Vec::new();
    for omission in omissions {
        let Reason::ImportMissing { by } = &omission.reason else { continue };
        let folder = by.parent().unwrap_or(by);
        let word = format!("@{}", crate::discover::paths::relative_with_parents(&omission.path, folder));
        match by_file.iter_mut().find(|(file, _)| file == by) {
            Some((_, words)) => words.push(word),
            None => by_file.push((by, vec![word])),
        }
    }
    let entry = |(file, words): (&Path, Vec<String>)| {
        let shown = words.iter().take(WORDS_SHOWN).cloned().collect::<Vec<_>>().join(", ");
        let more = words.len().saturating_sub(WORDS_SHOWN);
        let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
        NotLoaded {
            path: file.to_path_buf(),
            code: "import-words",
            reason: format!("{shown}{rest}: taken for imports, and nothing is there"),
            remedy: Some("write a name that is no import in back quotes".to_owned()),
        }
    };
    by_file.into_iter().map(entry).collect()
}

/// A text that names an absolute path at its end, with the path as it is shown.
fn shorten(text: &str, shown: &Shown) -> String {
    match text.rsplit_once(" in /") {
        Some((head, rest)) => format!("{head} in {}", shown.path(Path::new(&format!("/{rest}")))),
        None => text.to_owned(),
    }
}

/// The host's own setting that changes a budget.
pub fn setting_of(host: &Host, budget: &str) -> Option<String> {
    let limit = host.budgets.get(budget)?.limit.as_str()?;
    let parameter = host.parameters.get(limit.trim_start_matches('$'))?;
    parameter.from.iter().find_map(|provider| provider.setting.clone())
}
