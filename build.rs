//! Turns `hosts.toml` into JSON at build time, one text a host: reading TOML at each start would cost more than all that
//! `explain` does.

#[path = "src/host/defaults.rs"]
mod defaults;

use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=hosts.toml");
    let text =
        std::fs::read_to_string("hosts.toml").unwrap_or_else(|error| panic!("hosts.toml cannot be read: {error}"));
    let table: toml::Table = toml::from_str(&text).unwrap_or_else(|error| panic!("hosts.toml: {error}"));
    assert_eq!(table.get("schema").and_then(toml::Value::as_integer), Some(1), "hosts.toml is of schema 1");
    let hosts = table.get("hosts").and_then(toml::Value::as_table).expect("hosts.toml has hosts");
    let mut code = String::from(
        "/// The built-in models: id, JSON as written, and JSON of the newest version.\npub const BUILT_IN: &[(&str, &str, &str)] = &[\n",
    );
    for (id, host) in hosts {
        let written = serde_json::to_value(host).unwrap_or_else(|error| panic!("hosts.toml: {id}: {error}"));
        let ready = ready(written.clone());
        writeln!(code, "    ({id:?}, {:?}, {:?}),", written.to_string(), ready.to_string())
            .expect("a string can be written to");
    }
    code.push_str("];\n");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(Path::new(&out).join("hosts.rs"), code)
        .unwrap_or_else(|error| panic!("cannot write hosts.rs: {error}"));
}

/// The newest version: older ones left out, defaults filled in.
fn ready(mut host: Value) -> Value {
    if let Some(table) = host.as_object_mut() {
        table.shift_remove("before");
    }
    defaults::apply(&mut host);
    host
}
