//! Scoped rules: what a rule file's frontmatter says about where it applies, and whether a touched file is there.

use super::frontmatter;
use super::paths;
use crate::host::schema::{GlobDialect, ScopeDialect, WithoutPatterns};
use ignore::gitignore::GitignoreBuilder;
use serde_json::Value;
use std::path::Path;

/// Brace expansion stops at this many patterns for one written pattern.
const EXPANSION_LIMIT: usize = 1024;

/// Where a rule applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleScope {
    /// Everywhere, from the launch on.
    Always,
    /// Where a pattern matches.
    Patterns(Vec<String>),
    /// Where the agent judges by the description that it should.
    Offered,
    /// Only where the user names the rule.
    ByMention,
    /// Not on this host.
    Excluded,
}

/// A rule file's scope, and what it says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Where it applies.
    pub scope: RuleScope,
    /// Its description.
    pub description: Option<String>,
}

/// Reads the scope from a rule file's text.
pub fn read(text: &str, dialect: &ScopeDialect) -> Heading {
    let text = text.trim_start_matches('\u{feff}');
    let keys = frontmatter::find(text)
        .and_then(|block| frontmatter::keys(&text[block.inner], dialect.frontmatter).ok())
        .unwrap_or_default();
    let description = keys.get("description").and_then(Value::as_str).map(str::trim).filter(|d| !d.is_empty());
    let description = description.map(|d| d.lines().collect::<Vec<_>>().join(" "));
    let excluded =
        dialect.exclusion_key.as_ref().and_then(|key| keys.get(key)).is_some_and(|value| {
            super::resolve::strings(value).iter().any(|agent| dialect.excluded_by.contains(agent))
        });
    let scope = if excluded {
        RuleScope::Excluded
    } else if dialect.always_key.as_ref().is_some_and(|key| keys.get(key) == Some(&Value::Bool(true))) {
        RuleScope::Always
    } else {
        let value = dialect.keys.iter().find_map(|key| keys.get(key));
        let patterns = value.map(|value| patterns(value, dialect.split_list_items)).unwrap_or_default();
        let only_always = patterns.iter().all(|pattern| dialect.always_patterns.contains(pattern));
        match dialect.without_patterns {
            _ if !patterns.is_empty() && !only_always => RuleScope::Patterns(patterns),
            WithoutPatterns::Always => RuleScope::Always,
            WithoutPatterns::OfferedOrManual => {
                let offered = dialect.offered_key.as_ref().and_then(|key| keys.get(key)).and_then(Value::as_str);
                match offered.is_some_and(|text| !text.trim().is_empty()) {
                    true => RuleScope::Offered,
                    false => RuleScope::ByMention,
                }
            }
        }
    };
    Heading { scope, description }
}

fn patterns(value: &Value, split_list_items: bool) -> Vec<String> {
    let clean = |parts: Vec<String>| parts.into_iter().map(|p| p.trim().to_owned()).filter(|p| !p.is_empty()).collect();
    match value {
        Value::String(text) => clean(split_at_commas(text)),
        Value::Array(items) => {
            let items = items.iter().filter_map(Value::as_str);
            match split_list_items {
                true => clean(items.flat_map(split_at_commas).collect()),
                false => clean(items.map(str::to_owned).collect()),
            }
        }
        _ => Vec::new(),
    }
}

/// Splits at commas that do not stand in braces.
fn split_at_commas(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0usize;
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts
}

/// The pattern that a file matches, if one does. Both paths are absolute.
pub fn matching<'a>(patterns: &'a [String], dialect: GlobDialect, base: &Path, target: &Path) -> Option<&'a str> {
    let relative = paths::relative(target, base).filter(|r| !r.is_empty())?;
    match dialect {
        GlobDialect::Gitignore => gitignore(patterns, &relative),
        GlobDialect::Plain => {
            patterns.iter().find(|p| plain(p.trim_start_matches("./"), &relative)).map(String::as_str)
        }
        GlobDialect::PathOrName => {
            let matches = |p: &&String| PathOrName::new(p).is_some_and(|glob| glob.matches(&relative));
            patterns.iter().find(matches).map(String::as_str)
        }
    }
}

fn plain(pattern: &str, path: &str) -> bool {
    glob(pattern).is_some_and(|glob| glob.is_match(path))
}

/// Patterns made ready to be held against many files.
#[derive(Debug)]
pub struct Matcher {
    patterns: Vec<String>,
    ready: Ready,
}

#[derive(Debug)]
enum Ready {
    Gitignore(Option<Gitignored>),
    Plain(Vec<Option<globset::GlobMatcher>>),
    PathOrName(Vec<Option<PathOrName>>),
}

