//! `dead-setting`: a key in a host's settings file that has no effect there.

use crate::discover::settings;
use crate::host::schema::DeadSetting;
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::Material;
use crate::lint::registry::{Group, RuleInfo};
use serde_json::Value;
use std::ops::Range;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "dead-setting",
    group: Group::Reach,
    severity: Severity::Warning,
    summary: "a key about instruction files that has no effect in the settings file in which it stands",
    page: include_str!("../../../docs/rules/dead-setting.md"),
    hosts: &["codex", "claude-code", "gemini-cli"],
    since: "0.1.0",
};

/// One finding for each key.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for selection in material.selections {
        for dead in &selection.host.dead_settings {
            for file in &dead.files {
                let name = file.rsplit('/').next().unwrap_or(file);
                let paths: Vec<String> = material
                    .project
                    .tree()
                    .named(name)
                    .filter(|entry| entry.path == file || entry.path.ends_with(&format!("/{file}")))
                    .map(|entry| entry.path.to_owned())
                    .collect();
                for path in paths {
                    findings.extend(look(material, dead, &path, &selection.host.id, &selection.host.name));
                }
            }
        }
    }
}

fn look(material: &Material<'_>, dead: &DeadSetting, path: &str, id: &str, name: &str) -> Option<Finding> {
    let Some(Ok(settings)) = settings::read_file(material.file_system, &material.root.join(path), dead.format) else {
        return None;
    };
    dead.key.iter().try_fold(&settings, |value: &Value, key| value.get(key))?;
    let text = material.project.read(path).ok()?;
    let key = dead.key.join(".");
    Some(Finding {
        rule: INFO.id,
        severity: INFO.severity,
        message: format!("`{key}` has no effect here for {name}: {}", dead.why),
        primary: Location { path: path.to_owned(), span: span(&text, &dead.key), label: String::new() },
        related: Vec::new(),
        help: Some(dead.instead.clone()),
        hosts: vec![id.to_owned()],
        fix: None,
    })
}

/// Where the key stands: each of its parts is looked for behind the one before. Empty at the start if it is not found.
fn span(text: &str, key: &[String]) -> Range<usize> {
    let mut at = 0;
    let mut found = 0..0;
    for part in key {
        let Some(start) = text.get(at..).and_then(|rest| rest.find(part.as_str())) else { return 0..0 };
        found = at + start..at + start + part.len();
        at = found.end;
    }
    found
}
