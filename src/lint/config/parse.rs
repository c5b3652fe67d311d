//! Reads `agentsctl.toml`. What cannot be understood is an error with its place; what does not exist is a finding, so
//! that a misspelt key neither stops the run nor goes unnoticed.

use super::super::date::Date;
use super::super::finding::{Finding, Location, Severity};
use super::super::globs::PathGlobs;
use super::super::registry::{Registry, Selector, closest};
use super::super::suppress::UNKNOWN_SUPPRESSION;
use super::{Budget, Config, FailOn, Origin, PerPath, Persona, Selection, Setting, SuppressEntry, UNKNOWN_CONFIG_KEY};
use crate::lines::Lines;
use indexmap::IndexMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The keys of the file.
pub const KEYS: [&str; 14] = [
    "root",
    "select",
    "extend-select",
    "ignore",
    "severity",
    "per-path",
    "hosts",
    "launch",
    "budgets",
    "hosts-file",
    "exclude",
    "suppress",
    "persona",
    "fail-on",
];
/// The keys of a `[per-path."GLOB"]` table.
pub const PER_PATH_KEYS: [&str; 4] = ["select", "extend-select", "ignore", "severity"];
/// The keys of a `[[suppress]]` entry.
pub const SUPPRESS_KEYS: [&str; 5] = ["rule", "path", "text", "reason", "expires"];
/// The keys of `[budgets]` besides hosts, and of a host's table in it.
pub const BUDGET_KEYS: [&str; 2] = ["bytes", "lines"];

/// One thing that keeps a configuration file from being used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where, in bytes.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

/// A configuration file that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The file's path as findings carry it.
    pub path: String,
    /// The file's text.
    pub text: Arc<str>,
    /// What is wrong; at least one.
    pub problems: Vec<Problem>,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = Lines::of(&self.text);
        for (index, problem) in self.problems.iter().enumerate() {
            let position = lines.position(problem.span.start);
            let separator = if index == 0 { "" } else { "\n" };
            write!(formatter, "{separator}{}:{}:{}: {}", self.path, position.line, position.column, problem.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}

/// The finding about something named in the file that does not exist.
pub(super) fn unknown(path: &str, what: &str, name: &str, span: Range<usize>, nearest: Option<&str>) -> Finding {
    Finding {
        rule: UNKNOWN_CONFIG_KEY.id,
        severity: UNKNOWN_CONFIG_KEY.severity,
        message: format!("there is no {what} `{name}`"),
        primary: Location { path: path.to_string(), span, label: format!("unknown {what}") },
        related: Vec::new(),
        help: Some(match nearest {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "remove it, or update agentsctl if a newer version knows it".to_string(),
        }),
        hosts: Vec::new(),
        fix: None,
    }
}

impl Config {
    /// Reads a configuration file's text. `path` is the file's path as findings carry it, `directory` its folder
    /// relative to the project root (empty for the root itself).
    ///
    /// # Errors
    /// Everything that is not TOML or has the wrong type or value, with its place.
    pub fn parse(text: &str, path: &str, directory: &str, registry: &Registry) -> Result<Self, ConfigError> {
        // A byte order mark is no TOML, but editors write it. A space for each of its bytes keeps all places right.
        let without_mark = text.strip_prefix('\u{feff}').map(|rest| format!("   {rest}"));
        let toml = without_mark.as_deref().unwrap_or(text);
        let mut reader = Reader {
            path,
            registry,
            lines: Lines::of(text),
            problems: Vec::new(),
            findings: Vec::new(),
            host_spans: Vec::new(),
        };
        let mut config = Self {
            path: Some(path.to_string()),
            text: Arc::from(text),
            directory: directory.to_string(),
            ..Self::default()
        };
        match DeTable::parse(toml) {
            Ok(table) => reader.file(table.get_ref(), &mut config),
            Err(error) => {
                let span = error.span().unwrap_or(0..0);
                reader.problem(span, error.message().trim().replace('\n', ", "), None);
            }
        }
        if !reader.problems.is_empty() {
            return Err(ConfigError { path: path.to_string(), text: Arc::from(text), problems: reader.problems });
        }
        config.findings = reader.findings;
        config.host_spans = reader.host_spans;
        Ok(config)
    }
}

type Value<'i> = Spanned<DeValue<'i>>;

struct Reader<'r> {
    path: &'r str,
    registry: &'r Registry,
    lines: Lines<'r>,
    problems: Vec<Problem>,
    findings: Vec<Finding>,
    host_spans: Vec<(String, Range<usize>)>,
}

