//! SARIF 2.1.0, for code scanning.
//!
//! Paths are relative and percent-encoded; every region has lines and columns of at least 1, since zeros fail on
//! upload; only rules that fired are listed; suppressed findings are results with `suppressions`.

use super::{Report, escape};
use crate::lint::finding::{Fix, Location, Severity};
use crate::lint::judge::{Judged, Suppression, SuppressionKind};
use crate::lint::registry::RuleInfo;
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Where relative paths start.
const BASE: &str = "%SRCROOT%";

/// Writes all findings, suppressed ones included.
///
/// # Errors
/// What the writer answers.
pub fn write(report: &Report<'_>, output: &mut dyn Write) -> io::Result<()> {
    escape::write_json(&value(report), output)
}

fn value(report: &Report<'_>) -> Value {
    let fired = |rule: &&RuleInfo| report.findings.iter().any(|judged| judged.finding.rule == rule.id);
    let rules: Vec<&RuleInfo> = report.registry.rules().iter().filter(fired).collect();
    let mut driver = json!({
        "name": "agentsctl",
        "semanticVersion": report.version,
        "rules": rules.iter().map(|rule| self::rule(rule)).collect::<Vec<_>>(),
    });
    set(&mut driver, "informationUri", repository().map(Value::from));
    let results: Vec<Value> = report
        .findings
        .iter()
        .map(|judged| result(report, judged, rules.iter().position(|rule| rule.id == judged.finding.rule)))
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "automationDetails": { "id": "agentsctl/" },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { BASE: { "description": { "text": "The project root." } } },
            "results": results,
        }],
    })
}

fn set(object: &mut Value, key: &str, value: Option<Value>) {
    if let (Some(object), Some(value)) = (object.as_object_mut(), value) {
        object.insert(key.to_string(), value);
    }
}

/// The project's address, as far as the package names one.
fn repository() -> Option<&'static str> {
    Some(env!("CARGO_PKG_REPOSITORY")).filter(|address| !address.is_empty())
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "note",
    }
}

fn rule(rule: &RuleInfo) -> Value {
    let mut summary: Vec<char> = rule.summary.chars().collect();
    if let Some(first) = summary.first_mut() {
        *first = first.to_ascii_uppercase();
    }
    let summary = format!("{}.", summary.into_iter().collect::<String>());
    let mut value = json!({
        "id": rule.id,
        "name": rule.id,
        "shortDescription": { "text": summary },
        "fullDescription": { "text": summary },
        "help": { "text": rule.page, "markdown": rule.page },
        "defaultConfiguration": { "level": level(rule.severity) },
        "properties": { "tags": [rule.group.name()] },
    });
    let page = repository().map(|address| format!("{address}/blob/main/docs/rules/{}.md", rule.id));
    set(&mut value, "helpUri", page.map(Value::from));
    value
}

fn result(report: &Report<'_>, judged: &Judged, rule: Option<usize>) -> Value {
    let finding = &judged.finding;
    let mut message = text(&finding.message);
    if let Some(help) = &finding.help {
        message.push_str(&format!("\nHelp: {}", text(help)));
    }
    let related: Vec<Value> = finding
        .related
        .iter()
        .enumerate()
        .map(|(index, location)| {
            let mut value = self::location(report, location);
            set(&mut value, "id", Some(Value::from(index + 1)));
            value
        })
        .collect();
    let mut fingerprints = Map::new();
    fingerprints.insert("agentsctl/v1".to_string(), json!(judged.fingerprint));
    let mut value = json!({
        "ruleId": finding.rule,
        "level": level(finding.severity),
        "message": { "text": message },
        "locations": [location(report, &finding.primary)],
        "relatedLocations": related,
        "partialFingerprints": fingerprints,
        // Present and empty says "not suppressed"; absent would say "not known".
        "suppressions": judged.suppression.iter().map(|s| suppression(report, s)).collect::<Vec<_>>(),
    });
    set(&mut value, "ruleIndex", rule.map(Value::from));
    set(&mut value, "fixes", finding.fix.as_ref().map(|fix| json!([self::fix(report, fix)])));
    set(&mut value, "properties", (!finding.hosts.is_empty()).then(|| json!({ "hosts": finding.hosts })));
    value
}

/// Text of a message. SARIF takes `[…](…)` in plain text for a link.
fn text(message: &str) -> String {
    escape::inline(message).replace("](", "] (")
}

fn suppression(report: &Report<'_>, suppression: &Suppression) -> Value {
    let (kind, justification) = match suppression.kind {
        SuppressionKind::Comment => ("inSource", suppression.reason.as_str()),
        SuppressionKind::Config => ("external", suppression.reason.as_str()),
        SuppressionKind::Baseline => ("external", "listed in the baseline"),
    };
    let mut value = json!({ "kind": kind, "status": "accepted", "justification": justification });
    set(&mut value, "location", suppression.location.as_ref().map(|location| self::location(report, location)));
    value
}

