//! The host's own configuration files, read into one shape.

use super::launch::Arguments;
use crate::filesystem::FileSystem;
use crate::host::schema::Format;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// A configuration file is read up to this size, in bytes; a larger one counts as broken.
const LIMIT: u64 = 4 << 20;

/// One configuration that was found.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The layer's name in the model.
    pub layer: String,
    /// The file, if it is one.
    pub file: Option<PathBuf>,
    /// The folder that relative paths and patterns in it count from.
    pub base: PathBuf,
    /// What it says.
    pub value: Value,
    /// Why it could not be read, if it could not.
    pub problem: Option<String>,
}

/// Reads a configuration file. A file that is not there is `None`.
pub fn read_file(files: &dyn FileSystem, path: &Path, format: Format) -> Option<Result<Value, String>> {
    let bytes = match files.read(path, LIMIT + 1) {
        Ok(bytes) => bytes,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return None,
        Err(error) => return Some(Err(error.to_string())),
    };
    if bytes.len() as u64 > LIMIT {
        return Some(Err(format!("larger than {LIMIT} bytes")));
    }
    let text = String::from_utf8_lossy(&bytes);
    Some(parse(text.trim_start_matches('\u{feff}'), format))
}

/// Reads a configuration's text.
///
/// # Errors
/// The parser's own words.
pub fn parse(text: &str, format: Format) -> Result<Value, String> {
    match format {
        Format::Toml => {
            let table: toml::Table = toml::from_str(text).map_err(|e| e.message().to_owned())?;
            serde_json::to_value(table).map_err(|e| e.to_string())
        }
        Format::Json => serde_json::from_str(text).map_err(|e| e.to_string()),
        Format::JsonWithComments | Format::Json5 => {
            let loose = format == Format::Json5;
            let options = jsonc_parser::ParseOptions {
                allow_comments: true,
                allow_trailing_commas: loose,
                allow_loose_object_property_names: loose,
                allow_missing_commas: false,
                allow_single_quoted_strings: loose,
                allow_hexadecimal_numbers: loose,
                allow_unary_plus_numbers: loose,
                ..jsonc_parser::ParseOptions::default()
            };
            if text.trim().is_empty() {
                return Ok(Value::Object(Map::new()));
            }
            jsonc_parser::parse_to_serde_value::<Value>(text, &options).map_err(|e| e.to_string())
        }
        Format::Yaml => serde_norway::from_str(text).map_err(|e| e.to_string()),
    }
}

/// The values of a flag that takes `key=value`, with dots in the key and a TOML value; what is no TOML is a string.
pub fn read_assignments(arguments: &Arguments, flag: &str) -> Value {
    let mut table = Map::new();
    for assignment in arguments.values(flag) {
        let Some((key, text)) = assignment.split_once('=') else { continue };
        let value = toml::from_str::<toml::Table>(&format!("value = {text}"))
            .ok()
            .and_then(|mut t| serde_json::to_value(t.remove("value")?).ok())
            .unwrap_or_else(|| Value::String(text.trim().to_owned()));
        insert(&mut table, &key.trim().split('.').collect::<Vec<_>>(), value);
    }
    Value::Object(table)
}

fn insert(table: &mut Map<String, Value>, key: &[&str], value: Value) {
    match key {
        [] => {}
        [last] => {
            table.insert((*last).to_owned(), value);
        }
        [first, rest @ ..] => {
            let inner = table.entry((*first).to_owned()).or_insert_with(|| Value::Object(Map::new()));
            if !inner.is_object() {
                *inner = Value::Object(Map::new());
            }
            if let Value::Object(inner) = inner {
                insert(inner, rest, value);
            }
        }
    }
}

/// Lays `over` on `below`, table by table.
pub fn lay_over(below: &mut Value, over: Value) {
    match (below, over) {
        (Value::Object(below), Value::Object(over)) => {
            for (key, value) in over {
                lay_over(below.entry(key).or_insert(Value::Null), value);
            }
        }
        (below, over) => *below = over,
    }
}

/// The value of a dotted key. A part in double quotes may hold dots.
pub fn lookup<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    let mut at = value;
    let mut rest = key;
    while !rest.is_empty() {
        let part;
        (part, rest) = match rest.strip_prefix('"').and_then(|r| r.split_once('"')) {
            Some((part, rest)) => (part, rest.strip_prefix('.').unwrap_or(rest)),
            None => rest.split_once('.').unwrap_or((rest, "")),
        };
        at = match at {
            Value::Object(map) => map.get(part)?,
            Value::Array(items) => items.get(part.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(at)
}

/// Replaces `$NAME` and `${NAME}` in all strings by the variable's value; an unset one stays as written.
pub fn expand_variables(value: &mut Value, variables: &BTreeMap<String, String>) {
    match value {
        Value::String(text) if text.contains('$') => *text = expand(text, variables),
        Value::Array(items) => items.iter_mut().for_each(|v| expand_variables(v, variables)),
        Value::Object(map) => map.values_mut().for_each(|v| expand_variables(v, variables)),
        _ => {}
    }
}

fn expand(text: &str, variables: &BTreeMap<String, String>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        result.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let (name, length) = match after.strip_prefix('{').and_then(|r| r.find('}')) {
            Some(end) => (&after[1..=end], end + 2),
            None => {
                let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
                (&after[..end], end)
            }
        };
        match variables.get(name) {
            Some(value) => result.push_str(value),
            None => result.push_str(&rest[at..at + 1 + length]),
        }
        rest = &after[length..];
    }
    result.push_str(rest);
    result
}
