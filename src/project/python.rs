//! Python: scripts and tasks of `pyproject.toml` (uv, poetry, pdm, hatch, poe, pixi), tox, nox, invoke and pytest.

use toml::Value;

use super::command::{
    Call, Manifests, Resolution, is_operator, is_placeholder, is_plain_name, operands, option, options,
};
use super::definitions::{DefinitionKind, Definitions};
use super::{Certainty, Project};

/// `[project.scripts]`, `[tool.poetry.scripts]`, `[tool.pdm.scripts]`.
const SCRIPTS: Manifests = Manifests {
    reader: "python scripts",
    kind: DefinitionKind::Script,
    names: &["pyproject.toml"],
    climbs: true,
    read: read_scripts,
};

const POE: Manifests = Manifests {
    reader: "poe",
    kind: DefinitionKind::Task,
    names: &["pyproject.toml", "poe_tasks.toml"],
    climbs: true,
    read: read_poe,
};

const HATCH: Manifests = Manifests {
    reader: "hatch",
    kind: DefinitionKind::Script,
    names: &["hatch.toml", "pyproject.toml"],
    climbs: true,
    read: read_hatch,
};

const PIXI: Manifests = Manifests {
    reader: "pixi",
    kind: DefinitionKind::Task,
    names: &["pixi.toml", "pyproject.toml"],
    climbs: true,
    read: read_pixi,
};

const RYE: Manifests =
    Manifests { reader: "rye", kind: DefinitionKind::Script, names: &["pyproject.toml"], climbs: true, read: read_rye };

const PIPENV: Manifests =
    Manifests { reader: "pipenv", kind: DefinitionKind::Script, names: &["Pipfile"], climbs: true, read: read_pipenv };

const TOX: Manifests = Manifests {
    reader: "tox",
    kind: DefinitionKind::Environment,
    names: &["tox.ini", "tox.toml", "setup.cfg", "pyproject.toml"],
    climbs: true,
    read: read_tox,
};

const NOX: Manifests = Manifests {
    reader: "nox",
    kind: DefinitionKind::Environment,
    names: &["noxfile.py"],
    climbs: false,
    read: read_nox,
};

const INVOKE: Manifests = Manifests {
    reader: "invoke",
    kind: DefinitionKind::Task,
    names: &["tasks.py", "tasks/__init__.py"],
    climbs: true,
    read: read_invoke,
};

const GROUPS: Manifests = Manifests {
    reader: "python groups",
    kind: DefinitionKind::Feature,
    names: &["pyproject.toml"],
    climbs: true,
    read: read_groups,
};

const RUN_OPTIONS: &[&str] = &[
    "--with",
    "--group",
    "--only-group",
    "--no-group",
    "--extra",
    "--no-extra",
    "--python",
    "-p",
    "--package",
    "--directory",
    "--project",
    "--env-file",
    "--with-requirements",
    "--with-editable",
    "--index",
    "--index-url",
    "--extra-index-url",
    "--find-links",
    "-w",
    "-C",
    "--resolution",
    "--exclude-newer",
    "--config-file",
    "-m",
    "--module",
    "--env",
    "-e",
    "--environment",
    "--color",
    "-P",
];

pub(super) fn resolve_uv(call: &Call<'_>) -> Resolution {
    if call.program == "uvx" {
        return Resolution::NotDefinedHere;
    }
    let here = match option(call.words, &["--directory", "--project"]) {
        Some(folder) => match call.in_stated_folder(folder) {
            Some(there) => there,
            None => return Resolution::unknown(format!("`{folder}` is outside or computed")),
        },
        None => Call { places: call.places.clone(), ..*call },
    };
    let mut words = call.words;
    let mut command = None;
    while let Some((first, rest)) = words.split_first() {
        words = rest;
        if RUN_OPTIONS.contains(&first.as_str()) {
            words = words.get(1..).unwrap_or_default();
        } else if !first.starts_with('-') {
            command = Some(first.as_str());
            break;
        }
    }
    let groups = groups(&here, call.words);
    match command {
        Some("run") => groups.and(run_rest(&here, words)),
        Some("sync") => groups,
        _ => Resolution::NotDefinedHere,
    }
}

