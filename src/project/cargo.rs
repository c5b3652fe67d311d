//! Cargo: aliases, packages, binaries, examples, tests and features.

use std::collections::BTreeSet;

use super::command::{Call, Manifests, Resolution, is_operator, is_plain_name, option, options};
use super::definitions::{DefinitionKind, Definitions, most_similar};
use super::tree::{file_name, join, parent};
use super::{Certainty, EntryKind, Project};

const ALIASES: Manifests = Manifests {
    reader: "cargo alias",
    kind: DefinitionKind::Alias,
    names: &[".cargo/config.toml", ".cargo/config"],
    climbs: true,
    read: read_aliases,
};

const MANIFESTS: Manifests = Manifests {
    reader: "cargo",
    kind: DefinitionKind::Package,
    names: &["Cargo.toml"],
    climbs: true,
    read: read_names,
};

const OWN_COMMANDS: &str = " add b bench build c check clean clippy config d doc fetch fix fmt generate-lockfile git-checkout help info init install \
 locate-project login logout metadata miri new owner package pkgid publish r read-manifest remove report rm run rustc rustdoc search t test tree \
 uninstall update vendor verify-project version yank ";

/// What one kind of build target adds to a name.
struct TargetKind {
    options: &'static [&'static str],
    table: &'static str,
    folder: &'static str,
}

const TARGET_KINDS: [TargetKind; 4] = [
    TargetKind { options: &["--bin"], table: "bin", folder: "src/bin" },
    TargetKind { options: &["--example"], table: "example", folder: "examples" },
    TargetKind { options: &["--test"], table: "test", folder: "tests" },
    TargetKind { options: &["--bench"], table: "bench", folder: "benches" },
];

pub(super) fn resolve(call: &Call<'_>) -> Resolution {
    let mut words = call.words;
    while words.first().is_some_and(|w| w.starts_with('+') || (w.starts_with('-') && w != "-")) {
        words = words.get(1..).unwrap_or_default();
    }
    let Some((command, rest)) = words.split_first() else { return Resolution::NotDefinedHere };
    if is_operator(command) || !is_plain_name(command) {
        return Resolution::unknown(format!("`{command}` is a placeholder"));
    }
    let base = match command.as_str() {
        "nextest" | "llvm-cov" | "insta" | "watch" | "mutants" | "fuzz" | "hack" => Resolution::NotDefinedHere,
        own if OWN_COMMANDS.contains(&format!(" {own} ")) => Resolution::NotDefinedHere,
        other => match aliases(call, other) {
            found @ Resolution::Found { .. } => return found,
            Resolution::Unknown { why } => return Resolution::Unknown { why },
            // Not every plugin can be known, but `xtask` is by custom an alias of the repository.
            missing if other == "xtask" => {
                return if packages(call.project).iter().any(|m| file_name(parent(m)) == "xtask") {
                    missing
                } else {
                    Resolution::unknown("cargo-xtask may be installed")
                };
            }
            _ => return Resolution::unknown(format!("cargo-{other} may be an installed plugin")),
        },
    };
    if matches!(
        command.as_str(),
        "install" | "add" | "remove" | "rm" | "search" | "new" | "init" | "owner" | "yank" | "info" | "update"
    ) {
        return base;
    }
    if let Some(manifest) = option(rest, &["--manifest-path"]) {
        return call.path(manifest, DefinitionKind::File);
    }
    let mut answer = base;
    let mut chosen: Vec<String> = Vec::new();
    for package in options(rest, &["-p", "--package"]) {
        let one = resolve_package(call, package);
        if let Resolution::Found { file, .. } = &one
            && file.ends_with("Cargo.toml")
        {
            chosen.push(file.clone());
        }
        answer = answer.and(one);
    }
    let everywhere = packages(call.project);
    if everywhere.is_empty() {
        return answer;
    }
    let named = !chosen.is_empty();
    let scope: &[String] = if named { &chosen } else { &everywhere };
    for kind in &TARGET_KINDS {
        for name in options(rest, kind.options) {
            answer = answer.and(resolve_target(call, kind, name, scope));
        }
    }
    for list in options(rest, &["-F", "--features"]) {
        for feature in list.trim_matches(['"', '\'']).split([',', ' ']).filter(|f| !f.is_empty()) {
            answer = answer.and(resolve_feature(call, feature, scope));
        }
    }
    answer
}

