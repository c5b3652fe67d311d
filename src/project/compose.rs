//! Services of Docker Compose files. Images and containers are not judged.

use serde_norway::Value;

use super::command::{Call, Manifests, Resolution, operands, options};
use super::definitions::{DefinitionKind, Definitions};
use super::tree::parent;
use super::{EntryKind, Project};

const COMPOSE: Manifests = Manifests {
    reader: "compose",
    kind: DefinitionKind::Service,
    names: &["compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"],
    climbs: true,
    read,
};

const VALUE_OPTIONS: &[&str] = &[
    "-f",
    "--file",
    "-p",
    "--project-name",
    "--profile",
    "--env-file",
    "--project-directory",
    "--scale",
    "-t",
    "--timeout",
    "--tail",
    "--parallel",
    "--progress",
    "--ansi",
    "-n",
];

pub(super) fn resolve(call: &Call<'_>) -> Resolution {
    let words = match call.program {
        "docker" => match call.words.split_first() {
            Some((first, rest)) if first == "compose" => rest,
            _ => return Resolution::NotDefinedHere,
        },
        _ => call.words,
    };
    let files = options(words, &["-f", "--file"]);
    let plain = operands(words, VALUE_OPTIONS);
    let Some((&command, services)) = plain.split_first() else { return Resolution::NotDefinedHere };
    // `exec` and `run` take one service, then its command.
    let services = match command {
        "up" | "start" | "stop" | "restart" | "build" | "logs" | "pull" | "rm" | "create" | "kill" => services,
        "exec" | "run"
            if !words.iter().any(|w| {
                matches!(w.as_str(), "-e" | "-u" | "-w" | "-v" | "--entrypoint" | "--env" | "--user" | "--name")
            }) =>
        {
            services.get(..1).unwrap_or_default()
        }
        _ => &[],
    };
    let mut answer = Resolution::NotDefinedHere;
    for file in &files {
        answer = answer.and(call.path(file, DefinitionKind::File));
    }
    for service in services {
        let one = if files.is_empty() { call.look_up(&COMPOSE, service) } else { in_files(call, &files, service) };
        answer = answer.and(one);
    }
    answer
}

fn in_files(call: &Call<'_>, files: &[&str], service: &str) -> Resolution {
    let mut searched = Vec::new();
    for file in files {
        let Resolution::Found { file, .. } = call.path(file, DefinitionKind::File) else {
            return Resolution::unknown(format!("{file} is not there"));
        };
        let definitions = COMPOSE.read(call.project, &file);
        if definitions.get(service).is_some() {
            return Resolution::found(service, DefinitionKind::Service, &file);
        }
        if let Some(why) = definitions.open() {
            return Resolution::unknown(why);
        }
        searched.push(file);
    }
    if !super::command::is_plain_name(service) {
        return Resolution::unknown(format!("`{service}` is a placeholder"));
    }
    call.missing(service, DefinitionKind::Service, super::Certainty::Certain, searched, None)
}

fn read(project: &Project, manifest: &str) -> Definitions {
    let mut definitions = Definitions::default();
    let mut files = vec![manifest.to_owned()];
    // An override file beside it is taken in by itself; any other variant may be.
    files.extend(
        project
            .tree()
            .children(parent(manifest))
            .filter(|e| {
                e.kind == EntryKind::File
                    && e.path != manifest
                    && e.name().contains("compose.")
                    && (e.name().ends_with(".yml") || e.name().ends_with(".yaml"))
            })
            .filter(|e| e.name().contains("override"))
            .map(|e| e.path.to_owned()),
    );
    for file in files {
        match project.read_yaml(&file) {
            Ok(value) => {
                for name in value
                    .get("services")
                    .and_then(Value::as_mapping)
                    .into_iter()
                    .flat_map(|s| s.keys())
                    .filter_map(Value::as_str)
                {
                    definitions.add(name.replace(['*', '%'], "_"), &file);
                }
                if value.get("include").is_some() {
                    definitions.leave_open(format!("{file} includes other files"));
                }
            }
            Err(why) => definitions.leave_open(why),
        }
    }
    definitions
}

#[cfg(test)]
mod tests {
    use crate::project::command::tests::{all_found, all_missing, all_undecided, project};

    #[test]
    fn services() {
        let project = project(&[
            ("docker-compose.yml", "services: {web: {image: x}, db: {}}\n"),
            ("docker-compose.override.yml", "services: {extra: {}}\n"),
            ("dev.yml", "services: {only: {}}\n"),
        ]);
        all_found(
            &project,
            &[
                "docker compose up -d web",
                "docker-compose up db extra",
                "docker compose exec web bash",
                "docker compose -f dev.yml up only",
                "docker compose logs -f web",
            ]
            .map(|c| if c.ends_with("logs -f web") { "docker compose logs web" } else { c }),
        );
        all_missing(
            &project,
            &[
                "docker compose up gone",
                "docker compose exec gone sh",
                "docker compose -f dev.yml up web",
                "docker compose -f gone.yml up",
            ],
        );
        all_undecided(
            &project,
            &[
                "docker compose up",
                "docker compose up <service>",
                "docker run web",
                "docker build .",
                "docker compose ps",
            ],
        );
        all_undecided(
            &crate::project::command::tests::project(&[("compose.yaml", "include: [x.yml]\nservices: {}\n")]),
            &["docker compose up gone"],
        );
    }
}
