//! Directory trees drawn in code blocks, with box characters or by indentation, as path entries with spans.

use super::{Document, Span};

/// How a tree is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TreeStyle {
    /// `├── name`, `|-- name`, `+-- name`.
    Box,
    /// By indentation alone; at least one line ends in `/`.
    Indented,
}

/// One name in a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry {
    /// The name as drawn, without the final `/`.
    pub name: String,
    /// Bytes of the name, without the final `/`.
    pub span: Span,
    /// Names from below the root line down to this one, joined with `/`.
    pub path: String,
    /// The root line above it, such as `my-project` or `src`; `None` where the tree has none or it is `.`.
    pub root: Option<String>,
    /// How many names it lies below the root line.
    pub depth: usize,
    /// The entry it lies in, as an index of the tree's entries.
    pub parent: Option<usize>,
    /// Whether it is marked as a folder, by `/` or by entries below it.
    pub directory: bool,
    /// Whether it is the root line itself.
    pub is_root: bool,
    /// Whether it looks like one file name; plans and diagrams draw phrases with the same characters.
    pub filelike: bool,
    /// What is written behind the name.
    pub note: Option<Span>,
}

/// A drawn tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The code block it stands in, as an index of fences.
    pub fence: usize,
    /// How it is drawn.
    pub style: TreeStyle,
    /// Bytes from its first line to its last.
    pub span: Span,
    /// Its names in order.
    pub entries: Vec<TreeEntry>,
}

/// The trees of a document, at most one per code block.
pub(super) fn collect(document: &Document) -> Vec<Tree> {
    document
        .fences
        .iter()
        .enumerate()
        .filter_map(|(i, fence)| read(&document.text, i, &fence.language, &fence.lines))
        .collect()
}

fn is_box(c: char) -> bool {
    ('\u{2500}'..='\u{257f}').contains(&c)
}

/// The length in bytes of the drawing before a name, or `None` for a line without one.
fn drawing(line: &str) -> Option<usize> {
    let mut branch = false;
    let mut previous = ' ';
    for (i, c) in line.char_indices() {
        match c {
            ' ' | '\t' | '\u{a0}' => {
                if branch {
                    let rest = line.get(i..)?;
                    return Some(i + rest.len() - rest.trim_start_matches([' ', '\t', '\u{a0}']).len());
                }
            }
            // A corner or a branch; what follows up to the next blank belongs to it.
            '\u{251c}' | '\u{2514}' | '\u{2570}' | '\u{2523}' | '\u{2517}' | '\u{255a}' | '\u{2560}' => branch = true,
            c if is_box(c) => {}
            '|' | '+' | '`' | '\\' if matches!(line.get(i + 1..).and_then(|r| r.chars().next()), Some('-' | '_')) => {
                branch = true
            }
            '|' => {}
            '-' | '_' if branch && matches!(previous, '|' | '+' | '`' | '\\' | '-' | '_') => {}
            _ => return branch.then_some(i),
        }
        previous = c;
    }
    None
}

/// The name at the start of `rest` and the note behind it, both as ranges of `rest`.
fn name_and_note(rest: &str) -> (Span, Option<Span>) {
    let mut end = rest.trim_end().len();
    let content = rest.get(..end).unwrap_or("");
    for mark in ["  ", "\t", " #", " //", " <-", " ←", " ->", " →", " - ", " – ", " — ", " (", "（", " : ", " ..."]
    {
        if let Some(at) = content.find(mark) {
            end = end.min(at);
        }
    }
    // `src/ the code`: a folder's mark ends the name.
    if let Some(at) = content.find("/ ") {
        end = end.min(at + 1);
    }
    // `main.rs: the entry`
    if let Some(at) = content.find(": ") {
        end = end.min(at);
    }
    let note = content
        .get(end..)
        .map(|n| n.trim_start_matches([' ', '\t', '#', '/', '-', '–', '—', '←', '<', ':']))
        .filter(|n| !n.is_empty());
    (0..end, note.map(|n| content.len() - n.len()..content.len()))
}

