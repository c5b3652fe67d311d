//! The short name that a host gives to a project, to call a folder of its own after it.

use super::paths;
use super::resolve::Resolver;
use super::settings;
use crate::host::schema::{Format, ShortNames};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// An owner's file is read up to this size, in bytes.
const LIMIT: u64 = 64 << 10;

/// More projects of one name than this are not told apart.
const NUMBERS: usize = 10_000;

/// The short name of a project: the one in the registry if its folders do not belong to another project, else one
/// whose folder says that it belongs to this project, else the first that is free.
pub fn find(resolver: &Resolver<'_>, names: &ShortNames, project: &Path) -> Option<String> {
    let registry = registry(resolver, names);
    let folders: Vec<PathBuf> = names.folders.iter().filter_map(|f| resolver.path(f)).collect();
    let owner = |folder: &Path, name: &str| owner(resolver, &folder.join(name).join(&names.owner));
    let is_free = |name: &str| folders.iter().all(|f| owner(f, name).is_none_or(|o| o.as_deref() == Some(project)));
    let registered = project.to_str().and_then(|p| registry.get(p)).and_then(Value::as_str);
    if let Some(name) = registered.filter(|name| is_free(name)) {
        return Some(name.to_owned());
    }
    let owned = folders.iter().find_map(|folder| {
        let entries = resolver.files.entries(folder).unwrap_or_default();
        let own = |name: &str| owner(folder, name).flatten().as_deref() == Some(project);
        entries.into_iter().map(|e| e.name).find(|name| own(name))
    });
    let short = shorten(&paths::file_name(project));
    let is_taken = |name: &str| {
        let others = registry.iter().filter(|(path, _)| project.to_str() != Some(path.as_str()));
        others.into_iter().any(|(_, n)| n.as_str() == Some(name)) || !is_free(name)
    };
    owned.or_else(|| {
        let numbered = (0..NUMBERS).map(|n| if n == 0 { short.clone() } else { format!("{short}-{n}") });
        numbered.into_iter().find(|name| !is_taken(name))
    })
}

fn registry(resolver: &Resolver<'_>, names: &ShortNames) -> Map<String, Value> {
    let file = resolver.path(&names.registry);
    let read = file.and_then(|file| settings::read_file(resolver.files, &file, Format::Json)?.ok());
    match read.as_ref().and_then(|value| settings::lookup(value, &names.key)) {
        Some(Value::Object(table)) => table.clone(),
        _ => Map::new(),
    }
}

/// The project that an owner's file names: `None` if there is no such file, `Some(None)` if it cannot be read.
fn owner(resolver: &Resolver<'_>, file: &Path) -> Option<Option<PathBuf>> {
    if !resolver.files.exists(file) {
        return None;
    }
    let bytes = resolver.files.read(file, LIMIT).ok();
    Some(bytes.map(|bytes| PathBuf::from(String::from_utf8_lossy(&bytes).trim())))
}

/// Lower case; each run of characters other than ASCII letters and digits becomes one dash, none at the ends.
fn shorten(name: &str) -> String {
    let lower = name.to_lowercase();
    let parts: Vec<&str> = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|p| !p.is_empty()).collect();
    if parts.is_empty() { "project".to_owned() } else { parts.join("-") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_lower_case_with_single_dashes() {
        assert_eq!(shorten("My_App.v2"), "my-app-v2");
        assert_eq!(shorten("--a  b--"), "a-b");
        assert_eq!(shorten("___"), "project");
        assert_eq!(shorten(""), "project");
    }
}
