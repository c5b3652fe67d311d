//! `drifted-copies`: two files for two hosts were copies and are no longer.

use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::{InstructionFile, Material};
use crate::lint::registry::{Group, RuleInfo};
use similar::{ChangeTag, TextDiff};
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "drifted-copies",
    group: Group::Reach,
    severity: Severity::Warning,
    summary: "two hosts' files beside each other are nearly the same, but not quite",
    page: include_str!("../../../docs/rules/drifted-copies.md"),
    hosts: &[],
    since: "0.1.0",
};

/// Texts shorter than this, in bytes, are alike by chance.
const SHORT: usize = 400;
/// Longer ones, in bytes, are not compared.
const LONG: usize = 512 << 10;
/// From this share of equal lines on, two texts were once one.
const ALIKE: f32 = 0.6;
/// How many lines may differ without a word: each host's file may well greet its own reader.
const GREETING: usize = 3;

/// One finding for each pair.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    let mut beside: BTreeMap<&str, Vec<&InstructionFile>> = BTreeMap::new();
    for file in material.texts() {
        let length = file.document.text.len();
        let name = file.path.rsplit('/').next().unwrap_or(&file.path);
        let is_main = material.names.all().iter().any(|known| known.rsplit('/').next() == Some(name));
        if is_main && (SHORT..=LONG).contains(&length) {
            beside.entry(owner(file)).or_default().push(file);
        }
    }
    for files in beside.values() {
        for (i, one) in files.iter().enumerate() {
            for other in files.iter().skip(i + 1).filter(|other| other.real != one.real) {
                findings.extend(compare(one, other));
            }
        }
    }
}

/// The folder that a file speaks for: the one that holds it, or the one above a dot folder.
fn owner(file: &InstructionFile) -> &str {
    let folder = file.folder();
    let last = folder.rsplit('/').next().unwrap_or(folder);
    if last.starts_with('.') { folder.rsplit_once('/').map_or("", |(above, _)| above) } else { folder }
}

fn compare(one: &InstructionFile, other: &InstructionFile) -> Option<Finding> {
    let (a, b) = (one.document.text.trim_end(), other.document.text.trim_end());
    if a == b || a.len() > 3 * b.len() || b.len() > 3 * a.len() {
        return None;
    }
    let mut config = TextDiff::configure();
    let diff = config.timeout(Duration::from_millis(200)).diff_lines(a, b);
    let ratio = diff.ratio();
    if ratio < ALIKE {
        return None;
    }
    let mut places: (Option<Range<usize>>, Option<Range<usize>>) = (None, None);
    let (mut at_a, mut at_b, mut gone, mut new) = (0, 0, 0, 0);
    for change in diff.iter_all_changes() {
        let length = change.value().len();
        let line = |at: usize| at..at + change.value().trim_end().len();
        let blank = change.value().trim().is_empty();
        match change.tag() {
            ChangeTag::Equal => {
                at_a += length;
                at_b += length;
            }
            ChangeTag::Delete => {
                gone += usize::from(!blank);
                if !blank && gone == 1 {
                    places.0 = Some(line(at_a));
                }
                at_a += length;
            }
            ChangeTag::Insert => {
                new += usize::from(!blank);
                if !blank && new == 1 {
                    places.1 = Some(line(at_b));
                }
                at_b += length;
            }
        }
    }
    if gone.max(new) == 0 {
        return None;
    }
    let severity = if gone.max(new) <= GREETING { Severity::Info } else { INFO.severity };
    let percent = (ratio * 100.0).floor().min(99.0);
    let message = format!(
        "`{}` and `{}` are {percent} % the same: {gone} lines are in the first alone, {new} in the second alone",
        one.path, other.path
    );
    let label = |found: &Option<Range<usize>>| match found {
        Some(_) => "the first line that the other file lacks",
        None => "every line of it is in the other file",
    };
    Some(Finding {
        rule: INFO.id,
        severity,
        message,
        primary: Location {
            path: one.path.clone(),
            label: label(&places.0).to_owned(),
            span: places.0.clone().unwrap_or(0..0),
        },
        related: vec![Location {
            path: other.path.clone(),
            label: label(&places.1).to_owned(),
            span: places.1.clone().unwrap_or(0..0),
        }],
        help: Some("keep the text in one of them, and let the other one import it or be a link to it".to_owned()),
        hosts: Vec::new(),
        fix: None,
    })
}
