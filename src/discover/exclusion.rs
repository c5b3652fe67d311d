//! What keeps single files out: settings with patterns, denied reads, folders of a certain name.

use super::resolve::Resolver;
use crate::host::schema::{ExclusionDialect, LinkName, Scope};
use ignore::gitignore::GitignoreBuilder;
use std::path::{Path, PathBuf};

/// One pattern that keeps files out.
#[derive(Debug, Clone)]
struct Rule {
    pattern: String,
    dialect: ExclusionDialect,
    base: PathBuf,
    by: String,
    except: Vec<Scope>,
}

/// All patterns of a launch.
#[derive(Debug, Clone, Default)]
pub struct Exclusions {
    rules: Vec<Rule>,
    home: Option<PathBuf>,
    linked_rules_by: LinkName,
}

impl Exclusions {
    /// Collects the patterns.
    pub fn collect(resolver: &Resolver<'_>) -> Self {
        let launch = resolver.place("launch").unwrap_or_default();
        let mut rules = Vec::new();
        for exclusion in &resolver.host.exclusions {
            if exclusion.when.as_ref().is_some_and(|when| !resolver.holds(when)) {
                continue;
            }
            let mut add = |pattern: String, base: &Path, by: String| {
                rules.push(Rule {
                    pattern,
                    dialect: exclusion.dialect,
                    base: base.to_path_buf(),
                    by,
                    except: exclusion.except.clone(),
                })
            };
            for pattern in &exclusion.patterns {
                add(pattern.clone(), &launch, "the host".to_owned());
            }
            if let Some(key) = &exclusion.setting {
                for (loaded, value) in resolver.settings(key, exclusion.layers.as_deref()) {
                    let by = match &loaded.file {
                        Some(file) => format!("{key} in {}", file.display()),
                        None => format!("{key} on the command line"),
                    };
                    for pattern in super::resolve::strings(&value) {
                        add(pattern, &loaded.base, by.clone());
                    }
                }
            }
            if let Some(flag) = &exclusion.flag {
                for pattern in resolver.arguments.values(flag) {
                    add(pattern.clone(), &launch, flag.clone());
                }
            }
        }
        let linked_rules_by = resolver.host.linked_rules_excluded_by;
        Self { rules, home: resolver.launch.home.clone(), linked_rules_by }
    }

    /// What keeps a file out, if something does: who says so, and the pattern.
    pub fn reason(&self, path: &Path, real: &Path, scope: Scope, is_rule: bool) -> Option<(String, String)> {
        self.rules
            .iter()
            .filter(|rule| !rule.except.contains(&scope))
            .find(|rule| match (is_rule, self.linked_rules_by) {
                (false, _) => self.hits(rule, path),
                (true, LinkName::Target) => self.hits(rule, real),
                (true, LinkName::Either) => self.hits(rule, path) || self.hits(rule, real),
            })
            .map(|rule| (rule.by.clone(), rule.pattern.clone()))
    }

    fn hits(&self, rule: &Rule, path: &Path) -> bool {
        match rule.dialect {
            ExclusionDialect::PathPart => path.components().any(|c| c.as_os_str() == rule.pattern.as_str()),
            ExclusionDialect::AbsoluteGlob => globset::GlobBuilder::new(&rule.pattern)
                .literal_separator(true)
                .build()
                .is_ok_and(|glob| glob.compile_matcher().is_match(path)),
            ExclusionDialect::ReadPermission => self.denies(rule, path),
        }
    }

    fn denies(&self, rule: &Rule, path: &Path) -> bool {
        let Some(inner) = rule.pattern.trim().strip_prefix("Read") else { return false };
        if inner.is_empty() {
            return true;
        }
        let Some(pattern) = inner.strip_prefix('(').and_then(|p| p.strip_suffix(')')) else { return false };
        let (base, pattern) = match (pattern.strip_prefix("//"), pattern.strip_prefix("~/"), &self.home) {
            (Some(absolute), _, _) => (PathBuf::from("/"), format!("/{absolute}")),
            (None, Some(rest), Some(home)) => (home.clone(), format!("/{rest}")),
            _ => (rule.base.clone(), pattern.strip_prefix("./").unwrap_or(pattern).to_owned()),
        };
        if pattern.starts_with("../") || !path.starts_with(&base) {
            return false;
        }
        let mut builder = GitignoreBuilder::new(&base);
        builder.add_line(None, &pattern).is_ok()
            && builder.build().is_ok_and(|g| g.matched_path_or_any_parents(path, false).is_ignore())
    }
}
