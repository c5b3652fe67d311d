//! Scripts of `package.json` by npm, pnpm, yarn and bun, in workspaces too, and tasks of Deno.

use serde_json::Value;

use super::command::{Call, Manifests, Resolution, is_placeholder, is_plain_name, operands, option, options};
use super::definitions::{DefinitionKind, Definitions, most_similar};
use super::tree::{join, parent};
use super::{Certainty, EntryKind, Project};

pub(super) const SCRIPTS: Manifests = Manifests {
    reader: "npm",
    kind: DefinitionKind::Script,
    names: &["package.json"],
    climbs: true,
    read: read_scripts,
};

const DENO: Manifests = Manifests {
    reader: "deno",
    kind: DefinitionKind::Task,
    names: &["deno.json", "deno.jsonc", "package.json"],
    climbs: true,
    read: read_deno,
};

/// Commands of the package managers themselves. One that is missing here is at worst taken for a program of a
/// dependency, which is undecided too.
const OWN_COMMANDS: &str = " access add adduser approve-builds approve-scripts audit autoremove bin bugs build-from-source c cache cat-file cat-index ci clean-install completion \
 config constraints create dedupe deploy deprecate diff dist-tag dlx docs doctor edit env exec explain explore fetch find-dupes find-hash fund get help \
 hook i import info init install install-ci-test install-test it la licenses link list ll login logout ls meta ln \
 npm-cli org outdated owner pack patch patch-commit patch-remove ping pkg plugin pm prefix profile prune publish query rb \
 rebuild remove repl repo restart rm root run-script sbom search self-update server set setup shrinkwrap star stars store \
 team token uninstall unlink unplug unpublish unstar up update upgrade upgrade-interactive upgradeinteractive version versions view why \
 whoami workspaces npm x node policies global generateLockEntry import-package check-files catalog with ignored-builds stage ";

/// Names that are scripts wherever they occur: no well-known program is called so.
const SCRIPT_WORDS: &str = " dev build start lint test tests typecheck type-check types check check-types format fmt fix preview serve watch e2e coverage \
 validate verify release deploy clean ci codegen generate migrate seed docs storybook-build bench benchmark compile bundle package postinstall prepare ";

const VALUE_OPTIONS: &[&str] = &[
    "--prefix",
    "-C",
    "--dir",
    "--cwd",
    "--filter",
    "-F",
    "-w",
    "--workspace",
    "--reporter",
    "--loglevel",
    "--registry",
    "--config",
    "--filter-prod",
    "--concurrency",
    "--workspace-concurrency",
    "--stage",
];

/// How the places of a script were limited by options.
enum Target<'a> {
    Here(Call<'a>),
    /// A package by name, not limited to one: any package may have it.
    Any,
    /// Named packages' manifests.
    Packages(Vec<String>),
    Answer(Resolution),
}