/// `--group x` and `--extra x` of uv.
fn groups(call: &Call<'_>, words: &[String]) -> Resolution {
    let mut answer = Resolution::NotDefinedHere;
    for (names, prefix) in [(["--group", "--only-group"], "group "), (["--extra", "--no-extra"], "extra ")] {
        for name in options(words, &names) {
            let key = format!("{prefix}{}", name.replace('_', "-").to_ascii_lowercase());
            if !is_plain_name(name) {
                continue;
            }
            let defined = GROUPS
                .everywhere(call.project)
                .iter()
                .map(|m| (m.clone(), GROUPS.read(call.project, m)))
                .collect::<Vec<_>>();
            if let Some(why) = defined.iter().find_map(|(_, d)| d.open().map(str::to_owned)) {
                answer = answer.and(Resolution::Unknown { why });
            } else if let Some((file, _)) = defined.iter().find(|(_, d)| d.get(&key).is_some()) {
                answer = answer.and(Resolution::found(name, DefinitionKind::Feature, file));
            } else if !defined.is_empty() {
                let searched = defined.into_iter().map(|(m, _)| m).take(10).collect();
                answer = answer.and(call.missing(name, DefinitionKind::Feature, Certainty::Likely, searched, None));
            }
        }
    }
    answer
}

/// The command after `run`, options skipped.
fn run_rest(call: &Call<'_>, words: &[String]) -> Resolution {
    let mut words = words;
    while let Some((first, rest)) = words.split_first() {
        if first == "-m" || first == "--module" {
            let python: Vec<String> = std::iter::once("python".to_owned()).chain(words.iter().cloned()).collect();
            return owned_rest(call, &python);
        }
        if first == "--" {
            words = rest;
            break;
        }
        if RUN_OPTIONS.contains(&first.as_str()) {
            words = rest.get(1..).unwrap_or_default();
        } else if first.starts_with('-') {
            words = rest;
        } else {
            break;
        }
    }
    let Some(program) = words.first() else { return Resolution::NotDefinedHere };
    if is_placeholder(program) || is_operator(program) {
        return Resolution::unknown("the command is a placeholder");
    }
    if program.ends_with(".py") {
        return call.path(program, DefinitionKind::File);
    }
    if let found @ Resolution::Found { .. } = call.look_up(&SCRIPTS, program) {
        return found;
    }
    owned_rest(call, words)
}

fn owned_rest(call: &Call<'_>, words: &[String]) -> Resolution {
    Call {
        project: call.project,
        query: call.query,
        program: call.program,
        words,
        places: call.places.clone(),
        stated: call.stated,
    }
    .rest_as_command(words)
}

