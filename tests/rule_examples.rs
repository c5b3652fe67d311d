//! Runs the examples in the rules' pages: each bad one makes its rule find something, each good one does not.

use agentsctl::discover::Launch;
use agentsctl::filesystem::{Cached, Disk};
use agentsctl::host::{Catalog, Selection};
use agentsctl::lint::config::Overrides;
use agentsctl::lint::config::discover::Configs;
use agentsctl::lint::examples::{self, Example, Verdict};
use agentsctl::lint::rules::{RULES, registry};
use agentsctl::lint::run::{self, Request};
use agentsctl::lint::sources::FileSources;
use agentsctl::project::{Project, ScanOptions};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// What one rule says about a repository, as `severity path: message`.
fn findings(root: &Path, rule: &str, hosts: &[String], launch: &[String]) -> Vec<String> {
    let registry = registry();
    let files: Arc<Cached<Disk>> = Arc::new(Cached::new(Disk));
    let overrides = Overrides {
        select: Some(vec![rule.to_owned()]),
        hosts: hosts.to_vec(),
        launch: launch.to_vec(),
        ..Overrides::default()
    };
    let configs = Configs::find(files.as_ref(), root.to_path_buf(), &registry, overrides);
    let catalog = Catalog::built_in();
    let asked: Vec<String> = if hosts.is_empty() { catalog.ids().map(str::to_owned).collect() } else { hosts.to_vec() };
    let selections: Vec<Selection> = asked.iter().map(|h| catalog.select(h).expect("the host exists")).collect();
    let project =
        Project::scan(root, ScanOptions { files: files.clone(), history: false }).expect("the tree can be read");
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
    let shown = outcome.findings.iter().filter(|judged| judged.finding.rule == rule && judged.suppression.is_none());
    shown
        .map(|judged| {
            let finding = &judged.finding;
            format!("{} {}: {}", finding.severity.name(), finding.primary.path, finding.message)
        })
        .collect()
}

fn run_example(rule: &str, example: &Example) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path().canonicalize().expect("it exists").join("repository");
    fs::create_dir_all(root.join(".git")).expect("it can be written");
    example.write_to(&root).expect("the files can be written");
    let list = |key: &str| -> Vec<String> {
        example.attributes.get(key).map_or_else(Vec::new, |value| value.split(',').map(str::to_owned).collect())
    };
    findings(&root, rule, &list("host"), &list("launch"))
}

#[test]
fn examples_of_rules_do_what_their_pages_say() {
    let mut wrong = Vec::new();
    for rule in RULES {
        let examples = match examples::read(rule.info.page) {
            Ok(examples) => examples,
            Err(error) => {
                wrong.push(format!("{}: {error}", rule.info.id));
                continue;
            }
        };
        for example in &examples {
            // Where links cannot be made, an example with one shows nothing.
            if cfg!(not(unix)) && example.files.iter().any(|file| file.link.is_some()) {
                continue;
            }
            let found = run_example(rule.info.id, example);
            let as_claimed = match example.verdict {
                Verdict::Bad => !found.is_empty(),
                Verdict::Good => found.is_empty(),
            };
            if !as_claimed {
                wrong.push(format!(
                    "{} line {}: {:?}, and it found {found:#?}",
                    rule.info.id, example.line, example.verdict
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rules_have_pages_and_ids_in_order() {
    assert_eq!(registry().defects(), Vec::<String>::new());
}
