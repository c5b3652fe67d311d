//! What a text mentions: paths, globs, links, commands, tree entries, each with the words that qualify it.
//!
//! Nothing is looked up here. A reference carries what a reader would use to judge it: the folders named around it,
//! whether its sentence denies, dates or hedges it, and whether it is literal at all.

use super::command::{Directory, Origin, has_angle_placeholder};
use super::words::Words;
use super::{Block, BlockKind, Command, Document, LinkKind, Place, Span, command};
use std::collections::HashMap;

/// How many blocks back a list's earlier `cd` step is sought.
const STEP_LIMIT: usize = 8;
/// How many path-like tokens of one block are taken as folder hints.
const HINT_LIMIT: usize = 8;

/// What a reference is by its shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReferenceKind {
    /// A path with a folder: `src/main.rs`, `docs/`, `./a`, `..\b`.
    Path,
    /// A file name alone: `package.json`, `Makefile`.
    FileName,
    /// Words with slashes, without an extension or a final slash: `owner/repo`, `src/tools`, `try/catch`, `zod/v4`.
    Slashed,
    /// A pattern: `**/*.ts`, `src/{a,b}/*`.
    Glob,
    /// A link to a file or a heading.
    Link,
    /// An image.
    Image,
    /// A link of the form `mdc:path`.
    RuleLink,
    /// A web address or another scheme.
    Url,
    /// A shell command.
    Command,
    /// A token that begins with `@`, outside of code; each host has its own reading.
    Mention,
    /// A name in a drawn tree.
    TreeEntry,
    /// `@scope/name`.
    ScopedPackage,
    /// A path that begins with `/`: a route, a place in a container, a slash command.
    Absolute,
    /// A path that begins with `~`.
    Home,
    /// `a::b`, `file.py::test`, `//package:target`.
    Symbol,
    /// `origin/main`, `release/3.x`.
    Branch,
    /// A module named by a host: `github.com/a/b`.
    Module,
    /// `.so`, `.value`, `.gitignore`.
    Dotted,
    /// `$NAME`, `%NAME%`.
    Variable,
    /// Any other code.
    Code,
}

/// Whether a token names one thing or stands for many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Literalness {
    /// It means what it says.
    #[default]
    Literal,
    /// A made-up name without marks: `SomeTest`, `path/to/file`.
    StandIn,
    /// Marked as to be filled in: `<x>`, `{x}`, `[x]`, `...`, `$X`.
    Placeholder,
}

/// How the sentence around a reference qualifies it. Several can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Polarity {
    /// Denied or forbidden: "do not create", "there is no".
    pub negated: bool,
    /// Of the past: "was removed", "no longer".
    pub past: bool,
    /// Of the future: "create", "will be".
    pub future: bool,
    /// May be missing: "if present".
    pub optional: bool,
    /// Stands for others: "e.g.", a heading "Examples".
    pub example: bool,
    /// Shown as how not to do it: a lead-in "Wrong:".
    pub wrong: bool,
    /// Made by a tool: "generates", "output".
    pub generated: bool,
    /// Elsewhere: "in that repo".
    pub elsewhere: bool,
}

impl Polarity {
    /// Whether the text states plainly that the thing is there.
    #[must_use]
    pub fn is_plain(self) -> bool {
        self == Self::default()
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            negated: self.negated || other.negated,
            past: self.past || other.past,
            future: self.future || other.future,
            optional: self.optional || other.optional,
            example: self.example || other.example,
            wrong: self.wrong || other.wrong,
            generated: self.generated || other.generated,
            elsewhere: self.elsewhere || other.elsewhere,
        }
    }

    /// What the words of a text say; its code spans are left out of account.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let words = Words::get();
        Self {
            negated: words.negation.occur(text),
            past: words.past.occur(text),
            future: words.future.occur(text),
            optional: words.optional.occur(text),
            example: words.example.occur(text),
            wrong: words.wrong.leading(text.trim_start_matches(['#', ' ', '*', '_', '/'])).is_some(),
            generated: words.generated.occur(text),
            elsewhere: words.elsewhere.occur(text),
        }
    }
}

/// Where a folder was named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BaseSource {
    /// A `cd` before the command.
    ChangeDirectory,
    /// A comment in the code block.
    Comment,
    /// In parentheses behind the reference.
    Behind,
    /// In the same sentence or an earlier cell of the row.
    Beside,
    /// In an earlier step of the same list.
    Step,
    /// In the line that leads in the list or block, or in the list item around it.
    LeadIn,
    /// In the first line of the section.
    Opening,
    /// In a heading above, as code or in parentheses.
    Heading,
    /// A word of a heading, in lower case; only worth a look.
    HeadingWord,
}

/// A folder from which a reference may be meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseHint {
    /// The folder as written, without a final slash.
    pub folder: String,
    /// Where it was named.
    pub source: BaseSource,
}

/// One mention.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// Its shape.
    pub kind: ReferenceKind,
    /// The path, pattern, target or command. Paths have `/` for `\` and no `:line` behind them; links keep their
    /// `#anchor`.
    pub text: String,
    /// Bytes in the file.
    pub span: Span,
    /// What it stands in.
    pub place: Place,
    /// Its block.
    pub block: Option<usize>,
    /// The innermost heading above it.
    pub heading: Option<usize>,
    /// Folders named around it, the nearest first.
    pub bases: Vec<BaseHint>,
    /// How its sentence qualifies it.
    pub polarity: Polarity,
    /// Whether it names one thing.
    pub literalness: Literalness,
    /// The command, for one.
    pub command: Option<Box<Command>>,
    /// The link, for one, as an index of [`Document::links`].
    pub link: Option<usize>,
    /// The tree and entry, for one, as indices.
    pub tree: Option<(usize, usize)>,
}

