//! Path patterns as users write them in the configuration.
//!
//! A pattern without a slash matches a file or folder of that name at any depth; one with a slash matches from the
//! folder of the configuration. `*` and `?` stop at slashes, `**` does not. What matches a folder matches everything
//! below it.

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// A list of patterns.
#[derive(Debug, Clone, Default)]
pub struct PathGlobs {
    patterns: Vec<String>,
    set: GlobSet,
}

fn glob(pattern: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(pattern).literal_separator(true).build()
}

impl PathGlobs {
    /// Reads patterns.
    ///
    /// # Errors
    /// The index of the first pattern that is none, and what is wrong with it.
    pub fn new(patterns: &[String]) -> Result<Self, (usize, String)> {
        let mut set = GlobSetBuilder::new();
        for (index, pattern) in patterns.iter().enumerate() {
            let wrong = |error: globset::Error| (index, error.kind().to_string());
            let trimmed = pattern.trim_start_matches("./").trim_end_matches('/');
            let anchored = trimmed.trim_start_matches('/');
            if anchored.is_empty() || anchored == "." {
                set.add(glob("**").map_err(wrong)?);
                continue;
            }
            let prefix = if trimmed.contains('/') { "" } else { "**/" };
            set.add(glob(&format!("{prefix}{anchored}")).map_err(wrong)?);
            set.add(glob(&format!("{prefix}{anchored}/**")).map_err(wrong)?);
        }
        let set = set.build().map_err(|error| (0, error.kind().to_string()))?;
        Ok(Self { patterns: patterns.to_vec(), set })
    }

    /// The patterns as written.
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// Whether a path (relative to the configuration's folder, with `/`) matches.
    pub fn matches(&self, path: &str) -> bool {
        self.set.is_match(path)
    }
}

impl PartialEq for PathGlobs {
    fn eq(&self, other: &Self) -> bool {
        self.patterns == other.patterns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        PathGlobs::new(&[pattern.to_string()]).unwrap().matches(path)
    }

    #[test]
    fn names_match_anywhere_paths_from_the_folder() {
        assert!(matches("AGENTS.md", "AGENTS.md") && matches("AGENTS.md", "a/b/AGENTS.md"));
        assert!(matches("fixtures", "tests/fixtures/x/AGENTS.md") && matches("fixtures/", "fixtures/a.md"));
        assert!(
            matches("tests/fixtures", "tests/fixtures/x.md") && !matches("tests/fixtures", "a/tests/fixtures/x.md")
        );
        assert!(matches("/AGENTS.md", "AGENTS.md") && !matches("/AGENTS.md", "a/AGENTS.md"));
        assert!(matches("docs/*.md", "docs/a.md") && !matches("docs/*.md", "docs/a/b.md"));
        assert!(matches("docs/**/*.md", "docs/a/b.md") && matches("./docs", "docs/a.md") && matches(".", "x"));
    }

    #[test]
    fn says_which_pattern_is_wrong() {
        let patterns = ["a".to_string(), "a[".to_string()];
        assert_eq!(PathGlobs::new(&patterns).unwrap_err().0, 1);
    }
}
