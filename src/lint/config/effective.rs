//! Shows the configuration in force and where each value comes from: the text of `agentsctl config`.

use super::{Budget, Config, Origin, Selection, Setting};
use crate::lint::finding::Severity;
use crate::lint::registry::Selector;
use crate::report::escape;
use indexmap::IndexMap;

/// One value in force.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Line {
    /// The table it belongs to, such as `budgets.codex`; empty for the top of the file.
    pub table: String,
    /// The key.
    pub key: String,
    /// The value as it would stand in the file.
    pub value: String,
    /// Who set it, such as `agentsctl.toml:3`, `--select` or `default`.
    pub origin: String,
}

impl Config {
    /// Every value in force, in the order of the file's documentation.
    pub fn effective(&self) -> Vec<Line> {
        let mut lines = Lines { file: self.path.as_deref().unwrap_or_default(), lines: Vec::new() };
        lines.push("", "root", &self.root, |root| root.to_string());
        lines.selection("", &self.selection, true);
        if self.selection_override != Selection::default() {
            lines.selection("", &self.selection_override, false);
        }
        lines.push("", "hosts", &self.hosts, |hosts| strings(hosts));
        lines.push("", "launch", &self.launch, |directories| strings(directories));
        lines.push("", "hosts-file", &self.hosts_file, |file| file.as_deref().map_or(String::new(), string));
        lines.push("", "exclude", &self.exclude, |globs| strings(globs.patterns()));
        lines.push("", "persona", &self.persona, |persona| string(persona.name()));
        lines.push("", "fail-on", &self.fail_on.0, |severity| string(severity.name()));
        lines.severities("severity", &self.severity);
        lines.budget("budgets", &self.budgets.general);
        for (host, budget) in &self.budgets.hosts {
            lines.budget(&format!("budgets.{}", key(host)), budget);
        }
        for per_path in &self.per_path {
            let table = format!("per-path.{}", strings_bare(per_path.globs.patterns()));
            lines.selection(&table, &per_path.selection, false);
            lines.severities(&format!("{table}.severity"), &per_path.severity);
        }
        lines.lines
    }

    /// The same as text: TOML in which each line ends with a comment that says where it comes from.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        let mut table = String::new();
        for line in self.effective() {
            if line.table != table {
                table.clone_from(&line.table);
                text.push_str(&format!("\n[{}]\n", escape::inline(&table)));
            }
            let unset = if line.value.is_empty() { "# " } else { "" };
            let value = if line.value.is_empty() { "(not set)" } else { line.value.as_str() };
            text.push_str(&format!(
                "{unset}{} = {}  # {}\n",
                line.key,
                escape::inline(value),
                escape::inline(&line.origin)
            ));
        }
        for entry in &self.suppress {
            text.push_str(&format!("\n[[suppress]]\nrule = {}\n", string(entry.rule)));
            text.push_str(&format!("path = {}\n", escape::inline(&strings_bare(entry.globs.patterns()))));
            if let Some(line) = &entry.text {
                text.push_str(&format!("text = {}\n", escape::inline(&string(line))));
            }
            text.push_str(&format!("reason = {}\n", escape::inline(&string(&entry.reason))));
            if let Some(day) = entry.expires {
                text.push_str(&format!("expires = {day}\n"));
            }
        }
        text
    }
}

struct Lines<'c> {
    file: &'c str,
    lines: Vec<Line>,
}

impl Lines<'_> {
    fn push<T>(&mut self, table: &str, key: &str, setting: &Setting<T>, show: impl Fn(&T) -> String) {
        let origin = match &setting.origin {
            Origin::Default => "default".to_string(),
            Origin::File(line) => format!("{}:{line}", self.file),
            Origin::CommandLine(option) => (*option).to_string(),
        };
        let value = show(&setting.value);
        self.lines.push(Line { table: table.to_string(), key: key.to_string(), value, origin });
    }

    /// Unset values are left out unless `all` are asked for.
    fn selection(&mut self, table: &str, selection: &Selection, all: bool) {
        if all || selection.select.origin != Origin::Default {
            let show = |selectors: &Option<Vec<Selector>>| words(selectors.as_deref().unwrap_or(&[Selector::All]));
            self.push(table, "select", &selection.select, show);
        }
        if all || selection.extend_select.origin != Origin::Default {
            self.push(table, "extend-select", &selection.extend_select, |selectors| words(selectors));
        }
        if all || selection.ignore.origin != Origin::Default {
            self.push(table, "ignore", &selection.ignore, |selectors| words(selectors));
        }
    }

    fn severities(&mut self, table: &str, severities: &IndexMap<&'static str, Setting<Severity>>) {
        for (rule, setting) in severities {
            self.push(table, rule, setting, |severity| string(severity.name()));
        }
    }

    fn budget(&mut self, table: &str, budget: &Budget) {
        for (name, setting) in [("bytes", &budget.bytes), ("lines", &budget.lines)] {
            if setting.value.is_some() {
                self.push(table, name, setting, |number| number.map_or(String::new(), |number| number.to_string()));
            }
        }
    }
}

fn string(text: &str) -> String {
    toml::Value::from(text).to_string()
}

fn key(text: &str) -> String {
    let bare = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if bare { text.to_string() } else { string(text) }
}

fn strings_bare(texts: &[String]) -> String {
    texts.iter().map(|text| string(text)).collect::<Vec<_>>().join(", ")
}

fn strings(texts: &[String]) -> String {
    format!("[{}]", strings_bare(texts))
}

fn words(selectors: &[Selector]) -> String {
    format!("[{}]", selectors.iter().map(|selector| string(selector.name())).collect::<Vec<_>>().join(", "))
}
