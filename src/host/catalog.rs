//! Loads `hosts.toml`, lays a user's own file over it, and answers for a host at a version.

use super::defaults;
use super::schema::Host;
use indexmap::IndexMap;
use serde_json::{Map, Value};
use std::cmp::Ordering;
use std::ops::Range;
use thiserror::Error;

include!(concat!(env!("OUT_DIR"), "/hosts.rs"));

/// The version of the vocabulary that is understood.
pub const SCHEMA: i64 = 1;

/// All models in force.
#[derive(Debug, Clone)]
pub struct Catalog {
    hosts: IndexMap<String, Model>,
    /// The files laid over the built-in models, in order.
    pub overridden_by: Vec<String>,
}

/// A host's model before it is asked for.
#[derive(Debug, Clone)]
enum Model {
    /// As built in: JSON, not read yet.
    BuiltIn {
        /// As written, with what older versions did.
        written: &'static str,
        /// The newest version, with the defaults of file sets filled in.
        ready: &'static str,
    },
    /// Changed or added by a file.
    Changed(Value),
}

impl Model {
    fn value(&self) -> Value {
        match self {
            // The build script wrote it, so it is JSON.
            Self::BuiltIn { written, .. } => serde_json::from_str(written).unwrap_or_default(),
            Self::Changed(value) => value.clone(),
        }
    }
}

/// One host as it was asked for.
#[derive(Debug, Clone)]
pub struct Selection {
    /// The model for the version.
    pub host: Host,
    /// The version that was asked for, if any.
    pub requested: Option<String>,
    /// What the reader should know about the version, if it was not verified.
    pub note: Option<String>,
}

/// Why a model cannot be had.
#[derive(Debug, Error)]
pub enum CatalogError {
    /// A file that is not what `docs/hosts.md` describes.
    #[error("{}: {}", .0.name, .0.message)]
    Invalid(Box<InvalidFile>),
    /// A host that no file describes, and what was meant perhaps.
    #[error("there is no host `{0}`")]
    Unknown(String, String),
    /// A version that is no version, and how one is written.
    #[error("`{0}` is not a version")]
    Version(String, String),
}

/// A file of models that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidFile {
    /// The file.
    pub name: String,
    /// What is wrong.
    pub message: String,
    /// The text of the file.
    pub text: String,
    /// Where in it, in bytes.
    pub span: Option<Range<usize>>,
    /// What to do.
    pub help: Option<String>,
}

impl Catalog {
    /// The models that come with the program.
    pub fn built_in() -> Self {
        let model = |(id, written, ready): &(&str, &'static str, &'static str)| {
            ((*id).to_owned(), Model::BuiltIn { written, ready })
        };
        let hosts = BUILT_IN.iter().map(model).collect();
        Self { hosts, overridden_by: Vec::new() }
    }

    /// Lays another file of the same vocabulary over the models: a host of a known id is changed key by key, another
    /// one is added.
    ///
    /// # Errors
    /// [`CatalogError::Invalid`] with the place in the file.
    pub fn overlay(&mut self, name: &str, text: &str) -> Result<(), CatalogError> {
        let additions = read(name, text)?;
        let mut hosts = self.hosts.clone();
        for (id, patch) in additions {
            let mut value = hosts.get(&id).map_or_else(|| Value::Object(Map::new()), Model::value);
            merge(&mut value, &patch);
            // A model that cannot be used is refused when it is read, not when it is first asked for.
            build(&id, value.clone()).map_err(|error| invalid(name, text, Some(&id), &error))?;
            hosts.insert(id, Model::Changed(value));
        }
        self.hosts = hosts;
        self.overridden_by.push(name.to_owned());
        Ok(())
    }

