//! `scope-key`: a rule file says where it applies in a way that its host does not understand.

use crate::discover::frontmatter;
use crate::discover::scope::{self, RuleScope};
use crate::document::frontmatter::{Entry, Quoting, Value};
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::Material;
use crate::lint::reach::{self, RuleFile, Sightings};
use crate::lint::registry::{Group, RuleInfo};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "scope-key",
    group: Group::Reach,
    severity: Severity::Warning,
    summary: "a rule's header does not limit it as it seems to: a key of another host, misspelled, missing or broken",
    page: include_str!("../../../docs/rules/scope-key.md"),
    hosts: &["claude-code", "copilot", "cursor"],
    since: "0.1.0",
};

/// What is wrong with a header.
struct Fault {
    severity: Severity,
    span: Range<usize>,
    label: String,
    message: String,
    help: String,
}

/// One finding for each file and cause.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    let foreign: BTreeSet<&str> = material
        .selections
        .iter()
        .flat_map(|s| s.host.scopes.values())
        .flat_map(|d| d.keys.iter().chain(&d.always_key))
        .map(String::as_str)
        .chain(["applyTo", "globs", "paths", "alwaysApply"])
        .collect();
    let mut found: BTreeMap<(String, usize, String), (Fault, Sightings)> = BTreeMap::new();
    for rule in reach::rule_files(material) {
        if let Some(fault) = fault(&rule, &foreign) {
            let key = (rule.file.path.clone(), fault.span.start, fault.message.clone());
            let entry = found.entry(key).or_insert_with(|| (fault, Sightings::default()));
            for (h, d, _) in rule.file.readings.iter().filter(|(h, _, _)| *h == rule.host) {
                entry.1.add(*h, *d);
            }
        }
    }
    for ((path, _, _), (fault, sightings)) in found {
        let sightings = sightings.in_use(material);
        findings.push(Finding {
            rule: INFO.id,
            severity: reach::severity(material, &sightings, fault.severity),
            message: fault.message.replace("{hosts}", &sightings.names(material)),
            primary: Location { path, span: fault.span, label: fault.label },
            related: Vec::new(),
            help: Some(fault.help),
            hosts: sightings.ids(material),
            fix: None,
        });
    }
}

fn fault(rule: &RuleFile<'_>, foreign: &BTreeSet<&str>) -> Option<Fault> {
    let document = &rule.file.document;
    let effect = match scope::read(&document.text, rule.dialect).scope {
        RuleScope::Always => "loads always",
        RuleScope::Offered => "loads only if the agent chooses to open it",
        RuleScope::ByMention => "loads only when it is named",
        RuleScope::Patterns(_) => return always_as_text(rule, "waits for its patterns"),
        RuleScope::Excluded => return None,
    };
    if let Some(fault) = broken(rule, effect) {
        return Some(fault);
    }
    let wanted = rule.dialect.keys.first().cloned().unwrap_or_default();
    let Some(header) = &document.frontmatter else {
        return no_header(rule, effect);
    };
    if let Some(fault) = always_as_text(rule, effect) {
        return Some(fault);
    }
    let dialect = rule.dialect;
    let own = |key: &str| {
        dialect.keys.iter().any(|k| k == key)
            || dialect.always_key.as_deref() == Some(key)
            || dialect.offered_key.as_deref() == Some(key)
    };
    if dialect.keys.iter().any(|key| header.get(key).is_some_and(|e| !matches!(e.value, Value::Empty)))
        || dialect.always_key.as_ref().is_some_and(|key| header.flag(key) == Some(true))
    {
        return None;
    }
    let similar = |entry: &&Entry| {
        let key = entry.key.to_lowercase().replace(['-', '_'], "");
        let like = |known: &str| key == known.to_lowercase() || format!("{key}s") == known.to_lowercase();
        !own(&entry.key)
            && has_patterns(entry)
            && (foreign.iter().any(|k| like(k))
                || ["apply", "files", "filepatterns", "pattern", "patterns"].contains(&key.as_str()))
    };
    let entry = header.entries.iter().find(similar)?;
    Some(Fault {
        severity: INFO.severity,
        span: entry.key_span.clone(),
        label: format!("the key is `{wanted}`"),
        message: format!("{{hosts}} does not know `{}`, so the rule {effect}", entry.key),
        help: format!("name the key `{wanted}`"),
    })
}

