//! Scripts of `composer.json`.

use serde_json::Value;

use super::Project;
use super::command::{Call, Manifests, Resolution, operands, option};
use super::definitions::{DefinitionKind, Definitions};

const COMPOSER: Manifests =
    Manifests { reader: "composer", kind: DefinitionKind::Script, names: &["composer.json"], climbs: true, read };

const OWN_COMMANDS: &str = " about archive audit browse bump check-platform-reqs clear-cache clearcache cc completion config create-project depends why \
 diagnose dump-autoload dumpautoload exec fund global help home i info init install licenses list outdated prohibits why-not reinstall remove rm require r \
 search self-update selfupdate show status suggests u update upgrade validate normalize bin symfony:recipes recipes ";

pub(super) fn resolve(call: &Call<'_>) -> Resolution {
    let here = match option(call.words, &["-d", "--working-dir"]) {
        Some(folder) => match call.in_stated_folder(folder) {
            Some(there) => there,
            None => return Resolution::unknown(format!("`{folder}` is outside or computed")),
        },
        None => Call { places: call.places.clone(), ..*call },
    };
    let words = operands(call.words, &["-d", "--working-dir"]);
    match (words.first().copied(), words.get(1).copied()) {
        (Some("run" | "run-script"), Some(script)) => here.look_up(&COMPOSER, script),
        (Some("run" | "run-script"), None) | (None, _) => Resolution::NotDefinedHere,
        (Some(own), _) if OWN_COMMANDS.contains(&format!(" {own} ")) => Resolution::NotDefinedHere,
        (Some(script), _) => match here.look_up(&COMPOSER, script) {
            // Plugins add commands too.
            Resolution::Missing { name, kind, certainty, searched, suggestion } => Resolution::Missing {
                name,
                kind,
                certainty: certainty.min(super::Certainty::Likely),
                searched,
                suggestion,
            },
            other => other,
        },
    }
}

fn read(project: &Project, manifest: &str) -> Definitions {
    let mut definitions = Definitions::default();
    match project.read_json(manifest) {
        Ok(value) if value.is_object() => {
            for name in value.get("scripts").and_then(Value::as_object).into_iter().flat_map(|s| s.keys()) {
                definitions.add(name.as_str(), manifest);
            }
            for aliases in value.get("scripts-aliases").and_then(Value::as_object).into_iter().flat_map(|s| s.values())
            {
                for alias in aliases.as_array().into_iter().flatten().filter_map(Value::as_str) {
                    definitions.add(alias, manifest);
                }
            }
        }
        Ok(_) => definitions.leave_open(format!("{manifest} is not a table")),
        Err(why) => definitions.leave_open(why),
    }
    definitions
}

#[cfg(test)]
mod tests {
    use crate::project::command::tests::{all_found, all_missing, all_undecided, project};

    #[test]
    fn scripts() {
        let project = project(&[
            ("composer.json", r#"{"scripts":{"test":"x","cs:fix":["y"]},"scripts-aliases":{"test":["t"]}}"#),
            ("sub/composer.json", r#"{"scripts":{"deep":"x"}}"#),
        ]);
        all_found(
            &project,
            &["composer test", "composer run test", "composer run-script cs:fix", "composer t", "composer -d sub deep"],
        );
        all_missing(&project, &["composer run dev", "composer gone", "composer --working-dir=sub run test"]);
        all_undecided(&project, &["composer install", "composer", "composer require x/y", "composer run <script>"]);
    }
}