pub(super) fn resolve_manager(call: &Call<'_>) -> Resolution {
    let words = call.words;
    let Some(at) = words.iter().position(|w| !w.starts_with('-')) else { return Resolution::NotDefinedHere };
    let command = words.get(at).map_or("", String::as_str);
    let rest = words.get(at + 1..).unwrap_or_default();
    let plain: Vec<&str> = operands(rest, RUN_OPTIONS);
    match (call.program, command) {
        ("poetry", "run") => run_rest(call, rest),
        ("pdm", "run") => match plain.first() {
            Some(script) => match call.look_up(&SCRIPTS, script) {
                found @ (Resolution::Found { .. } | Resolution::ElsewhereOnly { .. }) => found,
                _ => run_rest(call, rest),
            },
            None => Resolution::NotDefinedHere,
        },
        ("hatch", "run") => match plain.first() {
            Some(script) if is_plain_name(script) => {
                let script = script.trim_start_matches('+');
                // `+py=3.12:test` and plain programs cannot be told.
                match call.look_up(&HATCH, script) {
                    found @ Resolution::Found { .. } => found,
                    missing if script.contains(':') && !script.contains('=') => missing,
                    _ => run_rest(call, rest),
                }
            }
            _ => Resolution::NotDefinedHere,
        },
        ("pixi", "run" | "r") => match plain.first() {
            Some(task) => match call.look_up(&PIXI, task) {
                found @ (Resolution::Found { .. } | Resolution::ElsewhereOnly { .. }) => found,
                _ => run_rest(call, rest),
            },
            None => Resolution::NotDefinedHere,
        },
        ("rye", "run") => match plain.first() {
            Some(script) => match call.look_up(&RYE, script) {
                found @ (Resolution::Found { .. } | Resolution::ElsewhereOnly { .. }) => found,
                _ => run_rest(call, rest),
            },
            None => Resolution::NotDefinedHere,
        },
        ("pipenv", "run") => match plain.first() {
            Some(script) => match call.look_up(&PIPENV, script) {
                found @ (Resolution::Found { .. } | Resolution::ElsewhereOnly { .. }) => found,
                _ => run_rest(call, rest),
            },
            None => Resolution::NotDefinedHere,
        },
        _ => Resolution::NotDefinedHere,
    }
}

pub(super) fn resolve_poe(call: &Call<'_>) -> Resolution {
    let here = match option(call.words, &["-C", "--directory", "--root"]) {
        Some(folder) => match call.in_stated_folder(folder) {
            Some(there) => there,
            None => return Resolution::unknown(format!("`{folder}` is outside or computed")),
        },
        None => Call { places: call.places.clone(), ..*call },
    };
    match operands(call.words, &["-C", "--directory", "--root", "-e", "--executor"]).first() {
        Some(task) => here.look_up(&POE, task),
        None => Resolution::NotDefinedHere,
    }
}

pub(super) fn resolve_sessions(call: &Call<'_>) -> Resolution {
    match call.program {
        "tox" => {
            let words = call.words;
            let words = if words.first().is_some_and(|w| w == "run" || w == "r") {
                words.get(1..).unwrap_or_default()
            } else {
                words
            };
            let mut answer = Resolution::NotDefinedHere;
            for list in options(words, &["-e", "-f"]) {
                for environment in list.split(',').filter(|e| !e.is_empty()) {
                    answer = answer.and(resolve_tox(call, environment));
                }
            }
            answer
        }
        "nox" => {
            let mut answer = Resolution::NotDefinedHere;
            let mut words =
                call.words.iter().skip_while(|w| !matches!(w.as_str(), "-s" | "--session" | "--sessions" | "-e"));
            words.next();
            for session in words.take_while(|w| !w.starts_with('-') && !is_operator(w)) {
                let name = session.split('(').next().unwrap_or(session);
                let looked_up = call.look_up(&NOX, name);
                // `tests-3.12` is the session `tests` for one interpreter.
                let shorter = name
                    .rsplit_once('-')
                    .filter(|(_, v)| v.starts_with(|c: char| c.is_ascii_digit()) || v.starts_with("pypy"));
                answer = answer.and(match (looked_up, shorter) {
                    (Resolution::Missing { .. }, Some((base, _))) => call.look_up(&NOX, base),
                    (answer, _) => answer,
                });
            }
            answer
        }
        _ => match operands(call.words, &["-c", "--collection", "-r", "--search-root"]).first() {
            Some(task) if option(call.words, &["-c", "--collection", "-r"]).is_none() => {
                let dashed = task.replace('_', "-");
                call.look_up(&INVOKE, &dashed)
            }
            _ => Resolution::NotDefinedHere,
        },
    }
}

