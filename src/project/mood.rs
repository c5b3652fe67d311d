//! How a text speaks of what it names: part of each question, since words decide what a missing thing means.

/// How a text speaks of what it names. Reading the words is the caller's part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Mood {
    /// As of something that is there.
    #[default]
    Plain,
    /// As of something that is not, no longer, or must not be there.
    Negative,
    /// As of something that is made, or is still to be made.
    Made,
    /// As of an example, or of something that may be there.
    Hedged,
    /// As of something in another repository or outside.
    Elsewhere,
}
