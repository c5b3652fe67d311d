//! `loaded-twice`: a host has the same text in front of it twice.

use crate::discover::context::{Loads, Piece};
use crate::explain::wording::number;
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::Material;
use crate::lint::reach;
use crate::lint::registry::{Group, RuleInfo};
use std::collections::HashMap;
use std::path::PathBuf;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "loaded-twice",
    group: Group::Reach,
    severity: Severity::Info,
    summary: "a host loads the same text twice",
    page: include_str!("../../../docs/rules/loaded-twice.md"),
    hosts: &[],
    since: "0.1.0",
};

/// Texts shorter than this, in bytes, cost too little to speak of.
const SHORT: usize = 200;

/// One finding for each pair of files.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    type Way = (PathBuf, Option<PathBuf>);
    let mut facts: Vec<((Way, Way, usize), usize, usize)> = Vec::new();
    for (h, d, context) in reach::launches(material).filter(|(h, _, _)| reach::is_in_use(material, *h)) {
        let mut by_text: HashMap<&str, Vec<(&PathBuf, &Piece)>> = HashMap::new();
        for (path, piece) in reach::pieces(material, context).filter(|(_, p)| p.loads == Loads::AtLaunch) {
            // The file's own text, without what it imports: that stands there under its own name.
            let text = piece.text.source().trim();
            if text.len() >= SHORT {
                by_text.entry(text).or_default().push((path, piece));
            }
        }
        for (text, pieces) in by_text {
            let [(first, a), (second, b), ..] = pieces.as_slice() else { continue };
            let one = ((*first).clone(), a.imported_by.clone());
            let other = ((*second).clone(), b.imported_by.clone());
            facts.push(((one, other, text.len()), h, d));
        }
    }
    for (((first, first_by), (second, second_by), length), sightings) in reach::gather(facts) {
        let way = |by: &Option<PathBuf>| match by {
            Some(by) => format!("imported by `{}`", material.shown(by)),
            None => "by itself".to_owned(),
        };
        let message = if first == second {
            format!(
                "{} loads these {} bytes twice: {} and {} ({})",
                sightings.names(material),
                number(length as u64),
                way(&first_by),
                way(&second_by),
                sightings.from(material)
            )
        } else {
            format!(
                "{} loads the same {} bytes from `{}` and `{}` ({})",
                sightings.names(material),
                number(length as u64),
                material.shown(&first),
                material.shown(&second),
                sightings.from(material)
            )
        };
        let at = second_by.as_ref().filter(|_| first == second).unwrap_or(&second);
        findings.push(Finding {
            rule: INFO.id,
            severity: INFO.severity,
            message,
            primary: Location { path: material.shown(at), span: 0..0, label: String::new() },
            related: vec![Location { path: material.shown(&first), span: 0..0, label: "the same text".to_owned() }],
            help: Some("make one of them a link to the other, or keep the text in one place".to_owned()),
            hosts: sightings.ids(material),
            fix: None,
        });
    }
}