fn region(report: &Report<'_>, location: &Location) -> Value {
    let (start, end) = report.range(location);
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    })
}

fn location(report: &Report<'_>, location: &Location) -> Value {
    let mut value = json!({
        "physicalLocation": {
            "artifactLocation": artifact(&location.path),
            "region": region(report, location),
        },
    });
    let label = (!location.label.is_empty()).then(|| json!({ "text": text(&location.label) }));
    set(&mut value, "message", label);
    value
}

fn fix(report: &Report<'_>, fix: &Fix) -> Value {
    let mut paths: Vec<&str> = fix.edits.iter().map(|edit| edit.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    let changes: Vec<Value> = paths
        .into_iter()
        .map(|path| {
            let replacements: Vec<Value> = fix
                .edits
                .iter()
                .filter(|edit| edit.path == path)
                .map(|edit| {
                    let place = Location { path: edit.path.clone(), span: edit.span.clone(), label: String::new() };
                    json!({
                        "deletedRegion": region(report, &place),
                        "insertedContent": { "text": edit.replacement },
                    })
                })
                .collect();
            json!({ "artifactLocation": artifact(path), "replacements": replacements })
        })
        .collect();
    json!({ "description": { "text": text(&fix.description) }, "artifactChanges": changes })
}

fn artifact(path: &str) -> Value {
    let drive = path.as_bytes().get(1) == Some(&b':') && path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
    if path.starts_with('/') {
        json!({ "uri": format!("file://{}", percent_encode(path)) })
    } else if drive {
        json!({ "uri": format!("file:///{}", percent_encode(path)) })
    } else {
        json!({ "uri": percent_encode(path), "uriBaseId": BASE })
    }
}

/// Encodes everything but unreserved characters and slashes, byte by byte.
fn percent_encode(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'.' | b'_' | b'~') {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::tests::{hostile, sample};
    use super::*;

    fn sarif(output: &str) -> Value {
        serde_json::from_str(output).unwrap()
    }

    /// The official schema is not part of the repository; where a copy is, the environment says.
    #[test]
    fn fits_the_official_schema() {
        let Some(file) = std::env::var_os("AGENTSCTL_SARIF_SCHEMA") else {
            eprintln!("skipped: AGENTSCTL_SARIF_SCHEMA does not name a copy of the SARIF 2.1.0 schema");
            return;
        };
        let mut schema: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        // The pattern of languages has a stray bracket, which strict readers refuse. We write no language.
        for holder in ["run", "toolComponent"] {
            if let Some(language) = schema.pointer_mut(&format!("/definitions/{holder}/properties/language")) {
                language.as_object_mut().unwrap().remove("pattern");
            }
        }
        let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
        for output in [sample().write(Format::Sarif), hostile().write(Format::Sarif)] {
            let errors: Vec<String> = validator
                .iter_errors(&sarif(&output))
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert_eq!(errors, Vec::<String>::new());
        }
        assert!(!validator.is_valid(&json!({ "version": "2.1.0", "runs": [{}] })), "the file is no SARIF schema");
    }

    #[test]
    fn only_rules_that_fired_and_all_results() {
        let output = sarif(&sample().write(Format::Sarif));
        let run = &output["runs"][0];
        let rules: Vec<&str> = run["tool"]["driver"]["rules"]
            .as_array()
            .unwrap()
            .iter()
            .map(|rule| rule["id"].as_str().unwrap())
            .collect();
        assert_eq!(rules, ["truncated", "missing-path", "headroom"]);
        for result in run["results"].as_array().unwrap() {
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(result["ruleId"], rules[index]);
        }
        assert_eq!(run["results"][3]["suppressions"][0]["justification"], "the build makes it");
        assert_eq!(run["results"][0]["suppressions"], json!([]));
        let change = &run["results"][0]["fixes"][0]["artifactChanges"][0];
        assert_eq!(
            change["replacements"][0],
            json!({
                "deletedRegion": { "startLine": 3, "startColumn": 9, "endLine": 3, "endColumn": 20 },
                "insertedContent": { "text": "docs/api.md" },
            })
        );
        assert_eq!(
            run["results"][1]["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "CLAUDE.md"
        );
    }

    #[test]
    fn paths_become_relative_references() {
        assert_eq!(artifact("a b/ü:1.md"), json!({ "uri": "a%20b/%C3%BC%3A1.md", "uriBaseId": BASE }));
        assert_eq!(artifact("/home/x/AGENTS.md"), json!({ "uri": "file:///home/x/AGENTS.md" }));
        assert_eq!(text("see [this](http://x)"), "see [this] (http://x)");
    }
}
