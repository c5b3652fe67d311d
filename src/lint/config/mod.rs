//! What a user configures in `agentsctl.toml`, and what follows from it for one path and one rule.
//!
//! The nearest file from a path upwards holds for that path, alone: files are not merged (see [`discover`]). Command
//! line options are laid over it with [`Config::with_overrides`].

pub mod discover;
pub mod effective;
pub mod parse;

use super::date::Date;
use super::finding::{Finding, Severity};
use super::globs::PathGlobs;
use super::registry::{Group, Registry, RuleInfo, Selector};
use crate::error::CommandError;
use indexmap::IndexMap;
use std::ops::Range;
use std::sync::Arc;

/// The name of the configuration file.
pub const FILE_NAME: &str = "agentsctl.toml";

/// The rule for keys, rules, groups and hosts that do not exist.
pub const UNKNOWN_CONFIG_KEY: RuleInfo = RuleInfo {
    id: "unknown-config-key",
    group: Group::Config,
    severity: Severity::Error,
    summary: "a key, rule, group or host in agentsctl.toml that does not exist",
    page: include_str!("../../../docs/rules/unknown-config-key.md"),
    hosts: &[],
    since: "0.1.0",
};

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Origin {
    /// Nobody set it.
    #[default]
    Default,
    /// The configuration file, at this line (from 1).
    File(usize),
    /// An option of the command line or its environment variable, as written.
    CommandLine(&'static str),
}

/// A value and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Setting<T> {
    /// The value in force.
    pub value: T,
    /// Who set it.
    pub origin: Origin,
}

/// How much is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Persona {
    /// Hints stay away unless their rule is selected by its id.
    #[default]
    Default,
    /// Hints too.
    Pedantic,
}

impl Persona {
    /// The name that users read and write.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Pedantic => "pedantic",
        }
    }

    /// The persona with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Default, Self::Pedantic].into_iter().find(|persona| persona.name() == name)
    }
}

/// Which rules are on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// Replaces what was selected before.
    pub select: Setting<Option<Vec<Selector>>>,
    /// Adds to it.
    pub extend_select: Setting<Vec<Selector>>,
    /// Takes from it.
    pub ignore: Setting<Vec<Selector>>,
}

/// What a selection says about a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Selected {
    Off,
    On,
    /// Selected by its id.
    Explicitly,
}

impl Selection {
    /// What is in force after this selection, given what was before. A rule's id counts for more than its group, a
    /// group more than `all`; at the same level `ignore` counts for more.
    fn apply(&self, rule: &RuleInfo, before: Selected) -> Selected {
        let mut now = if self.select.value.is_some() { Selected::Off } else { before };
        let selected = self.select.value.iter().flatten().chain(&self.extend_select.value);
        let mut words: Vec<(Selector, bool)> = selected
            .map(|selector| (*selector, true))
            .chain(self.ignore.value.iter().map(|selector| (*selector, false)))
            .filter(|(selector, _)| selector.covers(rule))
            .collect();
        words.sort_by_key(|(selector, on)| (*selector, !*on));
        for (selector, on) in words {
            now = match (on, selector) {
                (false, _) => Selected::Off,
                (true, Selector::Rule(_)) => Selected::Explicitly,
                (true, _) => now.max(Selected::On),
            };
        }
        now
    }

    fn ignores(&self, rule: &RuleInfo) -> bool {
        self.apply(rule, Selected::On) == Selected::Off && !self.ignore.value.is_empty()
    }
}

/// What holds for some paths only: `[per-path."GLOB"]`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PerPath {
    /// The paths.
    pub globs: PathGlobs,
    /// Which rules are on there.
    pub selection: Selection,
    /// Severities there, by rule.
    pub severity: IndexMap<&'static str, Setting<Severity>>,
    /// The line of the table (from 1).
    pub line: usize,
}

/// Ceilings that the team set for itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Budget {
    /// What a host may have in front of it, in bytes.
    pub bytes: Setting<Option<u64>>,
    /// The same in lines.
    pub lines: Setting<Option<u64>>,
}

/// `[budgets]` and its tables for single hosts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Budgets {
    /// For every host.
    pub general: Budget,
    /// For one host, by its id.
    pub hosts: IndexMap<String, Budget>,
}

impl Budgets {
    /// The ceilings for a host: its own where there are any, else the general ones.
    pub fn of_host(&self, host: &str) -> Budget {
        let own = self.hosts.get(host);
        let pick = |field: fn(&Budget) -> &Setting<Option<u64>>| {
            own.map(field).filter(|setting| setting.value.is_some()).unwrap_or_else(|| field(&self.general)).clone()
        };
        Budget { bytes: pick(|budget| &budget.bytes), lines: pick(|budget| &budget.lines) }
    }
}