fn resolve_tox(call: &Call<'_>, environment: &str) -> Resolution {
    if !is_plain_name(environment) || matches!(environment, "ALL") {
        return Resolution::unknown(format!("`{environment}` is a placeholder"));
    }
    match call.look_up(&TOX, environment) {
        Resolution::Missing { name, kind, certainty, searched, suggestion } => {
            // Any factors that occur may be put together; `py312` and `3.12` name interpreters.
            let known = |factor: &str| {
                factor == "py"
                    || factor.starts_with("pypy")
                    || factor.strip_prefix("py").unwrap_or(factor).chars().all(|c| c.is_ascii_digit() || c == '.')
                    || TOX
                        .everywhere(call.project)
                        .iter()
                        .any(|m| TOX.read(call.project, m).names().any(|n| n.split('-').any(|f| f == factor)))
            };
            if environment.split('-').all(known) {
                Resolution::found(&name, kind, searched.first().map_or("", String::as_str))
            } else {
                Resolution::Missing { name, kind, certainty: certainty.min(Certainty::Likely), searched, suggestion }
            }
        }
        other => other,
    }
}

/// Files and node ids given to pytest; the file part counts.
pub(super) fn resolve_pytest(call: &Call<'_>) -> Resolution {
    let mut answer = Resolution::NotDefinedHere;
    for word in operands(
        call.words,
        &[
            "-k",
            "-m",
            "-n",
            "-p",
            "-o",
            "-c",
            "--cov",
            "--cov-report",
            "--maxfail",
            "--durations",
            "--timeout",
            "--tb",
            "-r",
            "-W",
            "--dist",
            "--rootdir",
            "--ignore",
            "--junitxml",
            "--log-level",
            "--numprocesses",
            "--count",
            "--deselect",
        ],
    ) {
        let file = word.split("::").next().unwrap_or(word);
        if file.contains('/') || file.ends_with(".py") {
            let kind = if file.ends_with(".py") { DefinitionKind::File } else { DefinitionKind::Folder };
            answer = answer.and(call.path(file, kind));
        }
    }
    answer
}

fn table_keys<'v>(table: &'v toml::Table, path: &[&str]) -> Vec<&'v String> {
    let mut at: Option<&toml::Table> = Some(table);
    for key in path {
        at = at.and_then(|t| t.get(*key)).and_then(Value::as_table);
    }
    at.map(|t| t.keys().collect()).unwrap_or_default()
}

fn from_toml(project: &Project, manifest: &str, read: impl FnOnce(&toml::Table, &mut Definitions)) -> Definitions {
    let mut definitions = Definitions::default();
    match project.read_toml(manifest) {
        Ok(table) => read(&table, &mut definitions),
        Err(why) => definitions.leave_open(why),
    }
    definitions
}

fn read_scripts(project: &Project, manifest: &str) -> Definitions {
    from_toml(project, manifest, |table, definitions| {
        for path in [
            &["project", "scripts"][..],
            &["project", "gui-scripts"],
            &["tool", "poetry", "scripts"],
            &["tool", "pdm", "scripts"],
        ] {
            for name in table_keys(table, path) {
                definitions.add(name.replace(['*', '%'], "_"), manifest);
            }
        }
    })
}

fn read_rye(project: &Project, manifest: &str) -> Definitions {
    from_toml(project, manifest, |table, definitions| {
        for path in [&["project", "scripts"][..], &["tool", "rye", "scripts"]] {
            for name in table_keys(table, path) {
                definitions.add(name.as_str(), manifest);
            }
        }
    })
}

fn read_pipenv(project: &Project, manifest: &str) -> Definitions {
    from_toml(project, manifest, |table, definitions| {
        for name in table_keys(table, &["scripts"]) {
            definitions.add(name.as_str(), manifest);
        }
    })
}

fn read_poe(project: &Project, manifest: &str) -> Definitions {
    from_toml(project, manifest, |table, definitions| {
        let poe: &[&str] = if manifest.ends_with("poe_tasks.toml") { &[] } else { &["tool", "poe"] };
        for key in ["tasks", "groups"] {
            let path: Vec<&str> = poe.iter().copied().chain([key]).collect();
            if key == "tasks" {
                for name in table_keys(table, &path) {
                    definitions.add(name.as_str(), manifest);
                }
            } else if !table_keys(table, &path).is_empty() {
                definitions.leave_open(format!("{manifest} groups tasks"));
            }
        }
        if table_keys(table, poe).iter().any(|k| k.starts_with("include")) {
            definitions.leave_open(format!("{manifest} includes more tasks"));
        }
    })
}