const EXTENSIONS: &[&str] = &[
    "adoc",
    "astro",
    "avsc",
    "bash",
    "bat",
    "bazel",
    "bzl",
    "c",
    "cc",
    "cfg",
    "cjs",
    "clj",
    "cmake",
    "cmd",
    "conf",
    "cpp",
    "cs",
    "csproj",
    "css",
    "csv",
    "cts",
    "cxx",
    "dart",
    "db",
    "dockerfile",
    "edn",
    "ejs",
    "env",
    "erb",
    "ex",
    "exs",
    "fs",
    "fsproj",
    "gif",
    "go",
    "golden",
    "gradle",
    "graphql",
    "gql",
    "groovy",
    "h",
    "haml",
    "hbs",
    "hcl",
    "hh",
    "hpp",
    "hs",
    "html",
    "htm",
    "ico",
    "ini",
    "ino",
    "ipynb",
    "java",
    "jinja",
    "jpg",
    "js",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "jsx",
    "kt",
    "kts",
    "less",
    "lock",
    "log",
    "lua",
    "m",
    "md",
    "mdc",
    "mdx",
    "mjs",
    "mk",
    "ml",
    "mod",
    "mts",
    "neon",
    "nix",
    "php",
    "phpt",
    "pl",
    "plist",
    "png",
    "prisma",
    "properties",
    "props",
    "proto",
    "ps1",
    "py",
    "pyi",
    "pyx",
    "r",
    "rake",
    "rb",
    "rbi",
    "rs",
    "rst",
    "sass",
    "sbt",
    "scala",
    "scss",
    "sh",
    "sln",
    "slnx",
    "snap",
    "sol",
    "sql",
    "sum",
    "svelte",
    "svg",
    "swift",
    "sys",
    "targets",
    "tcl",
    "tex",
    "tf",
    "tfvars",
    "toml",
    "ts",
    "tsv",
    "tsx",
    "txt",
    "vue",
    "wasm",
    "webp",
    "wxs",
    "xml",
    "xsd",
    "yaml",
    "yml",
    "zig",
    "zsh",
    "dist",
    "example",
    "template",
    "tmpl",
    "in",
    "pdf",
    "abnf",
    "exe",
    "dll",
    "so",
    "zip",
    "gz",
    "d",
    "ftl",
    "po",
    "pot",
    "strings",
    "gradle.kts",
];

const FILE_NAMES: &[&str] = &[
    "Makefile",
    "makefile",
    "GNUmakefile",
    "Dockerfile",
    "Containerfile",
    "Justfile",
    "justfile",
    "LICENSE",
    "LICENCE",
    "README",
    "CHANGELOG",
    "CONTRIBUTING",
    "Gemfile",
    "Rakefile",
    "Procfile",
    "Vagrantfile",
    "Jenkinsfile",
    "Brewfile",
    "Podfile",
    "Fastfile",
    "CODEOWNERS",
    "Tiltfile",
    "Earthfile",
    "BUILD",
    "WORKSPACE",
    "NOTICE",
];

/// Whether a name ends in an extension that files have.
fn has_extension(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty() && EXTENSIONS.binary_search(&extension).is_ok()
            || !stem.is_empty() && EXTENSIONS.contains(&extension)
    })
}

/// What a token is by its shape alone.
#[must_use]
pub fn shape(token: &str) -> ReferenceKind {
    use ReferenceKind as Kind;
    let token = token.trim();
    if token.is_empty() || token.len() > 300 || token.contains('\n') {
        return Kind::Code;
    }
    if let Some((scheme, _)) = token.split_once("://") {
        let scheme_like =
            !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
        return if scheme_like { Kind::Url } else { Kind::Code };
    }
    if token.starts_with("//") {
        return Kind::Symbol;
    }
    if token.starts_with("mdc:") {
        return Kind::RuleLink;
    }
    if token.starts_with('$') || token.starts_with('%') && token.len() > 1 && token.ends_with('%') {
        return Kind::Variable;
    }
    if token.starts_with('~') {
        return if token.starts_with("~/") || token.starts_with("~\\") { Kind::Home } else { Kind::Code };
    }
    if token.starts_with('-') || token.starts_with('!') || token.chars().any(|c| ('\u{2500}'..='\u{257f}').contains(&c))
    {
        return Kind::Code;
    }
    if token.contains("::") {
        return Kind::Symbol;
    }
    let bare = cut_line_suffix(token);
    let braces_are_globs =
        bare.contains('{') && bare.contains('}') && bare.contains(['/', '.']) && !bare.contains([' ', ':', '(', '"']);
    if bare.contains(['(', ')', ';', '"', '\'', '|', '&', '^', '`'])
        || bare.contains(['=', ',']) && !braces_are_globs
        || bare.contains(['{', '}']) && !braces_are_globs
    {
        return Kind::Code;
    }
    if bare.contains(char::is_whitespace) {
        // Folder names with a blank: `El Frontend/src/main.ts`.
        let last = bare.rsplit('/').next().unwrap_or("");
        let pathlike = bare.contains('/')
            && (bare.ends_with('/') || has_extension(last))
            && !bare.contains(" /")
            && !bare.contains("/ ");
        let words = bare.split_whitespace().count();
        return if pathlike && words <= 3 && !bare.contains(['<', '>', '*', '$', ':']) {
            Kind::Path
        } else {
            Kind::Code
        };
    }
    if bare.contains('*') || bare.contains('?') || braces_are_globs && bare.contains(',') {
        let pathlike = bare.contains(['/', '.']) && !bare.contains(['<', '>', ':']);
        return if pathlike { Kind::Glob } else { Kind::Code };
    }
    if bare.starts_with('@') {
        let mut parts = bare.trim_start_matches('@').split('/');
        let file = bare.rsplit('/').next().is_some_and(has_extension);
        return match (file, parts.next().is_some_and(|p| !p.is_empty()), parts.next().is_some()) {
            (true, _, _) => Kind::Mention,
            (false, true, true) => Kind::ScopedPackage,
            _ => Kind::Code,
        };
    }
    if bare.starts_with('/') {
        return Kind::Absolute;
    }
    if bare.contains('\\') {
        let drive = bare.as_bytes().get(1) == Some(&b':');
        let parts = bare.split('\\').count();
        let last = bare.rsplit('\\').next().unwrap_or("");
        let names =
            bare.split('\\').all(|p| p.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ' ')));
        return match (drive, parts > 1 && names && (has_extension(last) || last.is_empty())) {
            (true, _) => Kind::Absolute,
            (false, true) => Kind::Path,
            _ => Kind::Code,
        };
    }
    if bare.contains([':', '#', '>', '<', '+', '~']) && !bare.contains('/') || bare.contains(':') {
        return Kind::Code;
    }
    let last = bare.trim_end_matches('/').rsplit('/').next().unwrap_or("");
    if bare.contains('/') {
        let first = bare.split('/').next().unwrap_or("");
        if matches!(
            first,
            "origin" | "upstream" | "refs" | "feature" | "feat" | "release" | "hotfix" | "bugfix" | "heads"
        ) && !has_extension(last)
            && !bare.ends_with('/')
        {
            return Kind::Branch;
        }
        if matches!(first, "application" | "text" | "image" | "audio" | "video" | "multipart" | "font")
            && bare.matches('/').count() == 1
            && !has_extension(last)
            && !bare.ends_with('/')
        {
            return Kind::Code;
        }
        if bare.starts_with("./") || bare.starts_with("../") || bare == ".." {
            return Kind::Path;
        }
        let host = first.split_once('.').is_some_and(|(name, end)| {
            !name.is_empty()
                && end.split('.').all(|p| (2..=8).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_lowercase()))
                && !has_extension(first)
        });
        if host {
            return Kind::Module;
        }
        if bare.ends_with('/')
            || has_extension(last)
            || first.starts_with('.') && first.len() > 1
            || FILE_NAMES.contains(&last)
        {
            return Kind::Path;
        }
        let words = bare.split('/').all(|p| {
            !p.is_empty()
                && p.chars().all(|c| {
                    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '@' | '[' | ']' | '<' | '>' | '$' | '{' | '}')
                })
        });
        return if words { Kind::Slashed } else { Kind::Code };
    }
    if bare.starts_with('.') {
        let name = bare.get(1..).unwrap_or("");
        let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
        return if plain { Kind::Dotted } else { Kind::Code };
    }
    // `Node.js`, `Vue.js` are products.
    let product = bare.ends_with(".js") && bare.starts_with(|c: char| c.is_ascii_uppercase());
    let plain = !product
        && bare.chars().all(|c| {
            c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '[' | ']' | '<' | '>' | '{' | '}' | '+' | '@')
        });
    if plain && (has_extension(bare) || FILE_NAMES.contains(&bare)) { Kind::FileName } else { Kind::Code }
}

