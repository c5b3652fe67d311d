//! `no-evidence`: hardly a rule of a file names what would show that it was kept.

use crate::document::{Kind, Span};
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::{InstructionFile, Material};
use crate::lint::mentions;
use crate::lint::registry::{Group, RuleInfo};

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "no-evidence",
    group: Group::Rules,
    severity: Severity::Hint,
    summary: "hardly a rule of the file names what would show that it was kept",
    page: include_str!("../../../docs/rules/no-evidence.md"),
    hosts: &[],
    since: "0.1.0",
};

/// Files with fewer rules are left alone.
const FEWEST: usize = 10;
/// The share of rules with evidence from which on a file is left alone: one in so many.
const ONE_IN: usize = 10;

/// One finding for each file: most good rules have no evidence either, so that a line by itself says nothing.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for subject in mentions::subjects(material) {
        let (rules, without) = count(subject.file);
        let Some(first) = without.first() else { continue };
        if rules < FEWEST || (rules - without.len()) * ONE_IN >= rules {
            continue;
        }
        findings.push(Finding {
            rule: INFO.id,
            severity: INFO.severity,
            message: format!(
                "of {rules} rules {} name no test, check or other thing that shows whether they were kept",
                without.len()
            ),
            primary: Location { path: subject.file.path.clone(), span: first.clone(), label: "the first".to_owned() },
            related: Vec::new(),
            help: Some("name the check that fails: a command, a job of CI, a test".to_owned()),
            hosts: Vec::new(),
            fix: None,
        });
    }
}

/// How many rules a file has, and those without evidence.
pub fn count(file: &InstructionFile) -> (usize, Vec<Span>) {
    let rules = || file.items().iter().filter(|item| item.kind == Kind::Rule);
    let without = rules().filter(|item| item.evidence.is_none()).map(|item| item.span.clone()).collect();
    (rules().count(), without)
}
