//! What is known of each rule without running it, and the list of all of them.
//!
//! A rule's page is `docs/rules/ID.md`, included by the rule's own file:
//!
//! ```ignore
//! pub const INFO: RuleInfo = RuleInfo {
//!     id: "truncated",
//!     group: Group::Reach,
//!     severity: Severity::Error,
//!     summary: "the host cuts the file before its end",
//!     page: include_str!("../../../docs/rules/truncated.md"),
//!     hosts: &["codex"],
//!     since: "0.1.0",
//! };
//! ```
//!
//! The page, `agentsctl rule ID`, SARIF's help and the tests of the examples (see [`super::examples`]) then have one
//! text. A page begins with a `# id` heading.

use super::examples::{self, Verdict};
use super::finding::Severity;
use super::{config, suppress};
use serde::Serialize;

/// What a rule is about. Selections name a group to mean all of its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// Whether a file is loaded at all, whole, and once.
    Reach,
    /// Whether what a file names exists.
    References,
    /// Whether the rules in a file can be followed: scope, conflicts, repetition.
    Rules,
    /// Secrets, hidden text, personal paths.
    Safety,
    /// What the user told agentsctl itself.
    Config,
}

impl Group {
    /// All groups in the order in which they are listed.
    pub const ALL: [Self; 5] = [Self::Reach, Self::References, Self::Rules, Self::Safety, Self::Config];

    /// The name used in selections.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reach => "reach",
            Self::References => "references",
            Self::Rules => "rules",
            Self::Safety => "safety",
            Self::Config => "config",
        }
    }
}

/// One rule without its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RuleInfo {
    /// The id, such as `truncated`: lower case, words joined by hyphens, never the name of a group.
    pub id: &'static str,
    /// What it is about.
    pub group: Group,
    /// The severity of its findings unless the rule says otherwise for one, or the user for all.
    pub severity: Severity,
    /// What it finds, as a phrase without a full stop.
    pub summary: &'static str,
    /// The page in Markdown.
    pub page: &'static str,
    /// The hosts (ids) that it can speak about; empty where it does not depend on a host.
    pub hosts: &'static [&'static str],
    /// The version of agentsctl that has it first.
    pub since: &'static str,
}

/// The rules about agentsctl's own configuration and suppressions. They are always registered.
pub const OWN_RULES: [RuleInfo; 4] = [
    suppress::UNUSED_SUPPRESSION,
    suppress::UNKNOWN_SUPPRESSION,
    suppress::EXPIRED_SUPPRESSION,
    config::UNKNOWN_CONFIG_KEY,
];

/// All rules, in the order in which they are listed.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    rules: Vec<RuleInfo>,
}

impl Registry {
    /// Lists the given rules, then agentsctl's own.
    pub fn new(rules: impl IntoIterator<Item = RuleInfo>) -> Self {
        Self { rules: rules.into_iter().chain(OWN_RULES).collect() }
    }

    /// All rules.
    pub fn rules(&self) -> &[RuleInfo] {
        &self.rules
    }

    /// The rule with an id.
    pub fn rule(&self, id: &str) -> Option<&RuleInfo> {
        self.rules.iter().find(|rule| rule.id == id)
    }

    /// What is wrong with the rules' own data, for a test that wants none: ids twice or malformed, pages without their
    /// heading or without a bad and a good example, summaries that are sentences.
    pub fn defects(&self) -> Vec<String> {
        let mut defects = Vec::new();
        for (index, rule) in self.rules.iter().enumerate() {
            let mut defect = |what: &str| defects.push(format!("{}: {what}", rule.id));
            if self.rules.iter().take(index).any(|earlier| earlier.id == rule.id) {
                defect("the id is registered twice");
            }
            let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            if rule.id.is_empty() || !rule.id.chars().all(letters) {
                defect("an id is made of lower-case letters, digits and hyphens");
            }
            if rule.id == "all" || Group::ALL.iter().any(|group| group.name() == rule.id) {
                defect("the id means a group in selections");
            }
            if rule.summary.is_empty() || rule.summary.ends_with('.') {
                defect("the summary is a phrase without a full stop");
            }
            if !rule.page.starts_with(&format!("# {}\n", rule.id)) {
                defect("the page begins with another heading");
            }
            if semver::Version::parse(rule.since).is_err() {
                defect("`since` is no version");
            }
            match examples::read(rule.page) {
                Err(error) => defect(&format!("the page's {error}")),
                Ok(examples) => {
                    for verdict in [Verdict::Bad, Verdict::Good] {
                        if !examples.iter().any(|example| example.verdict == verdict) {
                            defect(&format!("the page has no {verdict:?} example"));
                        }
                    }
                }
            }
        }
        defects
    }

