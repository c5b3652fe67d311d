//! The agents that a host's settings list, and which of them a launch is.

use super::resolve::Resolver;
use crate::host::schema::Roster;
use serde_json::Value;

/// What is known of the agent in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its id.
    pub id: String,
    /// The key of its settings, if it is listed.
    pub entry: Option<String>,
    /// How many agents are listed.
    pub count: usize,
    /// How many are marked as the one for launches that name none.
    pub marked: usize,
}

/// Finds the agent in force.
pub fn find(resolver: &Resolver<'_>, roster: &Roster) -> Member {
    let listed = roster.settings.iter().find_map(|key| {
        let (_, value) = resolver.settings(key, None).into_iter().next()?;
        Some(list(key, &value))
    });
    let listed: Vec<(String, String, Value)> = listed.unwrap_or_default();
    let marked: Vec<&(String, String, Value)> = listed
        .iter()
        .filter(|(_, _, settings)| settings.get(&roster.default_key) == Some(&Value::Bool(true)))
        .collect();
    let chosen = resolver.parameter(&roster.chosen).value.as_str().map(str::to_owned);
    let member = match &chosen {
        Some(id) => listed.iter().find(|(listed, ..)| listed.eq_ignore_ascii_case(id)),
        None => marked.first().copied().or(listed.first()),
    };
    Member {
        id: member.map(|(id, ..)| id.clone()).or(chosen).unwrap_or_else(|| roster.fallback.clone()),
        entry: member.map(|(_, entry, _)| entry.clone()),
        count: listed.len(),
        marked: marked.len(),
    }
}

/// Id, key and settings of each agent.
fn list(key: &str, value: &Value) -> Vec<(String, String, Value)> {
    match value {
        Value::Object(table) => {
            table.iter().map(|(id, settings)| (id.clone(), format!("{key}.\"{id}\""), settings.clone())).collect()
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .filter_map(|(i, item)| Some((item.get("id")?.as_str()?.to_owned(), format!("{key}.{i}"), item.clone())))
            .collect(),
        _ => Vec::new(),
    }
}
