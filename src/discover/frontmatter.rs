//! Frontmatter as hosts read it: where the block is, and which keys it has.

use crate::host::schema::FrontmatterReading;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::ops::Range;

/// A block between two lines of `---` at the very start of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The whole block, both lines of dashes included.
    pub whole: Range<usize>,
    /// What stands between them.
    pub inner: Range<usize>,
}

/// Finds the block. The first line has to be `---`, a later one too; blanks behind the dashes do not matter.
pub fn find(text: &str) -> Option<Block> {
    let mut at = 0;
    let mut inner_start = None;
    for line in text.split_inclusive('\n') {
        let is_dashes = line.strip_prefix("---").is_some_and(|rest| rest.trim().is_empty());
        match inner_start {
            None if is_dashes => inner_start = Some(at + line.len()),
            None => return None,
            Some(start) if is_dashes => return Some(Block { whole: 0..at + line.len(), inner: start..at }),
            Some(_) => {}
        }
        at += line.len();
    }
    None
}

/// The keys of the block. `Err` holds the parser's words; a host then takes the file for one without keys.
pub fn keys(inner: &str, reading: FrontmatterReading) -> Result<Map<String, Value>, String> {
    match reading {
        FrontmatterReading::Lines => Ok(read_lines(inner)),
        FrontmatterReading::RepairedYaml => {
            let first = parse(inner);
            match first {
                Ok(map) => Ok(map),
                Err(error) => parse(&quote_plain_patterns(inner)).map_err(|_| error),
            }
        }
        FrontmatterReading::LenientYaml => {
            let first = |text: &str| serde_norway::from_str::<FirstOfEqual>(text).map(|keys| keys.0);
            let found = first(inner).or_else(|_| first(&quote_plain_patterns(inner)));
            Ok(found.unwrap_or_else(|_| read_lines(inner)))
        }
    }
}

/// A table of which the first of equal keys counts.
struct FirstOfEqual(Map<String, Value>);

impl<'de> Deserialize<'de> for FirstOfEqual {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FirstOfEqualVisitor)
    }
}

struct FirstOfEqualVisitor;

impl<'de> Visitor<'de> for FirstOfEqualVisitor {
    type Value = FirstOfEqual;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a table of keys")
    }

    fn visit_unit<E>(self) -> Result<FirstOfEqual, E> {
        Ok(FirstOfEqual(Map::new()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<FirstOfEqual, A::Error> {
        let mut keys = Map::new();
        while let Some((key, value)) = access.next_entry::<String, Value>()? {
            keys.entry(key).or_insert(value);
        }
        Ok(FirstOfEqual(keys))
    }
}

fn parse(inner: &str) -> Result<Map<String, Value>, String> {
    match serde_norway::from_str::<Value>(inner) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(Value::Null) => Ok(Map::new()),
        Ok(_) => Err("the frontmatter is no table of keys".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Quotes the values of `key: value` lines that begin with a character which YAML keeps for itself.
fn quote_plain_patterns(inner: &str) -> String {
    let quoted = inner.split_inclusive('\n').map(|line| {
        let body = line.trim_end_matches(['\n', '\r']);
        match body.split_once(": ") {
            Some((key, value))
                if !key.starts_with([' ', '\t', '#', '-'])
                    && value.trim_start().starts_with(['*', '{', '[', '!', '&', '@', '`', '%']) =>
            {
                let (value, comment) = match value.find(" #") {
                    Some(at) => value.split_at(at),
                    None => (value, ""),
                };
                format!("{key}: '{}'{comment}\n", value.trim().replace('\'', "''"))
            }
            _ => line.to_owned(),
        }
    });
    quoted.collect()
}

fn read_lines(inner: &str) -> Map<String, Value> {
    let mut map: Map<String, Value> = Map::new();
    let mut last: Option<String> = None;
    for line in inner.lines() {
        if let (Some(item), Some(key)) = (line.trim_start().strip_prefix("- "), &last) {
            let item = Value::from(unquote(item.trim()));
            match map.get_mut(key) {
                Some(Value::Array(items)) => items.push(item),
                Some(old) if old.is_null() => *old = Value::Array(vec![item]),
                _ => {}
            }
            continue;
        }
        let Some((key, value)) = line.split_once(':') else { continue };
        if key.starts_with([' ', '\t', '#']) || key.is_empty() {
            continue;
        }
        let value = match value.trim() {
            "" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            text if text.starts_with('[') && text.ends_with(']') => {
                let items = text[1..text.len() - 1].split(',').map(|i| unquote(i.trim())).filter(|i| !i.is_empty());
                items.map(Value::from).collect()
            }
            text if unquote(text).is_empty() => Value::Null,
            text => Value::from(text),
        };
        map.entry(key.trim()).or_insert(value);
        last = Some(key.trim().to_owned());
    }
    map
}

fn unquote(text: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|t| t.strip_suffix(quote)) {
            return inner;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_begins_on_the_first_line_and_has_to_be_closed() {
        assert_eq!(find("---\na: 1\n---\nx"), Some(Block { whole: 0..13, inner: 4..9 }));
        assert_eq!(find("\n---\na: 1\n---\n"), None);
        assert_eq!(find("---\na: 1\n"), None);
        assert_eq!(find("---\r\na: 1\r\n--- \r\n").map(|b| b.inner), Some(5..11));
    }

    #[test]
    fn plain_patterns_are_repaired_but_list_items_are_not() {
        let keys = |text| keys(text, FrontmatterReading::RepairedYaml);
        assert_eq!(keys("paths: **/*.ts\n").unwrap()["paths"], "**/*.ts");
        assert_eq!(keys("paths: {a,b}/**\n").unwrap()["paths"], "{a,b}/**");
        assert_eq!(keys("paths: **/*.ts # why\n").unwrap()["paths"], "**/*.ts");
        assert!(keys("paths:\n  - **/*.ts\n").is_err());
    }
}