impl Reader<'_> {
    fn problem(&mut self, span: Range<usize>, message: impl Into<String>, help: Option<String>) {
        self.problems.push(Problem { span, message: message.into(), help });
    }

    fn wrong_type(&mut self, key: &str, value: &Value<'_>, wanted: &str) {
        let found = value.get_ref().type_str();
        self.problem(value.span(), format!("`{key}` is {wanted}, not {}", article(found)), None);
    }

    fn setting<T>(&self, value: T, span: &Range<usize>) -> Setting<T> {
        Setting { value, origin: Origin::File(self.lines.line_of(span.start)) }
    }

    fn unknown_key(&mut self, key: &str, span: Range<usize>, known: &[&str]) {
        let nearest = closest(key, known.iter().copied());
        self.findings.push(unknown(self.path, "key", key, span, nearest));
    }

    fn file(&mut self, table: &DeTable<'_>, config: &mut Config) {
        for (key, value) in table {
            let span = key.span();
            match key.get_ref().as_ref() {
                "root" => match value.get_ref().as_bool() {
                    Some(root) => config.root = self.setting(root, &span),
                    None => self.wrong_type("root", value, "`true` or `false`"),
                },
                name @ ("select" | "extend-select" | "ignore") => {
                    self.selection(name, value, &span, &mut config.selection);
                }
                "severity" => config.severity = self.severities(value),
                "per-path" => config.per_path = self.per_path(value),
                "hosts" => {
                    let hosts = self.strings("hosts", value);
                    config.hosts = self.setting(hosts.iter().map(|(host, _)| host.clone()).collect(), &span);
                    self.host_spans.extend(hosts);
                }
                "launch" => {
                    let directories = self.strings("launch", value);
                    for (directory, span) in &directories {
                        self.check_relative("launch", directory, span);
                    }
                    config.launch = self.setting(first_of_each(directories), &span);
                }
                "budgets" => self.budgets(value, config),
                "hosts-file" => {
                    let file = self.string("hosts-file", value);
                    config.hosts_file = self.setting(file, &span);
                }
                "exclude" => {
                    let patterns = self.strings("exclude", value);
                    let globs = self.globs(patterns);
                    config.exclude = self.setting(globs, &span);
                }
                "suppress" => config.suppress = self.suppressions(value),
                "persona" => {
                    let names = [Persona::Default, Persona::Pedantic].map(Persona::name);
                    if let Some(persona) = self.one_of("persona", value, &names, Persona::from_name) {
                        config.persona = self.setting(persona, &span);
                    }
                }
                "fail-on" => {
                    let names = Severity::ALL.map(Severity::name);
                    if let Some(severity) = self.one_of("fail-on", value, &names, Severity::from_name) {
                        config.fail_on = FailOn(self.setting(severity, &span));
                    }
                }
                other => self.unknown_key(other, span, &KEYS),
            }
        }
    }

    fn string(&mut self, key: &str, value: &Value<'_>) -> Option<String> {
        let text = value.get_ref().as_str().map(str::to_string);
        if text.is_none() {
            self.wrong_type(key, value, "a string");
        }
        text
    }

    fn strings(&mut self, key: &str, value: &Value<'_>) -> Vec<(String, Range<usize>)> {
        let Some(array) = value.get_ref().as_array() else {
            self.wrong_type(key, value, "an array of strings");
            return Vec::new();
        };
        let mut strings = Vec::new();
        for item in array.iter() {
            match item.get_ref().as_str() {
                Some(text) => strings.push((text.to_string(), item.span())),
                None => self.wrong_type(key, item, "an array of strings"),
            }
        }
        strings
    }

    fn one_of<T>(&mut self, key: &str, value: &Value<'_>, names: &[&str], read: fn(&str) -> Option<T>) -> Option<T> {
        let text = self.string(key, value)?;
        let read = read(&text);
        if read.is_none() {
            let help = closest(&text, names.iter().copied()).map(|name| format!("did you mean `{name}`?"));
            let names = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            self.problem(value.span(), format!("`{key}` is one of {names}, not `{text}`"), help);
        }
        read
    }

    fn globs(&mut self, patterns: Vec<(String, Range<usize>)>) -> PathGlobs {
        let texts: Vec<String> = patterns.iter().map(|(pattern, _)| pattern.clone()).collect();
        match PathGlobs::new(&texts) {
            Ok(globs) => globs,
            Err((index, why)) => {
                let (pattern, span) = patterns.get(index).cloned().unwrap_or_default();
                self.problem(span, format!("`{pattern}` is no pattern: {why}"), None);
                PathGlobs::default()
            }
        }
    }

    fn check_relative(&mut self, key: &str, path: &str, span: &Range<usize>) {
        if path.starts_with('/') || path.split('/').any(|part| part == "..") {
            let help = Some("name a folder below this file's own".to_string());
            self.problem(span.clone(), format!("`{key}` leaves the project: `{path}`"), help);
        }
    }

    fn selectors(&mut self, key: &str, value: &Value<'_>) -> Vec<Selector> {
        let mut selectors = Vec::new();
        for (word, span) in self.strings(key, value) {
            match self.registry.selector(&word) {
                Some(selector) => selectors.push(selector),
                None => {
                    let nearest = self.registry.suggestion(&word);
                    self.findings.push(unknown(self.path, "rule or group", &word, span, nearest));
                }
            }
        }
        selectors
    }

    fn selection(&mut self, key: &str, value: &Value<'_>, span: &Range<usize>, selection: &mut Selection) {
        let selectors = self.selectors(key, value);
        match key {
            "select" => selection.select = self.setting(Some(selectors), span),
            "extend-select" => selection.extend_select = self.setting(selectors, span),
            _ => selection.ignore = self.setting(selectors, span),
        }
    }

    fn severities(&mut self, value: &Value<'_>) -> IndexMap<&'static str, Setting<Severity>> {
        let mut severities = IndexMap::new();
        let Some(table) = value.get_ref().as_table() else {
            self.wrong_type("severity", value, "a table of rules");
            return severities;
        };
        let names = Severity::ALL.map(Severity::name);
        for (rule, value) in table {
            let severity = self.one_of(rule.get_ref(), value, &names, Severity::from_name);
            match self.registry.rule(rule.get_ref()) {
                Some(info) => {
                    if let Some(severity) = severity {
                        severities.insert(info.id, self.setting(severity, &rule.span()));
                    }
                }
                None => {
                    let nearest = closest(rule.get_ref(), self.registry.rules().iter().map(|rule| rule.id));
                    self.findings.push(unknown(self.path, "rule", rule.get_ref(), rule.span(), nearest));
                }
            }
        }
        severities
    }

    fn per_path(&mut self, value: &Value<'_>) -> Vec<PerPath> {
        let Some(table) = value.get_ref().as_table() else {
            self.wrong_type("per-path", value, "a table of path patterns");
            return Vec::new();
        };
        let mut all = Vec::new();
        for (pattern, value) in table {
            let globs = self.globs(vec![(pattern.get_ref().to_string(), pattern.span())]);
            let line = self.lines.line_of(pattern.span().start);
            let mut per_path = PerPath { globs, line, ..PerPath::default() };
            let Some(settings) = value.get_ref().as_table() else {
                self.wrong_type(pattern.get_ref(), value, "a table");
                continue;
            };
            for (key, value) in settings {
                match key.get_ref().as_ref() {
                    name @ ("select" | "extend-select" | "ignore") => {
                        self.selection(name, value, &key.span(), &mut per_path.selection);
                    }
                    "severity" => per_path.severity = self.severities(value),
                    other => self.unknown_key(other, key.span(), &PER_PATH_KEYS),
                }
            }
            all.push(per_path);
        }
        all
    }

    fn budgets(&mut self, value: &Value<'_>, config: &mut Config) {
        let Some(table) = value.get_ref().as_table() else {
            return self.wrong_type("budgets", value, "a table");
        };
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            if BUDGET_KEYS.contains(&name) {
                self.ceiling(name, value, &key.span(), &mut config.budgets.general);
                continue;
            }
            let Some(ceilings) = value.get_ref().as_table() else {
                self.unknown_key(name, key.span(), &BUDGET_KEYS);
                continue;
            };
            let mut budget = Budget::default();
            for (key, value) in ceilings {
                let name = key.get_ref().as_ref();
                if BUDGET_KEYS.contains(&name) {
                    self.ceiling(name, value, &key.span(), &mut budget);
                } else {
                    self.unknown_key(name, key.span(), &BUDGET_KEYS);
                }
            }
            self.host_spans.push((name.to_string(), key.span()));
            config.budgets.hosts.insert(name.to_string(), budget);
        }
    }

    fn ceiling(&mut self, key: &str, value: &Value<'_>, span: &Range<usize>, budget: &mut Budget) {
        let number = value.get_ref().as_integer().map(|n| u64::from_str_radix(n.as_str(), n.radix()));
        match number {
            Some(Ok(number)) if number > 0 => {
                let setting = self.setting(Some(number), span);
                if key == "bytes" { budget.bytes = setting } else { budget.lines = setting }
            }
            Some(_) => self.problem(value.span(), format!("`{key}` is a whole number above 0"), None),
            None => self.wrong_type(key, value, "a whole number"),
        }
    }

    fn suppressions(&mut self, value: &Value<'_>) -> Vec<SuppressEntry> {
        let Some(array) = value.get_ref().as_array() else {
            self.wrong_type("suppress", value, "an array of tables, each `[[suppress]]`");
            return Vec::new();
        };
        let mut entries = Vec::new();
        for item in array.iter() {
            match item.get_ref().as_table() {
                Some(table) => entries.extend(self.suppression(table, item.span())),
                None => self.wrong_type("suppress", item, "an array of tables, each `[[suppress]]`"),
            }
        }
        entries
    }

    fn suppression(&mut self, table: &DeTable<'_>, span: Range<usize>) -> Option<SuppressEntry> {
        let before = self.problems.len();
        let (mut rule, mut path, mut text, mut reason, mut expires) = (None, None, None, None, None);
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "rule" => rule = self.string("rule", value).map(|rule| (rule, value.span())),
                "path" => path = self.string("path", value).map(|path| (path, value.span())),
                "text" => text = self.string("text", value),
                "reason" => reason = self.string("reason", value).map(|reason| (reason, value.span())),
                "expires" => expires = self.date(value),
                other => self.unknown_key(other, key.span(), &SUPPRESS_KEYS),
            }
        }
        if let Some((_, span)) = reason.as_ref().filter(|(reason, _)| reason.trim().is_empty()) {
            self.problem(span.clone(), "`reason` is empty", Some("say why the finding may stay".to_string()));
        }
        if self.problems.len() > before {
            return None;
        }
        let missing = [("rule", rule.is_none()), ("path", path.is_none()), ("reason", reason.is_none())];
        for (key, _) in missing.iter().filter(|(_, missing)| *missing) {
            let help = match *key {
                "reason" => "say why the finding may stay",
                "path" => "name the file, or use \"**\" for all",
                _ => "name the rule by its id",
            };
            self.problem(span.clone(), format!("`[[suppress]]` has no `{key}`"), Some(help.to_string()));
        }
        let ((rule, rule_span), path, (reason, _)) = (rule?, path?, reason?);
        let globs = self.globs(vec![path]);
        let Some(info) = self.registry.rule(&rule) else {
            let mut finding = unknown(
                self.path,
                "rule",
                &rule,
                rule_span,
                closest(&rule, self.registry.rules().iter().map(|rule| rule.id)),
            );
            finding.rule = UNKNOWN_SUPPRESSION.id;
            finding.severity = UNKNOWN_SUPPRESSION.severity;
            self.findings.push(finding);
            return None;
        };
        Some(SuppressEntry { rule: info.id, globs, text, reason, expires, span: rule_span })
    }

    fn date(&mut self, value: &Value<'_>) -> Option<Date> {
        let date = match value.get_ref() {
            DeValue::Datetime(moment) if moment.time.is_none() => {
                moment.date.and_then(|date| Date::new(date.year, date.month, date.day))
            }
            DeValue::String(text) => text.parse().ok(),
            _ => None,
        };
        if date.is_none() {
            self.problem(value.span(), "`expires` is a day such as 2027-01-31", None);
        }
        date
    }
}

fn first_of_each<A, B>(pairs: Vec<(A, B)>) -> Vec<A> {
    pairs.into_iter().map(|(first, _)| first).collect()
}

fn article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

#[cfg(test)]
mod tests;
