//! Runs the examples in the rules' pages: each bad one makes its rule find something, each good one does not.

use agentsctl::lint::examples::{self, Example, Verdict};
use agentsctl::lint::rules::{RULES, registry};
use std::fs;

mod support;

fn run_example(rule: &str, example: &Example) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path().canonicalize().expect("it exists").join("repository");
    fs::create_dir_all(root.join(".git")).expect("it can be written");
    example.write_to(&root).expect("the files can be written");
    let list = |key: &str| -> Vec<String> {
        example.attributes.get(key).map_or_else(Vec::new, |value| value.split(',').map(str::to_owned).collect())
    };
    let found = support::findings(&root, &[rule.to_owned()], &list("host"), &list("launch"));
    found.iter().filter(|f| f.rule == rule).map(support::shown).collect()
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
