//! Counts what a glob matches in the tree, stopping as soon as the question is answered.

use globset::GlobBuilder;

use super::Project;
use super::tree::{join, parent};

impl Project {
    /// How many files match a plain glob (`*` stays in a folder, `**` does not, `{a,b}`, `[ab]`), anchored at the
    /// folder `base`. Counting stops at `enough`; 1 answers "does it match anything?".
    ///
    /// # Errors
    /// A sentence from the glob parser when the pattern is not valid.
    pub fn count_matches(&self, pattern: &str, base: &str, enough: usize) -> Result<usize, String> {
        let pattern = pattern.trim_start_matches("./");
        let pattern = match pattern.strip_suffix('/') {
            Some(folder) => format!("{folder}/**"),
            None => pattern.to_owned(),
        };
        let matcher = GlobBuilder::new(&pattern)
            .literal_separator(true)
            .backslash_escape(true)
            .build()
            .map_err(|error| error.to_string())?
            .compile_matcher();
        let Some(base) = join("", base) else { return Ok(0) };
        // Only the folder of the pattern's literal start can hold matches; a link on the way is followed.
        let literal = pattern.find(['*', '?', '[', '{', '\\']).map_or("", |at| parent(pattern.get(..at).unwrap_or("")));
        let Some(start) = join(&base, literal) else { return Ok(0) };
        let (folder, strip) = match self.follow(&start) {
            Some(folder) if literal.is_empty() || folder != start => {
                let strip = folder.len();
                (folder, strip)
            }
            Some(_) => (start.clone(), base.len()),
            None if pattern.contains(['*', '?', '[', '{']) => return Ok(0),
            None => (base.clone(), base.len()),
        };
        let moved = folder != start;
        let mut count = 0;
        for entry in self.tree().under(&folder).filter(|e| e.kind != super::EntryKind::Directory) {
            let relative = entry.path.get(strip..).unwrap_or_default().trim_start_matches('/');
            let hit = if moved && !literal.is_empty() {
                matcher.is_match(format!("{literal}/{relative}"))
            } else {
                matcher.is_match(relative)
            };
            if hit {
                count += 1;
                if count >= enough {
                    break;
                }
            }
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use crate::project::{Project, ScanOptions, Tree};
    use std::path::Path;

    fn project() -> Project {
        let tree = Tree::from_paths(["src/a.ts", "src/b/c.ts", "docs/x.md", "pack/src/d.ts", "README.md"])
            .with_link("linked", "pack/src");
        Project::from_tree(Path::new("/nowhere"), tree, ScanOptions::default())
    }

    #[test]
    fn counts_and_stops_early() {
        let project = project();
        assert_eq!(project.count_matches("**/*.ts", "", 100), Ok(3));
        assert_eq!(project.count_matches("**/*.ts", "", 1), Ok(1));
        assert_eq!(project.count_matches("src/*.ts", "", 9), Ok(1));
        assert_eq!(project.count_matches("src/**", "", 9), Ok(2));
        assert_eq!(project.count_matches("src/", "pack", 9), Ok(1));
        assert_eq!(project.count_matches("*.{md,txt}", "", 9), Ok(1));
        assert_eq!(project.count_matches("gone/**", "", 9), Ok(0));
        assert_eq!(project.count_matches("README.md", "", 9), Ok(1));
        assert_eq!(project.count_matches("linked/*.ts", "", 9), Ok(1));
        assert_eq!(project.count_matches("**/*.ts", "../..", 9), Ok(0));
        assert!(project.count_matches("a[", "", 9).is_err());
    }
}