pub(super) fn resolve(call: &Call<'_>) -> Resolution {
    let pnpm = call.program == "pnpm";
    let yarn = call.program == "yarn";
    // pnpm's -w is "the workspace's root", npm's -w takes a package.
    let value_options: Vec<&str> =
        VALUE_OPTIONS.iter().copied().filter(|o| !((pnpm || yarn) && matches!(*o, "-w" | "--workspace"))).collect();
    let words = operands(call.words, &value_options);
    let Some((&first, rest)) = words.split_first() else { return Resolution::NotDefinedHere };
    if yarn && first == "workspace" {
        let (Some(package), Some(script)) = (rest.first(), rest.get(1)) else { return Resolution::NotDefinedHere };
        let script = if *script == "run" { rest.get(2).copied().unwrap_or("") } else { script };
        return match packages(call, &[package]) {
            Target::Packages(manifests) => script_of(call, &manifests, script, *rest.get(1).unwrap_or(&"") == "run"),
            Target::Answer(answer) => answer,
            _ => Resolution::unknown("any workspace may be meant"),
        };
    }
    if yarn && first == "workspaces" {
        return match rest.iter().position(|w| *w == "run").and_then(|at| rest.get(at + 1)) {
            Some(script) => anywhere(call, script, true),
            None => Resolution::NotDefinedHere,
        };
    }
    match first {
        "exec" | "dlx" | "x" => {
            let at = call.words.iter().position(|w| w == first).unwrap_or(0);
            let after = call.words.get(at + 1..).unwrap_or_default();
            let after =
                if after.first().is_some_and(|w| w == "--") { after.get(1..).unwrap_or_default() } else { after };
            return if first == "exec" { nested(call, after) } else { Resolution::NotDefinedHere };
        }
        _ => {}
    }
    let explicit_run = matches!(first, "run" | "run-script" | "rum" | "urn");
    let script = if explicit_run {
        match rest.first() {
            Some(script) => *script,
            None => return Resolution::NotDefinedHere,
        }
    } else {
        match (call.program, first) {
            ("npm", "test" | "start" | "stop" | "restart") => first,
            ("npm", "t" | "tst") => "test",
            ("pnpm" | "yarn", "t") => "test",
            ("npm", _) => return Resolution::NotDefinedHere,
            (
                "bun",
                "test" | "build" | "x" | "upgrade" | "add" | "create" | "link" | "pm" | "install" | "i" | "init"
                | "repl" | "publish",
            ) => {
                return Resolution::NotDefinedHere;
            }
            (_, own) if OWN_COMMANDS.contains(&format!(" {own} ")) => return Resolution::NotDefinedHere,
            _ => first,
        }
    };
    if is_placeholder(script) || !is_plain_name(script) {
        return Resolution::unknown(format!("`{script}` is a placeholder or a pattern"));
    }
    if call.program == "bun" && super::shape::has_file_extension(script) {
        return call.path(script, DefinitionKind::File);
    }
    match target(call, pnpm) {
        Target::Answer(answer) => answer,
        Target::Any => anywhere(call, script, explicit_run),
        Target::Packages(manifests) => script_of(call, &manifests, script, explicit_run),
        Target::Here(here) => {
            // npm's `start` falls back to server.js.
            if script == "start"
                && here.program == "npm"
                && here.places.iter().any(|p| join(p, "server.js").is_some_and(|f| here.project.is_file(&f)))
            {
                return Resolution::found(script, DefinitionKind::Script, "server.js");
            }
            let strict = explicit_run && matches!(call.program, "npm" | "pnpm") || call.program == "npm";
            soften(&here, here.look_up(&SCRIPTS, script), script, strict, call)
        }
    }
}

/// `npx x`: the programs of other tools that can be judged, such as `npx nx` and `npx turbo`.
pub(super) fn resolve_runner(call: &Call<'_>) -> Resolution {
    let mut words = call.words;
    while words.first().is_some_and(|w| w.starts_with('-')) {
        words = words.get(1..).unwrap_or_default();
    }
    nested(call, words)
}

/// Only tools whose names the tree defines are worth a look; others are installed programs.
fn nested(call: &Call<'_>, words: &[String]) -> Resolution {
    match words.first().map(String::as_str) {
        Some("nx" | "turbo" | "tsx" | "ts-node") => {
            let inner = Call { words, places: call.places.clone(), ..*call };
            inner.rest_as_command(words)
        }
        _ => Resolution::NotDefinedHere,
    }
}

/// A missing script is undecided where the name may be a program that a dependency brings.
fn soften(here: &Call<'_>, answer: Resolution, script: &str, strict: bool, call: &Call<'_>) -> Resolution {
    let certain_script = strict || script.contains(':') || SCRIPT_WORDS.contains(&format!(" {script} "));
    match answer {
        Resolution::Missing { .. } | Resolution::ElsewhereOnly { .. } if !certain_script => {
            match answer {
                // A script of this name exists, so the name is a script's here.
                elsewhere @ Resolution::ElsewhereOnly { .. } => elsewhere,
                missing if here.stated && script_exists(call.project, script) => missing,
                _ => Resolution::unknown(format!("`{script}` may be a program of a dependency")),
            }
        }
        other => other,
    }
}