impl Matcher {
    /// Makes patterns ready.
    pub fn new(patterns: Vec<String>, dialect: GlobDialect) -> Self {
        let ready = match dialect {
            GlobDialect::Gitignore => Ready::Gitignore(Gitignored::new(&patterns)),
            GlobDialect::Plain => Ready::Plain(patterns.iter().map(|p| glob(p.trim_start_matches("./"))).collect()),
            GlobDialect::PathOrName => Ready::PathOrName(patterns.iter().map(|p| PathOrName::new(p)).collect()),
        };
        Self { patterns, ready }
    }

    /// The pattern that a path, relative to the folder that patterns count from, matches, if one does.
    pub fn find(&self, relative: &str) -> Option<&str> {
        match &self.ready {
            Ready::Gitignore(rules) => rules.as_ref()?.find(&self.patterns, relative),
            Ready::Plain(globs) => {
                let hit = globs.iter().position(|g| g.as_ref().is_some_and(|g| g.is_match(relative)))?;
                self.patterns.get(hit).map(String::as_str)
            }
            Ready::PathOrName(globs) => {
                let hit = globs.iter().position(|g| g.as_ref().is_some_and(|g| g.matches(relative)))?;
                self.patterns.get(hit).map(String::as_str)
            }
        }
    }
}

fn glob(pattern: &str) -> Option<globset::GlobMatcher> {
    Some(globset::GlobBuilder::new(pattern).literal_separator(true).build().ok()?.compile_matcher())
}

/// Makes `[:alpha:]` within a class mean its characters: a class is a set, so the bracket can as well stand second.
fn without_named_classes(pattern: &str) -> String {
    let mut result = String::with_capacity(pattern.len());
    let mut in_class = false;
    let mut characters = pattern.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\\' => result.extend([Some(c), characters.next()].into_iter().flatten()),
            '[' if in_class && characters.peek() == Some(&':') => {
                result.extend(characters.next().into_iter().chain([c]));
            }
            _ => {
                in_class = c == '[' || (in_class && c != ']');
                result.push(c);
            }
        }
    }
    result
}

/// A pattern that is held against a path and its last part. A pattern that is no glob matches nothing, with `!` or without.
#[derive(Debug)]
struct PathOrName {
    negated: bool,
    glob: globset::GlobMatcher,
}

impl PathOrName {
    fn new(written: &str) -> Option<Self> {
        let (negated, pattern) = match written.strip_prefix('!') {
            Some(pattern) => (true, pattern),
            None => (false, written),
        };
        let pattern = without_named_classes(pattern.strip_prefix("./").unwrap_or(pattern));
        Some(Self { negated, glob: glob(&pattern)? })
    }

    fn matches(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        [path, name].iter().any(|subject| self.glob.is_match(subject) != self.negated)
    }
}

/// Patterns as of a gitignore file, with braces expanded before and a trailing `/**` cut off; the last match wins, and a
/// folder that is matched takes all that it holds.
#[derive(Debug)]
struct Gitignored {
    rules: ignore::gitignore::Gitignore,
    /// Each line that was made, and which of the written patterns it comes from.
    origins: Vec<(String, usize)>,
}

impl Gitignored {
    fn new(patterns: &[String]) -> Option<Self> {
        let mut builder = GitignoreBuilder::new("/");
        builder.case_insensitive(true).ok()?;
        let mut origins = Vec::new();
        for (index, written) in patterns.iter().enumerate() {
            for expanded in expand_braces(written) {
                let pattern = expanded.strip_suffix("/**").filter(|p| !p.is_empty()).unwrap_or(&expanded);
                if unmatchable(pattern) {
                    continue;
                }
                let escaped = escape_for_gitignore(pattern);
                if builder.add_line(None, &escaped).is_ok() {
                    origins.push((escaped, index));
                }
            }
        }
        Some(Self { rules: builder.build().ok()?, origins })
    }

    fn find<'p>(&self, patterns: &'p [String], path: &str) -> Option<&'p str> {
        let depth = path.matches('/').count();
        // From the outermost folder inwards: what lies in a folder that is taken is taken.
        for (i, end) in path.match_indices('/').map(|(at, _)| at).chain([path.len()]).enumerate() {
            let matched = self.rules.matched(Path::new("/").join(&path[..end]), i < depth);
            if let ignore::Match::Ignore(glob) = matched {
                let origin =
                    self.origins.iter().find(|(line, _)| line == glob.original()).map_or(0, |(_, index)| *index);
                return patterns.get(origin).map(String::as_str);
            }
        }
        None
    }
}