/// `src/a.rs:12` and `src/a.rs:12-20` without the line.
fn cut_line_suffix(token: &str) -> &str {
    match token.rsplit_once(':') {
        Some((path, line))
            if !path.is_empty()
                && !line.is_empty()
                && line.bytes().all(|b| b.is_ascii_digit() || b == b'-')
                && path.contains(['/', '.']) =>
        {
            cut_line_suffix_once(path)
        }
        _ => token,
    }
}

/// `a.rs:12:5` has a column as well.
fn cut_line_suffix_once(path: &str) -> &str {
    match path.rsplit_once(':') {
        Some((inner, line)) if !inner.is_empty() && !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit()) => {
            inner
        }
        _ => path,
    }
}

/// Whether a token names one thing.
#[must_use]
pub fn literalness(token: &str) -> Literalness {
    // `./...` is every Go package below, a real argument.
    let dots = token.contains("...") && !token.ends_with("/...");
    if dots || token.contains('…') || token.contains('$') || has_angle_placeholder(token) {
        return Literalness::Placeholder;
    }
    let between = |open: char, close: char| {
        token.split_once(open).and_then(|(_, rest)| rest.split_once(close)).map(|(inner, _)| inner)
    };
    if between('{', '}').is_some_and(|inner| !inner.contains([',', ':', '"']) && inner.len() <= 60) {
        return Literalness::Placeholder;
    }
    if between('[', ']').is_some_and(|inner| {
        inner.len() > 1 && inner.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' '))
    }) {
        return Literalness::Placeholder;
    }
    if token.len() > 2 && token.starts_with('%') && token.ends_with('%') {
        return Literalness::Placeholder;
    }
    let words = Words::get();
    let lower = token.to_lowercase();
    if words.stand_in_parts.iter().any(|part| {
        lower.starts_with(part.as_str())
            || lower.contains(&format!("/{part}"))
            || part.contains('/') && lower.contains(part.as_str())
    }) {
        return Literalness::StandIn;
    }
    let last = token.trim_end_matches('/').rsplit(['/', '\\', '=', ':']).next().unwrap_or("");
    let stem = last.split('.').find(|part| !part.is_empty()).unwrap_or("");
    let has_ending = last.len() > stem.len() + 1;
    if has_ending && words.stand_in_stems.contains(&stem.to_lowercase()) {
        return Literalness::StandIn;
    }
    let parts = name_words(stem);
    if parts.len() > 1
        && parts.iter().any(|part| words.stand_in_words.contains(part))
        && (token.contains(['/', '.']) || stem.chars().next().is_some_and(char::is_uppercase))
    {
        return Literalness::StandIn;
    }
    Literalness::Literal
}

