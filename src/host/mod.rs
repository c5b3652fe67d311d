//! The models of the hosts: what `hosts.toml` can say, how it is loaded, overridden and asked for a version.

pub mod catalog;
mod defaults;
pub mod schema;

pub use catalog::{Catalog, CatalogError, Selection};
pub use schema::Host;
