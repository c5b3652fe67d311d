//! What coding agents load from a repository, and whether it works.
//!
//! Data flows one way: launch → settings → sources → files → assembled context → findings → report.
//! [`host`] holds the models (`hosts.toml`), [`discover`] evaluates a model for one launch, [`document`] reads
//! instruction files as rules, [`project`] knows what the repository defines, [`lint`] turns all of it into
//! findings and [`report`] prints them.

pub mod cli;
pub mod discover;
pub mod document;
pub mod error;
pub mod explain;
pub mod filesystem;
pub mod host;
pub mod inventory;
pub mod lines;
pub mod lint;
pub mod lsp;
pub mod project;
pub mod report;
pub mod rulebook;
pub mod snapshot;
pub mod survey;