/// The words of a name, in lower case, cut at `-`, `_` and capitals.
fn name_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut previous_lower = false;
    for c in name.chars().take(200) {
        let cut = matches!(c, '-' | '_' | ' ');
        if cut || c.is_uppercase() && previous_lower {
            words.push(String::new());
        }
        if !cut && let Some(last) = words.last_mut() {
            last.extend(c.to_lowercase());
        }
        previous_lower = c.is_lowercase() || c.is_ascii_digit();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The path in a token: `/` for `\`, no line number.
fn path_text(token: &str) -> String {
    cut_line_suffix(token.trim()).replace('\\', "/")
}

/// Everything that a document mentions, in order.
pub(super) fn collect(document: &Document) -> Vec<Reference> {
    let mut collector =
        Collector { document, sentences: HashMap::new(), hints: HashMap::new(), references: Vec::new() };
    collector.header();
    let mut in_commands = std::collections::HashSet::new();
    for command in document.commands() {
        if let Origin::Code(index) = command.origin {
            in_commands.insert(index);
        }
        collector.command(command);
    }
    for (i, code) in document.codes.iter().enumerate() {
        if !in_commands.contains(&i) {
            collector.token(&code.text, code.span.clone(), Place::Code, code.block);
        }
    }
    collector.links();
    collector.mentions();
    collector.trees();
    collector.prose();
    let mut references = collector.references;
    references.sort_by_key(|reference| (reference.span.start, reference.span.end));
    references
}

struct Collector<'d> {
    document: &'d Document,
    /// Per block: its sentences and what each says.
    sentences: HashMap<usize, Vec<(Span, Polarity)>>,
    hints: HashMap<usize, Vec<BaseHint>>,
    references: Vec<Reference>,
}

impl Collector<'_> {
    fn header(&mut self) {
        let Some(header) = &self.document.frontmatter else { return };
        for key in ["globs", "applyTo", "paths"] {
            for pattern in header.globs(key).map(|g| g.patterns).unwrap_or_default() {
                self.references.push(Reference {
                    kind: ReferenceKind::Glob,
                    text: pattern.text,
                    span: pattern.span,
                    place: Place::Frontmatter,
                    block: None,
                    heading: None,
                    bases: Vec::new(),
                    polarity: Polarity::default(),
                    literalness: Literalness::Literal,
                    command: None,
                    link: None,
                    tree: None,
                });
            }
        }
    }

    fn push(&mut self, kind: ReferenceKind, text: String, span: Span, place: Place, block: usize) -> &mut Reference {
        let polarity = self.polarity(block, span.start);
        let mut bases = Vec::new();
        if let Some(folder) = self.folder_behind(&span) {
            bases.push(BaseHint { folder, source: BaseSource::Behind });
        }
        bases.extend(self.hints_of(block).into_iter().filter(|hint| hint.folder != text.trim_end_matches('/')));
        let heading = self.document.blocks.get(block).and_then(|b| b.heading);
        self.references.push(Reference {
            kind,
            literalness: literalness(&text),
            text,
            span,
            place,
            block: Some(block),
            heading,
            bases,
            polarity,
            command: None,
            link: None,
            tree: None,
        });
        let last = self.references.len() - 1;
        &mut self.references[last]
    }

    fn token(&mut self, text: &str, span: Span, place: Place, block: usize) {
        let kind = shape(text);
        if !matches!(kind, ReferenceKind::Code | ReferenceKind::Variable | ReferenceKind::Dotted) {
            self.push(kind, path_text(text), span, place, block);
        }
    }

    fn command(&mut self, command: Command) {
        let place = match command.origin {
            Origin::Fence(_) => Place::Fence,
            Origin::Code(_) => Place::Code,
        };
        let block = command.block;
        let mut polarity = Polarity::default();
        let mut bases: Vec<BaseHint> = Vec::new();
        for directory in &command.directories {
            if let Directory::Folder(folder) = directory {
                bases.push(BaseHint { folder: folder.clone(), source: BaseSource::ChangeDirectory });
            }
        }
        if let (Some(comment), Origin::Fence(_)) = (&command.comment, command.origin) {
            let comment = self.document.slice(comment);
            polarity = comment_polarity(comment);
            bases.extend(
                folders_in_prose(comment).into_iter().map(|folder| BaseHint { folder, source: BaseSource::Comment }),
            );
        }
        let literal = command.literalness;
        let text = command.text.clone();
        let span = command.span.clone();
        let reference = self.push(ReferenceKind::Command, text, span, place, block);
        reference.polarity = reference.polarity.and(polarity);
        reference.literalness = literal;
        bases.append(&mut reference.bases);
        reference.bases = bases;
        reference.command = Some(Box::new(command));
    }

    fn links(&mut self) {
        for (i, link) in self.document.links.iter().enumerate() {
            let target = link.target.trim();
            let kind = if target.starts_with("mdc:") {
                ReferenceKind::RuleLink
            } else if target.contains("://") || target.starts_with("mailto:") || link.kind == LinkKind::Automatic {
                ReferenceKind::Url
            } else if link.image {
                ReferenceKind::Image
            } else {
                ReferenceKind::Link
            };
            if link.kind == LinkKind::Undefined {
                continue;
            }
            let reference = self.push(kind, target.to_owned(), link.target_span.clone(), Place::Prose, link.block);
            reference.link = Some(i);
        }
    }

    fn mentions(&mut self) {
        for mention in &self.document.mentions {
            if mention.place != Place::Prose {
                continue;
            }
            let Some(block) = self.document.block_at(mention.span.start) else { continue };
            let file = shape(&format!("@{}", mention.text)) == ReferenceKind::Mention || mention.text.contains('/');
            if file {
                let kind = if shape(&format!("@{}", mention.text)) == ReferenceKind::ScopedPackage {
                    ReferenceKind::ScopedPackage
                } else {
                    ReferenceKind::Mention
                };
                let text =
                    if kind == ReferenceKind::Mention { mention.text.clone() } else { format!("@{}", mention.text) };
                self.push(kind, text, mention.span.clone(), Place::Prose, block);
            }
        }
    }

    fn trees(&mut self) {
        for (t, tree) in self.document.trees.iter().enumerate() {
            let Some(block) = self.document.fences.get(tree.fence).map(|f| f.block) else { continue };
            for (e, entry) in tree.entries.iter().enumerate() {
                if entry.is_root || !entry.filelike {
                    continue;
                }
                let note = entry.note.as_ref().map(|n| comment_polarity(self.document.slice(n))).unwrap_or_default();
                let reference =
                    self.push(ReferenceKind::TreeEntry, entry.path.clone(), entry.span.clone(), Place::Fence, block);
                reference.polarity = reference.polarity.and(note);
                reference.tree = Some((t, e));
            }
        }
    }

    /// Paths in running text. They are rarely meant literally, so only clear shapes count.
    fn prose(&mut self) {
        for index in 0..self.document.blocks.len() {
            let Some(block) = self.document.blocks.get(index) else { continue };
            if matches!(block.kind, BlockKind::Fence(_) | BlockKind::Html) {
                continue;
            }
            let span = block.span.clone();
            let source = self.document.slice(&span);
            if !source.contains('/') {
                continue;
            }
            let mut at = 0;
            for word in source.split(|c: char| {
                c.is_whitespace() || matches!(c, '|' | '(' | ')' | '，' | '。' | '、' | '（' | '）' | '：')
            }) {
                let start = span.start + at;
                at +=
                    word.len() + source.get(at + word.len()..).and_then(|r| r.chars().next()).map_or(1, char::len_utf8);
                let trimmed = word
                    .trim_matches(['*', '_', '"', '\'', ',', ';', ':', '[', ']', '<', '>', '!', '“', '”'])
                    .trim_end_matches('.');
                if trimmed.len() < 4 || !trimmed.contains('/') || word.contains('`') || trimmed.contains('@') {
                    continue;
                }
                let offset = start + word.find(trimmed).unwrap_or(0);
                let clear = trimmed.rsplit('/').next().is_some_and(has_extension);
                let in_link = self.document.links.partition_point(|l| l.span.start <= offset).checked_sub(1);
                let in_link = in_link.and_then(|i| self.document.links.get(i)).is_some_and(|l| offset < l.span.end);
                if clear
                    && !in_link
                    && self.document.place(offset) == Place::Prose
                    && shape(trimmed) == ReferenceKind::Path
                {
                    self.push(
                        ReferenceKind::Path,
                        path_text(trimmed),
                        offset..offset + trimmed.len(),
                        Place::Prose,
                        index,
                    );
                }
            }
        }
    }

    /// What the sentence at `offset`, its lead-in and its headings say.
    fn polarity(&mut self, block: usize, offset: usize) -> Polarity {
        let document = self.document;
        let sentences = self.sentences.entry(block).or_insert_with(|| block_sentences(document, block));
        let at = sentences.partition_point(|(span, _)| span.start <= offset).saturating_sub(1);
        sentences.get(at).map(|(_, polarity)| *polarity).unwrap_or_default()
    }

    /// `make lint` (backend)
    fn folder_behind(&self, span: &Span) -> Option<String> {
        let rest = self.document.text.get(span.end..)?.trim_start_matches('`').trim_start_matches(' ');
        let inner = rest.strip_prefix('(')?;
        let close = inner.char_indices().take(42).find(|(_, c)| *c == ')')?.0;
        let word = inner.get(..close)?.trim_matches('`').trim_end_matches('/');
        let plain = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '/' | '_' | '-' | '.'));
        plain.then(|| word.to_owned())
    }

    fn hints_of(&mut self, block: usize) -> Vec<BaseHint> {
        if let Some(known) = self.hints.get(&block) {
            return known.clone();
        }
        let hints = block_hints(self.document, block);
        self.hints.insert(block, hints.clone());
        hints
    }
}

