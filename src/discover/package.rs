//! Packages (extensions, plugins): which of a folder are in force, and which files their manifests name.

use super::paths;
use super::resolve::{self, Resolver};
use super::settings;
use crate::filesystem::FileKind;
use crate::host::schema::{Format, ManifestNames, Packages};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The folders of the packages that are in force for the launch, in the order of the disk.
pub fn in_force(resolver: &Resolver<'_>, model: &Packages, folder: &Path) -> Vec<PathBuf> {
    let entries = resolver.files.entries(folder).unwrap_or_default().into_iter();
    let may_be = |kind| matches!(kind, FileKind::Directory | FileKind::Link);
    let found = entries.filter(|e| may_be(e.kind)).filter_map(|e| package(resolver, model, e.path));
    let switches = model.enablement.as_ref().and_then(|e| read(resolver, &resolver.path(e)?)).unwrap_or_default();
    found.filter(|(_, name)| is_in_force(resolver, model, &switches, name)).map(|(path, _)| path).collect()
}

/// A package's folder and name, if it is one.
fn package(resolver: &Resolver<'_>, model: &Packages, folder: PathBuf) -> Option<(PathBuf, String)> {
    let redirect = model.redirect.as_ref().and_then(|file| read(resolver, &folder.join(file)));
    let linked = redirect.filter(|r| r.get("type").and_then(Value::as_str) == Some("link"));
    let source = linked.as_ref().and_then(|r| r.get("source")).and_then(Value::as_str);
    let folder = source.map_or(folder, PathBuf::from);
    let manifest = read(resolver, &folder.join(&model.manifest))?;
    let has = |key: &String| manifest.get(key).and_then(Value::as_str).is_some_and(|text| !text.is_empty());
    let name = manifest.get(&model.name).and_then(Value::as_str)?;
    model.required.iter().all(has).then(|| (folder, name.to_owned()))
}

fn is_in_force(resolver: &Resolver<'_>, model: &Packages, switches: &Value, name: &str) -> bool {
    let picked = model.picked_by.as_ref().map(|flag| resolver.arguments.values(flag)).unwrap_or_default();
    match picked {
        [] => {}
        [one] if model.none_word.as_ref().is_some_and(|none| one.eq_ignore_ascii_case(none)) => return false,
        picked => return picked.iter().any(|p| p.to_lowercase() == name.to_lowercase()),
    }
    let launch = resolver.place("launch").unwrap_or_default();
    let launch = format!("{}/", launch.to_string_lossy().trim_end_matches('/'));
    let rules = switches.get(name).and_then(|s| s.get("overrides")).map(resolve::strings).unwrap_or_default();
    rules
        .iter()
        .rfind(|rule| matches(rule.strip_prefix('!').unwrap_or(rule), &launch))
        .is_none_or(|r| !r.starts_with('!'))
}

/// Whether a rule's path holds the launch directory. Both end with a slash, a rule may end with `/*`; a star stands for
/// anything, and a slash before it for nothing too.
fn matches(rule: &str, launch: &str) -> bool {
    let mut pattern = String::from("^");
    let mut parts = rule.split('*').peekable();
    while let Some(part) = parts.next() {
        let starred = parts.peek().is_some();
        let (part, slash) = match part.strip_suffix('/').filter(|_| starred) {
            Some(part) => (part, "/"),
            None => (part, ""),
        };
        pattern.push_str(&regex::escape(part));
        if starred {
            pattern.push_str(&format!("(?:{slash}(?s:.*))?"));
        }
    }
    pattern.push('$');
    regex_lite::Regex::new(&pattern).is_ok_and(|regex| regex.is_match(launch))
}

/// The files that a package's manifest names; those that lead out of the package are left out by `clean`.
pub fn names(resolver: &Resolver<'_>, model: &ManifestNames, folder: &Path) -> Vec<String> {
    let manifest = read(resolver, &paths::join(folder, &model.manifest)).unwrap_or_default();
    let named = manifest.get(&model.key).filter(|v| !v.is_null() && v.as_str() != Some("")).map(resolve::strings);
    let names = named.unwrap_or_else(|| model.default.clone());
    model.clean.iter().fold(names, |names, cleaning| resolver.clean(names, *cleaning))
}

fn read(resolver: &Resolver<'_>, file: &Path) -> Option<Value> {
    settings::read_file(resolver.files, file, Format::Json)?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_holds_a_folder_alone_or_all_below_it() {
        assert!(matches("/home/me/x/", "/home/me/x/"));
        assert!(!matches("/home/me/x/", "/home/me/x/y/"));
        assert!(matches("/home/me/x/*", "/home/me/x/y/") && matches("/home/me/x/*", "/home/me/x/"));
        assert!(!matches("/home/me/x/*", "/home/me/xy/"));
        assert!(matches("/home/m.e/*", "/home/m.e/") && !matches("/home/m.e/*", "/home/mae/"));
    }
}