fn filelike(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 255
        && !name.contains(['<', '>', '{', '}', '*', '"', '|', '?', '`', '(', ')', '=', ',', ';', '$', ':'])
        && !name.contains("..")
        && !name.starts_with('[')
        // One blank may belong to a name; a phrase has more.
        && name.split_whitespace().count() <= 2
        && (!name.contains(' ') || name.contains('.') || name.chars().next().is_some_and(char::is_uppercase))
        && !name.chars().any(is_box)
}

fn read(text: &str, fence: usize, language: &str, lines: &[Span]) -> Option<Tree> {
    let sources: Vec<(&Span, &str)> =
        lines.iter().filter_map(|l| Some((l, text.get(l.clone())?))).filter(|(_, s)| !s.trim().is_empty()).collect();
    let drawn = sources.iter().filter(|(_, s)| drawing(s).is_some()).count();
    let style = if drawn >= 2 && drawn * 2 >= sources.len().min(drawn * 2 + 1) {
        // A frame or a diagram has corners to the right as well.
        let framed = sources.iter().any(|(_, s)| s.contains(['┐', '┘', '┌', '╗', '╔', '╮', '▼', '►']));
        if framed {
            return None;
        }
        TreeStyle::Box
    } else if matches!(language, "" | "text" | "txt" | "plaintext" | "plain" | "tree" | "directory" | "filesystem")
        && is_indented(&sources)
    {
        TreeStyle::Indented
    } else {
        return None;
    };
    let mut entries: Vec<TreeEntry> = Vec::new();
    // (column, entry) from the root line down.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut first: Option<usize> = None;
    let mut last = 0;
    for (span, source) in &sources {
        let indent = source.len() - source.trim_start().len();
        let (at, column, is_root) = match (style, drawing(source)) {
            (TreeStyle::Box, Some(at)) => (at, source.get(..at).map_or(at, |d| d.chars().count()) + 1, false),
            // A line of bars only, between branches.
            (TreeStyle::Box, None) if source.chars().all(|c| is_box(c) || c.is_whitespace() || c == '|') => continue,
            (TreeStyle::Box, None) if indent > 0 => continue,
            (TreeStyle::Box, None) => (0, 0, true),
            (TreeStyle::Indented, _) => (indent, indent, false),
        };
        let Some(rest) = source.get(at..) else { continue };
        let (name_range, note) = name_and_note(rest);
        let raw = rest.get(name_range.clone()).unwrap_or("");
        let name = raw.trim_end_matches(['/', '\\']);
        if raw.is_empty() || raw.starts_with('#') {
            continue;
        }
        while open.last().is_some_and(|(c, _)| *c >= column) {
            open.pop();
        }
        let parent = open.last().map(|(_, i)| *i);
        let start = span.start + at + name_range.start;
        let (root, path, depth) = match parent.and_then(|i| entries.get(i)) {
            _ if is_root => (None, String::new(), 0),
            None => (None, name.to_owned(), 1),
            Some(above) if above.is_root => {
                let root = (!matches!(above.name.as_str(), "" | "." | "./")).then(|| above.name.clone());
                (root, name.to_owned(), 1)
            }
            Some(above) => {
                // Hostile nesting would make the paths' total length quadratic.
                let path = if above.depth < 64 { format!("{}/{name}", above.path) } else { name.to_owned() };
                (above.root.clone(), path, above.depth + 1)
            }
        };
        if let Some(above) = parent.and_then(|i| entries.get_mut(i)) {
            above.directory = true;
        }
        first.get_or_insert(span.start);
        last = span.end;
        open.push((column, entries.len()));
        entries.push(TreeEntry {
            name: name.to_owned(),
            span: start..start + name.len(),
            path,
            root,
            depth,
            parent,
            directory: raw.ends_with(['/', '\\']),
            is_root,
            filelike: filelike(name),
            note: note.map(|n| span.start + at + n.start..span.start + at + n.end),
        });
    }
    let first = first?;
    (entries.iter().filter(|e| e.filelike).count() >= 2).then_some(Tree { fence, style, span: first..last, entries })
}