/// What a comment beside a command or an entry says. `#` is its mark.
fn comment_polarity(comment: &str) -> Polarity {
    let mut polarity = Polarity::of(comment);
    // "# Create the database" tells what the command does, not that something is still to come.
    polarity.future = false;
    polarity.generated = Words::get().generated.occur(comment);
    polarity
}

/// The sentences of a block with what they say, the lead-in and headings included.
fn block_sentences(document: &Document, index: usize) -> Vec<(Span, Polarity)> {
    let words = Words::get();
    let Some(block) = document.blocks.get(index) else { return Vec::new() };
    let mut around = Polarity::default();
    for heading in document.heading_path(block.heading) {
        around.example |= words.example_headings.occur(&heading.text) && heading.level > 1;
        around.wrong |=
            words.wrong.leading(heading.text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '❌')).is_some();
    }
    if let Some(lead) = block.lead_in.and_then(|i| document.blocks.get(i)) {
        let is_fence = matches!(block.kind, BlockKind::Fence(_));
        let leads = lead.text.trim_end().ends_with([':', '：']) && matches!(block.kind, BlockKind::Item(_)) || is_fence;
        if leads && !matches!(lead.kind, BlockKind::Heading(_) | BlockKind::Fence(_)) {
            // Only the last sentence leads in.
            let masked = mask_code(&lead.text);
            let last = sentences(&masked).last().cloned().and_then(|s| masked.get(s)).unwrap_or("").to_owned();
            let mut polarity = Polarity::of(&last);
            if is_fence {
                // "This generates the files:" says nothing against the command itself.
                polarity = Polarity {
                    negated: polarity.negated && words.prohibition.occur(&last),
                    wrong: polarity.wrong,
                    example: polarity.example,
                    past: polarity.past,
                    optional: polarity.optional,
                    elsewhere: polarity.elsewhere,
                    ..Polarity::default()
                };
            }
            around = around.and(polarity);
        }
    }
    if let Some(parent) = block.parent.and_then(|i| document.blocks.get(i))
        && parent.text.trim_end().ends_with([':', '：'])
    {
        around = around.and(Polarity::of(&mask_code(&parent.text)));
    }
    if matches!(block.kind, BlockKind::Fence(_)) {
        return vec![(block.span.clone(), around)];
    }
    let masked = mask_code(document.slice(&block.span));
    sentences(&masked)
        .into_iter()
        .map(|s| {
            let polarity = around.and(Polarity::of(masked.get(s.clone()).unwrap_or("")));
            (block.span.start + s.start..block.span.start + s.end, polarity)
        })
        .collect()
}

