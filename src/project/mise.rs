//! Tasks of mise: tables in `mise.toml` and files in its task folders.

use toml::Value;

use super::command::{Call, Manifests, Resolution, is_operator, option};
use super::definitions::{DefinitionKind, Definitions};
use super::tree::{join, parent};
use super::{EntryKind, Project};

const MISE: Manifests = Manifests {
    reader: "mise",
    kind: DefinitionKind::Task,
    names: &[
        "mise.toml",
        ".mise.toml",
        "mise/config.toml",
        ".mise/config.toml",
        ".config/mise.toml",
        ".config/mise/config.toml",
    ],
    climbs: true,
    read,
};

const TASK_FOLDERS: [&str; 5] = ["mise-tasks", ".mise-tasks", "mise/tasks", ".mise/tasks", ".config/mise/tasks"];

pub(super) fn resolve(call: &Call<'_>) -> Resolution {
    let mut words = call.words.iter().skip_while(|w| w.starts_with('-'));
    match words.next().map(String::as_str) {
        Some("run" | "r") => {}
        _ => return Resolution::NotDefinedHere,
    }
    let here = match option(call.words, &["-C", "--cd"]) {
        Some(folder) => match call.in_stated_folder(folder) {
            Some(there) => there,
            None => return Resolution::unknown(format!("`{folder}` is outside or computed")),
        },
        None => Call { places: call.places.clone(), ..*call },
    };
    let mut answer = Resolution::NotDefinedHere;
    let mut expect_task = true;
    let mut skip = false;
    for word in words {
        if skip {
            skip = false;
        } else if is_operator(word) || word == "--" {
            break;
        } else if word == ":::" {
            expect_task = true;
        } else if matches!(word.as_str(), "-C" | "--cd" | "-j" | "--jobs" | "-t" | "--tool" | "-o" | "--output") {
            skip = true;
        } else if !word.starts_with('-') && expect_task {
            expect_task = false;
            answer = answer.and(here.look_up(&MISE, word));
        }
    }
    answer
}

/// The folder a mise configuration speaks for.
fn speaks_for(manifest: &str) -> &str {
    let folder = parent(manifest);
    for ending in [".config/mise", ".config", ".mise", "mise"] {
        if super::tree::ends_with_components(folder, ending) && !manifest.ends_with(".mise.toml") {
            return folder.strip_suffix(ending).unwrap_or(folder).trim_end_matches('/');
        }
    }
    folder
}

fn read(project: &Project, manifest: &str) -> Definitions {
    let mut definitions = Definitions::default();
    let folder = speaks_for(manifest);
    // All configurations of one folder count together.
    for file in MISE.names.iter().filter_map(|n| join(folder, n)).filter(|f| project.is_file(f)) {
        let table = match project.read_toml(&file) {
            Ok(table) => table,
            Err(why) => {
                definitions.leave_open(why);
                continue;
            }
        };
        for (name, task) in table.get("tasks").and_then(Value::as_table).into_iter().flatten() {
            definitions.add(name.replace(['*', '%'], "_"), &file);
            match task.get("alias") {
                Some(Value::String(alias)) => definitions.add(alias.as_str(), &file),
                Some(Value::Array(aliases)) => {
                    for alias in aliases.iter().filter_map(Value::as_str) {
                        definitions.add(alias, &file);
                    }
                }
                _ => {}
            }
        }
        if table.get("task_config").and_then(|c| c.get("includes")).is_some() || table.get("monorepo_root").is_some() {
            definitions.leave_open(format!("{file} takes in tasks from other places"));
        }
    }
    for tasks in TASK_FOLDERS.iter().filter_map(|t| join(folder, t)) {
        for entry in project.tree().under(&tasks).filter(|e| e.kind != EntryKind::Directory) {
            let relative = entry.path.get(tasks.len() + 1..).unwrap_or("");
            let stem = relative.rsplit_once('.').map_or(relative, |(stem, _)| stem);
            definitions.add(stem.replace('/', ":").trim_end_matches(":_default"), entry.path);
            definitions.add(relative.replace('/', ":"), entry.path);
        }
    }
    definitions
}

#[cfg(test)]
mod tests {
    use crate::project::command::tests::{all_found, all_missing, all_undecided, project};

    #[test]
    fn tables_and_files() {
        let project = project(&[
            ("mise.toml", "[tasks.build]\nrun='x'\nalias='b'\n[tasks]\n\"lint:fix\"='y'\n"),
            (".mise/tasks/docs/serve.sh", ""),
            ("mise-tasks/up", ""),
        ]);
        all_found(
            &project,
            &[
                "mise run build",
                "mise r b",
                "mise run lint:fix",
                "mise run docs:serve",
                "mise run up ::: build",
                "mise run build -- gone",
            ],
        );
        all_missing(&project, &["mise run gone", "mise run build ::: gone"]);
        all_undecided(&project, &["mise install", "mise run", "mise run <task>", "mise exec -- x"]);
        all_undecided(
            &crate::project::command::tests::project(&[("mise.toml", "[task_config]\nincludes=['x']\n")]),
            &["mise run gone"],
        );
    }
}
