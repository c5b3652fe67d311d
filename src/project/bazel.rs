//! Bazel labels: the package must be a folder with a BUILD file, the target a `name` in it.

use super::command::{Call, Resolution, is_operator, is_placeholder};
use super::definitions::{DefinitionKind, most_similar};
use super::shape::has_stand_in;
use super::tree::{file_name, join};
use super::{Certainty, EntryKind, Project};

pub(super) fn resolve(call: &Call<'_>) -> Resolution {
    let mut words = call.words.iter().skip_while(|w| w.starts_with('-'));
    match words.next().map(String::as_str) {
        Some("build" | "test" | "run" | "coverage") => {}
        _ => return Resolution::NotDefinedHere,
    }
    let mut answer = Resolution::NotDefinedHere;
    for word in words {
        if word == "--" || is_operator(word) {
            break;
        }
        let word = word.trim_start_matches("-//").trim_matches(['"', '\'']);
        if let Some(label) = word.strip_prefix("//") {
            answer = answer.and(judge(call, label));
        }
    }
    answer
}

fn build_file(project: &Project, package: &str) -> Option<String> {
    ["BUILD.bazel", "BUILD"].iter().filter_map(|n| join(package, n)).find(|f| project.is_file(f))
}

fn judge(call: &Call<'_>, label: &str) -> Resolution {
    let project = call.project;
    let (package, target) = label.split_once(':').map_or((label, None), |(p, t)| (p, Some(t)));
    let (package, recursive) = match package.strip_suffix("...") {
        Some(package) => (package.trim_end_matches('/'), true),
        None => (package, false),
    };
    if (!package.is_empty() && is_placeholder(package))
        || has_stand_in(package)
        || matches!(package, "path" | "package" | "target" | "pkg")
        || target.is_some_and(is_placeholder)
    {
        return Resolution::unknown(format!("`//{label}` is a placeholder"));
    }
    let name = format!("//{label}");
    let any_build = ["BUILD.bazel", "BUILD"].iter().any(|n| project.tree().named(n).any(|e| e.kind == EntryKind::File));
    if !any_build {
        return Resolution::unknown("there are no BUILD files");
    }
    if recursive {
        return if project.is_directory(package) {
            Resolution::found(&name, DefinitionKind::Package, package)
        } else {
            call.missing(&name, DefinitionKind::Package, Certainty::Certain, vec![package.to_owned()], None)
        };
    }
    let Some(file) = build_file(project, package) else {
        let suggestion = project
            .tree()
            .ending_with(package)
            .find(|e| e.kind == EntryKind::Directory)
            .map(|e| format!("//{}", e.path));
        return call.missing(&name, DefinitionKind::Package, Certainty::Certain, vec![package.to_owned()], suggestion);
    };
    let target = target.unwrap_or(file_name(package));
    if matches!(target, "all" | "*" | "all-targets" | "target") || target.is_empty() {
        return Resolution::found(&name, DefinitionKind::Package, &file);
    }
    let text = match project.read(&file) {
        Ok(text) => text,
        Err(why) => return Resolution::Unknown { why },
    };
    let names: Vec<&str> = text
        .match_indices("name")
        .filter_map(|(at, found)| {
            let rest =
                text.get(at + found.len()..)?.trim_start().strip_prefix('=')?.trim_start().strip_prefix(['"', '\''])?;
            rest.split(['"', '\'']).next()
        })
        .collect();
    if names.contains(&target) || join(package, target).is_some_and(|f| project.is_file(&f)) {
        return Resolution::found(&name, DefinitionKind::Target, &file);
    }
    // Macros make targets whose names they compute from a literal one.
    if names.iter().any(|n| target.starts_with(n) || target.ends_with(n)) || text.contains("load(") {
        return Resolution::unknown(format!("a macro of {file} may define {target}"));
    }
    call.missing(&name, DefinitionKind::Target, Certainty::Likely, vec![file], most_similar(target, names.into_iter()))
}

#[cfg(test)]
mod tests {
    use crate::project::command::tests::{all_found, all_missing, all_undecided, project};

    #[test]
    fn labels() {
        let project = project(&[
            ("a/BUILD", "x(name = \"lib\")\ny(name='a')\n"),
            ("b/BUILD.bazel", "load(\"//x\", \"y\")\n"),
            ("a/deep/x", ""),
        ]);
        all_found(
            &project,
            &[
                "bazel build //a:lib",
                "bazel test //a",
                "bazel build //a/...",
                "bazel build //...",
                "bazel test //a:all -- -//gone",
            ],
        );
        all_missing(
            &project,
            &["bazel build //gone:x", "bazel build //a:gone", "bazel test //gone/...", "bazel build //a/deep:x"],
        );
        all_undecided(
            &project,
            &[
                "bazel build //path:target",
                "bazel build //b:gone",
                "bazel build :x",
                "bazel query //gone",
                "bazel build //a:lib_test",
                "bazel build //<package>",
            ],
        );
    }
}
