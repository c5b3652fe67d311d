//! The engine: evaluates one host's model for one launch and says what is in front of the model.
//!
//! [`launch`] is what is asked, [`resolve`] finds settings, places and conditions (with [`environment_file`],
//! [`short_name`] and [`trust`]), [`walk`], [`package`] and [`pick`] find files,
//! [`text`], [`transform`], [`injection`] (with [`phrase`]), [`imports`], [`scope`] and [`budget`] turn them into pieces of text, [`touch`] says what a
//! touched file brings, [`assemble`] joins the pieces, [`engine`] runs the steps, and [`context`] is the answer.

pub mod assemble;
pub mod budget;
pub mod context;
pub mod engine;
pub mod environment_file;
pub mod exclusion;
pub mod frontmatter;
pub mod imports;
pub mod injection;
pub mod launch;
pub mod package;
pub mod paths;
pub mod phrase;
pub mod pick;
pub mod request_limit;
pub mod resolve;
pub mod scope;
pub mod settings;
pub mod short_name;
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
