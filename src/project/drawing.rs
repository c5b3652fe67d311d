//! Compares a drawn folder tree with the real one.
//!
//! Trees also draw plans, parts of a screen and branches. So a tree is judged as a whole: only where most of it is
//! there are its missing entries taken for dead, and each lost part is reported once.

use super::mood::Mood;
use super::path::Missing;
use super::shape::{has_file_extension, has_stand_in};
use super::tree::{join, parent};
use super::{Certainty, Project};

/// One entry of a drawn tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawnEntry<'a> {
    /// The names from below the tree's root line down to this one, joined with `/`.
    pub path: &'a str,
    /// Whether it is drawn as a folder.
    pub directory: bool,
    /// How the words beside it speak of it.
    pub mood: Mood,
}

/// A drawn tree to compare.
#[derive(Debug, Clone, Copy)]
pub struct DrawingQuery<'a> {
    /// The entries, the root line left out.
    pub entries: &'a [DrawnEntry<'a>],
    /// The root line, such as `my-project` or `src`.
    pub root: Option<&'a str>,
    /// The folder of the file that draws it, relative to the root of the project.
    pub folder: &'a str,
    /// Folders named before it.
    pub named: &'a [String],
}

/// A part of a drawn tree that is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostPart {
    /// The index of its topmost entry in the query.
    pub entry: usize,
    /// How many entries it has, itself counted.
    pub entries: usize,
    /// What is missing.
    pub missing: Missing,
}

/// A drawn tree beside the real one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The folder that the tree draws; empty is the root.
    pub base: String,
    /// How many entries are there.
    pub existing: usize,
    /// How many entries git ignores or a program makes.
    pub made: usize,
    /// The parts that are not there, each once.
    pub lost: Vec<LostPart>,
}