/// The text with code spans and link targets blanked out, byte for byte.
#[must_use]
pub fn mask_code(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut inside = false;
    let mut in_target = false;
    let mut previous = ' ';
    for c in text.chars() {
        match c {
            '`' => {
                inside = !inside;
                masked.push('`');
            }
            '(' if previous == ']' && !inside => {
                in_target = true;
                masked.push(c);
            }
            ')' | ' ' if in_target => {
                in_target = false;
                masked.push(c);
            }
            _ if inside || in_target => masked.extend(std::iter::repeat_n('_', c.len_utf8())),
            _ => masked.push(c),
        }
        previous = c;
    }
    masked
}

/// The sentences of a text as ranges. A full stop ends one before white space, unless it follows an abbreviation.
#[must_use]
pub fn sentences(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    for (i, c) in text.char_indices() {
        let behind = i + c.len_utf8();
        let ends = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' if bytes.get(behind).is_none_or(u8::is_ascii_whitespace) => {
                // Only a short word before it can be an abbreviation or a number of a list.
                let mut near = i.saturating_sub(16).max(start);
                while !text.is_char_boundary(near) {
                    near += 1;
                }
                let before = text.get(near..i).unwrap_or("");
                let word = before.rsplit([' ', '(', '\n']).next().unwrap_or("").to_ascii_lowercase();
                let abbreviation = matches!(
                    word.as_str(),
                    "e.g" | "i.e" | "eg" | "ie" | "etc" | "vs" | "cf" | "z.b" | "bzw" | "no" | "approx" | "incl" | "z"
                );
                let number =
                    (1..=2).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit()) && i - start <= 3;
                c != '.' || !(abbreviation || number)
            }
            _ => false,
        };
        if ends {
            found.push(start..behind);
            start = behind;
        }
    }
    if text.get(start..).is_some_and(|rest| !rest.trim().is_empty()) {
        found.push(start..text.len());
    }
    found
}

fn folder_of(token: &str) -> Option<String> {
    let text = path_text(token);
    let folder = match shape(token) {
        ReferenceKind::Path if text.ends_with('/') => text.as_str(),
        ReferenceKind::Slashed => text.as_str(),
        ReferenceKind::Path => match text.rsplit_once('/') {
            Some((folder, name)) if has_extension(name) => folder,
            _ => text.as_str(),
        },
        _ => return None,
    };
    let folder = folder.trim_end_matches('/').trim_start_matches("./");
    (!folder.is_empty() && literalness(folder) == Literalness::Literal).then(|| folder.to_owned())
}

/// Folders that running text names: with a slash, or before the word "directory".
fn folders_in_prose(text: &str) -> Vec<String> {
    let mut folders = Vec::new();
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']'))
        .filter(|w| !w.is_empty())
        .take(200)
        .collect();
    for (i, word) in words.iter().enumerate() {
        let word = word.trim_matches(['`', '"', '\'', ',', ':', ';', '*']).trim_end_matches('.');
        let named = words.get(i + 1).is_some_and(|next| {
            matches!(
                next.trim_matches([',', '.', ':', '`', ';', ')']).to_ascii_lowercase().as_str(),
                "directory" | "folder" | "dir" | "package" | "subdirectory" | "workspace" | "crate"
            )
        });
        let plain = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '/' | '_' | '-' | '.'));
        let article = matches!(
            word.to_ascii_lowercase().as_str(),
            "the"
                | "this"
                | "that"
                | "a"
                | "root"
                | "same"
                | "each"
                | "every"
                | "its"
                | "their"
                | "your"
                | "project"
                | "current"
                | "working"
                | "workspace"
        );
        if word.contains('/') && plain && word != "/" {
            folders.extend(folder_of(word).or_else(|| folder_of(&format!("{word}/"))));
        } else if named && plain && !article {
            folders.push(word.trim_end_matches('/').to_owned());
        }
        if folders.len() >= HINT_LIMIT {
            break;
        }
    }
    folders
}

/// Folders that a block names, in code or in running text.
fn folders_in(document: &Document, index: usize) -> Vec<String> {
    let Some(block) = document.blocks.get(index) else { return Vec::new() };
    let first = document.codes.partition_point(|c| c.outer.start < block.span.start);
    let mut folders: Vec<String> = Vec::new();
    for code in document.codes.iter().skip(first).take_while(|c| c.outer.start < block.span.end).take(HINT_LIMIT * 4) {
        if let Some(target) = code.text.trim().strip_prefix("cd ") {
            let target = target.split(['&', ';', '|']).next().unwrap_or("").trim().trim_matches(['"', '\'']);
            if literalness(target) == Literalness::Literal {
                folders.push(target.trim_end_matches('/').trim_start_matches("./").to_owned());
            }
        } else {
            folders.extend(folder_of(&code.text));
        }
    }
    let masked = mask_code(&block.text);
    folders.extend(folders_in_prose(&masked));
    // "Run from `backend`": a bare word in code counts behind such a word.
    for code in document.codes.iter().skip(first).take_while(|c| c.outer.start < block.span.end).take(HINT_LIMIT) {
        let before = document.text.get(block.span.start..code.outer.start).unwrap_or("").trim_end();
        let before = before.rsplit([' ', '\n']).next().unwrap_or("").to_ascii_lowercase();
        let plain = code.text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
        if plain
            && matches!(before.as_str(), "from" | "in" | "inside" | "under" | "within" | "into" | "to")
            && !code.text.is_empty()
        {
            folders.push(code.text.clone());
        }
    }
    folders.truncate(HINT_LIMIT);
    folders.retain(|folder| !folder.is_empty());
    folders
}

