//! `dead-scope`: a scoped rule that waits for files which the repository does not have.

use crate::host::schema::Known;
use crate::lint::finding::{Edit, Finding, Fix, Location, Severity};
use crate::lint::material::Material;
use crate::lint::reach::{self, RuleFile, Sightings};
use crate::lint::registry::{Group, RuleInfo};
use crate::lint::scoped::{self, Pattern};
use std::collections::BTreeMap;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "dead-scope",
    group: Group::Reach,
    severity: Severity::Error,
    summary: "none of a rule's patterns matches a file of the repository, so the rule never loads",
    page: include_str!("../../../docs/rules/dead-scope.md"),
    hosts: &["claude-code", "copilot", "cursor"],
    since: "0.1.0",
};

/// One finding for each rule file.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    // Several hosts that read one file in one way find the same.
    let mut found: BTreeMap<(String, usize, String), (Finding, Sightings)> = BTreeMap::new();
    for rule in reach::rule_files(material) {
        let Some(patterns) = scoped::patterns(material, &rule) else { continue };
        let dead = patterns.iter().all(|p| !p.matches);
        for finding in of_rule(material, &rule, &patterns, dead) {
            let key = (rule.file.path.clone(), finding.primary.span.start, finding.help.clone().unwrap_or_default());
            let entry = found.entry(key).or_insert_with(|| (finding, Sightings::default()));
            for (h, d, _) in rule.file.readings.iter().filter(|(h, _, _)| *h == rule.host) {
                entry.1.add(*h, *d);
            }
        }
    }
    for (finding, sightings) in found.into_values() {
        let sightings = sightings.in_use(material);
        let severity = reach::severity(material, &sightings, finding.severity);
        let message = finding.message.replace("{hosts}", &sightings.names(material));
        findings.push(Finding { severity, message, hosts: sightings.ids(material), ..finding });
    }
}

fn of_rule(material: &Material<'_>, rule: &RuleFile<'_>, patterns: &[Pattern], dead: bool) -> Vec<Finding> {
    let path = &rule.file.path;
    let from = match rule.base.as_str() {
        "" => "the root".to_owned(),
        base => format!("`{base}`"),
    };
    let finding = |severity, message, pattern: &Pattern, label: &str, help, fix| Finding {
        rule: INFO.id,
        severity,
        message,
        primary: Location { path: path.clone(), span: pattern.span.clone(), label: label.to_owned() },
        related: Vec::new(),
        help: Some(help),
        hosts: Vec::new(),
        fix,
    };
    let wrong: Vec<(&Pattern, &String)> =
        patterns.iter().filter_map(|pattern| Some((pattern, pattern.meant.as_ref()?))).collect();
    if let Some((first, meant)) = wrong.first() {
        let host = &material.selections[rule.host].host;
        let severity = match (host.verified.how, dead) {
            // Where the host was not run, what it makes of an odd form is hearsay.
            (Known::Documentation, _) => Severity::Info,
            (_, true) => INFO.severity,
            (_, false) => Severity::Warning,
        };
        let edit = |(pattern, meant): &(&Pattern, &String)| Edit {
            path: path.clone(),
            span: pattern.span.clone(),
            replacement: (*meant).clone(),
        };
        let certain = wrong.iter().all(|(pattern, _)| pattern.exact) && host.verified.how != Known::Documentation;
        let fix = certain.then(|| Fix {
            description: "write the patterns as the host reads them".to_owned(),
            edits: wrong.iter().map(edit).collect(),
        });
        let more = match wrong.len() {
            1 => String::new(),
            n => format!("; so it is with {} more", n - 1),
        };
        let message = format!("`{}` matches nothing for {{hosts}}, `{meant}` does match{more}", first.text);
        return vec![finding(severity, message, first, "no file matches", format!("write `{meant}`"), fix)];
    }
    if !dead {
        return Vec::new();
    }
    let Some(first) = patterns.first() else { return Vec::new() };
    let written: Vec<String> = patterns.iter().map(|p| format!("`{}`", p.text)).collect();
    let message = format!(
        "the rule never loads for {{hosts}}: no file below {from} matches {}",
        match written.as_slice() {
            [one] => one.clone(),
            many => format!("any of {}", reach::short_list(many)),
        }
    );
    let moved = moved_folder(material, &first.text);
    let help = match moved {
        Some(folder) => format!("did you mean {folder}? Mend the patterns, or remove the rule"),
        None => "mend the patterns, or remove the rule".to_owned(),
    };
    vec![finding(INFO.severity, message, first, "no file matches", help, None)]
}

/// The only folder of the tree that ends as the pattern's literal part does.
fn moved_folder(material: &Material<'_>, pattern: &str) -> Option<String> {
    let literal = pattern.split(['*', '?', '[', '{']).next().unwrap_or_default().trim_matches(['.', '/']);
    if literal.len() < 3 {
        return None;
    }
    let mut folders = material.project.tree().ending_with(literal).filter(|e| e.path != literal);
    let first = folders.next()?;
    folders.next().is_none().then(|| format!("{}/", first.path.trim_end_matches('/')))
}
