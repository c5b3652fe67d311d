//! The rules, one file each, and the one list that registers them.

pub mod truncated;

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
pub const RULES: &[Rule] = rules![truncated];

/// The registry of all rules.
pub fn registry() -> Registry {
    Registry::new(RULES.iter().map(|rule| *rule.info))
}