fn script_exists(project: &Project, script: &str) -> bool {
    SCRIPTS.everywhere(project).iter().any(|m| SCRIPTS.read(project, m).get(script).is_some())
}

fn target<'a>(call: &Call<'a>, pnpm: bool) -> Target<'a> {
    if let Some(folder) = option(call.words, &["--prefix", "-C", "--dir", "--cwd"]) {
        return match call.in_stated_folder(folder) {
            Some(there) if there.places.first().is_some_and(|p| call.project.is_directory(p)) => Target::Here(there),
            Some(_) => Target::Answer(call.path(folder, DefinitionKind::Folder)),
            None => Target::Answer(Resolution::unknown(format!("`{folder}` is outside or computed"))),
        };
    }
    let has = |names: &[&str]| call.words.iter().any(|w| names.contains(&w.as_str()));
    if pnpm && has(&["-w", "--workspace-root"]) {
        return Target::Here(Call { places: vec![String::new()], stated: false, ..*call });
    }
    if has(&["-r", "--recursive", "--workspaces", "-ws", "-A", "--all"]) && !has(&["--filter", "-F"]) {
        return Target::Any;
    }
    let mut filters: Vec<&str> = options(call.words, &["--filter", "-F", "--filter-prod"]);
    if !pnpm {
        filters.extend(options(call.words, &["-w", "--workspace"]));
    }
    if filters.is_empty() {
        return Target::Here(Call { places: call.places.clone(), ..*call });
    }
    packages(call, &filters)
}

/// The manifests of packages by filter: a name, a folder, with pnpm's dots and globs.
fn packages<'a>(call: &Call<'a>, filters: &[&str]) -> Target<'a> {
    let project = call.project;
    let mut manifests: Vec<String> = Vec::new();
    for filter in filters {
        let filter = filter.trim_matches(['"', '\'']);
        let core =
            filter.trim_start_matches("...").trim_start_matches('^').trim_end_matches("...").trim_end_matches('^');
        if core.contains(['*', '[', '!', '<', '$', '{']) || core.is_empty() {
            return Target::Any;
        }
        if core.starts_with('.') || core.contains('/') && !core.starts_with('@') {
            let folder = call
                .places
                .iter()
                .filter_map(|p| join(p, core))
                .find(|f| project.is_directory(f))
                .or_else(|| join("", core));
            match folder.and_then(|f| join(&f, "package.json")).filter(|m| project.is_file(m)) {
                Some(manifest) => manifests.push(manifest),
                None => return Target::Answer(call.path(core, DefinitionKind::Package)),
            }
            continue;
        }
        let found: Vec<String> = SCRIPTS
            .everywhere(project)
            .into_iter()
            .filter(|manifest| {
                package_name(project, manifest).is_some_and(|name| {
                    // pnpm lets the scope be left out; npm and yarn take a folder's name.
                    name == core || name.rsplit('/').next() == Some(core)
                }) || super::tree::file_name(parent(manifest)) == core
            })
            .collect();
        if found.is_empty() {
            if super::shape::has_stand_in(core) || is_placeholder(core) || core.contains("package") {
                return Target::Answer(Resolution::unknown(format!("`{core}` is a placeholder")));
            }
            let everywhere = SCRIPTS.everywhere(project);
            if let Some(broken) = everywhere.iter().find_map(|m| project.read_json(m).err()) {
                return Target::Answer(Resolution::unknown(broken));
            }
            let names: Vec<String> = everywhere.iter().filter_map(|m| package_name(project, m)).collect();
            let suggestion = most_similar(core, names.iter().map(String::as_str));
            return Target::Answer(call.missing(
                core,
                DefinitionKind::Package,
                Certainty::Certain,
                everywhere.into_iter().take(10).collect(),
                suggestion,
            ));
        }
        manifests.extend(found);
    }
    Target::Packages(manifests)
}

