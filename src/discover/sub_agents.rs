//! What a sub-agent gets: the file that defines its kind, and whether the launch text comes with it.

use super::frontmatter;
use super::pick;
use super::resolve::Resolver;
use crate::host::schema::{FrontmatterReading, SubAgents};
use serde_json::Value;
use std::path::PathBuf;

/// What is known of a kind of sub-agent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kind {
    /// The file that defines it, if one does.
    pub definition: Option<PathBuf>,
    /// It gets the launch text.
    pub with_launch_text: bool,
}

/// Looks a kind up.
pub fn kind(resolver: &Resolver<'_>, model: &SubAgents, name: &str) -> Kind {
    let built_in = model.with_launch_text.iter().any(|k| k == name);
    // A kind's name is the name of a file, not a way to one.
    if built_in || name.contains(['/', '\\']) {
        return Kind { definition: None, with_launch_text: built_in };
    }
    let paths = model.definitions.iter().filter_map(|d| resolver.path_with(d, &[("kind", name)]));
    let Some(path) = paths.into_iter().find(|path| resolver.files.is_file(path)) else { return Kind::default() };
    let bytes = resolver.files.read(&path, pick::READ_LIMIT).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}');
    let keys = frontmatter::find(text)
        .and_then(|block| frontmatter::keys(&text[block.inner], FrontmatterReading::LenientYaml).ok())
        .unwrap_or_default();
    let wanted = model.wanted_by.as_ref().is_some_and(|key| keys.get(key) == Some(&Value::Bool(true)));
    Kind { definition: Some(path), with_launch_text: wanted }
}
