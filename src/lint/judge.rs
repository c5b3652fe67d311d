//! From what the rules found to what is reported: severities, suppressions, selection and the baseline, in that order.

use super::baseline::{Baseline, Fingerprint, fingerprints};
use super::config::discover::{Configs, FindError};
use super::config::{Config, SuppressEntry};
use super::date::Date;
use super::finding::{Finding, Location};
use super::registry::Registry;
use super::sources::Sources;
use super::suppress::{self, Comment, EXPIRED_SUPPRESSION, UNUSED_SUPPRESSION};
use crate::lines::Lines;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What silences a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SuppressionKind {
    /// A comment in the file.
    Comment,
    /// An entry of the configuration.
    Config,
    /// The baseline.
    Baseline,
}

/// Why a finding is kept but does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppression {
    /// What silences it.
    pub kind: SuppressionKind,
    /// The reason that was given; empty for the baseline.
    pub reason: String,
    /// Where it is written; `None` for the baseline.
    pub location: Option<Location>,
}

/// A finding as it is reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// What was found; its severity is the one in force.
    pub finding: Finding,
    /// Recognises it in other runs.
    pub fingerprint: Fingerprint,
    /// What silences it, if anything does.
    pub suppression: Option<Suppression>,
}

/// How much of the project the rules have seen. Decides which suppressions may be called unused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// Every file, with every rule, for every host that the team supports.
    Everything,
    /// As that, but only some files.
    SomeFiles,
    /// Only some rules or hosts.
    SomeRules,
}

/// What findings are judged by.
pub struct Judge<'j> {
    /// All rules.
    pub registry: &'j Registry,
    /// The project's configurations.
    pub configs: &'j Configs<'j>,
    /// The texts.
    pub sources: &'j dyn Sources,
    /// The files that were checked, named as findings name them.
    pub checked: &'j [String],
    /// How much was checked.
    pub coverage: Coverage,
    /// Known findings.
    pub baseline: Option<&'j Baseline>,
    /// The day by which suppressions end.
    pub today: Date,
}

struct Comments {
    comments: Vec<Comment>,
    used: BTreeSet<(usize, usize)>,
}

