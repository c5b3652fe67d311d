//! `file-defaults`: keys that hold for every file set of a host. The build script uses this file too.

use serde_json::{Map, Value};

/// Puts the keys of `file-defaults` into every file set that does not have them.
pub fn apply(host: &mut Value) {
    let Some(Value::Object(defaults)) = host.as_object_mut().and_then(|h| h.shift_remove("file-defaults")) else {
        return;
    };
    let sources = host.get_mut("sources").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut);
    let sets = sources.filter_map(|s| s.get_mut("files").and_then(Value::as_array_mut)).flatten();
    for set in sets.filter_map(Value::as_object_mut) {
        for (key, value) in &defaults {
            set.entry(key.clone()).or_insert_with(|| value.clone());
        }
    }
}
