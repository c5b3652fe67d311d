//! Findings about instruction files: the rules, their registration, and what a user configures about them.
//!
//! [`rules`] find; [`judge`] decides by [`config`], [`suppress`] and [`baseline`] what is reported and what counts;
//! [`fix`] changes files; [`registry`] and [`examples`] know the rules' pages.

pub mod baseline;
pub mod config;
pub mod date;
pub mod examples;
pub mod finding;
pub mod fix;
pub mod globs;
pub mod imports;
pub mod judge;
pub mod lost_paths;
pub mod material;
pub mod mentions;
pub mod reach;
pub mod registry;
pub mod rules;
pub mod run;
pub mod scoped;
pub mod sources;
pub mod suppress;
