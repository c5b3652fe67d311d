//! Runs rules over a folder, for tests: every built-in host unless some are named, no home, no environment.

use agentsctl::discover::Launch;
use agentsctl::filesystem::{Cached, Disk};
use agentsctl::host::{Catalog, Selection};
use agentsctl::lint::config::Overrides;
use agentsctl::lint::config::discover::Configs;
use agentsctl::lint::finding::Finding;
use agentsctl::lint::rules::registry;
use agentsctl::lint::run::{self, Request};
use agentsctl::lint::sources::FileSources;
use agentsctl::project::{Project, ScanOptions};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// What the selected rules find in a repository, suppressed findings left out.
pub fn findings(root: &Path, select: &[String], hosts: &[String], launch: &[String]) -> Vec<Finding> {
    let registry = registry();
    let files: Arc<Cached<Disk>> = Arc::new(Cached::new(Disk));
    let overrides = Overrides {
        select: Some(select.to_vec()),
        hosts: hosts.to_vec(),
        launch: launch.to_vec(),
        ..Overrides::default()
    };
    let configs = Configs::find(files.as_ref(), root.to_path_buf(), &registry, overrides);
    let catalog = Catalog::built_in();
    let asked: Vec<String> = if hosts.is_empty() { catalog.ids().map(str::to_owned).collect() } else { hosts.to_vec() };
    let selections: Vec<Selection> = asked.iter().map(|h| catalog.select(h).expect("the host exists")).collect();
    let options = ScanOptions { files: files.clone(), history: false };
    let project = Project::scan(root, options).expect("the tree can be read");
    let sources = FileSources::new(files.as_ref(), root.to_path_buf());
    let outcome = run::run(&Request {
        project: &project,
        selections: &selections,
        launch: &Launch { system_root: root.join("no-system"), ..Launch::new(root.to_path_buf()) },
        configs: &configs,
        registry: &registry,
        file_system: files.as_ref(),
        sources: &sources,
        only: &BTreeSet::new(),
        partial: true,
        baseline: None,
    })
    .expect("the rules can be run");
    outcome.findings.into_iter().filter(|judged| judged.suppression.is_none()).map(|judged| judged.finding).collect()
}

/// A finding as `severity[rule] path: message`.
pub fn shown(finding: &Finding) -> String {
    format!("{}[{}] {}: {}", finding.severity.name(), finding.rule, finding.primary.path, finding.message)
}