fn read_hatch(project: &Project, manifest: &str) -> Definitions {
    from_toml(project, manifest, |table, definitions| {
        let path: &[&str] = if manifest.ends_with("hatch.toml") { &["envs"] } else { &["tool", "hatch", "envs"] };
        for environment in table_keys(table, path) {
            let whole: Vec<&str> = path.iter().copied().chain([environment.as_str(), "scripts"]).collect();
            for script in table_keys(table, &whole) {
                definitions.add(format!("{environment}:{script}"), manifest);
                if environment == "default" {
                    definitions.add(script.as_str(), manifest);
                    // Every environment inherits from the default one.
                    for other in table_keys(table, path) {
                        definitions.add(format!("{other}:{script}"), manifest);
                    }
                }
            }
        }
        definitions.leave_open("hatch runs programs too");
    })
}

fn read_pixi(project: &Project, manifest: &str) -> Definitions {
    from_toml(project, manifest, |table, definitions| {
        let base: &[&str] = if manifest.ends_with("pixi.toml") { &[] } else { &["tool", "pixi"] };
        let join_path = |tail: &[&'static str]| -> Vec<String> {
            base.iter().copied().chain(tail.iter().copied()).map(str::to_owned).collect()
        };
        let mut add = |path: Vec<String>| {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            for name in table_keys(table, &path) {
                definitions.add(name.as_str(), manifest);
            }
        };
        add(join_path(&["tasks"]));
        for section in ["feature", "target"] {
            let path: Vec<&str> = base.iter().copied().chain([section]).collect();
            for inner in table_keys(table, &path) {
                let mut whole = join_path(&[section]);
                whole.push(inner.clone());
                whole.push("tasks".to_owned());
                add(whole);
            }
        }
    })
}

fn read_groups(project: &Project, manifest: &str) -> Definitions {
    from_toml(project, manifest, |table, definitions| {
        definitions.add("group dev", manifest);
        for (path, prefix) in [
            (&["dependency-groups"][..], "group "),
            (&["project", "optional-dependencies"], "extra "),
            (&["tool", "poetry", "group"], "group "),
            (&["tool", "poetry", "extras"], "extra "),
        ] {
            for name in table_keys(table, path) {
                definitions.add(format!("{prefix}{}", name.replace('_', "-").to_ascii_lowercase()), manifest);
            }
        }
        let dynamic = table.get("project").and_then(|p| p.get("dynamic")).and_then(Value::as_array);
        if dynamic.is_some_and(|d| d.iter().any(|v| v.as_str() == Some("optional-dependencies"))) {
            definitions.leave_open(format!("{manifest} computes its extras"));
        }
    })
}

