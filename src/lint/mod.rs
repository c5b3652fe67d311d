//! Findings about instruction files: the rules, their registration, and what a user configures about them.

pub mod finding;
pub mod rules;
