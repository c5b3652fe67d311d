//! `secret`: a file holds something with the shape of a live credential.

use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::Material;
use crate::lint::registry::{Group, RuleInfo};
use regex::Regex;
use std::sync::OnceLock;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "secret",
    group: Group::Safety,
    severity: Severity::Error,
    summary: "a file holds something with the shape of a live credential",
    page: include_str!("../../../docs/rules/secret.md"),
    hosts: &[],
    since: "0.1.0",
};

/// How many findings one file can have.
const LIMIT: usize = 50;

/// Shapes that nothing else has, with the name of what has them.
const SHAPES: &[(&str, &str)] = &[
    ("an AWS access key", r"\b(?:AKIA|ASIA)[A-Z2-7]{16}\b"),
    ("a GitHub token", r"\bgh[pousr]_[A-Za-z0-9]{36,255}\b"),
    ("a GitHub token", r"\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b"),
    ("a GitLab token", r"\bglpat-[A-Za-z0-9_-]{20,64}\b"),
    ("a Slack token", r"\bxox[abeprs]-[0-9]{10,13}-[A-Za-z0-9-]{16,200}\b"),
    ("a Slack webhook", r"\bhooks\.slack\.com/services/T[A-Z0-9]{8,12}/B[A-Z0-9]{8,12}/[A-Za-z0-9]{24}\b"),
    ("an Anthropic key", r"\bsk-ant-(?:api|admin|oat|sid)[0-9]{2}-[A-Za-z0-9_-]{80,120}"),
    ("an OpenAI key", r"\bsk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,200}"),
    ("an OpenAI key", r"\bsk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}\b"),
    ("a Google key", r"\bAIza[A-Za-z0-9_-]{35}\b"),
    ("an npm token", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("a PyPI token", r"\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,200}"),
    ("a Stripe key", r"\b[sr]k_live_[A-Za-z0-9]{24,99}\b"),
    ("a SendGrid key", r"\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b"),
    ("a Hugging Face token", r"\bhf_[A-Za-z]{34}\b"),
    ("a DigitalOcean token", r"\bdo[opr]_v1_[a-f0-9]{64}\b"),
    (
        "a private key",
        r"-----BEGIN (?:RSA |EC |DSA |OPENSSH |ENCRYPTED )?PRIVATE KEY-----\s+(?:[A-Za-z0-9+/=]{30,}\s+){2,}",
    ),
];

/// What a credential in a manual says of itself.
const MADE_UP: &[&str] = &["example", "placeholder", "your", "xxxx", "dummy", "fake", "sample", "redacted", "changeme"];

/// One finding for each credential. Its text is not repeated in the message.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for file in material.texts() {
        let text = file.document.text.as_str();
        let found = shapes().iter().flat_map(|(name, shape)| shape.find_iter(text).map(move |found| (name, found)));
        let found = found.filter(|(_, found)| !is_made_up(found.as_str())).take(LIMIT);
        findings.extend(found.map(|(name, found)| Finding {
            rule: INFO.id,
            severity: INFO.severity,
            message: format!("this has the shape of {name}"),
            primary: Location { path: file.path.clone(), span: found.range(), label: String::new() },
            related: Vec::new(),
            help: Some("revoke it, then remove it: every agent sends it to its model, and git keeps it".to_owned()),
            hosts: Vec::new(),
            fix: None,
        }));
    }
}

fn shapes() -> &'static [(&'static str, Regex)] {
    static COMPILED: OnceLock<Vec<(&'static str, Regex)>> = OnceLock::new();
    COMPILED.get_or_init(|| SHAPES.iter().filter_map(|(name, shape)| Some((*name, Regex::new(shape).ok()?))).collect())
}

/// Whether a text of the right shape was typed rather than issued: it says so, repeats itself or counts up.
fn is_made_up(text: &str) -> bool {
    let lower = text.to_lowercase();
    if MADE_UP.iter().any(|word| lower.contains(word)) {
        return true;
    }
    // The dashes around a private key are no repetition.
    let bytes: Vec<u8> = lower.bytes().filter(u8::is_ascii_alphanumeric).collect();
    let longest = |holds: fn(u8, u8) -> bool| {
        let mut best = 1;
        let mut run = 1;
        for pair in bytes.windows(2) {
            let holding = matches!(pair, [a, b] if holds(*a, *b));
            run = if holding { run + 1 } else { 1 };
            best = best.max(run);
        }
        best
    };
    let mut distinct = bytes.clone();
    distinct.sort_unstable();
    distinct.dedup();
    longest(|a, b| a == b) >= 5 || longest(|a, b| b == a.wrapping_add(1)) >= 6 || distinct.len() < 10
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Put together here so that no scanner takes this file for a leak.
    fn found(parts: &[&str]) -> bool {
        let text = parts.concat();
        shapes().iter().any(|(_, shape)| shape.find_iter(&text).any(|found| !is_made_up(found.as_str())))
    }

    #[test]
    fn every_shape_is_a_pattern() {
        assert_eq!(shapes().len(), SHAPES.len());
    }

    #[test]
    fn issued_credentials_and_others() {
        assert!(found(&["AKIA", "Q3ZEM7RTNXK2WV5L"]));
        assert!(found(&["ghp", "_", "9fKq2LmZ7xTbR4vWc8NdYh3PsJ6gUa1eQo5i"]));
        assert!(found(&["-----BEGIN ", "PRIVATE KEY-----\n", &"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC/3f\n".repeat(3)]));
        for text in [
            "AKIAIOSFODNN7EXAMPLE",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
            "sk-ant-...",
            "Token::Placeholder { name }",
            "-----BEGIN PRIVATE KEY-----\n...\n",
            "xoxb-your-token",
        ] {
            assert!(!found(&[text]), "{text}");
        }
    }
}