fn read_tox(project: &Project, manifest: &str) -> Definitions {
    let mut definitions = Definitions::default();
    let text = match project.read(manifest) {
        Ok(text) => text,
        Err(why) => return Definitions::unknown(why),
    };
    if manifest.ends_with(".toml") {
        let table = match text.parse::<toml::Table>() {
            Ok(table) => table,
            Err(error) => return Definitions::unknown(format!("{manifest} is not valid TOML: {}", error.message())),
        };
        let base: &[&str] = if manifest.ends_with("tox.toml") { &[] } else { &["tool", "tox"] };
        let path: Vec<&str> = base.iter().copied().chain(["env"]).collect();
        for name in table_keys(&table, &path) {
            definitions.add(name.as_str(), manifest);
        }
        if table_keys(&table, base).iter().any(|k| matches!(k.as_str(), "legacy_tox_ini" | "env_list" | "envlist")) {
            definitions.leave_open(format!("{manifest} lists environments as text"));
        }
        return definitions;
    }
    let mut in_list = false;
    for line in text.lines() {
        if let Some(section) = line.trim().strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            in_list = false;
            if let Some(names) = section.strip_prefix("testenv:").or_else(|| section.strip_prefix("tox:testenv:")) {
                for name in expand_braces(names).iter().flat_map(|n| n.split(',')) {
                    definitions.add(name.trim().replace(['%', '*'], "_"), manifest);
                }
            }
            continue;
        }
        let value = if let Some((key, value)) = line.split_once('=').filter(|(k, _)| !k.starts_with([' ', '\t', '#'])) {
            in_list = matches!(key.trim(), "envlist" | "env_list");
            value
        } else {
            line
        };
        if in_list {
            for name in
                expand_braces(value).iter().flat_map(|v| v.split([',', ' '])).map(str::trim).filter(|n| !n.is_empty())
            {
                definitions.add(name.replace(['%', '*'], "_"), manifest);
            }
        }
        // Factors before a colon in a setting are names to put together as well.
        if let Some((factors, _)) = line.trim().split_once(':')
            && factors.chars().all(|c| c.is_alphanumeric() || "-_,!".contains(c))
        {
            for factor in factors.split([',', '-']) {
                definitions.add(factor.trim_start_matches('!'), manifest);
            }
        }
    }
    definitions
}

/// `py{310,311}-{a,b}` spelled out; capped, since lists multiply.
fn expand_braces(text: &str) -> Vec<String> {
    let mut done: Vec<String> = Vec::new();
    let mut open = vec![text.to_owned()];
    while let Some(one) = open.pop() {
        if done.len() + open.len() > 2000 {
            break;
        }
        let parts = one.find('{').and_then(|start| {
            let end = one.get(start..)?.find('}')? + start;
            Some((one.get(..start)?.to_owned(), one.get(start + 1..end)?.to_owned(), one.get(end + 1..)?.to_owned()))
        });
        match parts {
            Some((before, inside, after)) => {
                open.extend(inside.split(',').map(|choice| format!("{before}{}{after}", choice.trim())));
            }
            None => done.push(one),
        }
    }
    done
}

fn read_nox(project: &Project, manifest: &str) -> Definitions {
    decorated(project, manifest, &["nox.session", "session"], false)
}

fn read_invoke(project: &Project, manifest: &str) -> Definitions {
    let mut definitions = decorated(project, manifest, &["task", "invoke.task"], true);
    if manifest.contains("tasks/__init__")
        || project.read(manifest).is_ok_and(|t| t.contains("add_collection") || t.contains("Collection("))
    {
        definitions.leave_open(format!("{manifest} collects tasks of other modules"));
    }
    definitions
}

/// Functions below a decorator, by their name or the `name=` of the decorator.
fn decorated(project: &Project, manifest: &str, decorators: &[&str], dashes: bool) -> Definitions {
    let text = match project.read(manifest) {
        Ok(text) => text,
        Err(why) => return Definitions::unknown(why),
    };
    let mut definitions = Definitions::default();
    let mut decorated = false;
    let mut given: Option<String> = None;
    for line in text.lines() {
        if let Some(decorator) = line.strip_prefix('@') {
            let name = decorator.split(['(', ' ']).next().unwrap_or("").trim();
            decorated |= decorators.contains(&name);
        }
        if decorated && given.is_none() {
            given = line
                .find("name=")
                .and_then(|at| line.get(at + 5..))
                .and_then(|rest| rest.trim_start().strip_prefix(['"', '\'']))
                .and_then(|rest| rest.split(['"', '\'']).next())
                .map(str::to_owned);
        }
        let function = line.strip_prefix("def ").or_else(|| line.strip_prefix("async def "));
        if let Some(function) = function {
            let name = function.split('(').next().unwrap_or("").trim();
            if decorated {
                let name = given.take().unwrap_or_else(|| name.to_owned());
                definitions.add(if dashes { name.replace('_', "-") } else { name }, manifest);
            }
            decorated = false;
            given = None;
        } else if decorated && line.starts_with(|c: char| c.is_alphanumeric()) {
            decorated = false;
            given = None;
        }
    }
    if text.contains("for ") && text.contains("nox.session(") {
        definitions.leave_open(format!("{manifest} may compute sessions"));
    }
    definitions
}

