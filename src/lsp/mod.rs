//! The language server: findings on unsaved text, who loads a file, what a path means, fixes.
//!
//! [`server`] speaks the protocol, [`workspace`] keeps the texts and runs the rules, [`features`] answers about one place,
//! [`position`] turns the protocol's UTF-16 columns into bytes and back.

pub mod features;
pub mod position;
pub mod server;
pub mod workspace;

pub use server::serve;
