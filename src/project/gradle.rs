//! Gradle modules: `:a:b:test` and `-p folder`. Tasks come from plugins and are not judged.

use super::command::{Call, Resolution, is_operator, is_placeholder, option};
use super::definitions::{DefinitionKind, Definitions, most_similar};
use super::tree::join;
use super::{Certainty, Project};

const SETTINGS: [&str; 2] = ["settings.gradle", "settings.gradle.kts"];

pub(super) fn resolve(call: &Call<'_>) -> Resolution {
    if let Some(folder) = option(call.words, &["-p", "--project-dir"]) {
        return call.path(folder, DefinitionKind::Folder);
    }
    let mut answer = Resolution::NotDefinedHere;
    let mut words = call.words.iter();
    while let Some(word) = words.next() {
        if is_operator(word) {
            break;
        }
        if matches!(word.as_str(), "--tests" | "-x" | "--exclude-task" | "-P" | "-D" | "-I" | "--include-build" | "-b")
        {
            words.next();
            continue;
        }
        if word.starts_with('-') || !word.contains(':') || is_placeholder(word) {
            continue;
        }
        let whole = word.trim_start_matches(':');
        let Some((module, _task)) = whole.rsplit_once(':') else { continue };
        answer = answer.and(resolve_module(call, module));
    }
    answer
}

fn resolve_module(call: &Call<'_>, module: &str) -> Resolution {
    let project = call.project;
    if super::shape::has_stand_in(&module.replace(':', "/"))
        || matches!(module, "module" | "module-name" | "instrumentation:library")
    {
        return Resolution::unknown(format!("`{module}` is a placeholder"));
    }
    let folder = module.replace(':', "/");
    for place in call.places.iter().map(String::as_str).chain([""]) {
        if join(place, &folder).is_some_and(|f| project.is_directory(&f)) {
            return Resolution::found(module, DefinitionKind::Package, &folder);
        }
    }
    let settings: Vec<String> =
        SETTINGS.iter().flat_map(|name| project.tree().named(name).map(|e| e.path.to_owned())).take(50).collect();
    if settings.is_empty() {
        return Resolution::unknown("there are no Gradle settings");
    }
    let mut open = None;
    let mut suggestion = None;
    for file in &settings {
        let definitions = project.definitions("gradle", file, read);
        if definitions.get(module).is_some() {
            return Resolution::found(module, DefinitionKind::Package, file);
        }
        open = open.or_else(|| definitions.open().map(str::to_owned));
        suggestion = suggestion.or_else(|| most_similar(module, definitions.names()));
    }
    match open {
        Some(why) => Resolution::Unknown { why },
        None => call.missing(module, DefinitionKind::Package, Certainty::Certain, settings, suggestion),
    }
}

/// `include(":a:b", "c")` in either language. Anything computed leaves the list open.
fn read(project: &Project, file: &str) -> Definitions {
    let text = match project.read(file) {
        Ok(text) => text,
        Err(why) => return Definitions::unknown(why),
    };
    let mut definitions = Definitions::default();
    let mut including = false;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or(line).trim();
        let starts = line.strip_prefix("include").filter(|rest| rest.starts_with(['(', ' ', '"', '\'']));
        including = including || starts.is_some();
        if including {
            for (at, piece) in line.split(['"', '\'']).enumerate() {
                if at % 2 == 1 {
                    if piece.contains(['$', '*', '%']) {
                        definitions.leave_open(format!("{file} computes modules"));
                    } else {
                        let name = piece.trim_start_matches(':');
                        definitions.add(name, file);
                        // Every parent of a module is a module.
                        let mut above = name;
                        while let Some((parent, _)) = above.rsplit_once(':') {
                            definitions.add(parent, file);
                            above = parent;
                        }
                    }
                }
            }
            if starts.is_some() && !line.contains(['"', '\'']) && !line.ends_with(['(', ',', 'e']) {
                definitions.leave_open(format!("{file} computes modules"));
            }
            including = line.ends_with([',', '(']) || line.ends_with('\\');
        }
        if line.contains("apply from")
            || line.contains("apply(from")
            || line.contains("eachDir")
            || line.contains("includeBuild")
            || line.contains("forEach")
            || line.contains("plugins {")
            || line.contains("for (")
        {
            definitions.leave_open(format!("{file} takes in modules from elsewhere"));
        }
    }
    definitions
}

#[cfg(test)]
mod tests {
    use crate::project::command::tests::{all_found, all_missing, all_undecided, project};

    #[test]
    fn modules() {
        let project = project(&[
            (
                "settings.gradle.kts",
                "rootProject.name = \"x\"\ninclude(\":app\", \":libs:core\")\ninclude(\n  \":tools\",\n  \":odd\")\n",
            ),
            ("gradlew", ""),
            ("docs/x.md", ""),
        ]);
        all_found(
            &project,
            &["./gradlew :app:test", "gradle :libs:core:check", "./gradlew libs:build :odd:x", "./gradlew :docs:build"],
        );
        all_missing(&project, &["./gradlew :gone:test", "gradle :libs:gone:check"]);
        all_undecided(&project, &["gradle build", "gradle test --tests a:b:c", "gradle <module>:test", "gradle :test"]);
        let open = crate::project::command::tests::project(&[
            ("settings.gradle", "file('x').eachDir { include it.name }\n"),
            ("gradlew", ""),
        ]);
        all_undecided(&open, &["gradle :gone:test"]);
    }
}
