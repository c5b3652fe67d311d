//! Local scripts: `./scripts/x.sh`, `bash scripts/x`, `python tools/x.py`, `node x.mjs`, and `cd`.

use super::Certainty;
use super::command::{Call, Resolution, is_placeholder};
use super::definitions::DefinitionKind;
use super::path::{PathKind, PathQuery, PathResolution};
use super::shape::{extension, has_file_extension};

/// A program given by a path.
pub(super) fn judge_program(program: &str, file: Resolution) -> Resolution {
    let clean = program.trim_start_matches("./");
    // Installed or built programs are nobody's source.
    if program.starts_with(['/', '~'])
        || [
            "node_modules",
            "vendor",
            "venv",
            ".venv",
            "target",
            "build",
            "dist",
            "out",
            "bin",
            "_build",
            "result",
            "env",
        ]
        .iter()
        .any(|folder| clean.starts_with(&format!("{folder}/")) || clean.contains(&format!("/{folder}/")))
    {
        return match file {
            found @ Resolution::Found { .. } => found,
            _ => Resolution::unknown(format!("{program} is installed or built")),
        };
    }
    match file {
        // A program without an extension at the root (`./myapp`) is usually a build output.
        Resolution::Missing { .. } if !has_file_extension(clean) && !clean.contains(['/', '\\']) => {
            Resolution::unknown(format!("{program} may be built"))
        }
        Resolution::Missing { name, kind, certainty, searched, suggestion } => {
            let script = matches!(
                extension(clean).as_str(),
                "sh" | "bash" | "zsh" | "py" | "js" | "mjs" | "ts" | "rb" | "ps1" | "bat" | "cmd" | "pl" | "php"
            );
            let plain = !matches!(certainty, Certainty::Unsure);
            let slash = clean.contains(['/', '\\']);
            let certainty =
                if script && plain && slash { Certainty::Certain } else { certainty.min(Certainty::Likely) };
            Resolution::Missing { name, kind, certainty, searched, suggestion }
        }
        other => other,
    }
}

/// A program that no ecosystem knows: a script by its name alone is looked up, anything else is not ours.
pub(super) fn resolve_unknown_program(call: &Call<'_>, program: &str) -> Resolution {
    match extension(program).as_str() {
        "sh" | "bat" | "cmd" | "ps1" => match call.path(program, DefinitionKind::File) {
            found @ (Resolution::Found { .. } | Resolution::ElsewhereOnly { .. }) => found,
            _ => Resolution::unknown(format!("{program} may be installed")),
        },
        _ => Resolution::NotDefinedHere,
    }
}

/// `bash x.sh`, `python x.py`, `python -m package`, `node x.mjs`.
pub(super) fn resolve_interpreter(call: &Call<'_>) -> Resolution {
    let python = call.program.starts_with("python");
    let mut words = call.words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-m" if python => {
                let Some(module) = words.next() else { return Resolution::NotDefinedHere };
                let rest = words.as_slice();
                return match module.as_str() {
                    "pytest" => {
                        super::python::resolve_pytest(&Call { words: rest, places: call.places.clone(), ..*call })
                    }
                    "tox" | "nox" | "invoke" => super::python::resolve_sessions(&Call {
                        program: module,
                        words: rest,
                        places: call.places.clone(),
                        ..*call
                    }),
                    _ => resolve_module(call, module),
                };
            }
            "-c" | "-e" | "--eval" | "-p" | "--print" | "-Command" | "-r" if word != "-r" || !python => {
                return Resolution::NotDefinedHere;
            }
            "--import" | "--require" | "-W" | "-X" | "-o" | "--loader" | "-I" | "-ExecutionPolicy" | "--env-file" => {
                words.next();
            }
            "-File" | "-f" => {}
            "run" | "watch" if call.program == "tsx" => {}
            option if option.starts_with('-') => {
                if call.program == "node" && (option == "--test" || option == "--run") {
                    return Resolution::unknown("node decides itself what to run");
                }
            }
            file => {
                if !has_file_extension(file) && !file.contains('/') {
                    return Resolution::NotDefinedHere;
                }
                let found = call.path(file, DefinitionKind::File);
                return judge_program(file, found);
            }
        }
    }
    Resolution::NotDefinedHere
}