fn aliases(call: &Call<'_>, name: &str) -> Resolution {
    let project = call.project;
    let mut open = None;
    for place in call.places.iter().map(String::as_str).chain([""]) {
        let mut folder = place;
        loop {
            for file in ALIASES.names.iter().filter_map(|n| join(folder, n)).filter(|f| project.is_file(f)) {
                let definitions = ALIASES.read(project, &file);
                if definitions.get(name).is_some() {
                    return Resolution::found(name, DefinitionKind::Alias, &file);
                }
                open = open.or_else(|| definitions.open().map(str::to_owned));
            }
            if folder.is_empty() {
                break;
            }
            folder = parent(folder);
        }
    }
    if let Some(why) = open {
        return Resolution::Unknown { why };
    }
    let elsewhere: Vec<String> = project
        .tree()
        .named("config.toml")
        .filter(|e| e.path.ends_with(".cargo/config.toml") && ALIASES.read(project, e.path).get(name).is_some())
        .map(|e| parent(parent(e.path)).to_owned())
        .collect();
    if elsewhere.is_empty() {
        call.missing(name, DefinitionKind::Alias, Certainty::Likely, vec![".cargo/config.toml".to_owned()], None)
    } else {
        Resolution::ElsewhereOnly { name: name.to_owned(), kind: DefinitionKind::Alias, folders: elsewhere }
    }
}

fn read_aliases(project: &Project, file: &str) -> Definitions {
    let mut definitions = Definitions::default();
    match project.read_toml(file) {
        Ok(table) => {
            for name in table.get("alias").and_then(|a| a.as_table()).into_iter().flat_map(|a| a.keys()) {
                definitions.add(name.as_str(), file);
            }
        }
        Err(why) => definitions.leave_open(why),
    }
    definitions
}

fn packages(project: &Project) -> Vec<String> {
    MANIFESTS.everywhere(project)
}

/// The package's name; open when the manifest cannot be read.
fn read_names(project: &Project, manifest: &str) -> Definitions {
    let mut definitions = Definitions::default();
    match project.read_toml(manifest) {
        Ok(table) => {
            if let Some(name) = table.get("package").and_then(|p| p.get("name")).and_then(|n| n.as_str()) {
                definitions.add(name, manifest);
            }
        }
        Err(why) => definitions.leave_open(why),
    }
    definitions
}

fn resolve_package(call: &Call<'_>, package: &str) -> Resolution {
    if !is_plain_name(package)
        || super::shape::has_stand_in(package)
        || matches!(package, "crate" | "package" | "crate-name" | "crate_name" | "package-name" | "CRATE")
    {
        return Resolution::unknown(format!("`{package}` is a placeholder"));
    }
    if package.contains([':', '#', '/']) {
        return Resolution::unknown(format!("`{package}` is a package id"));
    }
    let name = package.split('@').next().unwrap_or(package);
    let project = call.project;
    let everywhere = packages(project);
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut open = None;
    for manifest in &everywhere {
        let definitions = MANIFESTS.read(project, manifest);
        if definitions.get(name).is_some() {
            return Resolution::found(name, DefinitionKind::Package, manifest);
        }
        open = open.or_else(|| definitions.open().map(str::to_owned));
        names.extend(definitions.names().map(str::to_owned));
    }
    if everywhere.is_empty() {
        return Resolution::unknown("there is no Cargo.toml");
    }
    // A dependency can be named too; the lock file lists all of them.
    for lock in project.tree().named("Cargo.lock") {
        match project.read(lock.path) {
            Ok(text) if text.contains(&format!("name = \"{name}\"")) => {
                return Resolution::found(name, DefinitionKind::Package, lock.path);
            }
            Ok(_) => {}
            Err(why) => open = open.or(Some(why)),
        }
    }
    match open {
        Some(why) => Resolution::Unknown { why },
        None => {
            let suggestion = most_similar(name, names.iter().map(String::as_str));
            call.missing(
                name,
                DefinitionKind::Package,
                Certainty::Certain,
                everywhere.into_iter().take(10).collect(),
                suggestion,
            )
        }
    }
}

