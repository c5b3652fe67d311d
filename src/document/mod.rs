//! Instruction files as values: Markdown structure with byte spans, what the text refers to, and its rules.
//!
//! Everything here is a pure function of the text. [`Document::parse`] reads the structure once;
//! [`Document::references`] lists what the text mentions; [`Document::rules`] splits it into items and says which
//! of them are rules, with scope, command and evidence.

pub mod classify;
pub mod command;
pub mod frontmatter;
#[cfg(test)]
mod hostile;
pub mod lines;
pub mod markdown;
pub mod reference;
pub mod rule;
pub mod tree;
pub mod words;

pub use crate::lines::Position;
pub use command::Command;
pub use frontmatter::Frontmatter;
pub use lines::LineIndex;
pub use markdown::{
    AtMention, Block, BlockKind, Cell, Comment, Fence, FenceKind, Heading, InlineCode, Link, LinkKind, Place, Row,
    Table,
};
pub use reference::{BaseHint, BaseSource, Literalness, Polarity, Reference, ReferenceKind};
pub use rule::{Context, Kind, Rule};
pub use tree::{Tree, TreeEntry};

/// A range of bytes in the file's text.
pub type Span = std::ops::Range<usize>;

/// Longest text, in bytes, whose Markdown is read. Longer files keep their text and lines, and
/// [`Document::unread`] says where reading stopped.
pub const READ_LIMIT: usize = 1 << 20;

/// One instruction file, read.
///
/// Lists are in the order of the text; an index such as [`Block::heading`] points into the list of that name.
#[derive(Debug, Clone)]
pub struct Document {
    /// The text as given, a byte order mark kept.
    pub text: String,
    /// Line starts of the text.
    pub lines: LineIndex,
    /// The YAML header, where there is one.
    pub frontmatter: Option<Frontmatter>,
    /// Headings with their sections.
    pub headings: Vec<Heading>,
    /// Every paragraph, list item, table row, fence and heading, in order.
    pub blocks: Vec<Block>,
    /// Code blocks, fenced or indented.
    pub fences: Vec<Fence>,
    /// Code spans.
    pub codes: Vec<InlineCode>,
    /// Links and images.
    pub links: Vec<Link>,
    /// HTML comments.
    pub comments: Vec<Comment>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Directory trees drawn in code blocks.
    pub trees: Vec<Tree>,
    /// Tokens that begin with `@`.
    pub mentions: Vec<AtMention>,
    /// Byte offset behind which the text was not read as Markdown, for texts over [`READ_LIMIT`] or with
    /// containers nested too deeply.
    pub unread: Option<usize>,
}

impl Document {
    /// Reads a text. Never fails: what is not understood stays text.
    #[must_use]
    pub fn parse(text: impl Into<String>) -> Self {
        markdown::parse(text.into())
    }

    /// The text of a span; empty where the span is not one of this text.
    #[must_use]
    pub fn slice(&self, span: &Span) -> &str {
        self.text.get(span.clone()).unwrap_or("")
    }

    /// Line and column of a byte offset.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        self.lines.position(&self.text, offset)
    }

    /// What the byte at `offset` belongs to.
    #[must_use]
    pub fn place(&self, offset: usize) -> Place {
        let within = |span: &Span| span.start <= offset && offset < span.end;
        if self.frontmatter.as_ref().is_some_and(|f| within(&f.span)) {
            return Place::Frontmatter;
        }
        let comment = self.comments.partition_point(|c| c.span.start <= offset).checked_sub(1);
        if comment.and_then(|i| self.comments.get(i)).is_some_and(|c| within(&c.span)) {
            return Place::Comment;
        }
        let fence = self.fences.partition_point(|f| f.span.start <= offset).checked_sub(1);
        if fence.and_then(|i| self.fences.get(i)).is_some_and(|f| within(&f.span)) {
            return Place::Fence;
        }
        let code = self.codes.partition_point(|c| c.outer.start <= offset).checked_sub(1);
        if code.and_then(|i| self.codes.get(i)).is_some_and(|c| within(&c.outer)) {
            return Place::Code;
        }
        Place::Prose
    }

    /// The block in which the byte at `offset` lies, or the nearest one before it.
    #[must_use]
    pub fn block_at(&self, offset: usize) -> Option<usize> {
        self.blocks.partition_point(|b| b.span.start <= offset).checked_sub(1)
    }

    /// The headings above a place, the outermost first.
    #[must_use]
    pub fn heading_path(&self, innermost: Option<usize>) -> Vec<&Heading> {
        let mut path: Vec<&Heading> =
            std::iter::successors(innermost.and_then(|i| self.headings.get(i)), |h| self.headings.get(h.parent?))
                .collect();
        path.reverse();
        path
    }

    /// Everything that the text mentions: paths, globs, links, commands, trees.
    #[must_use]
    pub fn references(&self) -> Vec<Reference> {
        reference::collect(self)
    }

    /// The commands that the text names, in code blocks and code spans.
    #[must_use]
    pub fn commands(&self) -> Vec<Command> {
        command::collect(self)
    }

    /// The text split into items, each with its kind; rules with scope, command and evidence.
    #[must_use]
    pub fn rules(&self, context: &Context) -> Vec<Rule> {
        rule::extract(self, context)
    }
}
