//! Known findings: fingerprints that stay when lines move, the baseline file that lists them, and what is new since.

use super::finding::Finding;
use super::judge::{Judged, SuppressionKind};
use super::sources::Sources;
use crate::error::{CommandError, ErrorKind};
use crate::filesystem::FileSystem;
use crate::lines::Lines;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io;
use std::path::Path;

/// The usual name of the baseline file.
pub const FILE_NAME: &str = "agentsctl-baseline.json";

/// The version of the file and of how fingerprints are made.
const SCHEMA: u32 = 1;

/// The most that is read of a baseline file, in bytes.
const LIMIT: u64 = 64 << 20;

/// Recognises a finding again after edits elsewhere in the file.
///
/// Made of the rule, the path, the text of the line with its white space evened out (nothing for a finding on a whole
/// file), and which of several such findings it is, counted by place. Not of line numbers, severity, message or hosts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Fingerprint {
    fn new(rule: &str, path: &str, line: &str, occurrence: usize) -> Self {
        let mut hash = Fnv::default();
        for part in [rule, path, line, &occurrence.to_string()] {
            hash.write(part.as_bytes());
            // A byte that is in no UTF-8 text keeps the parts apart.
            hash.write(&[0xff]);
        }
        Self(format!("{:032x}", hash.0))
    }
}

/// 128-bit FNV-1a: stable across versions and machines, unlike the standard library's hashes. Nothing secret or
/// hostile depends on it, since whoever could make two findings collide could as well suppress them.
struct Fnv(u128);

impl Default for Fnv {
    fn default() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
}

/// The line that a finding starts on, with its white space evened out.
fn line_text(finding: &Finding, sources: &dyn Sources) -> String {
    if finding.primary.span == (0..0) {
        return String::new();
    }
    let text = sources.text(&finding.primary.path).unwrap_or_default();
    let lines = Lines::of(&text);
    let line = lines.line(lines.line_of(finding.primary.span.start));
    line.trim_start_matches('\u{feff}').split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The fingerprint of each finding, in the order of the findings.
///
/// `earlier_path` says under which path a file was known before, for comparisons across renames.
pub fn fingerprints(
    findings: &[Finding],
    sources: &dyn Sources,
    earlier_path: &dyn Fn(&str) -> Option<String>,
) -> Vec<Fingerprint> {
    let mut keys: Vec<(String, String)> = Vec::with_capacity(findings.len());
    for finding in findings {
        let path = earlier_path(&finding.primary.path).unwrap_or_else(|| finding.primary.path.clone());
        keys.push((path, line_text(finding, sources)));
    }
    let mut order: Vec<usize> = (0..findings.len()).collect();
    order.sort_by_key(|index| {
        findings.get(*index).map(|finding| (finding.primary.span.start, finding.primary.span.end, &finding.message))
    });
    let mut seen: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    let mut fingerprints: BTreeMap<usize, Fingerprint> = BTreeMap::new();
    for index in order {
        let (Some(finding), Some((path, line))) = (findings.get(index), keys.get(index)) else { continue };
        let count = seen.entry((finding.rule, path, line)).or_default();
        fingerprints.insert(index, Fingerprint::new(finding.rule, path, line, *count));
        *count += 1;
    }
    fingerprints.into_values().collect()
}

/// One known finding. Rule, path and line are there for whoever reads the file; only the fingerprint is compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Entry {
    /// The path as in findings.
    pub path: String,
    /// The rule's id.
    pub rule: String,
    /// The text of the line with its white space evened out.
    pub line: String,
    /// What is compared.
    pub fingerprint: Fingerprint,
}

/// A set of known findings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Baseline {
    entries: Vec<Entry>,
    known: BTreeSet<Fingerprint>,
}

#[derive(Serialize, Deserialize)]
struct Document {
    schema: u32,
    findings: Vec<Entry>,
}

/// A baseline file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// It is not JSON, or not of this shape.
    #[error("it is no baseline: {0}")]
    Malformed(#[from] serde_json::Error),
    /// It was written by another version.
    #[error("it has schema {0}, and this version of agentsctl reads {SCHEMA}; write it anew")]
    Schema(u32),
}

