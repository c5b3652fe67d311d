//! `agentsctl rule`: the page of a lint rule.

use super::output;
use crate::error::{CommandError, ExitStatus};
use crate::lint::config::unknown_rule;
use crate::lint::rules::registry;
use std::io::Write;

/// Show the page of a lint rule, or list all rules
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The rule's id
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Write the rules' data as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitStatus, CommandError> {
    let registry = registry();
    let mut out = output::stdout();
    let wanted = match &arguments.id {
        Some(id) => vec![*registry.rule(id).ok_or_else(|| unknown_rule(id, "rule", &registry))?],
        None => registry.rules().to_vec(),
    };
    if arguments.json {
        let value = serde_json::json!({ "schema": 1, "rules": wanted });
        writeln!(out, "{value:#}")?;
    } else if arguments.id.is_some() {
        for rule in &wanted {
            writeln!(out, "{}", rule.page.trim_end())?;
        }
    } else {
        let mut group = None;
        for rule in &wanted {
            if group != Some(rule.group) {
                writeln!(out, "{}{}", if group.is_some() { "\n" } else { "" }, rule.group.name())?;
                group = Some(rule.group);
            }
            writeln!(out, "  {:<24} {:<8} {}", rule.id, rule.severity.name(), rule.summary)?;
        }
    }
    out.flush()?;
    Ok(ExitStatus::Clean)
}