    /// The ids of all hosts, in the order of the file.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.hosts.keys().map(String::as_str)
    }

    /// The model of `codex`, of an alias of it, or of `codex@0.150.1`.
    ///
    /// # Errors
    /// [`CatalogError::Unknown`] with the nearest id, [`CatalogError::Version`].
    pub fn select(&self, query: &str) -> Result<Selection, CatalogError> {
        let (name, requested) = match query.split_once('@') {
            Some((name, version)) => (name, Some(version)),
            None => (query, None),
        };
        let id = self.find(name).ok_or_else(|| {
            let nearest = nearest(name, self.hosts.keys().map(String::as_str));
            let known = self.ids().collect::<Vec<_>>().join(", ");
            let hint = match nearest {
                Some(nearest) => format!("did you mean `{nearest}`? The hosts are {known}"),
                None => format!("the hosts are {known}"),
            };
            CatalogError::Unknown(name.to_owned(), hint)
        })?;
        let host = match (&self.hosts[&id], requested) {
            // Written by the build and held by a test, so no path to a mistake has to be kept while reading.
            (Model::BuiltIn { ready, .. }, None) => match serde_json::from_str::<Host>(ready) {
                Ok(host) => Ok(Host { id: id.clone(), ..host }),
                Err(_) => build(&id, serde_json::from_str(ready).unwrap_or_default()),
            },
            (model, None) => build(&id, model.value()),
            (model, Some(requested)) => {
                let mut value = model.value();
                let version = Version::parse(requested).ok_or_else(|| {
                    let form = format!("write it like `{id}@{}`", verified_version(&value));
                    CatalogError::Version(requested.to_owned(), form)
                })?;
                go_back(&mut value, &version);
                build(&id, value)
            }
        };
        let host = host.map_err(|error| invalid(&format!("the entry of {id}"), "", None, &error))?;
        let note = requested.and_then(|requested| version_note(&host, requested));
        Ok(Selection { host, requested: requested.map(str::to_owned), note })
    }

    fn find(&self, name: &str) -> Option<String> {
        let lower = name.to_ascii_lowercase();
        if self.hosts.contains_key(&lower) {
            return Some(lower);
        }
        self.hosts.iter().find_map(|(id, model)| {
            let value = model.value();
            let aliases = value.get("aliases").and_then(Value::as_array)?;
            aliases.iter().any(|a| a.as_str() == Some(&lower)).then(|| id.clone())
        })
    }
}

/// The nearest of `known` to `word`, if it is near enough to be a slip of the hand.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|k| (strsim::damerau_levenshtein(word, k), k))
        .filter(|(distance, k)| *distance <= 1 + k.len() / 4)
        .min()
        .map(|(_, k)| k)
}

fn version_note(host: &Host, requested: &str) -> Option<String> {
    let version = Version::parse(requested)?;
    let mut verified: Vec<(&str, Version)> = std::iter::once(&host.verified.version)
        .chain(&host.also_verified)
        .filter_map(|v| Some((v.as_str(), Version::parse(v)?)))
        .collect();
    if verified.iter().any(|(_, v)| v.compare(&version) == Ordering::Equal) {
        return None;
    }
    verified.sort_by(|a, b| a.1.compare(&b.1));
    let below = verified.iter().rfind(|(_, v)| v.compare(&version) == Ordering::Less).map(|(v, _)| *v);
    let above = verified.iter().find(|(_, v)| v.compare(&version) == Ordering::Greater).map(|(v, _)| *v);
    let nearest = match (below, above) {
        (Some(below), Some(above)) => format!("{below} and {above} were"),
        (Some(one), None) | (None, Some(one)) => format!("{one} was"),
        (None, None) => return Some(format!("no version of {} was verified", host.name)),
    };
    Some(format!("{} {requested} was not verified; {nearest}. This is the nearest entry.", host.name))
}