/// Whether every line is a name, at least one of them a folder with something below it.
fn is_indented(sources: &[(&Span, &str)]) -> bool {
    let mut nested = false;
    let mut folder: Option<usize> = None;
    for (_, source) in sources {
        let indent = source.len() - source.trim_start().len();
        let (name, _) = name_and_note(source.trim_start());
        let name = source.trim_start().get(name).unwrap_or("");
        let plain = name.chars().all(|c| {
            c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '@' | '[' | ']' | '*' | '+' | '<' | '>')
        });
        let comment = source.trim_start().starts_with('#');
        if comment {
            continue;
        }
        if !plain || name.is_empty() || name.starts_with('-') {
            return false;
        }
        nested |= folder.is_some_and(|f| indent > f);
        folder = name.ends_with('/').then_some(indent);
    }
    nested && sources.len() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Tree {
        let mut trees = Document::parse(text).trees;
        assert_eq!(trees.len(), 1, "{text}");
        trees.remove(0)
    }

    fn paths(tree: &Tree) -> Vec<&str> {
        tree.entries.iter().map(|e| e.path.as_str()).collect()
    }

    #[test]
    fn box_drawn_with_a_root_line_and_notes() {
        let text = "```\nmy-app/\n├── src/            # the code\n│   ├── main.rs\n│   └── lib.rs — library\n├── El Frontend/\n│   └── package.json\n└── README.md\n```\n";
        let tree = tree(text);
        assert_eq!(tree.style, TreeStyle::Box);
        assert_eq!(
            paths(&tree),
            ["", "src", "src/main.rs", "src/lib.rs", "El Frontend", "El Frontend/package.json", "README.md"]
        );
        assert_eq!(tree.entries[1].root.as_deref(), Some("my-app"));
        assert!(tree.entries[0].is_root && tree.entries[1].directory && !tree.entries[2].directory);
        for entry in &tree.entries {
            assert_eq!(&text[entry.span.clone()], entry.name);
        }
        assert_eq!(&text[tree.entries[1].note.clone().unwrap()], "the code");
    }

    #[test]
    fn ascii_branches_under_a_list_item() {
        let text = "- layout\n  ```text\n  .\n  |-- a/\n  |   `-- b.txt\n  +-- c.txt\n  ```\n";
        let tree = tree(text);
        assert_eq!(paths(&tree), ["", "a", "a/b.txt", "c.txt"]);
        assert_eq!(tree.entries[1].root, None);
        assert_eq!(&text[tree.entries[2].span.clone()], "b.txt");
    }

    #[test]
    fn indented_without_a_language() {
        let tree = tree("```\nsrc/\n  app/        # screens\n    page.tsx\n  lib.ts\ntests/\n```\n");
        assert_eq!(tree.style, TreeStyle::Indented);
        assert_eq!(paths(&tree), ["src", "src/app", "src/app/page.tsx", "src/lib.ts", "tests"]);
    }

    #[test]
    fn neither_commands_nor_diagrams_nor_phrases_are_trees() {
        for text in [
            "```\ncd apps\n  make test\n```\n",
            "```\n┌────┐\n├ a  ┤\n└────┘\n```\n",
            "```\nproject:\n  name: x\n```\n",
            "```\nShould I write a test?\n├── Is it a pure function of values\n└── No, it is not (ask)\n```\n",
        ] {
            let trees = Document::parse(text).trees;
            assert!(trees.iter().all(|t| t.entries.iter().filter(|e| e.filelike).count() < 2), "{text}: {trees:?}");
        }
    }
}