/// A module is found as a folder or a file; it may also be installed.
fn resolve_module(call: &Call<'_>, module: &str) -> Resolution {
    let path = module.replace('.', "/");
    for place in &call.places {
        for base in [place.clone(), format!("{place}/src")] {
            if let Some(joined) = super::tree::join(&base, &path) {
                let file = format!("{joined}.py");
                if call.project.is_file(&file) {
                    return Resolution::found(module, DefinitionKind::File, &file);
                }
                if call.project.is_directory(&joined) {
                    return Resolution::found(module, DefinitionKind::File, &joined);
                }
            }
        }
    }
    Resolution::unknown(format!("the module {module} may be installed"))
}

/// `cd x`: the one reference of a command that must be a folder.
pub(super) fn resolve_change_directory(call: &Call<'_>) -> Resolution {
    let text = call.words.join(" ");
    let text = text.trim();
    if text.is_empty() || text == "-" || text.starts_with(['/', '~', '-']) || is_placeholder(text) || text.contains('%')
    {
        return Resolution::unknown("the folder is outside or computed");
    }
    let kind = DefinitionKind::Folder;
    let place = call.places.first().map_or("", String::as_str);
    let others: Vec<String> = call.places.iter().skip(1).cloned().collect();
    let query =
        PathQuery { text, kind: PathKind::ChangeDirectory, folder: place, named: &others, mood: call.query.mood };
    match call.project.resolve_path(&query) {
        PathResolution::Found { path, .. } => Resolution::found(text, kind, &path),
        PathResolution::Missing(missing) => {
            let first = text.split('/').next().unwrap_or(text);
            // `git clone …/project && cd project`: the repository's own name, or one cloned a line before.
            if call.project.names().iter().any(|n| n.eq_ignore_ascii_case(first)) {
                return Resolution::unknown("it may be the repository's own folder");
            }
            Resolution::Missing {
                name: text.to_owned(),
                kind,
                certainty: missing.certainty,
                searched: missing.searched,
                suggestion: missing.suggestions.first().cloned(),
            }
        }
        PathResolution::CaseDiffers { actual } => {
            call.missing(text, kind, Certainty::Likely, call.places.clone(), Some(actual))
        }
        _ => Resolution::unknown("the folder is outside, built or computed"),
    }
}

#[cfg(test)]
mod tests {
    use crate::project::Resolution;
    use crate::project::command::tests::{all_found, all_missing, all_undecided, project, run_in};

    #[test]
    fn scripts_by_path_and_interpreter() {
        let project = project(&[
            ("scripts/build.sh", ""),
            ("tools/x.py", ""),
            ("tools/pack/__init__.py", ""),
            ("web/scripts/only-here.sh", ""),
            (".gitignore", "dist/\n"),
        ]);
        all_found(
            &project,
            &[
                "./scripts/build.sh",
                "bash scripts/build.sh --x",
                "python tools/x.py a b",
                "python -m tools.pack",
                "scripts\\build.sh",
                "cd tools",
                "source scripts/build.sh",
            ],
        );
        all_missing(
            &project,
            &["./scripts/biuld.sh", "python3 tools/gone.py", "node scripts/gone.mjs", "cd gone", "cd tools/gone/x"],
        );
        all_undecided(
            &project,
            &[
                "./app --x",
                "./target/release/app",
                "node dist/x.js",
                "python -c x",
                "bash -c x",
                "./node_modules/.bin/eslint",
                "cd /workspace",
                "cd ~/x",
                "cd <folder>",
                "cd ..",
                "python -m http.server",
                "cd project",
            ],
        );
        let elsewhere = crate::project::command::tests::run(&project, "./scripts/only-here.sh", "");
        assert!(matches!(elsewhere, Resolution::ElsewhereOnly { .. }), "{elsewhere:?}");
        assert!(matches!(run_in(&project, "./scripts/only-here.sh", "web"), Resolution::Found { .. }));
    }
}
