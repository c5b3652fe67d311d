//! `unreadable`: an instruction file that a host cannot take: a link that leads nowhere or is refused, no text, no file.

use crate::discover::context::Reason;
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::Material;
use crate::lint::reach;
use crate::lint::registry::{Group, RuleInfo};

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "unreadable",
    group: Group::Reach,
    severity: Severity::Error,
    summary: "a host cannot read the file, or refuses the link that it is",
    page: include_str!("../../../docs/rules/unreadable.md"),
    hosts: &[],
    since: "0.1.0",
};

/// One finding for each file and cause.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    let facts = reach::omissions(material).filter_map(|(h, d, omission)| {
        let (cause, help) = match &omission.reason {
            Reason::BrokenLink => ("it is a link that leads nowhere".to_owned(), "mend the link".to_owned()),
            Reason::Unreadable { error } => {
                (format!("it cannot be read: {error}"), "make it a readable file in UTF-8".to_owned())
            }
            Reason::NotAFile => {
                ("it is a folder, a pipe or a device".to_owned(), "put a file there, or remove it".to_owned())
            }
            Reason::LinkRefused { target } => (
                match target {
                    Some(target) => {
                        format!("it is a link to `{}`, and the host refuses links there", material.shown(target))
                    }
                    None => "it is a link, and the host refuses links there".to_owned(),
                },
                "put the file itself there".to_owned(),
            ),
            _ => return None,
        };
        Some(((omission.path.clone(), cause, help), h, d))
    });
    for ((path, cause, help), sightings) in reach::gather(facts) {
        let lost = reach::omissions(material).filter_map(|(h, d, o)| match &o.reason {
            Reason::LostWith { file } if *file == path => Some((o.path.clone(), h, d)),
            _ => None,
        });
        let lost = reach::gather(lost);
        let with = match lost.len() {
            0 => String::new(),
            n => format!("; {} lost with it", reach::counted(n, "file is", "files are")),
        };
        let related = lost.into_keys().take(10).map(|path| Location {
            path: material.shown(&path),
            span: 0..0,
            label: "lost with it".to_owned(),
        });
        findings.push(Finding {
            rule: INFO.id,
            severity: reach::severity(material, &sightings, INFO.severity),
            message: format!(
                "{} gets nothing from it: {cause} ({}){with}",
                sightings.names(material),
                sightings.from(material)
            ),
            primary: Location { path: material.shown(&path), span: 0..0, label: String::new() },
            related: related.collect(),
            help: Some(help),
            hosts: sightings.ids(material),
            fix: None,
        });
    }
}
