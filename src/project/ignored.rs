//! Answers "would git ignore this path?" for paths that need not exist, such as build outputs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::Project;
use super::tree::{join, parent};

/// The ignore files of a repository, read on first use.
#[derive(Default)]
pub(super) struct IgnoreRules {
    by_folder: Mutex<HashMap<String, Option<Arc<Gitignore>>>>,
    excluded: OnceLock<Option<Arc<Gitignore>>>,
}

impl IgnoreRules {
    /// Whether git would ignore the path. What is not known to be a folder is tried as a file and as a folder.
    pub(super) fn matches(&self, project: &Project, path: &str) -> bool {
        let folder = path.ends_with('/');
        let Some(path) = join("", path) else { return false };
        // Longer than any system's paths; the work below grows with the square of it.
        if path.is_empty() || path.len() > 4096 {
            return false;
        }
        // A parent that is ignored hides all below it, whatever deeper rules say.
        let mut ends: Vec<usize> = path.match_indices('/').map(|(at, _)| at).collect();
        ends.push(path.len());
        for end in ends {
            let prefix = path.get(..end).unwrap_or(&path);
            let last = end == path.len();
            let ignored = if last && !folder {
                self.one(project, prefix, false) || self.one(project, prefix, true)
            } else {
                self.one(project, prefix, true)
            };
            if ignored {
                return true;
            }
        }
        false
    }

    fn one(&self, project: &Project, path: &str, is_directory: bool) -> bool {
        let mut folder = parent(path);
        loop {
            if let Some(rules) = self.rules(project, folder) {
                let relative = if folder.is_empty() { path } else { path.get(folder.len() + 1..).unwrap_or(path) };
                match rules.matched(relative, is_directory) {
                    Match::Ignore(glob) => return !is_catch_all(glob.original()),
                    Match::Whitelist(_) => return false,
                    Match::None => {}
                }
            }
            if folder.is_empty() {
                break;
            }
            folder = parent(folder);
        }
        self.excluded(project).is_some_and(
            |rules| matches!(rules.matched(path, is_directory), Match::Ignore(g) if !is_catch_all(g.original())),
        )
    }

    fn rules(&self, project: &Project, folder: &str) -> Option<Arc<Gitignore>> {
        let mut cache = match self.by_folder.lock() {
            Ok(cache) => cache,
            Err(poisoned) => poisoned.into_inner(),
        };
        if let Some(known) = cache.get(folder) {
            return known.clone();
        }
        let file = if folder.is_empty() { ".gitignore".to_owned() } else { format!("{folder}/.gitignore") };
        let rules = project.tree.kind(&file).and_then(|_| build(&project.read(&file).ok()?));
        cache.insert(folder.to_owned(), rules.clone());
        rules
    }

    fn excluded(&self, project: &Project) -> Option<Arc<Gitignore>> {
        self.excluded.get_or_init(|| build(&project.read(".git/info/exclude").ok()?)).clone()
    }
}

/// A rule that ignores everything is a list of exceptions in disguise: it does not say that a path is an output.
fn is_catch_all(glob: &str) -> bool {
    matches!(glob.trim(), "*" | "/*" | "**" | "/**" | "*/" | "/*/" | "*.*")
}

fn build(text: &str) -> Option<Arc<Gitignore>> {
    let mut builder = GitignoreBuilder::new("");
    for line in text.lines() {
        // A line that is no valid glob is skipped, as git does.
        let _ = builder.add_line(None, line);
    }
    builder.build().ok().filter(|rules| !rules.is_empty()).map(Arc::new)
}

#[cfg(test)]
mod tests {
    use crate::project::command::tests::project;

    #[test]
    fn nested_rules_parents_and_exceptions() {
        let project = project(&[
            (".gitignore", "dist/\n*.log\n/build\n!important.log\n"),
            ("sub/.gitignore", "out\n!debug.log\n"),
            ("sub/x", ""),
        ]);
        for path in ["dist/", "a/dist/x.js", "a.log", "build", "build/x", "sub/out/y", "sub/out"] {
            assert!(project.is_ignored(path), "{path}");
        }
        for path in ["important.log", "sub/debug.log", "out/y", "a/build", "src/x.rs", "", "../x"] {
            assert!(!project.is_ignored(path), "{path}");
        }
    }

    #[test]
    fn a_list_of_exceptions_ignores_nothing() {
        let project = project(&[(".gitignore", "/*\n!/src\n*.o\n"), ("src/a.c", "")]);
        assert!(!project.is_ignored("lib/a.c"));
        assert!(project.is_ignored("src/a.o"));
    }
}
