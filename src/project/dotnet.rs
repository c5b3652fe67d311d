//! .NET projects and solutions given by a path.

use super::command::{Call, Resolution, operands, option};
use super::definitions::DefinitionKind;
use super::shape::extension;

pub(super) fn resolve(call: &Call<'_>) -> Resolution {
    let Some((command, rest)) = call.words.split_first() else { return Resolution::NotDefinedHere };
    match command.as_str() {
        "build" | "test" | "run" | "restore" | "pack" | "publish" | "clean" | "format" | "watch" => {}
        _ => return Resolution::NotDefinedHere,
    }
    let mut answer = Resolution::NotDefinedHere;
    if let Some(project) = option(rest, &["--project", "--solution"]) {
        answer = answer.and(project_path(call, project));
    }
    let values = &[
        "--project",
        "--solution",
        "-c",
        "--configuration",
        "-f",
        "--framework",
        "--filter",
        "-o",
        "--output",
        "-r",
        "--runtime",
        "--logger",
        "-v",
        "--verbosity",
        "-p",
        "--settings",
        "-s",
        "--results-directory",
        "--filter-class",
        "--filter-method",
        "--filter-not-trait",
        "--launch-profile",
        "-l",
    ];
    // After `--` come the program's own arguments, which `operands` leaves out.
    for word in operands(rest, values) {
        if matches!(extension(word).as_str(), "csproj" | "fsproj" | "vbproj" | "sln" | "slnx" | "slnf" | "proj") {
            answer = answer.and(project_path(call, word));
        }
    }
    answer
}

fn project_path(call: &Call<'_>, path: &str) -> Resolution {
    let kind = if extension(path).is_empty() { DefinitionKind::Folder } else { DefinitionKind::File };
    call.path(path, kind)
}

#[cfg(test)]
mod tests {
    use crate::project::command::tests::{all_found, all_missing, all_undecided, project};

    #[test]
    fn projects_and_solutions() {
        let project = project(&[("App.sln", ""), ("src/App/App.csproj", ""), ("tests/App.Tests/App.Tests.csproj", "")]);
        all_found(
            &project,
            &[
                "dotnet build App.sln",
                "dotnet test tests/App.Tests/App.Tests.csproj --filter x",
                "dotnet run --project src/App",
                "dotnet test --project tests\\App.Tests\\App.Tests.csproj",
            ],
        );
        all_missing(
            &project,
            &["dotnet build Gone.sln", "dotnet test tests/Gone/Gone.csproj", "dotnet run --project src/Gone"],
        );
        all_undecided(
            &project,
            &[
                "dotnet build",
                "dotnet test --project tests/ProjectName.Tests/ProjectName.Tests.csproj",
                "dotnet tool restore",
                "dotnet test <project>.csproj",
                "dotnet add package X",
            ],
        );
    }
}