fn package_name(project: &Project, manifest: &str) -> Option<String> {
    let definitions = project.definitions("npm name", manifest, |project, manifest| {
        let mut names = Definitions::default();
        if let Ok(value) = project.read_json(manifest)
            && let Some(name) = value.get("name").and_then(Value::as_str)
        {
            names.add(name, manifest);
        }
        names
    });
    definitions.names().next().map(str::to_owned)
}

fn script_of(call: &Call<'_>, manifests: &[String], script: &str, explicit_run: bool) -> Resolution {
    if OWN_COMMANDS.contains(&format!(" {script} ")) && !explicit_run || !is_plain_name(script) {
        return Resolution::NotDefinedHere;
    }
    let mut open = None;
    let mut suggestion = None;
    for manifest in manifests {
        let definitions = SCRIPTS.read(call.project, manifest);
        if definitions.get(script).is_some() {
            return Resolution::found(script, DefinitionKind::Script, manifest);
        }
        open = open.or_else(|| definitions.open().map(str::to_owned));
        suggestion = suggestion.or_else(|| most_similar(script, definitions.names()));
    }
    if let Some(why) = open {
        return Resolution::Unknown { why };
    }
    if !explicit_run
        && !script.contains(':')
        && !SCRIPT_WORDS.contains(&format!(" {script} "))
        && !script_exists(call.project, script)
    {
        return Resolution::unknown(format!("`{script}` may be a program of a dependency"));
    }
    call.missing(script, DefinitionKind::Script, Certainty::Certain, manifests.to_vec(), suggestion)
}

/// A script that any package of the tree may have.
fn anywhere(call: &Call<'_>, script: &str, explicit_run: bool) -> Resolution {
    if !is_plain_name(script) || !explicit_run && OWN_COMMANDS.contains(&format!(" {script} ")) {
        return Resolution::NotDefinedHere;
    }
    let loose = Call { stated: false, places: call.places.clone(), ..*call };
    match loose.look_up(&SCRIPTS, script) {
        Resolution::ElsewhereOnly { name, kind, folders } => {
            Resolution::found(&name, kind, &folders.first().and_then(|f| join(f, "package.json")).unwrap_or_default())
        }
        Resolution::Missing { .. }
            if !explicit_run && !script.contains(':') && !SCRIPT_WORDS.contains(&format!(" {script} ")) =>
        {
            Resolution::unknown(format!("`{script}` may be a program of a dependency"))
        }
        other => other,
    }
}

fn read_scripts(project: &Project, manifest: &str) -> Definitions {
    let mut definitions = Definitions::default();
    match project.read_json(manifest) {
        Ok(value) => match value.get("scripts") {
            Some(Value::Object(scripts)) => {
                for name in scripts.keys() {
                    definitions.add(name.replace(['*', '%'], "_"), manifest);
                }
            }
            Some(_) => definitions.leave_open(format!("the scripts of {manifest} are not a table")),
            None if value.is_object() => {}
            None => definitions.leave_open(format!("{manifest} is not a table")),
        },
        Err(why) => definitions.leave_open(why),
    }
    definitions
}

pub(super) fn resolve_deno(call: &Call<'_>) -> Resolution {
    let words = operands(call.words, &["--cwd", "--config", "-c"]);
    match (words.first().copied(), words.get(1).copied()) {
        (Some("task"), Some(task)) => call.look_up(&DENO, task),
        (Some("run" | "test" | "bench"), Some(file)) if super::shape::has_file_extension(file) => {
            call.path(file, DefinitionKind::File)
        }
        _ => Resolution::NotDefinedHere,
    }
}

fn read_deno(project: &Project, manifest: &str) -> Definitions {
    let mut definitions = Definitions::default();
    match project.read_json(manifest) {
        Ok(value) => {
            for key in ["tasks", "scripts"] {
                for name in value.get(key).and_then(Value::as_object).into_iter().flat_map(|t| t.keys()) {
                    definitions.add(name.as_str(), manifest);
                }
            }
        }
        Err(why) => definitions.leave_open(why),
    }
    // Both deno.json and package.json of one folder count.
    let both = manifest.ends_with("deno.json") || manifest.ends_with("deno.jsonc");
    if both
        && let Some(other) =
            join(parent(manifest), "package.json").filter(|p| project.tree().kind(p) == Some(EntryKind::File))
    {
        definitions.absorb(&SCRIPTS.read(project, &other));
    }
    definitions
}

