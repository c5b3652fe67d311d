//! The word lists by which lines are read. They are data (`words.toml`), one table per language.

use regex::Regex;
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};
use std::sync::OnceLock;

/// Words and phrases of one kind in all languages, matched without regard to case.
#[derive(Debug, Default)]
pub struct Phrases {
    anywhere: Option<Regex>,
    at_start: Option<Regex>,
}

impl Phrases {
    fn new<'p>(phrases: impl Iterator<Item = &'p String>) -> Self {
        let mut sources: Vec<String> = phrases.map(|p| pattern(p)).collect();
        // The longest phrase first, so that its whole length is the match.
        sources.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        sources.dedup();
        if sources.is_empty() {
            return Self::default();
        }
        let either = sources.join("|");
        Self {
            anywhere: Regex::new(&format!("(?i)(?:{either})")).ok(),
            at_start: Regex::new(&format!("(?i)^(?:{either})")).ok(),
        }
    }

    /// The first phrase in `text`.
    #[must_use]
    pub fn find<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.anywhere.as_ref()?.find(text).map(|m| m.as_str())
    }

    /// Where the first phrase in `text` stands.
    #[must_use]
    pub fn locate(&self, text: &str) -> Option<super::Span> {
        self.anywhere.as_ref()?.find(text).map(|m| m.range())
    }

    /// Whether a phrase occurs in `text`.
    #[must_use]
    pub fn occur(&self, text: &str) -> bool {
        self.anywhere.as_ref().is_some_and(|regex| regex.is_match(text))
    }

    /// How many phrases occur in `text`, overlaps left out.
    #[must_use]
    pub fn count(&self, text: &str) -> usize {
        self.anywhere.as_ref().map_or(0, |regex| regex.find_iter(text).count())
    }

    /// The length in bytes of the phrase with which `text` begins.
    #[must_use]
    pub fn leading(&self, text: &str) -> Option<usize> {
        self.at_start.as_ref()?.find(text).map(|m| m.end())
    }
}

/// A phrase as a regular expression: whole words where it begins or ends with a letter of the ASCII range.
fn pattern(phrase: &str) -> String {
    let mut source = String::new();
    let edge = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    if edge(phrase.chars().next()) {
        source.push_str(r"(?-u:\b)");
    }
    for (i, word) in phrase.split(' ').enumerate() {
        if i > 0 {
            source.push_str(r"\s+");
        }
        match word.strip_suffix('*') {
            Some(stem) => {
                source.push_str(&regex::escape(stem));
                source.push_str(r"\w*");
            }
            None => source.push_str(&regex::escape(&word.replace('\'', "’")).replace('’', "['’]")),
        }
    }
    if edge(phrase.chars().next_back()) {
        source.push_str(r"(?-u:\b)");
    }
    source
}

