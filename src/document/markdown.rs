//! The structure of a Markdown text: headings, blocks, lists, tables, code, links and comments with byte spans.

use super::{Document, Frontmatter, LineIndex, READ_LIMIT, Span, tree};
use pulldown_cmark::{BrokenLink, CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};

/// How many container marks (`>` or list bullets) one line may open. Real files stay below ten; far more only
/// serve to make a reader slow.
const DEPTH_LIMIT: usize = 64;

/// What a byte of the text belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// The YAML header.
    Frontmatter,
    /// An HTML comment.
    Comment,
    /// A code block.
    Fence,
    /// A code span.
    Code,
    /// Anything else.
    Prose,
}

/// A heading and the section below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// The text without marks; code keeps its backticks.
    pub text: String,
    /// Bytes of the heading itself.
    pub span: Span,
    /// Bytes from the heading to the next one of its level or above.
    pub section: Span,
    /// The heading whose section this one lies in.
    pub parent: Option<usize>,
}

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// A heading, with its index.
    Heading(usize),
    /// A paragraph, also one inside a list item behind its first.
    Paragraph,
    /// The first paragraph of a list item; the number where the list is numbered.
    Item(Option<u64>),
    /// A table row, with the table's index and the row's (the header is row 0).
    Row(usize, usize),
    /// A code block, with its index.
    Fence(usize),
    /// Raw HTML.
    Html,
}

/// One block of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Bytes of its own text, without nested blocks.
    pub span: Span,
    /// Its text without marks: code keeps its backticks, line ends are blanks. Empty for code blocks.
    pub text: String,
    /// Length in bytes of the bold or italic text that `text` begins with; 0 without.
    pub lead: usize,
    /// The innermost heading above it.
    pub heading: Option<usize>,
    /// How many lists it stands in.
    pub depth: usize,
    /// The list item it lies in, as an index of blocks; for an item, the item around its list.
    pub parent: Option<usize>,
    /// The block just before the list or code block it begins or belongs to: its lead-in.
    pub lead_in: Option<usize>,
    /// Whether it stands in a block quote.
    pub quoted: bool,
    /// The box of a task item: checked or not.
    pub checked: Option<bool>,
}

/// How a code block is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FenceKind {
    /// Between lines of backticks or tildes.
    Fenced,
    /// Indented by four blanks.
    Indented,
}

/// A code block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence {
    /// How it is marked.
    pub kind: FenceKind,
    /// The first word of the info string, in lower case; empty without one.
    pub language: String,
    /// The whole info string.
    pub info: String,
    /// Bytes of the whole block, with its fences.
    pub span: Span,
    /// Bytes of each content line, container indentation and line end left out.
    pub lines: Vec<Span>,
    /// Whether the closing fence is there (always for indented code).
    pub closed: bool,
    /// Its block.
    pub block: usize,
}

/// A code span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlineCode {
    /// The content.
    pub text: String,
    /// Bytes of the content in the file.
    pub span: Span,
    /// Bytes with the backticks.
    pub outer: Span,
    /// The block it stands in.
    pub block: usize,
}

/// How a link is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LinkKind {
    /// `[text](target)`.
    Inline,
    /// `[text][label]`, `[label][]` or `[label]`, resolved.
    Reference,
    /// `[text][label]` or `[label][]` without a definition.
    Undefined,
    /// `<https://…>`.
    Automatic,
}

/// A link or an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// How it is written.
    pub kind: LinkKind,
    /// Whether it is an image.
    pub image: bool,
    /// Its text, or the image's description.
    pub text: String,
    /// The target with escapes resolved; the label of an undefined link.
    pub target: String,
    /// Bytes of the whole link.
    pub span: Span,
    /// Bytes of the target as written; for a reference link, of its definition's place in the link itself.
    pub target_span: Span,
    /// The block it stands in.
    pub block: usize,
}

/// An HTML comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// Bytes with `<!--` and `-->`.
    pub span: Span,
    /// Bytes between them.
    pub content: Span,
    /// Whether `-->` is there.
    pub closed: bool,
}

