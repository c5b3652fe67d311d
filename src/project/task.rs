//! Tasks of Taskfiles: includes, namespaces, aliases and wildcards.

use std::collections::HashSet;

use serde_norway::Value;

use super::command::{Call, Manifests, Resolution, is_operator, option};
use super::definitions::{DefinitionKind, Definitions};
use super::tree::{join, parent};
use super::{EntryKind, Project};

const NAMES: &[&str] = &[
    "Taskfile.yml",
    "taskfile.yml",
    "Taskfile.yaml",
    "taskfile.yaml",
    "Taskfile.dist.yml",
    "taskfile.dist.yml",
    "Taskfile.dist.yaml",
    "taskfile.dist.yaml",
];

const TASKFILES: Manifests = Manifests { reader: "task", kind: DefinitionKind::Task, names: NAMES, climbs: true, read };

pub(super) fn resolve(call: &Call<'_>) -> Resolution {
    if let Some(folder) = option(call.words, &["-d", "--dir"]) {
        return match call.in_stated_folder(folder) {
            Some(there) => resolve_names(&there),
            None => Resolution::unknown(format!("`{folder}` is outside or computed")),
        };
    }
    if option(call.words, &["-t", "--taskfile"]).is_some() || call.words.iter().any(|w| w == "-g" || w == "--global") {
        return Resolution::unknown("another Taskfile is named");
    }
    resolve_names(call)
}

fn resolve_names(call: &Call<'_>) -> Resolution {
    let mut answer = Resolution::NotDefinedHere;
    let mut words = call.words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-d" | "--dir" | "-o" | "--output" | "-C" | "--concurrency" | "-I" | "--interval" => {
                words.next();
            }
            "--" => break,
            "-l" | "--list" | "-a" | "--list-all" | "--version" | "--init" | "-i" | "--help" | "-h" => {
                return Resolution::NotDefinedHere;
            }
            word if is_operator(word) => break,
            word if word.starts_with('-') || word.contains('=') => {}
            name => answer = answer.and(call.look_up(&TASKFILES, name)),
        }
    }
    answer
}

fn read(project: &Project, manifest: &str) -> Definitions {
    let mut definitions = Definitions::default();
    read_into(project, manifest, "", &mut definitions, &mut HashSet::new(), 0);
    definitions
}

fn read_into(
    project: &Project,
    manifest: &str,
    prefix: &str,
    definitions: &mut Definitions,
    seen: &mut HashSet<(String, String)>,
    depth: usize,
) {
    if depth > 10 || seen.len() > 200 || !seen.insert((manifest.to_owned(), prefix.to_owned())) {
        return;
    }
    let value = match project.read_yaml(manifest) {
        Ok(value) => value,
        Err(why) => return definitions.leave_open(why),
    };
    if let Some(tasks) = value.get("tasks").and_then(Value::as_mapping) {
        for (name, task) in tasks {
            let Some(name) = name.as_str() else { continue };
            definitions.add(format!("{prefix}{name}"), manifest);
            if name == "default"
                && let Some(namespace) = prefix.strip_suffix(':')
            {
                definitions.add(namespace, manifest);
            }
            for alias in
                task.get("aliases").and_then(Value::as_sequence).into_iter().flatten().filter_map(Value::as_str)
            {
                definitions.add(format!("{prefix}{alias}"), manifest);
            }
        }
    }
    let Some(includes) = value.get("includes").and_then(Value::as_mapping) else { return };
    for (namespace, include) in includes {
        let Some(namespace) = namespace.as_str() else { continue };
        let path = include.as_str().or_else(|| include.get("taskfile").and_then(Value::as_str));
        let flag = |key: &str| include.get(key).and_then(Value::as_bool).unwrap_or(false);
        let Some(path) = path else { continue };
        if path.contains("{{") || path.contains("://") {
            definitions.leave_open(format!("{manifest} includes a computed or remote Taskfile"));
            continue;
        }
        let found = join(parent(manifest), path).and_then(|path| {
            if project.is_directory(&path) {
                NAMES.iter().filter_map(|n| join(&path, n)).find(|f| project.tree().kind(f) == Some(EntryKind::File))
            } else {
                project.is_file(&path).then_some(path)
            }
        });
        let Some(found) = found else {
            if !flag("optional") {
                definitions.leave_open(format!("{manifest} includes {path}, which is not there"));
            }
            continue;
        };
        let mut namespaces = vec![namespace];
        namespaces.extend(
            include.get("aliases").and_then(Value::as_sequence).into_iter().flatten().filter_map(Value::as_str),
        );
        for namespace in namespaces {
            let inner = if flag("flatten") { prefix.to_owned() } else { format!("{prefix}{namespace}:") };
            read_into(project, &found, &inner, definitions, seen, depth + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::project::command::tests::{all_found, all_missing, all_undecided, project};

    #[test]
    fn tasks_namespaces_aliases_and_wildcards() {
        let project = project(&[
            (
                "Taskfile.yaml",
                "version: '3'\nincludes:\n  docs: ./docs\n  flat: {taskfile: flat.yml, flatten: true}\n  opt: {taskfile: gone.yml, optional: true}\ntasks:\n  lint:fix:\n    aliases: [lf]\n    cmd: x\n  build: x\n  start:*:\n    cmd: y\n",
            ),
            ("docs/Taskfile.yml", "includes: {up: ../Taskfile.yaml}\ntasks: {serve: x, default: y}\n"),
            ("flat.yml", "tasks: {flattened: x}\n"),
        ]);
        all_found(
            &project,
            &[
                "task lint:fix",
                "task lf",
                "task build lint:fix",
                "task docs:serve",
                "task docs",
                "task flattened",
                "task start:web",
                "task build -- gone",
                "task build X=y",
            ],
        );
        all_missing(&project, &["task gone", "task docs:gone", "task opt:x"]);
        all_undecided(&project, &["task", "task --list", "task <name>"]);
        all_undecided(&crate::project::command::tests::project(&[("Taskfile.yml", "tasks: [")]), &["task x"]);
    }
}