/// Whether a value can be meant as patterns.
fn has_patterns(entry: &Entry) -> bool {
    match &entry.value {
        Value::Scalar(scalar) => !scalar.text.is_empty() && !["true", "false"].contains(&scalar.text.as_str()),
        Value::FlowList(items) | Value::BlockList(items) => !items.is_empty(),
        Value::Empty | Value::Other => false,
    }
}

/// `alwaysApply: "true"`: the word, not the value.
fn always_as_text(rule: &RuleFile<'_>, effect: &str) -> Option<Fault> {
    let key = rule.dialect.always_key.as_ref()?;
    let header = rule.file.document.frontmatter.as_ref()?;
    let scalar = header.text(key)?;
    let means = ["true", "yes", "on", "1"].contains(&scalar.text.to_lowercase().as_str());
    let works = scalar.quoting == Quoting::Bare && scalar.text == "true";
    (means && !works).then(|| Fault {
        severity: INFO.severity,
        span: scalar.span.clone(),
        label: "not the value true".to_owned(),
        message: format!("{{hosts}} takes `{key}` for a text here, so the rule {effect}"),
        help: format!("write `{key}: true`"),
    })
}

/// A header that the host cannot read.
fn broken(rule: &RuleFile<'_>, effect: &str) -> Option<Fault> {
    let text = &rule.file.document.text;
    let body = text.trim_start_matches('\u{feff}');
    let marks = text.len() - body.len();
    let keyed = |text: &str| {
        let known = |line: &str| rule.dialect.keys.iter().any(|key| line.starts_with(&format!("{key}:")));
        text.lines().take_while(|line| line.trim_end() != "---").any(known)
    };
    match frontmatter::find(body) {
        Some(block) => {
            let inner = body.get(block.inner.clone())?;
            let error = frontmatter::keys(inner, rule.dialect.frontmatter).err()?;
            let problem = rule.file.document.frontmatter.as_ref().and_then(|f| f.problem.clone());
            let at = problem.map_or(marks + block.inner.start, |p| p.offset);
            let end = text.get(at..).and_then(|t| t.find('\n')).map_or(text.len(), |n| at + n);
            keyed(inner).then(|| Fault {
                severity: Severity::Error,
                span: at..end,
                label: error,
                message: format!("{{hosts}} cannot read the header, so the rule {effect}"),
                help: "mend the YAML; quote values that begin with `*`, `{` or `[` or hold `: `".to_owned(),
            })
        }
        None => {
            let start = body.trim_start();
            let opens = start
                .strip_prefix("---")
                .is_some_and(|rest| rest.starts_with(['\n', '\r']) && keyed(rest.trim_start()));
            let at = marks + body.len() - start.len();
            let late = at > marks;
            opens.then(|| Fault {
                severity: Severity::Error,
                span: at..at + 3,
                label: if late { "not the first line" } else { "never closed" }.to_owned(),
                message: format!("{{hosts}} sees no header, so the rule {effect}"),
                help: match late {
                    true => "let the header begin on the first line".to_owned(),
                    false => "close the header with a line `---`".to_owned(),
                },
            })
        }
    }
}

/// A rule without a header, where such a file is meant to have one.
fn no_header(rule: &RuleFile<'_>, effect: &str) -> Option<Fault> {
    let wanted = rule.dialect.keys.first()?;
    rule.set.scope_expected.then(|| Fault {
        severity: INFO.severity,
        span: 0..0,
        label: String::new(),
        message: format!("the file has no `{wanted}`, so for {{hosts}} it {effect}"),
        help: format!("begin it with a header that holds `{wanted}: \"…\"`"),
    })
}