fn gitignore<'a>(patterns: &'a [String], path: &str) -> Option<&'a str> {
    Gitignored::new(patterns)?.find(patterns, path)
}

/// Forms that the gitignore library never matches although git would.
fn unmatchable(pattern: &str) -> bool {
    let path = pattern.trim_start_matches('!');
    path.starts_with("./") || path.starts_with("../") || path.contains("//") || path.starts_with('#') || path.is_empty()
}

/// Leftover braces are literal here, and `[!x]` is no negation: it holds the sign and `x`.
fn escape_for_gitignore(pattern: &str) -> String {
    let mut result = String::with_capacity(pattern.len() + 4);
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let width = c.len_utf8();
        match c {
            '{' | '}' => {
                result.push('\\');
                result.push(c);
            }
            '[' if rest[1..].starts_with(['!', '^']) && rest[2..].contains(']') => {
                let end = 2 + rest[2..].find(']').unwrap_or_default();
                let sign = &rest[1..2];
                let inner = &rest[2..end];
                // A sign at the end of a class stands for itself.
                result.push_str(&format!("[{inner}{sign}]"));
                rest = &rest[end + 1..];
                continue;
            }
            _ => result.push(c),
        }
        rest = &rest[width..];
    }
    result
}

/// Each `{a,b}` becomes one pattern for each of its parts; braces in braces end at the first `}`.
pub fn expand_braces(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(pattern) = open.pop() {
        let braces = pattern.find('{').and_then(|start| Some((start, start + pattern[start..].find('}')?)));
        match braces {
            Some((start, end)) if done.len() + open.len() < EXPANSION_LIMIT => {
                let parts: Vec<&str> = pattern[start + 1..end].split(',').collect();
                open.extend(parts.iter().rev().map(|p| format!("{}{p}{}", &pattern[..start], &pattern[end + 1..])));
            }
            _ => done.push(pattern),
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(pattern: &str, path: &str) -> bool {
        gitignore(&[pattern.to_owned()], path).is_some()
    }

    /// The table of `paths` patterns recorded with Claude Code 2.1.332, against `src/deep/x.ts` and `x.ts`.
    #[test]
    fn gitignore_patterns_match_as_recorded() {
        let deep = "src/deep/x.ts";
        for pattern in [
            "*.ts",
            "x.ts",
            "deep",
            "src",
            "src/",
            "src/*",
            "src/**",
            "**/deep/x.ts",
            "src/**/x.ts",
            "src/d*p/x.ts",
            "SRC/**",
            "**/*.TS",
            "[xyz].ts",
            "src/deep/[a-z].ts",
            "{src,lib}/**",
            "?.ts",
        ] {
            assert!(hits(pattern, deep), "{pattern}");
        }
        for pattern in [
            "src/*.ts",
            "deep/x.ts",
            "*/x.ts",
            "/x.ts",
            "./src/**",
            "../src/**",
            "/abs/src/**",
            "src//deep",
            "@(src|lib)/**",
            "src/deep/{w..y}.ts",
            "#src",
            "!src/**",
            "[!a].ts",
            "[^a].ts",
        ] {
            assert!(!hits(pattern, deep), "{pattern}");
        }
        assert!(hits("[!x].ts", deep) && hits("[^x].ts", deep));
        assert!(hits("/x.ts", "x.ts") && hits("src/*.ts", "src/a.ts"));
        assert!(hits("*.ts", "src/.hidden.ts"));
        assert!(hits("src/deep/{x}.ts", deep) && hits("src/{a,deep/{x,y}}.ts", deep));
        assert!(!hits("src/{a,deep/{y,x}}.ts", deep));
    }

    #[test]
    fn the_last_match_wins_unless_a_folder_was_taken() {
        let list = |patterns: &[&str], path| {
            let patterns: Vec<String> = patterns.iter().map(|p| (*p).to_owned()).collect();
            gitignore(&patterns, path).is_some()
        };
        assert!(list(&["src/**", "!src/deep/**"], "src/deep/x.ts"));
        assert!(!list(&["src/**/*.ts", "!src/deep/x.ts"], "src/deep/x.ts"));
    }

    fn matched(pattern: &str, path: &str) -> bool {
        Matcher::new(vec![pattern.to_owned()], GlobDialect::PathOrName).find(path).is_some()
    }

    /// The tables recorded with GitHub Copilot CLI 1.0.102 for `applyTo`.
    #[test]
    fn patterns_match_the_path_or_the_name_as_recorded() {
        let deep = "svc/src/a.py";
        for pattern in [
            "**/*.py",
            "*.py",
            "a.py",
            "**/a.py",
            "**/*.{ts,py}",
            "**/src/**",
            "svc/src/*.py",
            "**.py",
            "**/",
            "**/**",
            "*.*",
            "./svc/src/*.py",
            "svc/{x,src/**}",
            "s?c/src/a.py",
            "[a-c].py",
            "[!x].py",
            "[^x].py",
            "svc/**/a.py",
            "!lib/**",
            "!**/*.ts",
            "!svc/**",
            "!*.ts",
            "!*.py",
        ] {
            assert!(matched(pattern, deep), "{pattern}");
        }
        for pattern in [
            "src/*.py",
            "/svc/src/*.py",
            "src/**",
            "svc/src/",
            "svc",
            "src",
            "src/a.py",
            "**/*.PY",
            "svc/*",
            "svc/src/**/",
            "svc/src/@(a|b).py",
            "+(a).py",
            "[[:alpha:]].py",
            "svc\\\\src",
            "svc/**.py",
            "SVC/**",
            "../svc/**",
            "[a",
            "{a",
            "!**",
            "!**/*.py",
            "**/*.ts; **/*.py",
            "**/*.ts **/*.py",
            "**/*.ts, **/*.py",
            "",
            "![a",
        ] {
            assert!(!matched(pattern, deep), "{pattern}");
        }
        assert!(matched("*", ".hidden") && matched("src/*", "src/.hidden"));
        assert!(matched("\\a.py", "a.py") && !matched("src\\a.py", "src/a.py"));
    }

    fn apply_to() -> ScopeDialect {
        let written = serde_json::json!({
            "keys": ["applyTo", "paths"], "globs": "path-or-name", "frontmatter": "lenient-yaml", "base": "/",
            "always-patterns": ["**", "*", "**/*"], "exclusion-key": "excludeAgent",
            "excluded-by": ["coding-agent", "cloud-agent"],
        });
        serde_json::from_value(written).unwrap()
    }

    /// What GitHub Copilot CLI 1.0.102 takes for a pattern, for always, and for none of its business.
    #[test]
    fn the_scope_of_lenient_frontmatter_is_as_recorded() {
        let scope = |inner: &str| read(&format!("---\n{inner}\n---\nbody\n"), &apply_to()).scope;
        for always in [
            "applyTo: '**'",
            "applyTo: '*'",
            "applyTo: '**/*'",
            "applyTo: ['**']",
            "applyTo: []",
            "applyTo: ','",
            "applyTo: ''",
            "applyTo:",
            "applyTo: null",
            "applyTo: 5",
            "applyTo: true",
            "globs: '*.py'",
            "applyto: '*.py'",
            "Paths: '*.py'",
            "alwaysApply: false",
            "\tapplyTo: '*.py'",
            "",
            "applyTo: '**'\nexcludeAgent: code-review",
            "applyTo: '**'\nexcludeAgent: Coding-Agent",
        ] {
            assert_eq!(scope(always), RuleScope::Always, "{always}");
        }
        let patterns = |inner: &str| match scope(inner) {
            RuleScope::Patterns(patterns) => patterns,
            other => panic!("{inner}: {other:?}"),
        };
        assert_eq!(patterns("applyTo: **/*.py"), ["**/*.py"]);
        assert_eq!(patterns("applyTo: *.py # why"), ["*.py"]);
        assert_eq!(patterns("applyTo: **/*.{ts,py}"), ["**/*.{ts,py}"]);
        assert_eq!(patterns("applyTo: '**/*.py"), ["'**/*.py"]);
        assert_eq!(patterns("applyTo: '**/*.py'\napplyTo: '**/*.ts'"), ["**/*.py"]);
        assert_eq!(patterns("applyTo: '**/*.ts, **/*.py '"), ["**/*.ts", "**/*.py"]);
        assert_eq!(patterns("paths: ['a, b', '**']"), ["a, b", "**"]);
        assert_eq!(patterns("applyTo: '**/**'"), ["**/**"]);
        assert_eq!(patterns("applyTo: '*,**/*.ts'"), ["*", "**/*.ts"]);
        assert_eq!(patterns("applyTo: '*.py'\r"), ["*.py"]);
        for agent in ["coding-agent", "'cloud-agent'", "['code-review', 'coding-agent']"] {
            assert_eq!(scope(&format!("applyTo: '*.py'\nexcludeAgent: {agent}")), RuleScope::Excluded);
        }
    }

    #[test]
    fn a_description_is_one_line() {
        let heading = read("---\napplyTo: '*.py'\ndescription: |\n  line one\n  line two\n---\n", &apply_to());
        assert_eq!(heading.description.as_deref(), Some("line one line two"));
    }
}
