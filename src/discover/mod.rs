//! The engine: evaluates one host's model for one launch and says what is in front of the model.
//!
//! [`launch`] is what is asked, [`resolve`] finds settings, places and conditions, [`walk`] and [`pick`] find files,
//! [`text`], [`transform`], [`injection`] (with [`phrase`]), [`imports`], [`scope`] and [`budget`] turn them into pieces of text, [`touch`] says what a
//! touched file brings, [`assemble`] joins the pieces, [`engine`] runs the steps, and [`context`] is the answer.

pub mod assemble;
pub mod budget;
pub mod context;
pub mod engine;
pub mod exclusion;
pub mod frontmatter;
pub mod imports;
pub mod injection;
pub mod launch;
pub mod paths;
pub mod phrase;
pub mod pick;
pub mod resolve;
pub mod scope;
pub mod settings;
pub mod text;
pub mod touch;
pub mod transform;
pub mod trust;
pub mod walk;

pub use context::{Context, Omission, Piece, Reason};
pub use engine::discover;
pub use launch::{Launch, Touch};