impl Judge<'_> {
    /// Judges findings. The answer is sorted by path and place, suppressed ones included; findings of rules that are
    /// not selected, and those only about hosts that the team does not support, are gone.
    ///
    /// # Errors
    /// A configuration file cannot be used.
    pub fn judge(&self, findings: Vec<Finding>) -> Result<Vec<Judged>, FindError> {
        let mut findings = findings;
        // A configuration that is wrong is wrong whether or not there was a file to check.
        let hosts = &self.configs.root()?.hosts.value;
        findings.retain(|finding| {
            hosts.is_empty() || finding.hosts.is_empty() || finding.hosts.iter().any(|host| hosts.contains(host))
        });
        let mut paths: BTreeSet<&str> = self.checked.iter().map(String::as_str).collect();
        let found: Vec<String> = findings.iter().map(|finding| finding.primary.path.clone()).collect();
        paths.extend(found.iter().map(String::as_str));

        let mut comments: BTreeMap<String, Comments> = BTreeMap::new();
        let mut own_findings = Vec::new();
        for path in paths {
            // Excluded files are not even read for their comments.
            if self.configs.for_path(path)?.excludes(path) {
                continue;
            }
            let Some(text) = self.sources.text(path) else { continue };
            let (found, wrong) = suppress::read_comments(path, &text, self.registry);
            own_findings.extend(wrong);
            if !found.is_empty() {
                comments.insert(path.to_string(), Comments { comments: found, used: BTreeSet::new() });
            }
        }
        findings.append(&mut own_findings);

        let mut used_entries: BTreeSet<(String, usize)> = BTreeSet::new();
        let mut judged = Vec::new();
        for finding in findings {
            judged.extend(self.one(finding, &mut comments, &mut used_entries)?);
        }
        // What is wrong with suppressions and configurations is known only now, and can itself be suppressed.
        let mut late = self.unused(&comments, &used_entries)?;
        for config in self.configs.used() {
            late.extend(config.findings.iter().cloned());
            late.extend(self.expired(&config));
        }
        for finding in late {
            judged.extend(self.one(finding, &mut comments, &mut used_entries)?);
        }

        judged.sort_by(|(left, _), (right, _)| order(left).cmp(&order(right)));
        let (findings, suppressions): (Vec<Finding>, Vec<Option<Suppression>>) = judged.into_iter().unzip();
        let fingerprints = fingerprints(&findings, self.sources, &|_| None);
        let known = |fingerprint: &Fingerprint| self.baseline.is_some_and(|baseline| baseline.contains(fingerprint));
        let by_baseline = || Suppression { kind: SuppressionKind::Baseline, reason: String::new(), location: None };
        Ok(findings
            .into_iter()
            .zip(suppressions)
            .zip(fingerprints)
            .map(|((finding, suppression), fingerprint)| Judged {
                suppression: suppression.or_else(|| known(&fingerprint).then(by_baseline)),
                finding,
                fingerprint,
            })
            .collect())
    }

    /// Judges one finding; `None` if it is not reported at all. Suppressions are marked as used even where the rule is
    /// not selected: the finding is there, and switching the rule on again must not need the suppression anew.
    fn one(
        &self,
        mut finding: Finding,
        comments: &mut BTreeMap<String, Comments>,
        used_entries: &mut BTreeSet<(String, usize)>,
    ) -> Result<Option<(Finding, Option<Suppression>)>, FindError> {
        let path = finding.primary.path.clone();
        let config = self.configs.for_path(&path)?;
        if config.excludes(&path) {
            return Ok(None);
        }
        let text = self.sources.text(&path).unwrap_or_default();
        let lines = Lines::of(&text);
        let line = lines.line_of(finding.primary.span.start);
        let mut suppression = None;
        if let Some(file) = comments.get_mut(&path) {
            for (index, comment) in file.comments.iter().enumerate() {
                let rule = comment.rules.iter().position(|(rule, _)| *rule == finding.rule);
                if let (Some(rule), true) = (rule, comment.covers(finding.rule, line)) {
                    file.used.insert((index, rule));
                    suppression.get_or_insert_with(|| Suppression {
                        kind: SuppressionKind::Comment,
                        reason: comment.reason.clone(),
                        location: Some(Location {
                            path: path.clone(),
                            span: comment.span.clone(),
                            label: "suppressed here".to_string(),
                        }),
                    });
                }
            }
        }
        for (index, entry) in config.suppress.iter().enumerate() {
            if entry.rule == finding.rule
                && entry.globs.matches(config.relative(&path))
                && entry.text.as_ref().is_none_or(|text| lines.line(line).contains(text.as_str()))
                && !self.is_expired(entry)
            {
                let file = config.path.clone().unwrap_or_default();
                used_entries.insert((file.clone(), index));
                suppression.get_or_insert_with(|| Suppression {
                    kind: SuppressionKind::Config,
                    reason: entry.reason.clone(),
                    location: Some(Location {
                        path: file,
                        span: entry.span.clone(),
                        label: "suppressed here".to_string(),
                    }),
                });
            }
        }
        // A rule that is not registered (a defect) is reported rather than dropped.
        if let Some(rule) = self.registry.rule(finding.rule) {
            finding.severity = config.severity_of(rule, &path, finding.severity);
            if !config.reports(rule, &path, finding.severity) {
                return Ok(None);
            }
        }
        Ok(Some((finding, suppression)))
    }

    fn is_expired(&self, entry: &SuppressEntry) -> bool {
        entry.expires.is_some_and(|last| last < self.today)
    }

    fn unused(
        &self,
        comments: &BTreeMap<String, Comments>,
        used_entries: &BTreeSet<(String, usize)>,
    ) -> Result<Vec<Finding>, FindError> {
        let mut findings = Vec::new();
        if self.coverage == Coverage::SomeRules {
            return Ok(findings);
        }
        // A rule that is off may not have run: nothing is known of what it would have found.
        let is_on = |config: &Config, rule: &str, path: &str| {
            self.registry.rule(rule).is_none_or(|rule| config.is_on(rule, path)) && rule != UNUSED_SUPPRESSION.id
        };
        for (path, file) in comments.iter().filter(|(path, _)| self.checked.contains(path)) {
            let config = self.configs.for_path(path)?;
            for (index, comment) in file.comments.iter().enumerate() {
                let unused: Vec<usize> = (0..comment.rules.len())
                    // Whether `unused-suppression` itself was worth suppressing cannot be asked while asking.
                    .filter(|rule| !file.used.contains(&(index, *rule)))
                    .filter(|rule| comment.rules.get(*rule).is_some_and(|(id, _)| is_on(&config, id, path)))
                    .collect();
                findings.extend(suppress::unused(path, comment, &unused));
            }
        }
        if self.coverage == Coverage::Everything {
            for config in self.configs.used() {
                let file = config.path.clone().unwrap_or_default();
                for (index, entry) in config.suppress.iter().enumerate() {
                    let used = used_entries.contains(&(file.clone(), index));
                    if !used && !self.is_expired(entry) && is_on(&config, entry.rule, "") {
                        let message = format!("the suppression of `{}` suppresses nothing", entry.rule);
                        findings.push(about_entry(&UNUSED_SUPPRESSION, &config, entry, message, "remove the entry"));
                    }
                }
            }
        }
        Ok(findings)
    }

    fn expired(&self, config: &Arc<Config>) -> Vec<Finding> {
        let expired = config.suppress.iter().filter(|entry| self.is_expired(entry));
        expired
            .map(|entry| {
                let last = entry.expires.map_or(String::new(), |day| day.to_string());
                let message = format!("the suppression of `{}` ended with {last}", entry.rule);
                let help = "mend what it suppressed and remove the entry, or give it a new day";
                about_entry(&EXPIRED_SUPPRESSION, config, entry, message, help)
            })
            .collect()
    }
}

fn about_entry(
    rule: &super::registry::RuleInfo,
    config: &Config,
    entry: &SuppressEntry,
    message: String,
    help: &str,
) -> Finding {
    Finding {
        rule: rule.id,
        severity: rule.severity,
        message,
        primary: Location {
            path: config.path.clone().unwrap_or_default(),
            span: entry.span.clone(),
            label: format!("reason given: {}", entry.reason),
        },
        related: Vec::new(),
        help: Some(help.to_string()),
        hosts: Vec::new(),
        fix: None,
    }
}

/// Project files before files outside, then by path, place and rule.
fn order(finding: &Finding) -> (bool, &str, usize, usize, &str, &str) {
    let place = &finding.primary;
    let outside = std::path::Path::new(&place.path).is_absolute();
    (outside, &place.path, place.span.start, place.span.end, finding.rule, &finding.message)
}

#[cfg(test)]
mod tests;
