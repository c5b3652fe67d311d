//! Ruby: rake tasks, `bundle exec`, programs in `bin/`.
//!
//! Gems add tasks, so a missing one is only reported where the Rakefile takes in nothing that could.

use super::command::{Call, Manifests, Resolution, is_operator, is_plain_name};
use super::definitions::{DefinitionKind, Definitions};
use super::tree::parent;
use super::{EntryKind, Project};

const RAKEFILES: Manifests = Manifests {
    reader: "rake",
    kind: DefinitionKind::Task,
    names: &["Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb"],
    climbs: true,
    read,
};

pub(super) fn resolve(call: &Call<'_>) -> Resolution {
    match call.program {
        "bundle" => match call.words.first().map(String::as_str) {
            Some("exec") => match call.words.get(1..) {
                Some(rest) if rest.first().is_some_and(|w| w == "ruby") => rest_of(call, rest),
                Some(rest) if rest.first().is_some_and(|w| w == "rake" || w.contains('/')) => rest_of(call, rest),
                Some(rest) if rest.first().is_some_and(|w| w == "rspec") => files(call, rest),
                _ => Resolution::NotDefinedHere,
            },
            _ => Resolution::NotDefinedHere,
        },
        "rails" => match call.words.first() {
            Some(command) if command == "test" => files(call, call.words),
            Some(command) if command.contains(':') => rake(call, command),
            _ => Resolution::NotDefinedHere,
        },
        _ => {
            let mut answer = Resolution::NotDefinedHere;
            for word in call.words.iter().take_while(|w| !is_operator(w)) {
                if word.starts_with('-') {
                    if word == "-T" || word == "-P" || word == "-f" {
                        return Resolution::NotDefinedHere;
                    }
                    continue;
                }
                if !word.contains('=') {
                    answer = answer.and(rake(call, word));
                }
            }
            answer
        }
    }
}

fn rest_of(call: &Call<'_>, words: &[String]) -> Resolution {
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

/// Test files given to a runner.
fn files(call: &Call<'_>, words: &[String]) -> Resolution {
    let mut answer = Resolution::NotDefinedHere;
    for word in words.iter().take_while(|w| !is_operator(w)).filter(|w| w.contains('/') && w.contains(".rb")) {
        answer = answer.and(call.path(word, DefinitionKind::File));
    }
    answer
}

fn rake(call: &Call<'_>, task: &str) -> Resolution {
    let name = task.split('[').next().unwrap_or(task);
    if !is_plain_name(name) {
        return Resolution::unknown(format!("`{task}` is a placeholder"));
    }
    call.look_up(&RAKEFILES, name)
}

fn read(project: &Project, manifest: &str) -> Definitions {
    let mut definitions = Definitions::default();
    let folder = parent(manifest);
    let mut files = vec![manifest.to_owned()];
    for tasks in ["lib/tasks", "rakelib", "tasks"] {
        let tasks = if folder.is_empty() { tasks.to_owned() } else { format!("{folder}/{tasks}") };
        files.extend(
            project
                .tree()
                .under(&tasks)
                .filter(|e| e.kind == EntryKind::File && e.path.ends_with(".rake"))
                .map(|e| e.path.to_owned())
                .take(500),
        );
    }
    for file in files {
        match project.read(&file) {
            Ok(text) => read_file(&text, &file, &mut definitions),
            Err(why) => definitions.leave_open(why),
        }
    }
    definitions
}

fn read_file(text: &str, file: &str, definitions: &mut Definitions) {
    // A namespace ends at the `end` of its own indentation.
    let mut namespaces: Vec<(usize, String)> = Vec::new();
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let line = line.trim();
        if line == "end" && namespaces.last().is_some_and(|(at, _)| *at == indent) {
            namespaces.pop();
            continue;
        }
        if let Some(rest) = line.strip_prefix("namespace ") {
            if line.ends_with("do") {
                match name_of(rest) {
                    Some(name) => namespaces.push((indent, name)),
                    None => definitions.leave_open(format!("{file} computes namespaces")),
                }
            }
            continue;
        }
        if let Some(rest) = line
            .strip_prefix("task ")
            .or_else(|| line.strip_prefix("task("))
            .or_else(|| line.strip_prefix("multitask "))
        {
            match name_of(rest) {
                Some(name) => {
                    let prefix: String = namespaces.iter().map(|(_, n)| format!("{n}:")).collect();
                    definitions.add(format!("{prefix}{name}").replace(['*', '%'], "_"), file);
                }
                None => definitions.leave_open(format!("{file} computes tasks")),
            }
            continue;
        }
        let adds_tasks = line.contains("Task.new")
            || line.contains("load_tasks")
            || line.contains("gem_tasks")
            || line.contains("/tasks");
        let requires = line.starts_with("require")
            || line.starts_with("load ")
            || line.starts_with("import ")
            || line.starts_with("Rake.add_rakelib");
        if adds_tasks || (requires && !matches!(line, "require \"rake\"" | "require 'rake'")) {
            definitions.leave_open(format!("{file} takes in tasks of libraries"));
        }
    }
}

/// `:name`, `"name"`, `name: […]`, `:name => […]`.
fn name_of(text: &str) -> Option<String> {
    let text = text.trim_start();
    let name = if let Some(rest) = text.strip_prefix(['"', '\'']) {
        let end = rest.find(['"', '\''])?;
        rest.get(..end)?
    } else if let Some(rest) = text.strip_prefix(':') {
        let rest = rest.trim_start_matches('"');
        rest.get(
            ..rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '?' || c == '!')).unwrap_or(rest.len()),
        )?
    } else {
        let end = text.find(':')?;
        text.get(..end)?
    };
    (!name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-:.?!".contains(c))).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::project::command::tests::{all_found, all_missing, all_undecided, project};

    #[test]
    fn tasks_and_namespaces() {
        let project = project(&[
            (
                "Rakefile",
                "require 'rake'\ntask default: [:test]\ntask :test, [:name] do\nend\nnamespace :db do\n  task :seed do\n  end\nend\ntask 'plain'\n",
            ),
            ("lib/tasks/more.rake", "task more: :test\n"),
            ("test/a_test.rb", ""),
        ]);
        all_found(
            &project,
            &[
                "rake test",
                "bundle exec rake db:seed",
                "rake plain more",
                "rake test[x]",
                "rails test test/a_test.rb:12",
            ],
        );
        all_missing(&project, &["rake gone", "bundle exec rake seed", "bundle exec rspec test/gone_test.rb"]);
        all_undecided(&project, &["rake", "rake -T", "bundle install", "bundle exec rubocop", "rake <task>"]);
        all_undecided(
            &crate::project::command::tests::project(&[("Rakefile", "require 'bundler/gem_tasks'\n")]),
            &["rake release"],
        );
    }
}