impl Baseline {
    /// The set of all these findings but those that a comment or the configuration suppresses.
    pub fn of(judged: &[Judged], sources: &dyn Sources) -> Self {
        let counts = |judged: &&Judged| {
            judged.suppression.as_ref().is_none_or(|suppression| suppression.kind == SuppressionKind::Baseline)
        };
        let entries = judged.iter().filter(counts).map(|judged| Entry {
            path: judged.finding.primary.path.clone(),
            rule: judged.finding.rule.to_string(),
            line: line_text(&judged.finding, sources),
            fingerprint: judged.fingerprint.clone(),
        });
        Self::from_entries(entries.collect())
    }

    fn from_entries(mut entries: Vec<Entry>) -> Self {
        entries.sort();
        let known = entries.iter().map(|entry| entry.fingerprint.clone()).collect();
        Self { entries, known }
    }

    /// Reads the text of a baseline file.
    ///
    /// # Errors
    /// The text is no baseline of this version.
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        #[derive(Deserialize)]
        struct Head {
            schema: u32,
        }
        let text = text.trim_start_matches('\u{feff}');
        let head: Head = serde_json::from_str(text)?;
        if head.schema != SCHEMA {
            return Err(BaselineError::Schema(head.schema));
        }
        let document: Document = serde_json::from_str(text)?;
        Ok(Self::from_entries(document.findings))
    }

    /// Reads a baseline file.
    ///
    /// # Errors
    /// It cannot be read, or [`Baseline::parse`] refuses it.
    pub fn read(file_system: &dyn FileSystem, path: &Path) -> Result<Self, CommandError> {
        let name = path.display();
        let bytes = file_system
            .read(path, LIMIT)
            .map_err(|error| CommandError::input(&format!("read the baseline `{name}`"), &error))?;
        Self::parse(&String::from_utf8_lossy(&bytes)).map_err(|error| {
            CommandError::new(ErrorKind::Config, format!("the baseline `{name}` cannot be used: {error}"))
                .hint("write it anew")
        })
    }

    /// Writes the baseline file: sorted, so that its changes can be reviewed.
    ///
    /// # Errors
    /// What the writer answers.
    pub fn write(&self, output: &mut dyn io::Write) -> io::Result<()> {
        crate::report::escape::write_json(&Document { schema: SCHEMA, findings: self.entries.clone() }, output)
    }

    /// Whether a finding is known.
    pub fn contains(&self, fingerprint: &Fingerprint) -> bool {
        self.known.contains(fingerprint)
    }

    /// All known findings.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Known findings that are not among the present ones: mended, or gone with their line.
    pub fn gone(&self, present: &[Fingerprint]) -> Vec<&Entry> {
        let present: BTreeSet<&Fingerprint> = present.iter().collect();
        self.entries.iter().filter(|entry| !present.contains(&entry.fingerprint)).collect()
    }
}

