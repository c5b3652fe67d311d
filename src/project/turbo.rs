//! Turborepo tasks: named in `turbo.json`, run as scripts of packages.

use serde_json::Value;

use super::command::{Call, Resolution, is_plain_name, operands};
use super::definitions::{DefinitionKind, Definitions, most_similar};
use super::{Certainty, Project};

const OWN_COMMANDS: &str = " prune gen generate login logout link unlink bin daemon ls query scan watch boundaries info telemetry completion devtools docs ";

pub(super) fn resolve(call: &Call<'_>) -> Resolution {
    let words = operands(
        call.words,
        &["--filter", "-F", "--concurrency", "--cwd", "--team", "--token", "--output-logs", "--log-order", "--scope"],
    );
    let words = match words.split_first() {
        Some((&"run" | &"watch", rest)) => rest,
        Some((own, _)) if OWN_COMMANDS.contains(&format!(" {own} ")) => return Resolution::NotDefinedHere,
        _ => words.as_slice(),
    };
    let project = call.project;
    let configurations: Vec<String> = ["turbo.json", "turbo.jsonc"]
        .iter()
        .flat_map(|n| project.tree().named(n).map(|e| e.path.to_owned()))
        .take(500)
        .collect();
    if configurations.is_empty() {
        return Resolution::unknown("there is no turbo.json");
    }
    let mut answer = Resolution::NotDefinedHere;
    for name in words {
        answer = answer.and(resolve_task(call, name, &configurations));
    }
    answer
}

fn resolve_task(call: &Call<'_>, name: &str, configurations: &[String]) -> Resolution {
    if !is_plain_name(name) {
        return Resolution::unknown(format!("`{name}` is a placeholder"));
    }
    let task = name.rsplit('#').next().unwrap_or(name);
    let mut open = None;
    let mut suggestion = None;
    for file in configurations {
        let definitions = call.project.definitions("turbo", file, read);
        if definitions.get(task).is_some() {
            return Resolution::found(name, DefinitionKind::Target, file);
        }
        open = open.or_else(|| definitions.open().map(str::to_owned));
        suggestion = suggestion.or_else(|| most_similar(task, definitions.names()));
    }
    match open {
        Some(why) => Resolution::Unknown { why },
        None => call.missing(
            name,
            DefinitionKind::Target,
            Certainty::Certain,
            configurations.iter().take(10).cloned().collect(),
            suggestion,
        ),
    }
}

fn read(project: &Project, file: &str) -> Definitions {
    let mut definitions = Definitions::default();
    match project.read_json(file) {
        Ok(value) => {
            for key in ["tasks", "pipeline"] {
                for name in value.get(key).and_then(Value::as_object).into_iter().flat_map(|t| t.keys()) {
                    definitions.add(name.rsplit('#').next().unwrap_or(name).replace(['*', '%'], "_"), file);
                }
            }
        }
        Err(why) => definitions.leave_open(why),
    }
    definitions
}

#[cfg(test)]
mod tests {
    use crate::project::command::tests::{all_found, all_missing, all_undecided, project};

    #[test]
    fn tasks() {
        let project = project(&[
            ("turbo.json", "{ // c\n\"tasks\":{\"build\":{},\"web#dev\":{},\"//#lint\":{}}}"),
            ("package.json", "{}"),
        ]);
        all_found(
            &project,
            &["turbo build", "turbo run build dev --filter web", "npx turbo run lint", "turbo run web#dev"],
        );
        all_missing(&project, &["turbo run gone", "turbo build gone"]);
        all_undecided(&project, &["turbo prune web", "turbo", "turbo run <task>"]);
        all_undecided(&crate::project::command::tests::project(&[("turbo.json", "{")]), &["turbo run x"]);
    }
}