/// One `[[suppress]]` entry.
#[derive(Debug, Clone, PartialEq)]
pub struct SuppressEntry {
    /// The rule's id.
    pub rule: &'static str,
    /// The paths.
    pub globs: PathGlobs,
    /// Only findings whose line contains this text; any line without it.
    pub text: Option<String>,
    /// Why.
    pub reason: String,
    /// The last day on which it suppresses.
    pub expires: Option<Date>,
    /// Where the entry is in the file, in bytes: what is pointed at when it is unused or expired.
    pub span: Range<usize>,
}

/// The configuration that holds for some paths.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Config {
    /// The file's path as findings carry it; `None` without a file.
    pub path: Option<String>,
    /// The file's text.
    pub text: Arc<str>,
    /// The folder that globs start from, relative to the project root; empty for the root.
    pub directory: String,
    /// Whether the file marks the project root.
    pub root: Setting<bool>,
    /// Which rules are on.
    pub selection: Selection,
    /// The command line's word about that.
    pub selection_override: Selection,
    /// Severities by rule.
    pub severity: IndexMap<&'static str, Setting<Severity>>,
    /// What holds for some paths only, in the order of the file.
    pub per_path: Vec<PerPath>,
    /// The hosts (ids) that the team supports; empty for all.
    pub hosts: Setting<Vec<String>>,
    /// The launch directories that count, relative to the configuration's folder; empty for all.
    pub launch: Setting<Vec<String>>,
    /// The team's own ceilings.
    pub budgets: Budgets,
    /// A file with more hosts, relative to the configuration's folder.
    pub hosts_file: Setting<Option<String>>,
    /// Paths about which nothing is reported.
    pub exclude: Setting<PathGlobs>,
    /// Suppressions with a reason.
    pub suppress: Vec<SuppressEntry>,
    /// How much is reported.
    pub persona: Setting<Persona>,
    /// The least severity that makes the exit code 1.
    pub fail_on: FailOn,
    /// What is wrong with the file without keeping it from being used.
    pub findings: Vec<Finding>,
    /// Where the hosts' names are in the file, for [`Config::check_hosts`].
    host_spans: Vec<(String, Range<usize>)>,
}

/// The least severity that makes the exit code 1. Defaults to `warning`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailOn(pub Setting<Severity>);

impl Default for FailOn {
    fn default() -> Self {
        Self(Setting { value: Severity::Warning, origin: Origin::Default })
    }
}

/// Command line options that count for more than the file. `None` and empty where not given.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// `--select`
    pub select: Option<Vec<String>>,
    /// `--extend-select`
    pub extend_select: Vec<String>,
    /// `--ignore`
    pub ignore: Vec<String>,
    /// `--exclude`, in addition to the file's
    pub exclude: Vec<String>,
    /// `--host`
    pub hosts: Vec<String>,
    /// `--from`
    pub launch: Vec<String>,
    /// `--hosts-file`
    pub hosts_file: Option<String>,
    /// `--persona`
    pub persona: Option<Persona>,
    /// `--fail-on`
    pub fail_on: Option<Severity>,
}