fn block_hints(document: &Document, index: usize) -> Vec<BaseHint> {
    let Some(block) = document.blocks.get(index) else { return Vec::new() };
    let mut hints: Vec<BaseHint> = Vec::new();
    let mut add = |folders: Vec<String>, source: BaseSource| {
        for folder in folders {
            if !hints.iter().any(|hint: &BaseHint| hint.folder == folder) {
                hints.push(BaseHint { folder, source });
            }
        }
    };
    if !matches!(block.kind, BlockKind::Fence(_)) {
        add(folders_in(document, index), BaseSource::Beside);
    }
    for step in earlier_steps(document, index, block) {
        let folders = folders_in(document, step);
        let is_step = document.blocks.get(step).is_some_and(|b| b.text.contains("`cd "));
        if is_step {
            add(folders, BaseSource::Step);
        }
    }
    let mut lead = block.lead_in;
    if matches!(block.kind, BlockKind::Row(..)) {
        lead = None;
    }
    if let Some(lead) =
        lead.filter(|i| document.blocks.get(*i).is_some_and(|b| !matches!(b.kind, BlockKind::Heading(_))))
    {
        add(folders_in(document, lead), BaseSource::LeadIn);
    }
    let mut parent = block.parent;
    for _ in 0..4 {
        let Some(above) = parent else { break };
        add(folders_in(document, above), BaseSource::LeadIn);
        parent = document.blocks.get(above).and_then(|b| b.parent);
    }
    if let Some(heading) = block.heading.and_then(|i| document.headings.get(i)) {
        // The first line of the section.
        let opening = document.block_at(heading.span.start).map(|i| i + 1);
        if let Some(opening) = opening.filter(|i| *i < index)
            && document.blocks.get(opening).is_some_and(|b| matches!(b.kind, BlockKind::Paragraph))
        {
            add(folders_in(document, opening), BaseSource::Opening);
        }
    }
    let mut path = document.heading_path(block.heading);
    path.reverse();
    for heading in &path {
        if let Some(block) = document.block_at(heading.span.start) {
            add(folders_in(document, block), BaseSource::Heading);
        }
    }
    for heading in &path {
        let words: Vec<&str> = heading
            .text
            .split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.')))
            .filter(|w| w.len() > 1)
            .collect();
        if words.len() <= 5 {
            add(words.iter().map(|w| w.to_lowercase()).collect(), BaseSource::HeadingWord);
        }
    }
    hints
}

/// The items before this one in the same list, the nearest first.
fn earlier_steps<'d>(document: &'d Document, index: usize, block: &'d Block) -> impl Iterator<Item = usize> + 'd {
    let is_item = matches!(block.kind, BlockKind::Item(_));
    (0..index).rev().take(if is_item { STEP_LIMIT } else { 0 }).filter(move |i| {
        document.blocks.get(*i).is_some_and(|other| {
            matches!(other.kind, BlockKind::Item(_))
                && other.depth == block.depth
                && other.parent == block.parent
                && other.lead_in == block.lead_in
        })
    })
}

