//! `host-gap`: a host that the team uses gets none of the repository's instructions.

use crate::explain::near;
use crate::host::schema::Scope;
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::Material;
use crate::lint::reach;
use crate::lint::registry::{Group, RuleInfo};

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "host-gap",
    group: Group::Reach,
    severity: Severity::Info,
    summary: "a host that the team uses loads nothing from the root, though there are instructions",
    page: include_str!("../../../docs/rules/host-gap.md"),
    hosts: &[],
    since: "0.1.0",
};

/// One finding for each host.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    let in_root = |file: &&crate::lint::material::InstructionFile| {
        // A name that only some hosts take for another is a finding of its own.
        let is_slip = near::meant(&file.path).is_some();
        !is_slip
            && file.is_loaded()
            && file.readings.iter().any(|(_, d, _)| *d == 0)
            && !file.document.text.trim().is_empty()
    };
    // What the other hosts have: the root's AGENTS.md if there is one, else the first.
    let has = material.files.iter().filter(in_root);
    let Some(source) = has.min_by_key(|f| (f.path != "AGENTS.md", f.path.matches('/').count(), f.path.clone())) else {
        return;
    };
    for (h, selection) in material.selections.iter().enumerate().filter(|(h, _)| reach::is_in_use(material, *h)) {
        let host = &selection.host;
        let Some(context) = material.survey.contexts.get(h).and_then(|c| c.first()) else { continue };
        let loads = reach::pieces(material, context)
            .any(|(_, p)| matches!(p.scope, Scope::Project | Scope::Local | Scope::Rule | Scope::Added));
        // A rule that waits for its files is something, too.
        let waits = material.files.iter().any(|f| f.readings.iter().any(|(reader, d, _)| *reader == h && *d == 0));
        if loads || waits || context.refusal.is_some() {
            continue;
        }
        let message = format!("{} loads none of the repository's instructions, such as `{}`", host.name, source.path);
        let help = match (&host.adapter, source.path.as_str()) {
            (Some(adapter), "AGENTS.md") => adapter.clone(),
            (Some(adapter), _) if material.project.is_file("AGENTS.md") => adapter.clone(),
            (_, other) => format!(
                "move what all hosts need from `{other}` into AGENTS.md{}",
                host.adapter.as_ref().map_or_else(String::new, |adapter| format!("; then {adapter}"))
            ),
        };
        findings.push(Finding {
            rule: INFO.id,
            severity: INFO.severity,
            message,
            primary: Location { path: source.path.clone(), span: 0..0, label: String::new() },
            related: Vec::new(),
            help: Some(help),
            hosts: vec![host.id.clone()],
            fix: None,
        });
    }
}