fn read(name: &str, text: &str) -> Result<Map<String, Value>, CatalogError> {
    let refuse = |message: String, span: Option<Range<usize>>, help: Option<&str>| {
        CatalogError::Invalid(Box::new(InvalidFile {
            name: name.to_owned(),
            message,
            text: text.to_owned(),
            span,
            help: help.map(str::to_owned),
        }))
    };
    let table: toml::Table =
        toml::from_str(text).map_err(|error| refuse(error.message().to_owned(), error.span(), None))?;
    let at = |key: &str| span_of(text, &[key.to_owned()]);
    match table.get("schema").and_then(toml::Value::as_integer) {
        Some(SCHEMA) => {}
        Some(other) => {
            return Err(refuse(
                format!("schema {other} is not known"),
                at("schema"),
                Some("this program reads schema 1"),
            ));
        }
        None => {
            return Err(refuse("there is no `schema`".to_owned(), None, Some("put `schema = 1` on the first line")));
        }
    }
    if let Some(other) = table.keys().find(|k| !["schema", "hosts"].contains(&k.as_str())) {
        return Err(refuse(format!("unknown key `{other}`"), at(other), Some("a host is a table `[hosts.ID]`")));
    }
    let hosts = table.get("hosts").and_then(toml::Value::as_table).cloned().unwrap_or_default();
    Ok(hosts.into_iter().map(|(id, host)| (id, to_json(host))).collect())
}

fn to_json(value: toml::Value) -> Value {
    match value {
        toml::Value::String(s) => Value::String(s),
        toml::Value::Integer(i) => Value::from(i),
        toml::Value::Float(f) => Value::from(f),
        toml::Value::Boolean(b) => Value::Bool(b),
        toml::Value::Datetime(d) => Value::String(d.to_string()),
        toml::Value::Array(items) => items.into_iter().map(to_json).collect(),
        toml::Value::Table(table) => Value::Object(table.into_iter().map(|(k, v)| (k, to_json(v))).collect()),
    }
}

type PathError = serde_path_to_error::Error<serde_json::Error>;

fn build(id: &str, mut value: Value) -> Result<Host, PathError> {
    defaults::apply(&mut value);
    let mut host: Host = serde_path_to_error::deserialize(value)?;
    host.id = id.to_owned();
    Ok(host)
}

fn invalid(name: &str, text: &str, id: Option<&str>, error: &PathError) -> CatalogError {
    let message = error.inner().to_string();
    let mut keys: Vec<String> = id.into_iter().flat_map(|id| ["hosts".to_owned(), id.to_owned()]).collect();
    keys.extend(error.path().to_string().split('.').filter(|k| *k != "?").map(str::to_owned));
    let unknown = message.split('`').nth(1).filter(|_| message.starts_with("unknown field"));
    let help = unknown.and_then(|unknown| {
        let known = message.split("expected").nth(1).unwrap_or_default();
        nearest(unknown, known.split('`').skip(1).step_by(2)).map(|nearest| format!("did you mean `{nearest}`?"))
    });
    CatalogError::Invalid(Box::new(InvalidFile {
        name: name.to_owned(),
        message: match unknown {
            Some(unknown) => format!("unknown key `{unknown}`"),
            None => message.clone(),
        },
        text: text.to_owned(),
        span: span_of(text, &keys),
        help: help.or_else(|| Some("docs/hosts.md describes every key".to_owned())),
    }))
}

/// Puts back what was different in an older version, the newest change first.
fn go_back(host: &mut Value, version: &Version) {
    let history = host.get("before").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut history: Vec<(Version, Value)> =
        history.into_iter().filter_map(|(before, patch)| Some((Version::parse(&before)?, patch))).collect();
    history.sort_by(|a, b| b.0.compare(&a.0));
    for (_, patch) in history.iter().filter(|(before, _)| version.compare(before) == Ordering::Less) {
        merge(host, patch);
    }
}

fn verified_version(host: &Value) -> &str {
    host.pointer("/verified/version").and_then(Value::as_str).unwrap_or("1.0.0")
}

/// The place of a key in a TOML text: as deep as the keys can be followed.
fn span_of(text: &str, keys: &[String]) -> Option<Range<usize>> {
    use toml::de::{DeTable, DeValue};
    let table = DeTable::parse(text).ok()?;
    let mut found = None;
    let mut at: Option<&DeValue<'_>> = None;
    for key in keys {
        let (name, index) = match key.split_once('[') {
            Some((name, index)) => (name, index.trim_end_matches(']').parse::<usize>().ok()),
            None => (key.as_str(), None),
        };
        let inner = match at {
            None => table.get_ref(),
            Some(DeValue::Table(table)) => table,
            Some(_) => break,
        };
        let Some((key, value)) = inner.iter().find(|(k, _)| k.get_ref() == name) else { break };
        found = Some(key.span());
        at = Some(value.get_ref());
        if let (Some(index), Some(DeValue::Array(items))) = (index, at) {
            let Some(item) = items.get(index) else { break };
            found = Some(item.span());
            at = Some(item.get_ref());
        }
    }
    found
}

