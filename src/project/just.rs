//! Recipes of justfiles: parameters, aliases, imports and modules.

use std::collections::HashSet;

use super::command::{Call, Manifests, Resolution, is_operator, option};
use super::definitions::{DefinitionKind, Definitions};
use super::tree::{join, parent};
use super::{Certainty, Project};

const JUSTFILES: Manifests = Manifests {
    reader: "just",
    kind: DefinitionKind::Recipe,
    names: &["justfile", "Justfile", ".justfile", "JUSTFILE", ".Justfile"],
    climbs: true,
    read,
};

pub(super) fn resolve(call: &Call<'_>) -> Resolution {
    if let Some(folder) = option(call.words, &["-d", "--working-directory"])
        && option(call.words, &["-f", "--justfile"]).is_none()
    {
        return Resolution::unknown(format!("just needs --justfile with --working-directory {folder}"));
    }
    let mut words = call.words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-f"
            | "--justfile"
            | "-d"
            | "--working-directory"
            | "--set"
            | "--shell"
            | "--dotenv-path"
            | "-E"
            | "--color" => {
                words.next();
                if word == "--set" {
                    words.next();
                }
            }
            "--list" | "-l" | "--summary" | "--help" | "-h" | "--version" | "--fmt" | "--dump" | "--choose"
            | "--evaluate" | "--init" | "--edit" | "-e" | "--show" | "-s" | "--usage" => {
                return Resolution::NotDefinedHere;
            }
            word if is_operator(word) => break,
            word if word.starts_with('-') || word.contains('=') => {}
            recipe => return resolve_recipe(call, recipe, words.next().map(String::as_str)),
        }
    }
    Resolution::NotDefinedHere
}

fn resolve_recipe(call: &Call<'_>, recipe: &str, next: Option<&str>) -> Resolution {
    if let Some(file) = option(call.words, &["-f", "--justfile"]) {
        return match call.path(file, DefinitionKind::File) {
            Resolution::Found { file, .. } => {
                let definitions = JUSTFILES.read(call.project, &file);
                match (definitions.get(recipe), definitions.open()) {
                    (Some(_), _) => Resolution::found(recipe, DefinitionKind::Recipe, &file),
                    (None, Some(why)) => Resolution::unknown(why),
                    (None, None) => call.missing(recipe, DefinitionKind::Recipe, Certainty::Certain, vec![file], None),
                }
            }
            other => other,
        };
    }
    // `just folder/recipe` runs in that folder.
    if let Some((folder, recipe)) = recipe.rsplit_once('/') {
        return match call.in_stated_folder(folder) {
            Some(there) => there.look_up(&JUSTFILES, recipe),
            None => Resolution::unknown(format!("`{folder}` is outside or computed")),
        };
    }
    let plain = call.look_up(&JUSTFILES, recipe);
    // `just module recipe` is `just module::recipe`.
    match (plain, next) {
        (Resolution::Found { name, kind, file }, Some(next)) if !next.starts_with('-') => {
            let whole = format!("{recipe}::{next}");
            match call.look_up(&JUSTFILES, &whole) {
                found @ Resolution::Found { .. } => found,
                _ => Resolution::Found { name, kind, file },
            }
        }
        (plain, _) => plain,
    }
}

fn read(project: &Project, manifest: &str) -> Definitions {
    let mut definitions = Definitions::default();
    let mut seen = HashSet::new();
    read_into(project, manifest, &mut definitions, &mut seen);
    definitions
}

fn read_into(project: &Project, manifest: &str, definitions: &mut Definitions, seen: &mut HashSet<String>) {
    if !seen.insert(manifest.to_owned()) {
        return;
    }
    if seen.len() > 100 {
        return definitions.leave_open(format!("{manifest} is one import too many"));
    }
    let text = match project.read(manifest) {
        Ok(text) => text,
        Err(why) => return definitions.leave_open(why),
    };
    let folder = parent(manifest);
    for line in text.lines() {
        if line.starts_with([' ', '\t', '#', '[', '}', ')']) || line.trim().is_empty() {
            continue;
        }
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "set" | "export" | "unexport" => continue,
            "alias" => {
                if let Some((name, _)) = rest.split_once(":=") {
                    definitions.add(name.trim(), manifest);
                }
                continue;
            }
            "import" | "import?" | "!include" => {
                let file = rest.trim().trim_matches(['\'', '"']);
                match join(folder, file).filter(|f| project.is_file(f)) {
                    Some(found) => read_into(project, &found, definitions, seen),
                    None if word == "import?" => {}
                    None => definitions.leave_open(format!("{manifest} imports {file}, which is not there")),
                }
                continue;
            }
            "mod" | "mod?" => {
                read_module(project, manifest, rest, word == "mod?", definitions, seen.len());
                continue;
            }
            _ => {}
        }
        if let Some(name) = recipe_name(line) {
            definitions.add(name, manifest);
        }
    }
}