impl Project {
    /// Finds the folder that a tree draws and what of it is not there. `None` when nothing of it is there, so that it
    /// draws something else.
    pub fn compare_drawing(&self, query: &DrawingQuery<'_>) -> Option<Comparison> {
        let mut bases: Vec<String> = Vec::new();
        let mut add = |base: Option<String>| {
            if let Some(base) = base
                && !bases.contains(&base)
                && self.is_directory(&base)
            {
                bases.push(base);
            }
        };
        let folders = [query.folder, ""].into_iter().chain(query.named.iter().map(String::as_str));
        for folder in folders {
            if let Some(root) = query.root {
                let root = root.trim_matches('/');
                add(join(folder, root));
                // `browser/` drawn in `browser/CLAUDE.md`.
                if super::tree::ends_with_components(folder, root) {
                    add(Some(folder.to_owned()));
                }
            }
            add(join("", folder));
        }
        if let Some(root) = query.root {
            for entry in self.tree().ending_with(root.trim_matches('/')).take(20) {
                add(Some(entry.path.to_owned()));
            }
        }
        let there = |base: &str, entry: &DrawnEntry<'_>| {
            join(base, entry.path).is_some_and(|path| self.exists(&path) || self.is_linked_by_stem(&path, entry))
        };
        let count = |base: &str| query.entries.iter().filter(|e| there(base, e)).count();
        // The first of the best: an earlier base is the nearer meaning.
        let (base, existing) =
            bases.into_iter().map(|b| (count(&b), b)).fold(None::<(String, usize)>, |best, (n, b)| match best {
                Some((_, most)) if most >= n => best,
                _ => Some((b, n)),
            })?;
        if existing == 0 {
            return None;
        }
        let mut made = 0;
        let mut lost: Vec<LostPart> = Vec::new();
        let mut lost_prefixes: Vec<(String, Option<usize>)> = Vec::new();
        for (index, entry) in query.entries.iter().enumerate() {
            let Some(path) = join(&base, entry.path) else { continue };
            if there(&base, entry) {
                continue;
            }
            if let Some((_, part)) =
                lost_prefixes.iter().find(|(p, _)| path.strip_prefix(p.as_str()).is_some_and(|r| r.starts_with('/')))
            {
                match part.and_then(|part| lost.get_mut(part)) {
                    Some(part) => part.entries += 1,
                    None => made += 1,
                }
                continue;
            }
            let ending = if entry.directory { "/" } else { "" };
            if self.is_ignored(&format!("{path}{ending}"))
                || super::make::makes(self, &path)
                || self.exists_on_disk(&path)
            {
                made += 1;
                lost_prefixes.push((path, None));
                continue;
            }
            lost_prefixes.push((path.clone(), Some(lost.len())));
            lost.push(LostPart { entry: index, entries: 1, missing: self.describe_lost(&base, &path) });
        }
        // Parts whose parent is drawn but lost too are counted with it; what is left decides about the whole.
        let trusted = lost.len() <= (existing / 8).max(1);
        for part in &mut lost {
            let entry = query.entries.get(part.entry);
            let marked = entry.is_some_and(|e| e.directory || has_file_extension(e.path));
            let plain = entry.is_some_and(|e| e.mood == Mood::Plain) && !has_stand_in(&part.missing.path);
            let written =
                entry.is_some_and(|e| e.path.chars().all(|c| c.is_alphanumeric() || "._-/ @+()[]".contains(c)));
            if trusted && marked && plain && written {
                part.missing.certainty = Certainty::Likely;
            }
        }
        Some(Comparison { base, existing, made, lost })
    }

    /// `main` drawn for `main.rs`.
    fn is_linked_by_stem(&self, path: &str, entry: &DrawnEntry<'_>) -> bool {
        !entry.directory && !has_file_extension(path) && self.tree().starting_with(format!("{path}.")).next().is_some()
    }

    fn describe_lost(&self, base: &str, path: &str) -> Missing {
        let mut ancestor = parent(path);
        while !ancestor.is_empty() && !self.is_directory(ancestor) {
            ancestor = parent(ancestor);
        }
        Missing {
            certainty: Certainty::Unsure,
            path: path.to_owned(),
            searched: vec![base.to_owned()],
            existing_ancestor: ancestor.to_owned(),
            missing_prefix: path.to_owned(),
            suggestions: self.suggest(path),
            removal: self.removal(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::command::tests::project;

    fn compare<'e>(
        project: &Project,
        entries: &'e [(&'e str, bool)],
        root: Option<&str>,
        folder: &str,
    ) -> Option<Comparison> {
        let entries: Vec<DrawnEntry<'_>> = entries
            .iter()
            .map(|(path, directory)| DrawnEntry { path, directory: *directory, mood: Mood::Plain })
            .collect();
        project.compare_drawing(&DrawingQuery { entries: &entries, root, folder, named: &[] })
    }

    #[test]
    fn one_lost_part_is_reported_once() {
        let project =
            project(&[(".gitignore", "dist/\n"), ("web/src/a.ts", ""), ("web/tests/b.ts", ""), ("web/new/app.ts", "")]);
        let drawn = [
            ("app", true),
            ("app/app.ts", false),
            ("app/x", true),
            ("dist", true),
            ("dist/x.js", false),
            ("src", true),
            ("src/a.ts", false),
            ("tests", true),
        ];
        let comparison = compare(&project, &drawn, Some("web"), "web").expect("most of it is there");
        assert_eq!((comparison.base.as_str(), comparison.existing, comparison.made), ("web", 3, 2));
        let [lost] = comparison.lost.as_slice() else { panic!("{:?}", comparison.lost) };
        assert_eq!((lost.entry, lost.entries, lost.missing.certainty), (0, 3, Certainty::Likely));
        assert_eq!(lost.missing.missing_prefix, "web/app");
        assert_eq!(compare(&project, &drawn, Some("web"), "").map(|c| c.base), Some("web".to_owned()));
        assert_eq!(compare(&project, &drawn, None, "web").map(|c| c.base), Some("web".to_owned()));
    }

    #[test]
    fn a_plan_is_not_held_against_the_tree() {
        let project = project(&[("src/a.ts", "")]);
        let plan = [("src", true), ("src/a.ts", false), ("src/b.ts", false), ("src/c.ts", false), ("src/d", true)];
        let comparison = compare(&project, &plan, None, "").expect("some of it is there");
        assert!(comparison.lost.iter().all(|part| part.missing.certainty == Certainty::Unsure));
        assert_eq!(compare(&project, &[("main", false), ("feature", false)], Some("origin"), ""), None);
    }
}