/// Lays `patch` over `value`, table by table. A key `remove` lists dotted keys that are taken away first.
fn merge(value: &mut Value, patch: &Value) {
    let (Value::Object(target), Value::Object(patch)) = (&mut *value, patch) else {
        *value = patch.clone();
        return;
    };
    for dotted in patch.get("remove").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        remove(target, dotted);
    }
    for (key, new) in patch.iter().filter(|(key, _)| *key != "remove") {
        match (target.get_mut(key), new) {
            // A condition is one value, though it is written as a table: half of one and half of another means nothing.
            (Some(Value::Object(old)), Value::Object(new)) if key == "switches" => old.extend(new.clone()),
            (Some(old), new) if key != "when" && old.is_object() && new.is_object() => merge(old, new),
            _ => {
                target.insert(key.clone(), new.clone());
            }
        }
    }
}

fn remove(target: &mut Map<String, Value>, dotted: &str) {
    match dotted.split_once('.') {
        None => {
            target.shift_remove(dotted);
        }
        Some((head, rest)) => {
            if let Some(Value::Object(inner)) = target.get_mut(head) {
                remove(inner, rest);
            }
        }
    }
}

/// A version: numbers parted by dots, and whatever follows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    numbers: Vec<u64>,
    pre_release: bool,
}

impl Version {
    /// Reads `0.171.0`, `2026.9.6`, `1.0.0-beta`; a leading `v` is allowed.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().trim_start_matches('v');
        let (numbers, rest) = text.split_at(text.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(text.len()));
        let numbers = numbers.split('.').map(str::parse).collect::<Result<Vec<u64>, _>>().ok()?;
        Some(Self { numbers, pre_release: rest.starts_with('-') })
    }

    /// Which of the two is older; missing numbers count as 0, a pre-release is older than its release.
    pub fn compare(&self, other: &Self) -> Ordering {
        let length = self.numbers.len().max(other.numbers.len());
        let number = |v: &Self, i: usize| v.numbers.get(i).copied().unwrap_or(0);
        (0..length)
            .map(|i| number(self, i).cmp(&number(other, i)))
            .find(|o| *o != Ordering::Equal)
            .unwrap_or_else(|| other.pre_release.cmp(&self.pre_release))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_host_can_be_built_at_every_version_it_names() {
        let catalog = Catalog::built_in();
        for id in catalog.ids() {
            let newest = catalog.select(id).unwrap().host;
            for version in newest.before.keys().chain(&newest.also_verified).chain([&newest.verified.version]) {
                catalog.select(&format!("{id}@{version}")).unwrap();
            }
        }
    }

    #[test]
    fn versions_compare_by_number_and_pre_release() {
        let order = ["0.9", "0.104.0", "0.149.1", "0.150.0-beta.1", "0.150.0", "0.150.1", "2026.9.6"];
        for pair in order.windows(2) {
            let (a, b) = (Version::parse(pair[0]).unwrap(), Version::parse(pair[1]).unwrap());
            assert_eq!(a.compare(&b), Ordering::Less, "{pair:?}");
        }
    }

    #[test]
    fn a_bad_key_is_named_with_its_place_and_a_suggestion() {
        let mut catalog = Catalog::built_in();
        let text = "schema = 1\n[hosts.codex]\nnmae = \"x\"\n";
        let CatalogError::Invalid(invalid) = catalog.overlay("mine.toml", text).unwrap_err() else {
            panic!("another kind of error")
        };
        assert_eq!(invalid.message, "unknown key `nmae`");
        assert_eq!(invalid.help.as_deref(), Some("did you mean `name`?"));
        assert_eq!(&text[invalid.span.unwrap()], "nmae");
    }
}
