//! One run of the rules over a project: scan, survey, rules, judgement.

use super::baseline::Baseline;
use super::config::discover::{Configs, FindError};
use super::date::Date;
use super::finding::Finding;
use super::judge::{Coverage, Judge, Judged};
use super::material::{self, Material};
use super::registry::Registry;
use super::rules::RULES;
use super::sources::Sources;
use crate::discover::Launch;
use crate::explain::near::Names;
use crate::filesystem::FileSystem;
use crate::host::Selection;
use crate::project::{Project, ScanError};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What a run is asked.
pub struct Request<'r> {
    /// The project.
    pub project: &'r Project,
    /// The hosts in question.
    pub selections: &'r [Selection],
    /// Home, variables and system root of the one who asks.
    pub launch: &'r Launch,
    /// The configurations.
    pub configs: &'r Configs<'r>,
    /// All rules.
    pub registry: &'r Registry,
    /// The files.
    pub file_system: &'r dyn FileSystem,
    /// The texts.
    pub sources: &'r dyn Sources,
    /// Only findings that concern one of these paths, relative to the root with `/`, are wanted; empty for all.
    pub only: &'r BTreeSet<String>,
    /// Only some hosts or rules were asked for.
    pub partial: bool,
    /// Known findings.
    pub baseline: Option<&'r Baseline>,
}

/// What a run found.
pub struct Outcome {
    /// The findings, judged.
    pub findings: Vec<Judged>,
    /// The files that were checked, relative to the root.
    pub checked: Vec<String>,
}

/// Why a run could not be made.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The project cannot be scanned.
    #[error(transparent)]
    Scan(#[from] ScanError),
    /// A configuration cannot be used.
    #[error(transparent)]
    Config(#[from] FindError),
}

/// Whether a finding is at one of the paths, or names one of them as part of what is wrong: a file that uses up a budget
/// is told of the file that is cut. No paths mean all.
pub fn concerns(finding: &Finding, only: &BTreeSet<String>) -> bool {
    let named = |path: &String| only.contains(path);
    only.is_empty() || named(&finding.primary.path) || finding.related.iter().any(|r| named(&r.path))
}

/// Runs the rules. The answer for one file is the same as in a run over all: a path only filters what is reported.
///
/// # Errors
/// [`RunError`]
pub fn run(request: &Request<'_>) -> Result<Outcome, RunError> {
    let root = request.project.root();
    let config = request.configs.root()?;
    let names = Names::collect(request.selections.iter().map(|s| &s.host));
    let directories: Vec<PathBuf> = config.launch.value.iter().map(|d| root.join(d)).collect();
    let (inventory, survey) = material::survey(
        request.project,
        request.selections,
        request.launch,
        &directories,
        &names,
        request.file_system,
    );
    let material = Material::gather(
        root,
        request.selections,
        &survey,
        request.project,
        &inventory,
        &names,
        &config,
        request.file_system,
    );
    let mut findings: Vec<Finding> = Vec::new();
    for rule in RULES {
        (rule.check)(&material, &mut findings);
    }
    findings.retain(|finding| concerns(finding, request.only));
    let checked: Vec<String> = material
        .files
        .iter()
        .map(|file| file.path.clone())
        .filter(|path| request.only.is_empty() || request.only.contains(path))
        .collect();
    let coverage = match (request.partial, request.only.is_empty()) {
        (true, _) => Coverage::SomeRules,
        (false, false) => Coverage::SomeFiles,
        (false, true) => Coverage::Everything,
    };
    let judge = Judge {
        registry: request.registry,
        configs: request.configs,
        sources: request.sources,
        checked: &checked,
        coverage,
        baseline: request.baseline,
        today: Date::today(),
    };
    Ok(Outcome { findings: judge.judge(findings)?, checked })
}