/// One cell of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// Its text, as in [`Block::text`].
    pub text: String,
    /// Its bytes.
    pub span: Span,
}

/// One row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its cells.
    pub cells: Vec<Cell>,
    /// Its bytes.
    pub span: Span,
    /// Its block.
    pub block: usize,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Its bytes.
    pub span: Span,
    /// The rows; the first is the header.
    pub rows: Vec<Row>,
}

/// A token that begins with `@`: an import, a handle or a package, as the host sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AtMention {
    /// The text behind the `@`, up to white space.
    pub text: String,
    /// Bytes with the `@`.
    pub span: Span,
    /// What it stands in.
    pub place: Place,
}

/// Reads a text.
pub(super) fn parse(text: String) -> Document {
    let frontmatter = Frontmatter::read(&text);
    let start = match &frontmatter {
        Some(header) => header.span.end,
        None if text.starts_with('\u{feff}') => '\u{feff}'.len_utf8(),
        None => 0,
    };
    let end = readable_end(&text, start);
    let mut reader = Reader::new(&text, start);
    reader.read(end);
    let Reader { headings, blocks, fences, codes, links, comments, tables, .. } = reader;
    let mut document = Document {
        lines: LineIndex::new(&text),
        frontmatter,
        headings,
        blocks,
        fences,
        codes,
        links,
        comments,
        tables,
        trees: Vec::new(),
        mentions: Vec::new(),
        unread: (end < text.len()).then_some(end),
        text,
    };
    close_sections(&mut document.headings, end);
    for block in &mut document.blocks {
        // A heading stands under the heading above it in rank, not under the one just before.
        if let BlockKind::Heading(index) = block.kind {
            block.heading = document.headings.get(index).and_then(|h| h.parent);
        }
    }
    document.trees = tree::collect(&document);
    document.mentions = mentions(&document);
    document
}

/// How far the text is read as Markdown: up to [`READ_LIMIT`] and before a line that nests too deeply.
fn readable_end(text: &str, start: usize) -> usize {
    let mut end = text.len();
    if end > READ_LIMIT {
        end = READ_LIMIT.max(start);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        end = text.get(..end).and_then(|t| t.rfind('\n')).map_or(end, |i| i + 1).max(start);
    }
    let mut at = start;
    for line in text.get(start..end).unwrap_or("").split_inclusive('\n') {
        // Marks that open containers stand before the first other character.
        let mut depth = 0usize;
        for word in line.split([' ', '\t']).take(4 * DEPTH_LIMIT) {
            let quotes = word.bytes().take_while(|b| *b == b'>').count();
            let bullet = matches!(word, "-" | "*" | "+" | "")
                || word.strip_suffix(['.', ')']).is_some_and(|n| n.len() < 10 && n.bytes().all(|b| b.is_ascii_digit()));
            if quotes == 0 && !bullet {
                break;
            }
            depth += quotes.max(usize::from(!word.is_empty()));
        }
        if depth > DEPTH_LIMIT {
            return at;
        }
        at += line.len();
    }
    end
}

fn close_sections(headings: &mut [Heading], end: usize) {
    let mut open: Vec<usize> = Vec::new();
    for i in 0..headings.len() {
        let (level, start) = (headings[i].level, headings[i].span.start);
        while let Some(last) = open.last().copied() {
            if headings[last].level < level {
                break;
            }
            headings[last].section.end = start;
            open.pop();
        }
        headings[i].parent = open.last().copied();
        open.push(i);
    }
    for i in open {
        headings[i].section.end = end;
    }
}

struct ListState {
    /// The number of the next item of a numbered list.
    next: Option<u64>,
    lead_in: Option<usize>,
}

struct OpenLink {
    index: usize,
    /// End of the last event inside, from which the target is sought.
    content_end: usize,
    text: String,
}