/// All word lists, languages put together.
#[derive(Debug, Default)]
pub struct Words {
    /// Fence languages whose lines are shell commands.
    pub shell_languages: HashSet<String>,
    /// Fence languages whose lines may be shell commands.
    pub plain_languages: HashSet<String>,
    /// Programs by whose names a command is known.
    pub tools: HashSet<String>,
    /// Programs that do their work without arguments.
    pub alone: HashSet<String>,
    /// Stems of file names that stand for any name.
    pub stand_in_stems: HashSet<String>,
    /// Words inside of stems that stand for any name.
    pub stand_in_words: HashSet<String>,
    /// Parts of paths that stand for any path.
    pub stand_in_parts: Vec<String>,
    /// The line denies or forbids what it names.
    pub negation: Phrases,
    /// What it names was there once.
    pub past: Phrases,
    /// What it names is still to be made.
    pub future: Phrases,
    /// What it names may be missing.
    pub optional: Phrases,
    /// What it names stands for something else.
    pub example: Phrases,
    /// A label of how not to do it.
    pub wrong: Phrases,
    /// What it names is made by a tool.
    pub generated: Phrases,
    /// What it names is not in this project.
    pub elsewhere: Phrases,
    /// Verbs with which an instruction begins.
    pub imperative: HashSet<String>,
    /// Verbs that are as often nouns.
    pub imperative_maybe: HashSet<String>,
    /// Verbs of `imperative` that also head a noun phrase.
    pub noun_like: HashSet<String>,
    /// Words of duty anywhere in a sentence.
    pub obligation: Phrases,
    /// Words of prohibition anywhere in a sentence.
    pub prohibition: Phrases,
    /// Words that set one way against another.
    pub contrast: Phrases,
    /// Things to be kept from eyes.
    pub secret: Phrases,
    /// Verbs of looking.
    pub secret_verbs: Phrases,
    /// Verbs with which a description begins.
    pub descriptive: Phrases,
    /// Phrases that send the reader to another text.
    pub pointer: Phrases,
    /// Phrases about who the reader is to be, or what this file is.
    pub persona: Phrases,
    /// The same, only at the start of an item.
    pub persona_start: Phrases,
    /// Phrases that tie a statement to the time of writing.
    pub temporary: Phrases,
    /// Phrases that grant, waive or withhold authority.
    pub permission: Phrases,
    /// Words that leave the measure to the reader.
    pub vague: Phrases,
    /// Words that begin a reason.
    pub reason: Phrases,
    /// Words of a check, a test or something else to be seen.
    pub evidence: Phrases,
    /// Words with which a condition begins.
    pub condition: Phrases,
    /// Verbs of work in a condition.
    pub task_verbs: Phrases,
    /// Nouns for a part of a project.
    pub area: Phrases,
    /// Labels before a statement that is no instruction.
    pub fact_labels: Phrases,
    /// Words of headings over rules.
    pub rule_headings: Phrases,
    /// Words of headings over descriptions.
    pub fact_headings: Phrases,
    /// Words of headings over examples.
    pub example_headings: Phrases,
    /// Words of headings that limit nothing.
    pub generic_headings: Phrases,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    shell: Shell,
    stand_ins: StandIns,
    languages: BTreeMap<String, BTreeMap<String, Vec<String>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shell {
    languages: HashSet<String>,
    plain: HashSet<String>,
    tools: HashSet<String>,
    alone: HashSet<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct StandIns {
    stems: HashSet<String>,
    words: HashSet<String>,
    parts: Vec<String>,
}

const SOURCE: &str = include_str!("words.toml");

/// Names of the lists that a language's table may hold.
const LISTS: &[&str] = &[
    "negation",
    "past",
    "future",
    "optional",
    "example",
    "wrong",
    "generated",
    "elsewhere",
    "imperative",
    "imperative_maybe",
    "noun_like",
    "obligation",
    "prohibition",
    "contrast",
    "secret",
    "secret_verbs",
    "descriptive",
    "pointer",
    "persona",
    "persona_start",
    "temporary",
    "permission",
    "vague",
    "reason",
    "evidence",
    "condition",
    "task_verbs",
    "area",
    "fact_labels",
    "rule_headings",
    "fact_headings",
    "example_headings",
    "generic_headings",
];

impl Words {
    /// The lists that come with the program.
    #[must_use]
    pub fn get() -> &'static Self {
        static WORDS: OnceLock<Words> = OnceLock::new();
        WORDS.get_or_init(|| Self::read(SOURCE).unwrap_or_default())
    }

    fn read(source: &str) -> Result<Self, String> {
        let source: Source = toml::from_str(source).map_err(|error| error.to_string())?;
        for (language, lists) in &source.languages {
            if let Some(unknown) = lists.keys().find(|name| !LISTS.contains(&name.as_str())) {
                return Err(format!("`{unknown}` in the table of {language} is no list"));
            }
        }
        let all = |list: &str| source.languages.values().filter_map(|l| l.get(list)).flatten().collect::<Vec<_>>();
        let phrases = |list: &str| Phrases::new(all(list).into_iter());
        let set = |list: &str| all(list).into_iter().map(|w| w.to_lowercase()).collect::<HashSet<String>>();
        Ok(Self {
            negation: phrases("negation"),
            past: phrases("past"),
            future: phrases("future"),
            optional: phrases("optional"),
            example: phrases("example"),
            wrong: phrases("wrong"),
            generated: phrases("generated"),
            elsewhere: phrases("elsewhere"),
            imperative: set("imperative"),
            imperative_maybe: set("imperative_maybe"),
            noun_like: set("noun_like"),
            obligation: phrases("obligation"),
            prohibition: phrases("prohibition"),
            contrast: phrases("contrast"),
            secret: phrases("secret"),
            secret_verbs: phrases("secret_verbs"),
            descriptive: phrases("descriptive"),
            pointer: phrases("pointer"),
            persona: phrases("persona"),
            persona_start: phrases("persona_start"),
            temporary: phrases("temporary"),
            permission: phrases("permission"),
            vague: phrases("vague"),
            reason: phrases("reason"),
            evidence: phrases("evidence"),
            condition: phrases("condition"),
            task_verbs: phrases("task_verbs"),
            area: phrases("area"),
            fact_labels: phrases("fact_labels"),
            rule_headings: phrases("rule_headings"),
            fact_headings: phrases("fact_headings"),
            example_headings: phrases("example_headings"),
            generic_headings: phrases("generic_headings"),
            stand_in_stems: source.stand_ins.stems,
            stand_in_words: source.stand_ins.words,
            stand_in_parts: source.stand_ins.parts,
            shell_languages: source.shell.languages,
            plain_languages: source.shell.plain,
            tools: source.shell.tools,
            alone: source.shell.alone,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_well_formed() {
        let words = Words::read(SOURCE).unwrap();
        assert!(words.imperative.contains("use"));
        assert!(words.negation.anywhere.is_some() && words.generic_headings.at_start.is_some());
    }

    #[test]
    fn whole_words_without_regard_to_case() {
        let words = Words::get();
        assert_eq!(words.negation.find("Do NOT touch it"), Some("NOT"));
        assert!(!words.negation.occur("a notable knot"));
        assert!(words.negation.occur("we don’t touch it"), "either apostrophe");
        assert_eq!(words.prohibition.leading("Do  not touch"), Some(7));
        assert_eq!(words.prohibition.leading("We do not"), None);
    }

    #[test]
    fn four_languages_deny() {
        let words = Words::get();
        for line in ["不要使用 `a/b`", "禁止修改", "`a/b` は使わない", "keine relativen Pfade", "never `a/b`"]
        {
            assert!(words.negation.occur(line) || words.prohibition.occur(line), "{line}");
        }
    }

    #[test]
    fn an_unknown_list_is_refused() {
        let source = "[shell]\nlanguages=[]\nplain=[]\ntools=[]\nalone=[]\n[stand_ins]\nstems=[]\nwords=[]\nparts=[]\n[languages.x]\nnegatoin=[\"a\"]\n";
        assert!(Words::read(source).unwrap_err().contains("negatoin"));
    }
}