/// Whether a code span is a command by its shape. See [`command::is_inline_command`].
#[must_use]
pub fn is_command(text: &str) -> bool {
    command::is_inline_command(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references(text: &str) -> Vec<Reference> {
        Document::parse(text).references()
    }

    fn find<'r>(references: &'r [Reference], text: &str) -> &'r Reference {
        references.iter().find(|r| r.text == text).unwrap_or_else(|| panic!("{text} in {references:#?}"))
    }

    #[test]
    fn shapes() {
        use ReferenceKind as Kind;
        for (token, kind) in [
            ("src/main.rs", Kind::Path),
            ("src/a.rs:12-20", Kind::Path),
            ("docs/", Kind::Path),
            ("./internal/llm/prompt", Kind::Path),
            (".github/workflows", Kind::Path),
            ("El Frontend/package.json", Kind::Path),
            ("scripts\\gen.bat", Kind::Path),
            ("package.json", Kind::FileName),
            ("Makefile", Kind::FileName),
            ("owner/repo", Kind::Slashed),
            ("zod/v4", Kind::Slashed),
            ("**/*.{ts,tsx}", Kind::Glob),
            ("dist/*.d.ts", Kind::Glob),
            ("@types/node", Kind::ScopedPackage),
            ("@AGENTS.md", Kind::Mention),
            ("/api/users", Kind::Absolute),
            ("~/.config/x", Kind::Home),
            ("Token::Placeholder", Kind::Symbol),
            ("tests/a.py::test_b", Kind::Symbol),
            ("//path:target", Kind::Symbol),
            ("origin/main", Kind::Branch),
            ("text/html", Kind::Code),
            ("charm.land/bubbletea/v2", Kind::Module),
            (".value", Kind::Dotted),
            ("$skill", Kind::Variable),
            ("process.env", Kind::FileName),
            ("config.Service", Kind::Code),
            ("System.Text.Json", Kind::Code),
            ("├─server/", Kind::Code),
            ("glob([\"tests/*.py\"])", Kind::Code),
            ("https://x.y/z.md", Kind::Url),
            ("mumblevoip/mumble-server:latest", Kind::Code),
            ("Token::Placeholder {…}", Kind::Symbol),
        ] {
            assert_eq!(shape(token), kind, "{token}");
        }
    }

    #[test]
    fn placeholders_and_stand_ins() {
        for (token, is) in [
            ("src/<name>.ts", Literalness::Placeholder),
            ("app/{locale}/x.ts", Literalness::Placeholder),
            ("src/[slug]/page.tsx", Literalness::Placeholder),
            ("a/.../b.ts", Literalness::Placeholder),
            ("./...", Literalness::Placeholder),
            ("$HOME/x", Literalness::Placeholder),
            ("ComponentName.tsx", Literalness::StandIn),
            ("tests/Feature/SomeTest.php", Literalness::StandIn),
            ("path/to/file.ts", Literalness::StandIn),
            ("foo_tools.go", Literalness::StandIn),
            ("kebab-case.ts", Literalness::StandIn),
            ("src/main.rs", Literalness::Literal),
            ("examples/basic/", Literalness::Literal),
            ("src/{a,b}.ts", Literalness::Literal),
        ] {
            if token == "./..." {
                continue;
            }
            assert_eq!(literalness(token), is, "{token}");
        }
        assert_eq!(literalness("./..."), Literalness::Literal, "every Go package below, a real argument");
    }

    #[test]
    fn the_sentence_qualifies() {
        let text = "Do not create `src/old.ts`. Edit `src/new.ts` first. The `a/b.rs` file was removed. See `c/d.md` (if present).\n";
        let read = references(text);
        assert!(find(&read, "src/old.ts").polarity.negated);
        assert!(find(&read, "src/new.ts").polarity.is_plain());
        assert!(find(&read, "a/b.rs").polarity.past);
        assert!(find(&read, "c/d.md").polarity.optional);
        for line in ["不要使用 `a/b.ts`。", "`a/b.ts` は使わない。", "Keine `a/b.ts` anlegen.", "Never edit `a/b.ts`"]
        {
            let read = references(line);
            assert!(find(&read, "a/b.ts").polarity.negated, "{line}");
        }
        assert!(find(&references("Use `a/old/b.ts`.\n"), "a/old/b.ts").polarity.is_plain(), "words in code are none");
    }

    #[test]
    fn lead_ins_and_headings_qualify() {
        let read = references("## Examples\n\n- `a/b.ts`\n");
        assert!(find(&read, "a/b.ts").polarity.example);
        let read = references("Wrong:\n\n```sh\nmake x\n```\n");
        assert!(find(&read, "make x").polarity.wrong);
        let read = references("Never touch these:\n\n- `a/b.ts`\n");
        assert!(find(&read, "a/b.ts").polarity.negated);
    }

    #[test]
    fn folders_around() {
        let folder = |text: &str, of: &str| -> Vec<(String, BaseSource)> {
            let read = references(text);
            find(&read, of).bases.iter().map(|b| (b.folder.clone(), b.source)).collect()
        };
        let has = |text: &str, of: &str, name: &str, source: BaseSource| {
            let bases = folder(text, of);
            assert!(bases.contains(&(name.to_owned(), source)), "{text}: {bases:?}");
        };
        has("Run from `backend/`:\n\n```bash\nmake lint\n```\n", "make lint", "backend", BaseSource::LeadIn);
        has(
            "## Web\n\nRun from `frontend/`.\n\nText.\n\n```bash\npnpm x\n```\n",
            "pnpm x",
            "frontend",
            BaseSource::Opening,
        );
        has(
            "```bash\n# From apps/desktop/\npnpm tauri:dev\n```\n",
            "pnpm tauri:dev",
            "apps/desktop",
            BaseSource::Comment,
        );
        has("- `make format` (backend)\n", "make format", "backend", BaseSource::Behind);
        has("1. `cd front`\n2. `pnpm dev`\n", "pnpm dev", "front", BaseSource::Step);
        has("## API (`server/`)\n\n- `app/main.py`\n", "app/main.py", "server", BaseSource::Heading);
        has("- `packages/harness/`\n  - `src/a.py`\n", "src/a.py", "packages/harness", BaseSource::LeadIn);
        has(
            "| `packages/w/src/` | from `src/index.ts` |\n|---|---|\n",
            "src/index.ts",
            "packages/w/src",
            BaseSource::Beside,
        );
        has("```bash\ncd apps && make test\n```\n", "make test", "apps", BaseSource::ChangeDirectory);
    }

    #[test]
    fn links_and_mentions() {
        let text = "[a](docs/x%20y.md#top \"t\") ![i](img/a.png) [m](mdc:src/a.ts) [r][ref] <https://e.org> @docs/y.md and @octocat, @types/node\n\n[ref]: ./other.md\n";
        let read = references(text);
        assert_eq!(find(&read, "docs/x%20y.md#top").kind, ReferenceKind::Link);
        assert_eq!(&text[find(&read, "docs/x%20y.md#top").span.clone()], "docs/x%20y.md#top");
        assert_eq!(find(&read, "img/a.png").kind, ReferenceKind::Image);
        assert_eq!(find(&read, "mdc:src/a.ts").kind, ReferenceKind::RuleLink);
        assert_eq!(find(&read, "./other.md").kind, ReferenceKind::Link);
        assert_eq!(find(&read, "docs/y.md").kind, ReferenceKind::Mention);
        assert_eq!(find(&read, "@types/node").kind, ReferenceKind::ScopedPackage);
        assert!(!read.iter().any(|r| r.text.contains("octocat")));
    }

    #[test]
    fn the_file_everyone_trips_on() {
        let text = "# Notes\n\n- Do not create `src/old.ts`.\n- Never edit `gen/out.rs`.\n\n```\napp/\n├── src/\n│   └── main.rs\n└── README.md\n```\n\nWrite unit/integration tests. Ask @octocat about `@types/node`. See `other-repo/docs/x.md` in that repo.\n\n`Token::Placeholder {…}`\n\n`cd apps && make test`\n";
        let document = Document::parse(text);
        let read = document.references();
        assert!(find(&read, "src/old.ts").polarity.negated);
        assert!(find(&read, "gen/out.rs").polarity.negated);
        assert!(find(&read, "other-repo/docs/x.md").polarity.elsewhere);
        assert_eq!(find(&read, "src/main.rs").kind, ReferenceKind::TreeEntry);
        let make = find(&read, "make test");
        assert_eq!(make.bases[0], BaseHint { folder: "apps".into(), source: BaseSource::ChangeDirectory });
        let plain: Vec<&str> = read
            .iter()
            .filter(|r| r.kind == ReferenceKind::Path && r.polarity.is_plain())
            .map(|r| r.text.as_str())
            .collect();
        assert_eq!(plain, Vec::<&str>::new());
        assert!(!read.iter().any(|r| r.text.contains("unit/integration") || r.text.contains("octocat")));
    }
}
