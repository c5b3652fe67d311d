//! Whether the host trusts the launch directory.

use super::resolve::Resolver;
use super::settings;
use crate::host::schema::{Format, Trust, TrustLookup, TrustTable};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// The state of trust: `trusted`, `untrusted` or `undecided`.
pub fn decide(resolver: &Resolver<'_>, model: &Trust) -> String {
    let decision = model.decided.iter().find(|d| resolver.holds(&d.when));
    if let Some(decision) = decision.filter(|d| !d.unless_listed) {
        return decision.state.clone();
    }
    let entry = model.table.as_ref().and_then(|table| look_up(resolver, table));
    let entry = entry.or_else(|| Some(decision?.state.clone()));
    entry.or_else(|| model.otherwise.clone()).unwrap_or_else(|| "undecided".to_owned())
}

fn look_up(resolver: &Resolver<'_>, table: &TrustTable) -> Option<String> {
    let mut entries = Map::new();
    if let Some(key) = &table.setting {
        // Strongest first, so an entry that is there stays.
        for (_, value) in resolver.settings(key, None) {
            for (path, entry) in value.as_object().cloned().unwrap_or_default() {
                entries.entry(path).or_insert(entry);
            }
        }
    }
    if let Some(file) = table.file.as_ref().and_then(|f| resolver.path(f))
        && let Some(Ok(Value::Object(found))) = settings::read_file(resolver.files, &file, Format::JsonWithComments)
    {
        entries.extend(found);
    }
    let word = |entry: &Value| match &table.key {
        Some(key) => entry.get(key).and_then(Value::as_str).map(str::to_owned),
        None => entry.as_str().map(str::to_owned),
    };
    let launch = resolver.place("launch")?;
    match table.lookup {
        TrustLookup::LaunchThenRepository => {
            let find = |folder: &Path| {
                let entry = entries.get(folder.to_str()?)?;
                table.words.get(&word(entry)?).cloned()
            };
            find(&launch).or_else(|| find(&resolver.place("main-checkout")?))
        }
        TrustLookup::LongestPrefix => entries
            .iter()
            .filter_map(|(path, entry)| {
                let word = word(entry)?;
                let length = path.len();
                let path = PathBuf::from(path);
                let (path, state) = match table.words.get(&word) {
                    Some(state) => (path, state),
                    None => (path.parent()?.to_path_buf(), table.words.get(&format!("parent:{word}"))?),
                };
                let path = resolver.files.canonicalize(&path).unwrap_or(path);
                launch.starts_with(&path).then(|| (length, state.clone()))
            })
            .max_by_key(|(length, _)| *length)
            .map(|(_, state)| state),
    }
}
