//! Go packages given by a path: `go test ./x/...`, `go run ./cmd/y`.

use super::command::{Call, Resolution, is_placeholder, operands};
use super::definitions::DefinitionKind;
use super::shape::has_stand_in;
use super::tree::join;
use super::{Certainty, EntryKind};

const VALUE_OPTIONS: &[&str] = &[
    "-run",
    "-bench",
    "-count",
    "-timeout",
    "-tags",
    "-o",
    "-coverprofile",
    "-covermode",
    "-coverpkg",
    "-ldflags",
    "-gcflags",
    "-p",
    "-parallel",
    "-cpu",
    "-fuzz",
    "-fuzztime",
    "-benchtime",
    "-mod",
    "-modfile",
    "-cpuprofile",
    "-memprofile",
    "-skip",
    "-C",
    "-exec",
    "-shuffle",
    "-vet",
    "-trace",
    "-args",
    "-overlay",
    "-asmflags",
    "-buildmode",
    "-json-out",
];

pub(super) fn resolve(call: &Call<'_>) -> Resolution {
    let Some((command, rest)) = call.words.split_first() else { return Resolution::NotDefinedHere };
    match command.as_str() {
        "test" | "build" | "vet" | "run" | "generate" | "list" | "fmt" | "install" => {}
        "tool" | "mod" | "work" | "get" | "env" | "doc" => return Resolution::NotDefinedHere,
        _ => return Resolution::NotDefinedHere,
    }
    let here = match super::command::option(rest, &["-C"]) {
        Some(folder) => match call.in_stated_folder(folder) {
            Some(there) => there,
            None => return Resolution::unknown(format!("`{folder}` is outside or computed")),
        },
        None => Call { places: call.places.clone(), ..*call },
    };
    let operands = operands(rest, VALUE_OPTIONS);
    // What follows the package or files of `go run` are the program's own arguments.
    let take = if command == "run" { 1 } else { operands.len() };
    let mut answer = Resolution::NotDefinedHere;
    for word in operands.into_iter().take(take) {
        if word.ends_with(".go") {
            answer = answer.and(here.path(word, DefinitionKind::File));
        } else if word.starts_with("./") || word.starts_with("../") {
            answer = answer.and(resolve_package(&here, word));
        }
    }
    answer
}

fn resolve_package(call: &Call<'_>, word: &str) -> Resolution {
    let project = call.project;
    let (folder, recursive) = match word.strip_suffix("...") {
        Some(folder) => (folder.trim_end_matches('/'), true),
        None => (word.trim_end_matches('/'), false),
    };
    if is_placeholder(folder)
        || has_stand_in(folder.trim_start_matches("./"))
        || matches!(folder, "./package" | "./pkg/package" | "./path")
    {
        return Resolution::unknown(format!("`{word}` is a placeholder"));
    }
    let mut open = false;
    for place in &call.places {
        let Some(path) = join(place, folder) else {
            open = true;
            continue;
        };
        let go = if recursive {
            project.tree().under(&path).any(|e| e.kind != EntryKind::Directory && e.path.ends_with(".go"))
        } else {
            project.tree().children(&path).any(|e| e.kind != EntryKind::Directory && e.path.ends_with(".go"))
        };
        if go {
            return Resolution::found(word, DefinitionKind::Package, &path);
        }
        // A folder whose Go files are generated.
        open = open || project.is_ignored(&format!("{path}/")) || (project.is_directory(&path) && !call.stated);
    }
    if open {
        return Resolution::unknown(format!("the files of {word} may be generated"));
    }
    let suffix = folder.trim_start_matches("./");
    let elsewhere: Vec<String> = project
        .tree()
        .ending_with(suffix)
        .filter(|e| e.kind == EntryKind::Directory)
        .map(|e| e.path.strip_suffix(suffix).unwrap_or("").trim_end_matches('/').to_owned())
        .filter(|folder| join(folder, "go.mod").is_some_and(|m| project.is_file(&m)))
        .take(10)
        .collect();
    if !elsewhere.is_empty() && !call.stated {
        return Resolution::ElsewhereOnly { name: word.to_owned(), kind: DefinitionKind::Package, folders: elsewhere };
    }
    let suggestion = project
        .tree()
        .named(super::tree::file_name(suffix))
        .filter(|e| e.kind == EntryKind::Directory)
        .map(|e| format!("./{}", e.path))
        .next();
    call.missing(word, DefinitionKind::Package, Certainty::Certain, call.places.clone(), suggestion)
}

#[cfg(test)]
mod tests {
    use crate::project::Resolution;
    use crate::project::command::tests::{all_found, all_missing, all_undecided, project, run};

    #[test]
    fn packages() {
        let project = project(&[
            ("go.mod", ""),
            ("main.go", ""),
            ("internal/ui/a.go", ""),
            ("cmd/x/main.go", ""),
            ("tools/go.mod", ""),
            ("tools/gen/a.go", ""),
            ("empty/x.md", ""),
        ]);
        all_found(
            &project,
            &[
                "go test ./...",
                "go test ./internal/... -run TestX",
                "go run ./cmd/x --flag ./gone",
                "go build .",
                "go vet ./internal/ui",
                "go run main.go",
            ]
            .map(|c| if c == "go build ." { "go build ./cmd/x" } else { c }),
        );
        all_missing(
            &project,
            &[
                "go test ./internal/gone",
                "go test ./internal/llm/prompt -run TestX",
                "go test ./gone/...",
                "go run ./cmd/gone",
            ],
        );
        all_undecided(
            &project,
            &[
                "go test",
                "go test ./path -run TestName",
                "go test ./<package>",
                "go mod tidy",
                "go test -run TestX",
                "go install x.org/y@latest",
                "go test github.com/a/b",
            ],
        );
        assert!(matches!(run(&project, "go test ./gen", ""), Resolution::ElsewhereOnly { .. }));
    }
}
