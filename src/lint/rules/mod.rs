//! The rules, one file each, and the one list that registers them.

pub mod blank;
pub mod blocked;
pub mod conflict;
pub mod dead_command;
pub mod dead_directory;
pub mod dead_link;
pub mod dead_path;
pub mod dead_scope;
pub mod dead_setting;
pub mod drifted_copies;
pub mod dropped;
pub mod headroom;
pub mod hidden_text;
pub mod host_gap;
pub mod import_cycle;
pub mod import_inert;
pub mod import_meant;
pub mod import_missing;
pub mod import_refused;
pub mod loaded_twice;
pub mod machine_path;
pub mod masked_failure;
pub mod near_miss;
pub mod no_command;
pub mod no_evidence;
pub mod permission_prose;
pub mod restated_document;
pub mod rules_summary;
pub mod scope_key;
pub mod secret;
pub mod shadowed;
pub mod stale_tree;
pub mod temporary;
pub mod topic_pointer;
pub mod truncated;
pub mod unreadable;
pub mod unscoped;
pub mod vague;
pub mod wrong_case;

use super::finding::Finding;
use super::material::Material;
use super::registry::{Registry, RuleInfo};

/// A rule: what is known of it, and its code.
#[derive(Clone, Copy)]
pub struct Rule {
    /// What is known without running it.
    pub info: &'static RuleInfo,
    /// Adds what it finds.
    pub check: fn(&Material<'_>, &mut Vec<Finding>),
}

/// Registers a rule's module: its constant `INFO` and its function `check`.
macro_rules! rules {
    ($($module:ident),* $(,)?) => { &[$(Rule { info: &$module::INFO, check: $module::check }),*] };
}

/// All rules, by group and in the order in which their findings matter.
pub const RULES: &[Rule] = rules![
    // reach
    truncated,
    dropped,
    shadowed,
    blank,
    blocked,
    unreadable,
    near_miss,
    import_meant,
    import_missing,
    import_refused,
    import_inert,
    import_cycle,
    dead_scope,
    scope_key,
    dead_setting,
    drifted_copies,
    host_gap,
    loaded_twice,
    headroom,
    // references
    dead_link,
    dead_path,
    dead_command,
    dead_directory,
    stale_tree,
    wrong_case,
    conflict,
    masked_failure,
    // rules
    vague,
    unscoped,
    no_command,
    no_evidence,
    temporary,
    topic_pointer,
    restated_document,
    permission_prose,
    rules_summary,
    // safety
    secret,
    hidden_text,
    machine_path,
];

/// The registry of all rules.
pub fn registry() -> Registry {
    Registry::new(RULES.iter().map(|rule| *rule.info))
}
