//! The file of variables that a host adds to its environment: which one it is, and what it says.

use super::resolve::Resolver;
use crate::host::schema::EnvironmentFile;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Such a file is read up to this size, in bytes.
const LIMIT: u64 = 1 << 20;

/// The variables of the file; none if there is no such file or it does not count.
pub fn read(resolver: &Resolver<'_>, model: &EnvironmentFile) -> BTreeMap<String, String> {
    if model.when.as_ref().is_some_and(|when| !resolver.holds(when)) {
        return BTreeMap::new();
    }
    let Some(file) = find(resolver, model) else { return BTreeMap::new() };
    let bytes = resolver.files.read(&file, LIMIT).unwrap_or_default();
    parse(&String::from_utf8_lossy(&bytes))
}

fn find(resolver: &Resolver<'_>, model: &EnvironmentFile) -> Option<PathBuf> {
    let launch = resolver.place("launch")?;
    let fallback = model.fallback.as_ref().and_then(|f| resolver.path(f));
    let folders = launch.ancestors().chain(fallback.as_deref().map(Path::new));
    folders.flat_map(|folder| model.names.iter().map(|name| folder.join(name))).find(|p| resolver.files.exists(p))
}

/// Lines `NAME=value`, with `export` before and quotes around the value allowed; the last of two lines counts.
fn parse(text: &str) -> BTreeMap<String, String> {
    text.lines().filter_map(variable).collect()
}

fn variable(line: &str) -> Option<(String, String)> {
    let line = line.trim();
    let (name, value) = line.strip_prefix("export ").unwrap_or(line).split_once('=')?;
    let name = name.trim();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || ['_', '.', '-'].contains(&c));
    let value = value.trim();
    let quoted = ['"', '\'', '`'].iter().find_map(|q| value.strip_prefix(*q)?.split_once(*q).map(|(inner, _)| inner));
    let plain = || value.split_once('#').map_or(value, |(before, _)| before).trim_end();
    is_name.then(|| (name.to_owned(), quoted.unwrap_or_else(plain).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_with_quotes_and_comments() {
        let text = "# A=0\nA=1\nexport B = 'two # 2' # why\nC=x # y\nD\nE=\nA=3\n";
        let read = parse(text);
        let pairs: Vec<(&str, &str)> = read.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(pairs, [("A", "3"), ("B", "two # 2"), ("C", "x"), ("E", "")]);
    }
}
