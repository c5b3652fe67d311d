//! One file per lint rule.
