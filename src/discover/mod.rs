//! The engine: evaluates one host's model for one launch and says what is in front of the model.
//!
//! [`launch`] is what is asked, [`resolve`] finds settings, places and conditions (with [`environment_file`],
//! [`short_name`], [`roster`] and [`trust`]), [`walk`], [`package`] and [`pick`] (with [`patterns`]) find files,
//! [`text`], [`transform`], [`injection`] (with [`phrase`]), [`imports`], [`scope`], [`budget`]
//! (with [`ends`] and [`digest`]) and [`finish`] turn them into pieces of text, [`touch`] says what a touched file brings,
//! [`sub_agents`] what a sub-agent gets, [`assemble`] joins the pieces (with [`collate`]), [`engine`] runs the steps, and [`context`] is the answer.

pub mod assemble;
pub mod budget;
pub mod collate;
pub mod context;
pub mod digest;
pub mod ends;
pub mod engine;
pub mod environment_file;
pub mod exclusion;
pub mod finish;
pub mod frontmatter;
pub mod imports;
pub mod injection;
pub mod launch;
pub mod package;
pub mod paths;
pub mod patterns;
pub mod phrase;
pub mod pick;
pub mod request_limit;
pub mod resolve;
pub mod roster;
pub mod scope;
pub mod settings;
pub mod short_name;
pub mod sub_agents;
pub mod text;
pub mod touch;
pub mod transform;
pub mod trust;
pub mod walk;

#[cfg(all(test, unix))]
mod cursor_tests;
#[cfg(all(test, unix))]
mod gemini_cli_tests;
#[cfg(all(test, unix))]
mod test_world;

pub use context::{Context, Omission, Piece, Reason};
pub use engine::discover;
pub use launch::{Launch, Touch};
