//! `dropped`: a host leaves a whole file out because of its size, or because others have used the budget up.

use crate::discover::context::{Context, Reason};
use crate::explain::wording::{number, setting_of, unit};
use crate::host::schema::BudgetSpan;
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::Material;
use crate::lint::reach::{self, Sightings};
use crate::lint::registry::{Group, RuleInfo};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "dropped",
    group: Group::Reach,
    severity: Severity::Error,
    summary: "a host leaves the whole file out because of a size limit",
    page: include_str!("../../../docs/rules/dropped.md"),
    hosts: &[],
    since: "0.1.0",
};

/// One finding for each host and limit, with all the files that it concerns.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    let facts = reach::omissions(material).filter_map(|(h, d, omission)| match &omission.reason {
        // A limit of 0 is a decision, not an accident.
        Reason::OverBudget { limit: 0, .. } => None,
        Reason::OverBudget { budget, limit, unit: u } => {
            Some(((h, Some((budget.clone(), unit(*u))), *limit, omission.path.clone()), h, d))
        }
        Reason::TooLarge { limit } => Some(((h, None, *limit, omission.path.clone()), h, d)),
        _ => None,
    });
    let mut causes: BTreeMap<Cause, Vec<(PathBuf, Sightings)>> = BTreeMap::new();
    for ((h, budget, limit, path), sightings) in reach::gather(facts) {
        causes.entry((h, budget, limit)).or_default().push((path, sightings));
    }
    for (cause, mut files) in causes {
        // The outermost first: it is the one that the most launches miss.
        files.sort_by_key(|(path, _)| (path.components().count(), path.clone()));
        findings.extend(finding(material, &cause, &files));
    }
}

/// The host, the budget with its unit (none for a limit on files), and the limit.
type Cause = (usize, Option<(String, &'static str)>, u64);

fn finding(material: &Material<'_>, (h, budget, limit): &Cause, files: &[(PathBuf, Sightings)]) -> Option<Finding> {
    let host = &material.selections.get(*h)?.host;
    let (first, _) = files.first()?;
    let mut all = Sightings::default();
    files.iter().flat_map(|(_, s)| s.pairs()).for_each(|(h, d)| all.add(*h, *d));
    let from = all.from(material);
    let what = reach::counted(files.len(), "whole file", "whole files");
    let what = what.replace("1 whole file", "the whole file");
    let shared =
        budget.as_ref().is_some_and(|(name, _)| host.budgets.get(name).is_some_and(|b| b.spans != BudgetSpan::File));
    let setting = budget.as_ref().and_then(|(name, _)| setting_of(host, name));
    let setting = setting.map_or_else(String::new, |s| format!(", or raise `{s}`"));
    let size = format!("{} {}", number(*limit), budget.as_ref().map_or("bytes", |(_, unit)| unit));
    let (why, help) = match shared {
        true => (format!("the {size} are used up before"), format!("shorten the files that load before{setting}")),
        false => (format!("over {size}"), format!("split it into smaller files{setting}")),
    };
    let context = all.directories().first().and_then(|d| material.survey.contexts.get(*h)?.get(*d));
    let others = files.iter().skip(1).map(|(path, _)| Location {
        path: material.shown(path),
        span: 0..0,
        label: "is dropped as well".to_owned(),
    });
    let spent = context.filter(|_| shared).map(|c| spenders(material, c, first)).unwrap_or_default();
    Some(Finding {
        rule: INFO.id,
        severity: reach::severity(material, &all, INFO.severity),
        message: format!("{} drops {what} ({from}): {why}", host.name),
        primary: Location { path: material.shown(first), span: 0..0, label: String::new() },
        related: spent.into_iter().chain(others).collect(),
        help: Some(help),
        hosts: vec![host.id.clone()],
        fix: None,
    })
}

/// The files that loaded from the same source before.
fn spenders(material: &Material<'_>, context: &Context, dropped: &PathBuf) -> Vec<Location> {
    let source = context.omissions.iter().find(|o| o.path == *dropped).map(|o| o.source.clone());
    let before = context.pieces.iter().filter(|p| Some(&p.source) == source.as_ref());
    before
        .filter_map(|p| {
            let label = format!("{} bytes are spent here before", number(p.bytes));
            Some(Location { path: material.shown(p.path.as_ref()?), span: 0..0, label })
        })
        .collect()
}