#[cfg(test)]
mod tests {
    use crate::project::Resolution;
    use crate::project::command::tests::{all_found, all_missing, all_undecided, project, run, run_in};

    fn workspace() -> crate::project::Project {
        project(&[
            ("package.json", r#"{"name":"root","scripts":{"build":"x","lint:fix":"y","test":"z"}}"#),
            ("packages/app/package.json", r#"{"name":"@me/app","scripts":{"dev":"x","only":"y"}}"#),
            ("packages/lib/package.json", r#"{"name":"@me/lib","scripts":{"start":"x"}}"#),
            ("tool.ts", ""),
            ("deno.json", "{ // tasks\n \"tasks\": {\"t\": \"x\"}, }"),
        ])
    }

    #[test]
    fn scripts_here_and_in_workspaces() {
        let project = workspace();
        all_found(
            &project,
            &[
                "npm run build",
                "npm test",
                "npm t",
                "npm run build -- --watch",
                "pnpm build",
                "yarn lint:fix",
                "yarn run build",
                "bun run build",
                "bun run tool.ts",
                "pnpm --filter @me/app dev",
                "pnpm --filter app run dev",
                "pnpm -F @me/app... dev",
                "pnpm --filter=./packages/app dev",
                "npm run dev -w @me/app",
                "npm --workspace=packages/app run dev",
                "npm --prefix packages/app run dev",
                "pnpm -C packages/app dev",
                "yarn workspace @me/app dev",
                "yarn --cwd packages/app dev",
                "pnpm -r dev",
                "pnpm --filter <package> dev",
                "npm run dev --workspaces",
                "yarn workspaces foreach -A run dev",
                "deno task t",
                "deno task build",
            ],
        );
    }

    #[test]
    fn scripts_that_are_nowhere() {
        let project = workspace();
        all_missing(
            &project,
            &[
                "npm run gone",
                "pnpm run gone",
                "pnpm check",
                "yarn typecheck",
                "pnpm test:unit",
                "npm run dev -w @me/lib",
                "npm --prefix packages/lib run dev",
                "pnpm --filter @me/app start",
                "pnpm --filter @me/nope dev",
                "npm run build -w @me/app",
                "deno task gone",
                "npm run gone --workspaces",
            ],
        );
        assert!(
            matches!(run(&project, "npm run only", ""), Resolution::ElsewhereOnly { folders, .. } if folders == ["packages/app"])
        );
        assert!(matches!(run_in(&project, "npm run only", "packages/lib"), Resolution::Missing { .. }));
        assert!(matches!(run_in(&project, "npm run only", "packages/app"), Resolution::Found { .. }));
        let Resolution::Missing { suggestion, .. } = run(&project, "npm run biuld", "") else { panic!("not missing") };
        assert_eq!(suggestion.as_deref(), Some("build"));
    }

    #[test]
    fn what_the_tools_do_themselves_and_what_cannot_be_told() {
        all_undecided(
            &workspace(),
            &[
                "npm install",
                "npm ci",
                "pnpm add x",
                "pnpm vitest run",
                "yarn tsc",
                "npx gone",
                "pnpm dlx x",
                "pnpm exec eslint",
                "bun test",
                "npm run <script>",
                "npm run",
                "pnpm --filter <package> gone-tool",
                "pnpm --filter ./packages/** gone-tool",
                "yarn",
                "npm publish",
                "pnpm install --frozen-lockfile",
            ],
        );
        for text in ["{", "[]", "{\"scripts\": 3}", "\u{0}"] {
            all_undecided(&project(&[("package.json", text)]), &["npm run gone"]);
        }
    }
}