/// The findings of `after` that did not count in `before`: new ones, and ones that were suppressed there. `sources` are
/// the texts of `after`; `earlier_path` says under which path a file of `after` was known in `before`, if it was renamed.
pub fn new_since(
    before: &[Judged],
    after: Vec<Judged>,
    sources: &dyn Sources,
    earlier_path: &dyn Fn(&str) -> Option<String>,
) -> Vec<Judged> {
    let counted: BTreeSet<&Fingerprint> =
        before.iter().filter(|judged| judged.suppression.is_none()).map(|judged| &judged.fingerprint).collect();
    let findings: Vec<Finding> = after.iter().map(|judged| judged.finding.clone()).collect();
    let present = fingerprints(&findings, sources, earlier_path);
    after.into_iter().zip(present).filter(|(_, earlier)| !counted.contains(earlier)).map(|(judged, _)| judged).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::finding::{Location, Severity};

    fn finding(path: &str, start: usize) -> Finding {
        Finding {
            rule: "missing-path",
            severity: Severity::Warning,
            message: format!("at {start}"),
            primary: Location { path: path.to_string(), span: start..start + 1, label: String::new() },
            related: Vec::new(),
            help: None,
            hosts: Vec::new(),
            fix: None,
        }
    }

    fn sources(text: &str) -> BTreeMap<String, String> {
        [("AGENTS.md".to_string(), text.to_string())].into()
    }

    #[test]
    fn the_hash_is_the_published_one() {
        let mut hash = Fnv::default();
        hash.write(b"a");
        assert_eq!(format!("{:032x}", hash.0), "d228cb696f1a8caf78912b704e4a8964");
    }

    #[test]
    fn fingerprints_stay_when_lines_move() {
        let before = sources("see x\nsee x\n");
        let after = sources("new line\n\n  see   x\nsee x\n");
        let old = fingerprints(&[finding("AGENTS.md", 0), finding("AGENTS.md", 6)], &before, &|_| None);
        // Given in another order: the occurrence goes by place, not by order.
        let new = fingerprints(&[finding("AGENTS.md", 20), finding("AGENTS.md", 12)], &after, &|_| None);
        assert_ne!(old[0], old[1]);
        assert_eq!(new, [old[1].clone(), old[0].clone()]);
        let edited = fingerprints(&[finding("AGENTS.md", 0)], &sources("see y\n"), &|_| None);
        assert!(!old.contains(&edited[0]));
    }

    #[test]
    fn a_baseline_survives_its_file() {
        let texts = sources("a\nb\n");
        let findings = [finding("AGENTS.md", 2), finding("AGENTS.md", 0)];
        let fingerprinted = fingerprints(&findings, &texts, &|_| None);
        let judged: Vec<Judged> = findings
            .into_iter()
            .zip(fingerprinted)
            .map(|(finding, fingerprint)| Judged { finding, fingerprint, suppression: None })
            .collect();
        let baseline = Baseline::of(&judged, &texts);
        let mut file = Vec::new();
        baseline.write(&mut file).unwrap();
        let read = Baseline::parse(std::str::from_utf8(&file).unwrap()).unwrap();
        assert_eq!(read, baseline);
        let present = fingerprints(&[finding("AGENTS.md", 0)], &texts, &|_| None);
        assert!(read.contains(&present[0]));
        assert_eq!(read.gone(&present).iter().map(|entry| entry.line.as_str()).collect::<Vec<_>>(), ["b"]);
        assert!(matches!(Baseline::parse("{\"schema\": 9}"), Err(BaselineError::Schema(9))));
        assert!(Baseline::parse("[]").is_err());
    }

    #[test]
    fn only_what_is_new_since() {
        let judge = |findings: &[Finding], texts: &dyn Sources| -> Vec<Judged> {
            let fingerprints = fingerprints(findings, texts, &|_| None);
            let pairs = findings.iter().cloned().zip(fingerprints);
            pairs.map(|(finding, fingerprint)| Judged { finding, fingerprint, suppression: None }).collect()
        };
        let left = |judged: Vec<Judged>| judged.into_iter().map(|j| j.finding).collect::<Vec<_>>();
        let (old, new) = (sources("a\n"), sources("b\na\n"));
        let mut before = judge(&[finding("AGENTS.md", 0)], &old);
        let after = judge(&[finding("AGENTS.md", 0), finding("AGENTS.md", 2)], &new);
        assert_eq!(left(new_since(&before, after.clone(), &new, &|_| None)), [finding("AGENTS.md", 0)]);

        let renamed: BTreeMap<String, String> = [("docs/AGENTS.md".to_string(), "a\n".to_string())].into();
        let moved = judge(&[finding("docs/AGENTS.md", 0)], &renamed);
        let earlier = |path: &str| (path == "docs/AGENTS.md").then(|| "AGENTS.md".to_string());
        assert_eq!(left(new_since(&before, moved.clone(), &renamed, &earlier)), []);
        assert_eq!(new_since(&before, moved, &renamed, &|_| None).len(), 1, "without the rename it is new");

        // What was suppressed before and counts now is worse.
        let (kind, reason) = (SuppressionKind::Comment, String::new());
        before[0].suppression = Some(super::super::judge::Suppression { kind, reason, location: None });
        assert_eq!(new_since(&before, after, &new, &|_| None).len(), 2);
    }
}