fn resolve_target(call: &Call<'_>, kind: &TargetKind, name: &str, manifests: &[String]) -> Resolution {
    if !is_plain_name(name) || super::shape::has_stand_in(name) {
        return Resolution::unknown(format!("`{name}` is a placeholder or a pattern"));
    }
    let project = call.project;
    let mut names: BTreeSet<String> = BTreeSet::new();
    for manifest in manifests {
        let table = match project.read_toml(manifest) {
            Ok(table) => table,
            Err(why) => return Resolution::Unknown { why },
        };
        let folder = parent(manifest);
        for target in table.get(kind.table).and_then(|t| t.as_array()).into_iter().flatten() {
            names.extend(target.get("name").and_then(|n| n.as_str()).map(str::to_owned));
        }
        if kind.table == "bin" {
            let main = join(folder, "src/main.rs").is_some_and(|f| project.is_file(&f));
            if main && let Some(name) = table.get("package").and_then(|p| p.get("name")).and_then(|n| n.as_str()) {
                names.insert(name.to_owned());
            }
        }
        let Some(folder) = join(folder, kind.folder) else { continue };
        for entry in project.tree().children(&folder) {
            match entry.kind {
                EntryKind::Directory => {
                    if project.is_file(&format!("{}/main.rs", entry.path)) {
                        names.insert(entry.name().to_owned());
                    }
                }
                _ => {
                    if let Some(stem) = entry.name().strip_suffix(".rs") {
                        names.insert(stem.to_owned());
                    }
                }
            }
        }
    }
    if names.contains(name) {
        return Resolution::found(name, DefinitionKind::BuildTarget, manifests.first().map_or("", String::as_str));
    }
    let suggestion = most_similar(name, names.iter().map(String::as_str));
    call.missing(
        name,
        DefinitionKind::BuildTarget,
        Certainty::Certain,
        manifests.iter().take(10).cloned().collect(),
        suggestion,
    )
}

fn resolve_feature(call: &Call<'_>, feature: &str, manifests: &[String]) -> Resolution {
    if !is_plain_name(feature) {
        return Resolution::unknown(format!("`{feature}` is a placeholder"));
    }
    let name = feature.rsplit('/').next().unwrap_or(feature);
    let all = if feature.contains('/') { packages(call.project) } else { manifests.to_vec() };
    let mut names: BTreeSet<String> = BTreeSet::new();
    for manifest in &all {
        let table = match call.project.read_toml(manifest) {
            Ok(table) => table,
            Err(why) => return Resolution::Unknown { why },
        };
        names.extend(table.get("features").and_then(|f| f.as_table()).into_iter().flat_map(|f| f.keys().cloned()));
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            // An optional dependency is a feature; a feature of a dependency is not ours to judge.
            names.extend(table.get(section).and_then(|d| d.as_table()).into_iter().flat_map(|d| d.keys().cloned()));
        }
    }
    if feature.contains('/') && !names.contains(name) {
        return Resolution::unknown(format!("`{feature}` may be a feature of a dependency"));
    }
    if names.contains(name) || name == "default" {
        return Resolution::found(name, DefinitionKind::Feature, all.first().map_or("", String::as_str));
    }
    let suggestion = most_similar(name, names.iter().map(String::as_str));
    call.missing(name, DefinitionKind::Feature, Certainty::Likely, all.into_iter().take(10).collect(), suggestion)
}

#[cfg(test)]
mod tests {
    use crate::project::command::tests::{all_found, all_missing, all_undecided, project};

    #[test]
    fn aliases_packages_targets_and_features() {
        let project = project(&[
            ("Cargo.toml", "[workspace]\nmembers=['crates/*']\n"),
            ("Cargo.lock", "[[package]]\nname = \"serde\"\n"),
            (".cargo/config.toml", "[alias]\nxtask = 'run -p xtask --'\n"),
            (
                "crates/a/Cargo.toml",
                "[package]\nname='a-crate'\n[features]\nfast=[]\n[[bin]]\nname='tool'\npath='x.rs'\n[dependencies]\nopt={version='1',optional=true}\n",
            ),
            ("crates/a/src/main.rs", ""),
            ("crates/a/src/bin/second.rs", ""),
            ("crates/a/examples/show/main.rs", ""),
            ("crates/a/tests/it.rs", ""),
        ]);
        all_found(
            &project,
            &[
                "cargo xtask codegen",
                "cargo test -p a-crate",
                "cargo +nightly build --package=a-crate",
                "cargo run --bin tool",
                "cargo run --bin a-crate",
                "cargo run --bin second",
                "cargo run --example show",
                "cargo test --test it name",
                "cargo build --features fast",
                "cargo build -p a-crate -F opt",
                "cargo build -p serde",
                "cargo build -p a-crate@1.0.0",
            ],
        );
        all_missing(
            &project,
            &[
                "cargo test -p gone",
                "cargo run --bin gone",
                "cargo test -p a-crate --test gone",
                "cargo run --example gone",
                "cargo build --features slow",
            ],
        );
        all_undecided(
            &project,
            &[
                "cargo build",
                "cargo xwin clippy",
                "cargo fmt --all -- --check",
                "cargo test -p <crate>",
                "cargo install gone",
                "cargo nextest run",
                "cargo test some_test",
                "cargo",
                "cargo build --features x/y",
            ],
        );
        let bad = crate::project::command::tests::project(&[("Cargo.toml", "[package\n")]);
        all_undecided(&bad, &["cargo test -p gone"]);
    }
}
