//! `headroom`: a budget is nearly used up.

use crate::discover::context::{BudgetUse, Context, Reason};
use crate::explain::wording::{number, unit};
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::Material;
use crate::lint::reach;
use crate::lint::registry::{Group, RuleInfo};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "headroom",
    group: Group::Reach,
    severity: Severity::Info,
    summary: "a host's budget is nearly used up",
    page: include_str!("../../../docs/rules/headroom.md"),
    hosts: &[],
    since: "0.1.0",
};

/// From this share of a budget on there is something to say, in percent.
const NEARLY_FULL: u64 = 85;

/// One finding for each host and budget (and file, where the budget is the file's own), for the fullest launch.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    let mut fullest: BTreeMap<(usize, String, PathBuf), (&BudgetUse, usize)> = BTreeMap::new();
    for (h, d, context) in reach::launches(material).filter(|(h, _, _)| reach::is_in_use(material, *h)) {
        for used in &context.budgets {
            let full = used.limit > 0 && used.used.saturating_mul(100) >= used.limit.saturating_mul(NEARLY_FULL);
            if !full || used.used > used.limit || is_exceeded(context, used) {
                continue;
            }
            let Some(path) = used.path.clone().or_else(|| last_file(material, h, context, used)) else { continue };
            if !path.starts_with(material.root) {
                continue;
            }
            let key = (h, used.budget.clone(), used.path.clone().unwrap_or_default());
            let entry = fullest.entry(key).or_insert((used, d));
            if used.used > entry.0.used {
                *entry = (used, d);
            }
        }
    }
    for ((h, _, _), (used, d)) in fullest {
        let host = &material.selections[h].host;
        let context = &material.survey.contexts[h][d];
        let Some(path) = used.path.clone().or_else(|| last_file(material, h, context, used)) else { continue };
        let message = format!(
            "{} of {} {} are used ({}: {}, launched in {}); {} are left",
            number(used.used),
            number(used.limit),
            unit(used.unit),
            host.name,
            used.about,
            material.directory(&material.survey.directories[d]),
            number(used.limit - used.used),
        );
        findings.push(Finding {
            rule: INFO.id,
            severity: INFO.severity,
            message,
            primary: Location { path: material.shown(&path), span: 0..0, label: String::new() },
            related: Vec::new(),
            help: Some("what is added beyond the limit is lost from the end".to_owned()),
            hosts: vec![host.id.clone()],
            fix: None,
        });
    }
}

/// Whether something was cut or dropped, which other rules report.
fn is_exceeded(context: &Context, used: &BudgetUse) -> bool {
    let of_this = |path: Option<&PathBuf>| used.path.is_none() || used.path.as_ref() == path;
    let cut = context
        .pieces
        .iter()
        .any(|p| of_this(p.path.as_ref()) && p.cut.as_ref().is_some_and(|c| c.budget == used.budget));
    let dropped = context.omissions.iter().any(|o| {
        of_this(Some(&o.path)) && matches!(&o.reason, Reason::OverBudget { budget, .. } if *budget == used.budget)
    });
    cut || dropped
}

/// The last file of the repository that spends from a shared budget.
fn last_file(material: &Material<'_>, h: usize, context: &Context, used: &BudgetUse) -> Option<PathBuf> {
    let host = &material.selections.get(h)?.host;
    let spends = |source: &str| {
        host.sources.get(source).is_some_and(|s| s.files.iter().any(|set| set.budgets.contains(&used.budget)))
    };
    reach::pieces(material, context).filter(|(_, p)| spends(&p.source)).last().map(|(path, _)| path.clone())
}