#[cfg(test)]
mod tests {
    use super::expand_braces;
    use crate::project::command::tests::{all_found, all_missing, all_undecided, project};

    fn python() -> crate::project::Project {
        project(&[
            (
                "pyproject.toml",
                "[project.scripts]\nmycli='x:y'\n[dependency-groups]\nlint=[]\n[project.optional-dependencies]\nfast=[]\n[tool.poe.tasks]\ncheck='x'\n[tool.pdm.scripts]\nserve='x'\n\
                 [tool.hatch.envs.default.scripts]\ntest='pytest'\n[tool.hatch.envs.docs.scripts]\nbuild='x'\n[tool.pixi.tasks]\nfmt='x'\n",
            ),
            ("tox.ini", "[tox]\nenvlist = py{310,311}-{django,flask}, lint\n[testenv:docs]\ncommands=x\n"),
            (
                "noxfile.py",
                "import nox\n@nox.session(python=['3.12'])\ndef tests(session):\n    pass\n\n@nox.session(name=\"type-check\")\ndef types(s): pass\ndef helper(): pass\n",
            ),
            ("tasks.py", "from invoke import task\n@task\ndef run_all(c):\n  pass\n"),
            ("tests/unit/test_a.py", ""),
            ("tools/x.py", ""),
        ])
    }

    #[test]
    fn everything_that_is_defined() {
        all_found(
            &python(),
            &[
                "uv run mycli --x",
                "uv run tools/x.py",
                "uv run python tools/x.py",
                "uv run pytest tests/unit/test_a.py::test_b",
                "uv run --frozen pytest tests/unit",
                "uv run --group lint mycli",
                "uv sync --group lint --extra fast",
                "uv run poe check",
                "poe check",
                "poetry run poe check",
                "pdm run serve",
                "hatch run test",
                "hatch run docs:build",
                "hatch run docs:test",
                "pixi run fmt",
                "tox -e py310-django",
                "tox -e docs,lint",
                "tox run -e py39",
                "nox -s tests",
                "nox -s tests-3.12 type-check",
                "inv run-all",
                "invoke run_all",
                "pytest tests/unit -k x",
                "python -m pytest tests/unit/test_a.py",
                "uv run -m pytest tests/unit",
                "poetry run python tools/x.py",
            ],
        );
    }

    #[test]
    fn everything_that_is_not() {
        all_missing(
            &python(),
            &[
                "uv run tools/gone.py",
                "uv run pytest tests/gone/test_a.py",
                "uv sync --group gone",
                "poe gone",
                "uv run poe gone",
                "tox -e gone",
                "nox -s gone",
                "nox -s helper",
                "inv gone",
                "pytest tests/unit/test_gone.py::test_x",
                "uv run --extra gone mycli",
            ],
        );
        all_undecided(
            &python(),
            &[
                "uv run ruff check",
                "uv add x",
                "uvx ruff",
                "poetry install",
                "tox",
                "nox",
                "hatch run ruff",
                "pytest",
                "pytest -k name",
                "uv run",
                "uv pip install x",
                "hatch run +py=3.12:test",
                "pytest path/to/test.py",
            ],
        );
        all_undecided(&project(&[("pyproject.toml", "[tool")]), &["poe gone", "uv sync --group gone"]);
    }

    #[test]
    fn braces_multiply_but_end() {
        assert_eq!(expand_braces("a{b,c}").len(), 2);
        assert!(expand_braces(&"{a,b}".repeat(40)).len() <= 2001);
    }
}