impl Config {
    /// The same configuration with the command line's options laid over it.
    ///
    /// # Errors
    /// A usage error for a rule that does not exist or a pattern that is none.
    pub fn with_overrides(mut self, overrides: &Overrides, registry: &Registry) -> Result<Self, CommandError> {
        let selectors = |words: &[String], option: &str| -> Result<Vec<Selector>, CommandError> {
            words
                .iter()
                .map(|word| registry.selector(word).ok_or_else(|| unknown_rule(word, option, registry)))
                .collect()
        };
        if let Some(words) = &overrides.select {
            let value = Some(selectors(words, "--select")?);
            self.selection_override.select = Setting { value, origin: Origin::CommandLine("--select") };
        }
        if !overrides.extend_select.is_empty() {
            let value = selectors(&overrides.extend_select, "--extend-select")?;
            self.selection_override.extend_select = Setting { value, origin: Origin::CommandLine("--extend-select") };
        }
        if !overrides.ignore.is_empty() {
            let value = selectors(&overrides.ignore, "--ignore")?;
            self.selection_override.ignore = Setting { value, origin: Origin::CommandLine("--ignore") };
        }
        if !overrides.exclude.is_empty() {
            let mut patterns = self.exclude.value.patterns().to_vec();
            patterns.extend_from_slice(&overrides.exclude);
            let value = PathGlobs::new(&patterns).map_err(|(index, why)| {
                let pattern = patterns.get(index).map_or("", String::as_str);
                CommandError::usage(format!("`--exclude {pattern}` is no pattern: {why}"))
            })?;
            self.exclude = Setting { value, origin: Origin::CommandLine("--exclude") };
        }
        if !overrides.hosts.is_empty() {
            self.hosts = Setting { value: overrides.hosts.clone(), origin: Origin::CommandLine("--host") };
        }
        if !overrides.launch.is_empty() {
            self.launch = Setting { value: overrides.launch.clone(), origin: Origin::CommandLine("--from") };
        }
        if let Some(file) = &overrides.hosts_file {
            self.hosts_file = Setting { value: Some(file.clone()), origin: Origin::CommandLine("--hosts-file") };
        }
        if let Some(persona) = overrides.persona {
            self.persona = Setting { value: persona, origin: Origin::CommandLine("--persona") };
        }
        if let Some(severity) = overrides.fail_on {
            self.fail_on = FailOn(Setting { value: severity, origin: Origin::CommandLine("--fail-on") });
        }
        Ok(self)
    }

    /// A path of a finding as this configuration's globs see it: relative to the configuration's folder.
    pub fn relative<'p>(&self, path: &'p str) -> &'p str {
        if self.directory.is_empty() {
            return path;
        }
        path.strip_prefix(self.directory.as_str()).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
    }

    /// Whether nothing is to be reported about a path.
    pub fn excludes(&self, path: &str) -> bool {
        self.exclude.value.matches(self.relative(path))
    }

    fn matching(&self, path: &str) -> impl DoubleEndedIterator<Item = &PerPath> {
        let path = self.relative(path).to_string();
        self.per_path.iter().filter(move |per_path| per_path.globs.matches(&path))
    }

    /// The severity of a rule's finding in a file. `own` is what the rule itself gave it. The user's word replaces the
    /// rule's, the last matching `per-path` table that of the whole file.
    pub fn severity_of(&self, rule: &RuleInfo, path: &str, own: Severity) -> Severity {
        let special = self.matching(path).filter_map(|per_path| per_path.severity.get(rule.id)).next_back();
        special.or_else(|| self.severity.get(rule.id)).map_or(own, |setting| setting.value)
    }

    /// Whether a rule's finding of a severity is reported for a path.
    ///
    /// The file's selection holds first, then those of matching `per-path` tables in order, then the command line's;
    /// what a `per-path` table ignores stays ignored all the same.
    pub fn reports(&self, rule: &RuleInfo, path: &str, severity: Severity) -> bool {
        let mut selected = self.selection.apply(rule, Selected::On);
        for per_path in self.matching(path) {
            selected = per_path.selection.apply(rule, selected);
        }
        selected = self.selection_override.apply(rule, selected);
        if self.matching(path).any(|per_path| per_path.selection.ignores(rule)) {
            selected = Selected::Off;
        }
        match selected {
            Selected::Off => false,
            Selected::Explicitly => true,
            Selected::On => severity > Severity::Hint || self.persona.value == Persona::Pedantic,
        }
    }

    /// Whether a rule need run for a path at all: whether its findings are reported there unless it gives one a higher
    /// severity than its own.
    pub fn is_on(&self, rule: &RuleInfo, path: &str) -> bool {
        self.reports(rule, path, self.severity_of(rule, path, rule.severity))
    }

    /// Findings about hosts in the file that are not among the known ones. Separate from reading the file, which may
    /// itself name the file that adds hosts.
    pub fn check_hosts(&self, known: &[&str]) -> Vec<Finding> {
        let unknown = self.host_spans.iter().filter(|(host, _)| !known.contains(&host.as_str()));
        unknown
            .map(|(host, span)| {
                let nearest = super::registry::closest(host, known.iter().copied());
                parse::unknown(self.path.as_deref().unwrap_or(FILE_NAME), "host", host, span.clone(), nearest)
            })
            .collect()
    }
}

/// A usage error about a rule or group that does not exist, named by `option`.
pub fn unknown_rule(word: &str, option: &str, registry: &Registry) -> CommandError {
    let error = CommandError::usage(format!("`{option}`: there is no rule or group `{word}`"));
    match registry.suggestion(word) {
        Some(suggestion) => error.hint(format!("did you mean `{suggestion}`?")),
        None => error.hint("`agentsctl rules` lists all of them"),
    }
}
