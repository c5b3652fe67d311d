//! What a manifest defines: names, patterns of names, and whether there may be more than can be read.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use super::Project;

/// What kind of thing a command names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DefinitionKind {
    /// A script of `package.json`, `composer.json`, `pyproject.toml`.
    Script,
    /// A target of make, nx, turbo or Bazel.
    Target,
    /// A recipe of just.
    Recipe,
    /// A task of Task, mise, poe, rake, invoke, Deno.
    Task,
    /// An alias of cargo.
    Alias,
    /// A package, crate, module or workspace member.
    Package,
    /// A binary, example, test or bench of cargo.
    BuildTarget,
    /// A feature, extra or dependency group.
    Feature,
    /// An environment or session of tox, nox, hatch.
    Environment,
    /// A service of Docker Compose.
    Service,
    /// A local script or a file given to a program.
    File,
    /// A folder given to a program.
    Folder,
}

impl DefinitionKind {
    /// The word for it in a sentence.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Script => "script",
            Self::Target => "target",
            Self::Recipe => "recipe",
            Self::Task => "task",
            Self::Alias => "alias",
            Self::Package => "package",
            Self::BuildTarget => "build target",
            Self::Feature => "feature",
            Self::Environment => "environment",
            Self::Service => "service",
            Self::File => "file",
            Self::Folder => "folder",
        }
    }
}

/// What one manifest defines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Definitions {
    names: BTreeMap<String, String>,
    /// Names with one `%` or `*` that stands for anything.
    patterns: Vec<String>,
    /// Why there may be more names than these.
    open: Option<String>,
}

impl Definitions {
    /// Definitions that nothing is known of.
    pub fn unknown(why: impl Into<String>) -> Self {
        Self { open: Some(why.into()), ..Self::default() }
    }

    /// Adds a name, defined in `file`.
    pub fn add(&mut self, name: impl Into<String>, file: &str) {
        let name = name.into();
        if name.contains(['%', '*']) {
            self.patterns.push(name);
        } else {
            self.names.entry(name).or_insert_with(|| file.to_owned());
        }
    }

    /// Says that there may be more; the first reason is kept.
    pub fn leave_open(&mut self, why: impl Into<String>) {
        self.open.get_or_insert_with(|| why.into());
    }

    /// Takes in another manifest's definitions.
    pub fn absorb(&mut self, other: &Self) {
        self.absorb_renamed(other, str::to_owned);
    }

    /// Takes in another manifest's definitions under other names.
    pub fn absorb_renamed(&mut self, other: &Self, rename: impl Fn(&str) -> String) {
        for (name, file) in &other.names {
            self.names.entry(rename(name)).or_insert_with(|| file.clone());
        }
        self.patterns.extend(other.patterns.iter().map(|p| rename(p)));
        if let Some(why) = &other.open {
            self.leave_open(why.clone());
        }
    }

    /// The file that defines the name.
    pub fn get(&self, name: &str) -> Option<&str> {
        if let Some(file) = self.names.get(name) {
            return Some(file);
        }
        self.patterns.iter().any(|pattern| matches_pattern(pattern, name)).then_some("")
    }

    /// All literal names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    /// Why there may be more names than these; `None` when the list is complete.
    pub fn open(&self) -> Option<&str> {
        self.open.as_deref()
    }
}

fn matches_pattern(pattern: &str, name: &str) -> bool {
    pattern.split_once(['%', '*']).is_some_and(|(before, after)| {
        name.len() > before.len() + after.len()
            && name.starts_with(before)
            && (after.is_empty() || after.contains('*') || name.ends_with(after))
    })
}

/// The most similar of some names, when one is similar at all.
pub(super) fn most_similar<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    names
        .map(|other| (strsim::jaro_winkler(name, other), other))
        .filter(|(score, _)| *score > 0.84)
        .max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)))
        .map(|(_, other)| other.to_owned())
}

/// Definitions by reader and manifest, each read once.
#[derive(Default)]
pub(super) struct Cache {
    known: Mutex<HashMap<(&'static str, String), Arc<Definitions>>>,
}

impl Project {
    /// What `manifest` defines according to `read`, which is called once per manifest and `reader` name.
    pub(super) fn definitions(
        &self,
        reader: &'static str,
        manifest: &str,
        read: impl FnOnce(&Project, &str) -> Definitions,
    ) -> Arc<Definitions> {
        let key = (reader, manifest.to_owned());
        let lock = || match self.definitions.known.lock() {
            Ok(known) => known,
            Err(poisoned) => poisoned.into_inner(),
        };
        if let Some(known) = lock().get(&key) {
            return known.clone();
        }
        // Read without the lock: a manifest may ask for the definitions of another.
        let fresh = Arc::new(read(self, manifest));
        lock().entry(key).or_insert(fresh).clone()
    }

    /// A JSON manifest, comments and trailing commas allowed.
    pub(super) fn read_json(&self, path: &str) -> Result<serde_json::Value, String> {
        let text = self.read(path)?;
        jsonc_parser::parse_to_serde_value(&text, &jsonc_parser::ParseOptions::default())
            .map_err(|error| format!("{path} is not valid JSON: {error}"))
    }

    /// A TOML manifest.
    pub(super) fn read_toml(&self, path: &str) -> Result<toml::Table, String> {
        self.read(path)?
            .parse::<toml::Table>()
            .map_err(|error| format!("{path} is not valid TOML: {}", error.message()))
    }

    /// A YAML manifest.
    pub(super) fn read_yaml(&self, path: &str) -> Result<serde_norway::Value, String> {
        let text = self.read(path)?;
        // Aliases can blow a small file up; a manifest has no use for many.
        if text.matches("*").count() > 200 && text.matches("&").count() > 5 {
            return Err(format!("{path} uses too many YAML aliases to be read safely"));
        }
        serde_norway::from_str(&text).map_err(|error| format!("{path} is not valid YAML: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_patterns_and_openness() {
        let mut definitions = Definitions::default();
        definitions.add("build", "Makefile");
        definitions.add("test-%", "Makefile");
        assert_eq!(definitions.get("build"), Some("Makefile"));
        assert!(definitions.get("test-unit").is_some());
        assert!(definitions.get("test-").is_none());
        assert!(definitions.get("lint").is_none());
        assert_eq!(definitions.open(), None);
        let mut outer = Definitions::default();
        outer.absorb_renamed(&definitions, |name| format!("docs:{name}"));
        assert!(outer.get("docs:build").is_some());
        assert_eq!(most_similar("biuld", definitions.names()), Some("build".to_owned()));
        assert_eq!(most_similar("zzz", definitions.names()), None);
    }
}
