//! Nx: projects and their targets. Plugins infer targets, so a missing one is only reported without plugins.

use serde_json::Value;

use super::command::{Call, Resolution, is_plain_name, operands, option};
use super::definitions::{DefinitionKind, Definitions, most_similar};
use super::tree::{file_name, join, parent};
use super::{Certainty, EntryKind, Project};

const OWN_COMMANDS: &str = " graph dep-graph init migrate report list generate g add reset repair format format:check format:write sync sync:check daemon login connect release \
 import exec view-logs show watch help affected run-many run print-affected console conformance fix-ci mcp plugin record start-ci-run ";

pub(super) fn resolve(call: &Call<'_>) -> Resolution {
    let values = &[
        "-t",
        "--target",
        "--targets",
        "-p",
        "--projects",
        "--project",
        "-c",
        "--configuration",
        "--exclude",
        "--base",
        "--head",
        "--parallel",
        "--runner",
    ];
    let words = operands(call.words, values);
    let Some((&first, rest)) = words.split_first() else { return Resolution::NotDefinedHere };
    if !call.project.is_file("nx.json") && call.project.tree().named("nx.json").next().is_none() {
        return Resolution::unknown("there is no nx.json");
    }
    match first {
        "run" => match rest.first() {
            Some(whole) => {
                let mut parts = whole.split(':');
                judge(call, parts.next().unwrap_or(""), parts.next())
            }
            None => Resolution::NotDefinedHere,
        },
        "run-many" | "affected" => {
            let mut answer = Resolution::NotDefinedHere;
            for project in option(call.words, &["-p", "--projects"]).unwrap_or("").split(',').filter(|p| !p.is_empty())
            {
                answer = answer.and(judge(call, project, None));
            }
            answer
        }
        own if OWN_COMMANDS.contains(&format!(" {own} ")) => Resolution::NotDefinedHere,
        target => match rest.first().copied().or_else(|| option(call.words, &["--project"])) {
            Some(project) => judge(call, project, Some(target)),
            None => Resolution::NotDefinedHere,
        },
    }
}

fn judge(call: &Call<'_>, name: &str, target: Option<&str>) -> Resolution {
    if !is_plain_name(name) || super::shape::has_stand_in(name) || name.contains("project") || name.starts_with("tag:")
    {
        return Resolution::unknown(format!("`{name}` is a placeholder or a pattern"));
    }
    let project = call.project;
    let all = projects(project);
    if let Some(why) = all.open() {
        return Resolution::unknown(why);
    }
    let Some(file) = all.get(name).map(str::to_owned) else {
        // `nx test core` also means the only project whose last part is `core`.
        if all.names().any(|n| n.rsplit('/').next() == Some(name)) || plugins(project) {
            return Resolution::unknown(format!("`{name}` may be inferred by a plugin"));
        }
        return call.missing(
            name,
            DefinitionKind::Package,
            Certainty::Likely,
            Vec::new(),
            most_similar(name, all.names()),
        );
    };
    let Some(target) = target else { return Resolution::found(name, DefinitionKind::Package, &file) };
    let targets = targets(project, parent(&file));
    if targets.get(target).is_some() {
        return Resolution::found(target, DefinitionKind::Target, &file);
    }
    if targets.open().is_some() || plugins(project) || !is_plain_name(target) {
        return Resolution::unknown(format!("the target {target} may be inferred by a plugin"));
    }
    call.missing(target, DefinitionKind::Target, Certainty::Likely, vec![file], most_similar(target, targets.names()))
}

fn plugins(project: &Project) -> bool {
    match project.read_json("nx.json") {
        Ok(value) => value.get("plugins").and_then(Value::as_array).is_some_and(|p| !p.is_empty()),
        Err(_) => true,
    }
}

/// Project names and the manifest of each.
fn projects(project: &Project) -> std::sync::Arc<Definitions> {
    project.definitions("nx projects", "nx.json", |project, _| {
        let mut definitions = Definitions::default();
        for manifest in ["project.json", "package.json"] {
            for entry in project.tree().named(manifest).filter(|e| e.kind == EntryKind::File) {
                match project.read_json(entry.path) {
                    Ok(value) => {
                        if let Some(name) = value.get("name").and_then(Value::as_str) {
                            definitions.add(name, entry.path);
                        } else if manifest == "project.json" {
                            definitions.add(file_name(parent(entry.path)), entry.path);
                        }
                    }
                    Err(why) if manifest == "project.json" => definitions.leave_open(why),
                    Err(_) => {}
                }
            }
        }
        definitions
    })
}

fn targets(project: &Project, folder: &str) -> Definitions {
    let mut definitions = Definitions::default();
    for (manifest, path) in
        [("project.json", "/targets"), ("package.json", "/scripts"), ("package.json", "/nx/targets")]
    {
        let Some(file) = join(folder, manifest).filter(|f| project.is_file(f)) else { continue };
        match project.read_json(&file) {
            Ok(value) => {
                for name in value.pointer(path).and_then(Value::as_object).into_iter().flat_map(|t| t.keys()) {
                    definitions.add(name.replace(['*', '%'], "_"), &file);
                }
            }
            Err(why) => definitions.leave_open(why),
        }
    }
    if let Ok(value) = project.read_json("nx.json") {
        for name in value.get("targetDefaults").and_then(Value::as_object).into_iter().flat_map(|t| t.keys()) {
            definitions.add(name.replace(['*', '%'], "_"), "nx.json");
        }
    }
    definitions
}

#[cfg(test)]
mod tests {
    use crate::project::command::tests::{all_found, all_missing, all_undecided, project};

    #[test]
    fn projects_and_targets() {
        let project = project(&[
            ("nx.json", r#"{"targetDefaults":{"e2e":{}}}"#),
            ("libs/core/project.json", r#"{"name":"core","targets":{"test":{}}}"#),
            ("apps/web/project.json", r#"{"targets":{"serve":{}}}"#),
            ("packages/p/package.json", r#"{"name":"@me/p","scripts":{"build":"x"}}"#),
        ]);
        all_found(
            &project,
            &[
                "nx test core",
                "npx nx run core:test",
                "pnpm exec nx run web:serve:production",
                "nx build @me/p",
                "nx e2e core",
                "nx run-many -t test -p core",
            ],
        );
        all_missing(&project, &["nx test gone", "nx run core:gone"]);
        all_undecided(&project, &["nx graph", "nx run-many -t test", "nx affected -t lint", "nx test <project>", "nx"]);
        let plugins = crate::project::command::tests::project(&[
            ("nx.json", r#"{"plugins":["@nx/vite/plugin"]}"#),
            ("a/project.json", r#"{"name":"a"}"#),
        ]);
        all_undecided(&plugins, &["nx test a", "nx test gone"]);
    }
}