fn read_module(
    project: &Project,
    manifest: &str,
    rest: &str,
    optional: bool,
    definitions: &mut Definitions,
    depth: usize,
) {
    let mut words = rest.split_whitespace();
    let Some(name) = words.next() else { return };
    let folder = parent(manifest);
    let given = words.next().filter(|w| !w.starts_with('#')).map(|w| w.trim_matches(['\'', '"']).to_owned());
    let tries: Vec<String> = match given {
        Some(path) => {
            vec![path.clone(), format!("{path}/mod.just"), format!("{path}/justfile"), format!("{path}/.justfile")]
        }
        None => vec![
            format!("{name}.just"),
            format!("{name}/mod.just"),
            format!("{name}/justfile"),
            format!("{name}/.justfile"),
            format!("{name}/Justfile"),
        ],
    };
    definitions.add(name, manifest);
    let found = tries.iter().filter_map(|t| join(folder, t)).find(|f| project.is_file(f));
    match found {
        Some(found) if found != manifest && depth < 50 => {
            // A module that leads back to its parent is cut off by reading it without the cache and its modules.
            let mut inner = Definitions::default();
            let mut seen = HashSet::from([manifest.to_owned()]);
            if name.len() < 100 && manifest.matches('/').count() < 40 {
                read_flat(project, &found, &mut inner, &mut seen);
            }
            definitions.absorb_renamed(&inner, |recipe| format!("{name}::{recipe}"));
        }
        Some(_) => {}
        None if optional => {}
        None => definitions.leave_open(format!("{manifest} names the module {name}, which is not there")),
    }
}

/// Recipes of a module; modules inside modules only leave it open.
fn read_flat(project: &Project, manifest: &str, definitions: &mut Definitions, seen: &mut HashSet<String>) {
    match project.read(manifest) {
        Ok(text) if text.lines().any(|l| l.starts_with("mod ")) => {
            definitions.leave_open(format!("{manifest} has modules of its own"));
        }
        _ => {}
    }
    if let Ok(text) = project.read(manifest)
        && text.lines().any(|l| l.starts_with("mod ") || l.starts_with("mod? "))
    {
        for line in text.lines() {
            if !line.starts_with([' ', '\t', '#', '['])
                && let Some(name) = recipe_name(line)
            {
                definitions.add(name, manifest);
            }
        }
        return;
    }
    read_into(project, manifest, definitions, seen);
}

/// `@name param='x' *rest: deps` -> `name`.
fn recipe_name(line: &str) -> Option<&str> {
    let line = line.strip_prefix('@').unwrap_or(line);
    let end = line.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(line.len());
    let (name, rest) = (line.get(..end)?, line.get(end..)?);
    if name.is_empty() {
        return None;
    }
    // The colon that ends the parameters is the first outside of quotes and brackets that is no `:=`.
    let mut quote = None;
    let mut depth = 0_usize;
    let mut characters = rest.chars().peekable();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(character),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, ':') if depth == 0 => return (characters.peek() != Some(&'=')).then_some(name),
            (None, '#') => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::project::command::tests::{all_found, all_missing, all_undecided, project};

    #[test]
    fn recipes_aliases_imports_and_modules() {
        let project = project(&[
            (
                "justfile",
                "set shell := ['bash']\nx := 'a'\nalias b := build\nimport 'more.just'\nmod docs\n\n[private]\n@build *args='a:b':\n  echo y: z\ngen-formatter *args=\"\": (dep 'x')\n  x\nplain:\n",
            ),
            ("more.just", "imported:\nimport 'justfile'\n"),
            ("docs.just", "serve port='80':\n"),
            ("sub/justfile", "deep:\n"),
        ]);
        all_found(
            &project,
            &[
                "just build",
                "just b",
                "just gen-formatter a",
                "just imported",
                "just docs::serve",
                "just docs serve",
                "just plain build",
                "just sub/deep",
                "just --justfile sub/justfile deep",
                "just x=1 plain",
            ],
        );
        all_missing(&project, &["just gone", "just x", "just y", "just docs::gone", "just -f sub/justfile plain"]);
        all_undecided(&project, &["just", "just --list", "just <recipe>"]);
    }

    #[test]
    fn a_missing_import_leaves_it_open() {
        all_undecided(&project(&[("justfile", "import 'gone.just'\n")]), &["just x"]);
        all_undecided(&project(&[("justfile", "mod gone\n")]), &["just x"]);
        all_missing(&project(&[("justfile", "import? 'gone.just'\n")]), &["just x"]);
    }
}