struct Reader<'t> {
    text: &'t str,
    base: usize,
    headings: Vec<Heading>,
    blocks: Vec<Block>,
    fences: Vec<Fence>,
    codes: Vec<InlineCode>,
    links: Vec<Link>,
    comments: Vec<Comment>,
    tables: Vec<Table>,
    lists: Vec<ListState>,
    items: Vec<usize>,
    quotes: usize,
    current: Option<usize>,
    cell: Option<Cell>,
    open_links: Vec<OpenLink>,
    emphasis: usize,
    html_start: Option<usize>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, base: usize) -> Self {
        Self {
            text,
            base,
            headings: Vec::new(),
            blocks: Vec::new(),
            fences: Vec::new(),
            codes: Vec::new(),
            links: Vec::new(),
            comments: Vec::new(),
            tables: Vec::new(),
            lists: Vec::new(),
            items: Vec::new(),
            quotes: 0,
            current: None,
            cell: None,
            open_links: Vec::new(),
            emphasis: 0,
            html_start: None,
        }
    }

    fn read(&mut self, end: usize) {
        let Some(body) = self.text.get(self.base..end) else { return };
        let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
        // An unresolved `[text][label]` is kept, so that a missing definition can be told; a lone `[x]` is text.
        let undefined = |link: BrokenLink<'_>| {
            matches!(link.link_type, LinkType::Reference | LinkType::Collapsed)
                .then(|| (CowStr::from(link.reference.into_string()), CowStr::from("")))
        };
        let parser = Parser::new_with_broken_link_callback(body, options, Some(undefined));
        for (event, range) in parser.into_offset_iter() {
            let span = self.base + range.start..self.base + range.end;
            self.event(event, span);
        }
    }

    fn block(&mut self, kind: BlockKind, span: Span) -> usize {
        let lead_in = match kind {
            BlockKind::Item(_) => self.lists.last().and_then(|list| list.lead_in),
            _ => self.blocks.len().checked_sub(1),
        };
        self.blocks.push(Block {
            kind,
            span,
            text: String::new(),
            lead: 0,
            heading: self.headings.len().checked_sub(1),
            depth: self.lists.len(),
            parent: self.items.last().copied(),
            lead_in,
            quoted: self.quotes > 0,
            checked: None,
        });
        self.blocks.len() - 1
    }

    /// The block that takes inline text now; a paragraph is begun where none is open.
    fn open_block(&mut self, start: usize) -> usize {
        match self.current {
            Some(block) => block,
            None => {
                let block = self.block(BlockKind::Paragraph, start..start);
                self.current = Some(block);
                block
            }
        }
    }

    fn push_text(&mut self, piece: &str, span: &Span) {
        for link in &mut self.open_links {
            link.content_end = link.content_end.max(span.end);
            link.text.push_str(piece);
        }
        if let Some(cell) = &mut self.cell {
            cell.text.push_str(piece);
        }
        let index = self.open_block(span.start);
        let emphasis = self.emphasis;
        if let Some(block) = self.blocks.get_mut(index) {
            if emphasis > 0 && block.lead == block.text.len() {
                block.lead += piece.len();
            }
            block.text.push_str(piece);
            if block.span.is_empty() {
                block.span.start = span.start;
            }
            block.span.end = block.span.end.max(span.end);
        }
    }

    fn event(&mut self, event: Event<'_>, span: Span) {
        match event {
            Event::Start(tag) => self.start(tag, span),
            Event::End(tag) => self.end(tag, &span),
            Event::Text(piece) => {
                if let Some(fence) = self.blocks.last().and_then(|b| match b.kind {
                    BlockKind::Fence(i) if self.current.is_none() && b.span.end >= span.end => Some(i),
                    _ => None,
                }) {
                    self.fence_lines(fence, span);
                } else {
                    self.push_text(&piece, &span);
                }
            }
            Event::Code(content) => {
                let source = self.text.get(span.clone()).unwrap_or("");
                let ticks = source.bytes().take_while(|b| *b == b'`').count();
                let mut inner = span.start + ticks..span.end.saturating_sub(ticks).max(span.start + ticks);
                let raw = self.text.get(inner.clone()).unwrap_or("");
                if raw.starts_with(' ') && raw.ends_with(' ') && !raw.trim().is_empty() {
                    inner = inner.start + 1..inner.end - 1;
                }
                let block = self.open_block(span.start);
                self.push_text(&format!("`{content}`"), &span);
                self.codes.push(InlineCode { text: content.into_string(), span: inner, outer: span, block });
            }
            Event::SoftBreak | Event::HardBreak => self.push_text(" ", &span),
            Event::InlineHtml(_) => {
                self.comments_in(span.clone());
                let block = self.open_block(span.start);
                if let Some(block) = self.blocks.get_mut(block) {
                    if block.span.is_empty() {
                        block.span.start = span.start;
                    }
                    block.span.end = block.span.end.max(span.end);
                }
            }
            Event::Html(_) if self.html_start.is_none() => self.comments_in(span),
            Event::TaskListMarker(checked) => {
                let block = self.open_block(span.start);
                if let Some(block) = self.blocks.get_mut(block) {
                    block.checked = Some(checked);
                }
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, span: Span) {
        match tag {
            Tag::Paragraph => {
                // The first paragraph of an item is the item's own text.
                let own =
                    self.items.last().copied().filter(|i| {
                        *i + 1 == self.blocks.len() && self.blocks.get(*i).is_some_and(|b| b.text.is_empty())
                    });
                self.current = Some(match own {
                    Some(item) => item,
                    None => self.block(BlockKind::Paragraph, span.start..span.start),
                });
            }
            Tag::Heading { level, .. } => {
                let index = self.headings.len();
                let block = self.block(BlockKind::Heading(index), span.clone());
                self.headings.push(Heading {
                    level: match level {
                        HeadingLevel::H1 => 1,
                        HeadingLevel::H2 => 2,
                        HeadingLevel::H3 => 3,
                        HeadingLevel::H4 => 4,
                        HeadingLevel::H5 => 5,
                        HeadingLevel::H6 => 6,
                    },
                    text: String::new(),
                    section: span.clone(),
                    span,
                    parent: None,
                });
                self.current = Some(block);
            }
            Tag::BlockQuote(_) => {
                self.quotes += 1;
                self.current = None;
            }
            Tag::CodeBlock(kind) => self.start_fence(&kind, span),
            Tag::HtmlBlock => {
                self.comments_in(span.clone());
                self.html_start = Some(span.start);
                self.block(BlockKind::Html, span);
                self.current = None;
            }
            Tag::List(next) => {
                self.current = None;
                self.lists.push(ListState { next, lead_in: self.blocks.len().checked_sub(1) });
            }
            Tag::Item => {
                let number = self.lists.last_mut().and_then(|list| {
                    let number = list.next;
                    list.next = number.map(|n| n.saturating_add(1));
                    number
                });
                let block = self.block(BlockKind::Item(number), span.start..span.start);
                self.items.push(block);
                self.current = Some(block);
            }
            Tag::Table(_) => {
                self.current = None;
                self.tables.push(Table { span, rows: Vec::new() });
            }
            Tag::TableHead | Tag::TableRow => {
                let table = self.tables.len().saturating_sub(1);
                let row = self.tables.last().map_or(0, |t| t.rows.len());
                let block = self.block(BlockKind::Row(table, row), span.clone());
                self.current = Some(block);
                if let Some(table) = self.tables.last_mut() {
                    table.rows.push(Row { cells: Vec::new(), span, block });
                }
            }
            Tag::TableCell => {
                let later = self.tables.last().and_then(|t| t.rows.last()).is_some_and(|r| !r.cells.is_empty());
                if later && let Some(block) = self.current.and_then(|i| self.blocks.get_mut(i)) {
                    block.text.push_str(" | ");
                }
                self.cell = Some(Cell { text: String::new(), span });
            }
            Tag::Emphasis | Tag::Strong => self.emphasis += 1,
            Tag::Link { link_type, dest_url, .. } => self.start_link(false, link_type, &dest_url, span),
            Tag::Image { link_type, dest_url, .. } => self.start_link(true, link_type, &dest_url, span),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, span: &Span) {
        match tag {
            TagEnd::Paragraph | TagEnd::TableHead | TagEnd::TableRow => self.current = None,
            TagEnd::Heading(_) => {
                let text = self.current.and_then(|i| self.blocks.get(i)).map(|b| b.text.trim().to_owned());
                if let (Some(heading), Some(text)) = (self.headings.last_mut(), text) {
                    heading.text = text;
                }
                self.current = None;
            }
            TagEnd::BlockQuote(_) => {
                self.quotes = self.quotes.saturating_sub(1);
                self.current = None;
            }
            TagEnd::CodeBlock => {
                self.current = None;
                self.finish_fence();
            }
            TagEnd::HtmlBlock => self.html_start = None,
            TagEnd::List(_) => {
                self.lists.pop();
                self.current = None;
            }
            TagEnd::Item => {
                self.items.pop();
                self.current = None;
            }
            TagEnd::TableCell => {
                if let (Some(cell), Some(row)) =
                    (self.cell.take(), self.tables.last_mut().and_then(|t| t.rows.last_mut()))
                {
                    row.cells.push(cell);
                }
            }
            TagEnd::Emphasis | TagEnd::Strong => self.emphasis = self.emphasis.saturating_sub(1),
            TagEnd::Link | TagEnd::Image => self.finish_link(span),
            _ => {}
        }
    }

    fn start_fence(&mut self, kind: &CodeBlockKind<'_>, span: Span) {
        let (kind, info) = match kind {
            CodeBlockKind::Indented => (FenceKind::Indented, String::new()),
            CodeBlockKind::Fenced(info) => (FenceKind::Fenced, info.to_string()),
        };
        let language = info.split([' ', ',', '{', '\t']).next().unwrap_or("").to_lowercase();
        let index = self.fences.len();
        let block = self.block(BlockKind::Fence(index), span.clone());
        let closed = kind == FenceKind::Indented;
        self.fences.push(Fence { kind, language, info, span, lines: Vec::new(), closed, block });
        self.current = None;
    }

    fn fence_lines(&mut self, fence: usize, span: Span) {
        let Some(source) = self.text.get(span.clone()) else { return };
        let Some(fence) = self.fences.get_mut(fence) else { return };
        let mut at = span.start;
        for line in source.split_inclusive('\n') {
            let content = line.trim_end_matches('\n').trim_end_matches('\r').len();
            // The reader may hand one line in pieces, the line end apart from the rest.
            let same = fence.lines.last().and_then(|l| self.text.get(l.end..at)).is_some_and(|gap| !gap.contains('\n'));
            match fence.lines.last_mut() {
                Some(last) if same => last.end = last.end.max(if content == 0 { 0 } else { at + content }),
                _ => fence.lines.push(at..at + content),
            }
            at += line.len();
        }
    }

    fn finish_fence(&mut self) {
        let Some(fence) = self.fences.last_mut() else { return };
        if fence.kind == FenceKind::Fenced {
            let source = self.text.get(fence.span.clone()).unwrap_or("").trim_end();
            let last = source.rsplit('\n').next().unwrap_or("").trim_start_matches([' ', '\t', '>']).trim_end();
            fence.closed = source.contains('\n')
                && last.len() >= 3
                && (last.bytes().all(|b| b == b'`') || last.bytes().all(|b| b == b'~'));
        }
        fence.lines.retain(|line| line.start < fence.span.end);
    }

    fn start_link(&mut self, image: bool, link_type: LinkType, target: &str, span: Span) {
        let kind = match link_type {
            LinkType::Inline => LinkKind::Inline,
            LinkType::Autolink | LinkType::Email => LinkKind::Automatic,
            LinkType::ReferenceUnknown | LinkType::CollapsedUnknown | LinkType::ShortcutUnknown => LinkKind::Undefined,
            _ => LinkKind::Reference,
        };
        let block = self.open_block(span.start);
        self.open_links.push(OpenLink { index: self.links.len(), content_end: span.start + 1, text: String::new() });
        self.links.push(Link {
            kind,
            image,
            text: String::new(),
            target: target.to_owned(),
            target_span: span.clone(),
            span,
            block,
        });
    }

    fn finish_link(&mut self, span: &Span) {
        let Some(open) = self.open_links.pop() else { return };
        for outer in &mut self.open_links {
            outer.content_end = outer.content_end.max(span.end);
        }
        let target_span = self.target_span(open.content_end, span);
        if let Some(block) = self.current.and_then(|i| self.blocks.get_mut(i)) {
            block.span.end = block.span.end.max(span.end);
            if block.span.start > span.start {
                block.span.start = span.start;
            }
        }
        if let Some(link) = self.links.get_mut(open.index) {
            link.text = open.text;
            match link.kind {
                LinkKind::Inline => {
                    if let Some(target) = target_span {
                        link.target_span = target;
                    }
                }
                LinkKind::Automatic => {
                    link.target_span = span.start + 1..span.end.saturating_sub(1).max(span.start + 1)
                }
                _ => {}
            }
        }
    }

    /// The target in `](target "title")`, sought behind the link's text.
    fn target_span(&self, from: usize, link: &Span) -> Option<Span> {
        let rest = self.text.get(from..link.end)?;
        let open = from + rest.find("](")? + 2;
        let rest = self.text.get(open..link.end)?;
        let start = open + (rest.len() - rest.trim_start().len());
        let rest = self.text.get(start..link.end)?;
        if let Some(inner) = rest.strip_prefix('<') {
            return Some(start + 1..start + 1 + inner.find('>')?);
        }
        let mut depth = 0usize;
        for (i, c) in rest.char_indices() {
            match c {
                '(' => depth += 1,
                ')' if depth == 0 => return Some(start..start + i),
                ')' => depth -= 1,
                c if c.is_whitespace() => return Some(start..start + i),
                _ => {}
            }
        }
        None
    }

    /// Notes the comments that begin in raw HTML. A comment may reach behind the piece handed over.
    fn comments_in(&mut self, span: Span) {
        let known = self.comments.last().map_or(0, |c| c.span.end);
        let mut at = span.start.max(known);
        while at < span.end {
            let Some(found) = self.text.get(at..span.end).and_then(|rest| rest.find("<!--")) else { return };
            let start = at + found;
            let inside = start + 4;
            let (content_end, end, closed) = match self.text.get(inside..span.end).and_then(|rest| rest.find("-->")) {
                Some(length) => (inside + length, inside + length + 3, true),
                None => (span.end, span.end, false),
            };
            self.comments.push(Comment { span: start..end, content: inside..content_end, closed });
            at = end;
        }
    }
}

/// Every token that begins with `@` at the start of a word.
fn mentions(document: &Document) -> Vec<AtMention> {
    let text = document.text.as_str();
    let end = document.unread.unwrap_or(text.len());
    let mut mentions = Vec::new();
    for (at, _) in text.get(..end).unwrap_or("").match_indices('@') {
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let begins = before.is_none_or(|c| {
            c.is_whitespace()
                || matches!(
                    c,
                    '(' | '[' | '{' | '"' | '\'' | '`' | '*' | ',' | ';' | ':' | '|' | '，' | '、' | '：' | '（'
                )
        });
        if !begins {
            continue;
        }
        let rest = text.get(at + 1..end).unwrap_or("");
        let length = rest
            .find(|c: char| {
                c.is_whitespace()
                    || matches!(
                        c,
                        '`' | '"' | '\'' | ')' | ']' | '}' | '>' | '<' | '|' | '，' | '。' | '、' | '）' | '；'
                    )
            })
            .unwrap_or(rest.len());
        let token = rest.get(..length).unwrap_or("").trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_']);
        if token.is_empty() {
            continue;
        }
        mentions.push(AtMention { text: token.to_owned(), span: at..at + 1 + token.len(), place: document.place(at) });
    }
    mentions
}