    /// What a word of a selection means.
    pub fn selector(&self, word: &str) -> Option<Selector> {
        if word == "all" {
            return Some(Selector::All);
        }
        if let Some(group) = Group::ALL.into_iter().find(|group| group.name() == word) {
            return Some(Selector::Group(group));
        }
        self.rule(word).map(|rule| Selector::Rule(rule.id))
    }

    /// The rule or group that somebody who wrote `word` may have meant.
    pub fn suggestion(&self, word: &str) -> Option<&'static str> {
        let groups = Group::ALL.iter().map(|group| group.name());
        closest(word, self.rules.iter().map(|rule| rule.id).chain(groups))
    }

    /// The text of `agentsctl rule ID`: the page, and what is not in it.
    pub fn page(&self, id: &str) -> Option<String> {
        let rule = self.rule(id)?;
        let mut page = String::from(rule.page.trim_end());
        let hosts = if rule.hosts.is_empty() { "any".to_string() } else { rule.hosts.join(", ") };
        page.push_str(&format!(
            "\n\nGroup `{}`, severity `{}`, hosts: {hosts}, since {}.\n",
            rule.group.name(),
            rule.severity.name(),
            rule.since
        ));
        Some(page)
    }
}

/// What a word of `select` or `ignore` covers. Ordered from the widest to the narrowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Selector {
    /// `all`
    All,
    /// A group's name.
    Group(Group),
    /// A rule's id.
    Rule(&'static str),
}

impl Selector {
    /// Whether a rule is covered.
    pub fn covers(self, rule: &RuleInfo) -> bool {
        match self {
            Self::All => true,
            Self::Group(group) => rule.group == group,
            Self::Rule(id) => rule.id == id,
        }
    }

    /// The word that a user writes.
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Group(group) => group.name(),
            Self::Rule(id) => id,
        }
    }
}

/// The known word that is nearest to an unknown one, if one is near enough to be meant.
pub fn closest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let word = word.to_lowercase();
    known
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&word, candidate), candidate))
        .filter(|(score, _)| *score > 0.8)
        .max_by(|(left, _), (right, _)| left.total_cmp(right))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_rules_are_registered_and_have_pages() {
        let registry = Registry::new([]);
        assert_eq!(registry.defects(), Vec::<String>::new());
        for rule in registry.rules() {
            assert!(registry.page(rule.id).unwrap().ends_with("since 0.1.0.\n"));
        }
        assert_eq!(registry.selector("config"), Some(Selector::Group(Group::Config)));
        assert_eq!(registry.selector("unused-suppression"), Some(Selector::Rule("unused-suppression")));
        assert_eq!(registry.selector("nothing"), None);
    }

    #[test]
    fn defects_of_rules_are_seen() {
        let wrong = RuleInfo { id: "safety", summary: "It is.", page: "# x\n", since: "soon", ..OWN_RULES[0] };
        let twice = [OWN_RULES[1], wrong];
        assert_eq!(Registry::new(twice).defects().len(), 7);
    }

    #[test]
    fn suggests_what_was_meant_and_nothing_otherwise() {
        let registry = Registry::new([]);
        assert_eq!(registry.suggestion("unused-supression"), Some("unused-suppression"));
        assert_eq!(registry.suggestion("Safty"), Some("safety"));
        assert_eq!(registry.suggestion("E501"), None);
    }
}
