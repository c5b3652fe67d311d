//! The items of an instruction file: which are rules, where they hold, what to run and what shows compliance.

use super::classify::{self, Directive, Surroundings};
use super::command::Origin;
use super::reference::{Literalness, ReferenceKind, mask_code, sentences, shape};
use super::words::Words;
use super::{Block, BlockKind, Command, Document, Span};
use serde::Serialize;
use std::collections::HashMap;

pub use super::classify::Kind;

/// Where the file stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context {
    /// The folder that the file speaks for, relative to the project root; empty for the whole project.
    pub folder: String,
}

impl Context {
    /// The context of a file at `path`, relative to the project root with `/`. A host's own folder (`.github`,
    /// `.cursor/rules`) speaks for the folder above it.
    #[must_use]
    pub fn at(path: &str) -> Self {
        let folders = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let kept: Vec<&str> =
            folders.split('/').take_while(|part| !part.starts_with('.') && !part.is_empty()).collect();
        Self { folder: kept.join("/") }
    }
}

/// From where a scope is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScopeSource {
    /// The item itself names it.
    Explicit,
    /// A heading above, or the line that leads in the list.
    Heading,
    /// The patterns of the file's header.
    Frontmatter,
    /// The folder in which the file lies.
    Location,
    /// It is not limited.
    None,
}

/// One thing that a scope names.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "text")]
pub enum ScopePart {
    /// A file or folder.
    Path(String),
    /// A pattern.
    Glob(String),
    /// A package.
    Package(String),
    /// An extension, such as `.ts`.
    FileType(String),
    /// A part of the project or a kind of work, in words.
    Area(String),
}

/// Where a rule holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Scope {
    /// From where it is known.
    pub source: ScopeSource,
    /// What it names; empty for [`ScopeSource::None`].
    pub parts: Vec<ScopePart>,
}

/// Whether an item says what to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CommandStatus {
    /// A command that can be run as written.
    Exact,
    /// A tool, a skill, or a command with holes.
    Partial,
    /// Nothing to run.
    None,
}

/// When a pointer is to be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PointerTrigger {
    /// For a subject: "for X see Y".
    Topic,
    /// At a moment: "before X read Y".
    Moment,
}

/// One item of the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// What it is.
    pub kind: Kind,
    /// Which way it points, for rules and what else instructs.
    pub directive: Option<Directive>,
    /// Its text, marks left out.
    pub text: String,
    /// Its bytes in the file.
    pub span: Span,
    /// Its block.
    pub block: usize,
    /// The innermost heading above it.
    pub heading: Option<usize>,
    /// Where it holds.
    pub scope: Scope,
    /// Whether it says what to run.
    pub command: CommandStatus,
    /// The commands in it and in the code block that it leads in.
    pub commands: Vec<Command>,
    /// The words that name a check or something to be seen.
    pub evidence: Option<String>,
    /// The words from "because" and the like on.
    pub reason: Option<String>,
    /// The word that leaves the measure to the reader.
    pub vague: Option<String>,
    /// The word or date that ties it to the time of writing.
    pub temporary: Option<String>,
    /// Whether it only asks what a host's permission settings would enforce: "never read `.env`".
    pub permission_only: bool,
    /// When to follow it, for pointers.
    pub trigger: Option<PointerTrigger>,
}

impl Rule {
    /// Whether the item tells the reader to do or not to do something.
    #[must_use]
    pub fn instructs(&self) -> bool {
        self.directive.is_some()
    }
}

/// Splits a document into items.
pub(super) fn extract(document: &Document, context: &Context) -> Vec<Rule> {
    let commands = document.commands();
    let scores: Vec<(f32, Option<Directive>)> = document
        .blocks
        .iter()
        .map(|block| match block.kind {
            BlockKind::Paragraph | BlockKind::Item(_) | BlockKind::Row(..) => classify::score(&block.text, block.lead),
            _ => (0.0, None),
        })
        .collect();
    let mut lists: HashMap<ListKey, (f32, u32)> = HashMap::new();
    for (block, (score, _)) in document.blocks.iter().zip(&scores) {
        if let Some(key) = list_key(block) {
            let list = lists.entry(key).or_default();
            list.0 += score;
            list.1 += 1;
        }
    }
    let kinds = vec![None; document.blocks.len()];
    let mut extractor = Extractor { document, context, commands, scores, lists, kinds, items: Vec::new() };
    for index in 0..document.blocks.len() {
        extractor.block(index);
    }
    extractor.items
}

/// Entries of one list have the same item around them, the same lead-in and the same depth; rows the same table.
type ListKey = (Option<usize>, Option<usize>, usize, Option<usize>);

fn list_key(block: &Block) -> Option<ListKey> {
    match block.kind {
        BlockKind::Item(_) => Some((block.parent, block.lead_in, block.depth, None)),
        BlockKind::Row(table, row) if row > 0 => Some((None, None, 0, Some(table))),
        _ => None,
    }
}

struct Extractor<'d> {
    document: &'d Document,
    context: &'d Context,
    commands: Vec<Command>,
    /// How much the words of each block instruct.
    scores: Vec<(f32, Option<Directive>)>,
    /// Sum and number of the scores of each list.
    lists: HashMap<ListKey, (f32, u32)>,
    /// What each block before the present one was judged to be.
    kinds: Vec<Option<Kind>>,
    items: Vec<Rule>,
}

impl Extractor<'_> {
    fn block(&mut self, index: usize) {
        let document = self.document;
        let Some(block) = document.blocks.get(index) else { return };
        let judgement = match block.kind {
            BlockKind::Heading(_) => classify::Judgement { kind: Kind::Heading, directive: None },
            BlockKind::Html => return,
            BlockKind::Row(_, 0) => classify::Judgement { kind: Kind::Heading, directive: None },
            BlockKind::Fence(fence) => {
                self.fence(fence, block);
                return;
            }
            _ if block.text.trim().is_empty() => return,
            _ => classify::judge(&block.text, &self.surroundings(index, block)),
        };
        if let Some(kind) = self.kinds.get_mut(index) {
            *kind = Some(judgement.kind);
        }
        let item = self.item(block, index, judgement);
        self.items.push(item);
    }

    fn surroundings(&self, index: usize, block: &Block) -> Surroundings {
        let document = self.document;
        let mut headings: Vec<(String, u8)> =
            document.heading_path(block.heading).iter().map(|h| (h.text.clone(), h.level)).collect();
        headings.reverse();
        let lead = self.lead_in(block);
        let first = document.links.partition_point(|l| l.span.start < block.span.start.saturating_sub(4));
        let links: Vec<_> =
            document.links.iter().skip(first).take_while(|l| l.span.start < block.span.end).take(16).collect();
        let next = document.blocks.get(index + 1);
        let in_list = matches!(block.kind, BlockKind::Item(_));
        let leads = next.is_some_and(|next| {
            matches!(next.kind, BlockKind::Item(_)) && (!in_list || next.parent == Some(index))
                || matches!(next.kind, BlockKind::Fence(_) | BlockKind::Row(..)) && next.lead_in == Some(index)
        });
        Surroundings {
            headings,
            lead_in: lead.and_then(|i| document.blocks.get(i)).map(|b| mask_code(&b.text)),
            lead_in_kind: lead.and_then(|i| self.kinds.get(i).copied().flatten()),
            in_list,
            in_table: matches!(block.kind, BlockKind::Row(..)),
            leads,
            lead_length: block.lead,
            boxed: block.checked.is_some(),
            link_first: in_list && links.first().is_some_and(|l| !l.image && l.span.start <= block.span.start + 4),
            has_text_link: links.iter().any(|l| !l.image && !l.target.contains("://")),
            numbered: matches!(block.kind, BlockKind::Item(Some(_))),
            score: self.scores.get(index).copied(),
            siblings: list_key(block).and_then(|key| self.lists.get(&key)).and_then(|(sum, count)| {
                let own = self.scores.get(index).map_or(0.0, |s| s.0);
                (*count > 1).then(|| (sum - own) / (*count - 1) as f32)
            }),
        }
    }

    /// The block whose text leads in this one: it ends in a colon, or it is the item around it.
    fn lead_in(&self, block: &Block) -> Option<usize> {
        let candidate = match block.kind {
            BlockKind::Item(_) => block.parent.or(block.lead_in),
            BlockKind::Paragraph => block.parent,
            _ => None,
        }?;
        let lead = self.document.blocks.get(candidate)?;
        (lead.text.trim_end().ends_with([':', '：'])
            && !matches!(lead.kind, BlockKind::Heading(_) | BlockKind::Fence(_)))
        .then_some(candidate)
    }

    /// Commands written in a span.
    fn commands_in(&self, span: &Span) -> Vec<Command> {
        let first = self.commands.partition_point(|c| c.span.start < span.start);
        self.commands.iter().skip(first).take_while(|c| c.span.start < span.end).cloned().collect()
    }

    /// Each command line of a code block is an example; other code is left alone.
    fn fence(&mut self, fence: usize, block: &Block) {
        let Some(fence_block) = self.document.fences.get(fence) else { return };
        let commands = self.commands_in(&fence_block.span);
        let mut lines: Vec<(usize, Vec<Command>)> = Vec::new();
        for command in commands {
            if command.origin != Origin::Fence(fence) {
                continue;
            }
            let line = self.document.lines.line(command.span.start);
            match lines.last_mut() {
                Some((last, commands)) if *last == line => commands.push(command),
                _ => lines.push((line, vec![command])),
            }
        }
        for (_, commands) in lines {
            let (Some(first), Some(last)) = (commands.first(), commands.last()) else { continue };
            let span = first.span.start..last.span.end;
            let text = self.document.slice(&span).to_owned();
            let scope = self.inherited(block, Kind::Example);
            self.items.push(Rule {
                kind: Kind::Example,
                directive: None,
                text,
                span,
                block: fence_block.block,
                heading: block.heading,
                scope,
                command: status(&commands),
                commands,
                evidence: None,
                reason: None,
                vague: None,
                temporary: None,
                permission_only: false,
                trigger: None,
            });
        }
    }

    fn item(&self, block: &Block, index: usize, judgement: classify::Judgement) -> Rule {
        let words = Words::get();
        let text = block.text.trim().to_owned();
        let masked = mask_code(&text);
        let mut commands = self.commands_in(&block.span);
        let instructs = judgement.directive.is_some();
        let mut command = status(&commands);
        if instructs && commands.is_empty() {
            // The command may stand in the code block that the line leads in.
            if let Some(next) = self.document.blocks.get(index + 1)
                && let BlockKind::Fence(fence) = next.kind
                && text.ends_with([':', '：'])
                && let Some(fence) = self.document.fences.get(fence)
            {
                commands = self.commands_in(&fence.span);
                command = if commands.is_empty() { CommandStatus::None } else { CommandStatus::Partial };
            }
            if command == CommandStatus::None && names_skill(&text) {
                command = CommandStatus::Partial;
            }
        }
        let scope = match explicit_scope(self.document, block, &text, &masked, judgement.kind) {
            parts if !parts.is_empty() => Scope { source: ScopeSource::Explicit, parts },
            _ => self.inherited(block, judgement.kind),
        };
        let is_rule = judgement.kind == Kind::Rule || instructs;
        let trigger = (judgement.kind == Kind::Pointer).then(|| {
            let moment = ["before", "after", "when", "whenever", "if", "while", "once"]
                .iter()
                .any(|w| masked.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|t| t == *w));
            if moment { PointerTrigger::Moment } else { PointerTrigger::Topic }
        });
        Rule {
            kind: judgement.kind,
            directive: judgement.directive,
            span: block.span.clone(),
            block: index,
            heading: block.heading,
            scope,
            command,
            evidence: is_rule.then(|| evidence(&text, &masked, &commands)).flatten(),
            commands,
            reason: words.reason.locate(&masked).and_then(|span| text.get(span.start..)).map(str::to_owned),
            vague: is_rule.then(|| vague(&masked)).flatten(),
            temporary: words.temporary.find(&masked).map(str::to_owned).or_else(|| date_in(&masked)),
            permission_only: judgement.directive == Some(Directive::Prohibition)
                && words.secret.occur(&text)
                && words.secret_verbs.occur(&masked),
            trigger,
            text,
        }
    }

    /// The scope that an item has from its surroundings.
    fn inherited(&self, block: &Block, kind: Kind) -> Scope {
        let words = Words::get();
        // A description speaks of what it names; only a convention takes its limits from around it.
        let describes = match kind {
            Kind::PersonaFluff | Kind::Pointer => true,
            Kind::Fact => {
                let path = self.document.heading_path(block.heading);
                !path.iter().rev().take(2).any(|h| h.level > 1 && words.rule_headings.occur(&h.text))
            }
            _ => false,
        };
        if describes {
            return Scope { source: ScopeSource::None, parts: Vec::new() };
        }
        let globs = self.document.frontmatter.as_ref().and_then(|header| {
            ["globs", "applyTo", "paths"]
                .iter()
                .find_map(|key| header.globs(key))
                .filter(|globs| !globs.patterns.is_empty())
        });
        let narrow =
            globs.filter(|globs| !globs.patterns.iter().any(|p| matches!(p.text.as_str(), "**" | "*" | "**/*")));
        let file = match narrow {
            Some(globs) => Some(Scope {
                source: ScopeSource::Frontmatter,
                parts: globs.patterns.into_iter().map(|p| ScopePart::Glob(p.text)).collect(),
            }),
            None if !self.context.folder.is_empty() => {
                Some(Scope { source: ScopeSource::Location, parts: vec![ScopePart::Path(self.context.folder.clone())] })
            }
            None => None,
        };
        let from_heading = self.heading_scope(block, kind);
        match (from_heading, file) {
            (Some(heading), None) => heading,
            (Some(heading), Some(file)) if file.source == ScopeSource::Location || kind != Kind::Rule => heading,
            (_, Some(file)) => file,
            (None, None) => Scope { source: ScopeSource::None, parts: Vec::new() },
        }
    }

    fn heading_scope(&self, block: &Block, _kind: Kind) -> Option<Scope> {
        let document = self.document;
        if let Some(lead) = self.lead_in(block).and_then(|i| document.blocks.get(i)) {
            let masked = mask_code(&lead.text);
            let parts = explicit_scope(document, lead, &lead.text, &masked, Kind::Rule);
            if !parts.is_empty() {
                return Some(Scope { source: ScopeSource::Heading, parts });
            }
        }
        let path = document.heading_path(block.heading);
        path.iter()
            .rev()
            .find(|heading| heading.level > 1 && is_topic(&heading.text))
            .map(|heading| Scope { source: ScopeSource::Heading, parts: vec![ScopePart::Area(heading.text.clone())] })
    }
}

/// Whether a heading names a subject rather than a kind of text.
fn is_topic(heading: &str) -> bool {
    let words = Words::get();
    let masked = heading.replace('`', "");
    let mut left = masked
        .split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’' | '.' | '-'))
        .filter(|w| w.chars().any(char::is_alphabetic));
    left.any(|word| words.generic_headings.leading(word) != Some(word.len()))
}

fn status(commands: &[Command]) -> CommandStatus {
    let real = commands.iter().filter(|c| c.program() != "cd");
    let mut found = CommandStatus::None;
    for command in real {
        if command.literalness == Literalness::Literal {
            return CommandStatus::Exact;
        }
        found = CommandStatus::Partial;
    }
    found
}

/// "use the `x` skill", "`$skill`", "run `/command`".
fn names_skill(text: &str) -> bool {
    let lower = text.to_lowercase();
    text.split('`').skip(1).step_by(2).any(|code| {
        matches!(shape(code), ReferenceKind::Variable)
            && code.len() > 1
            && code.get(1..).is_some_and(|n| n.chars().any(char::is_lowercase))
            || code.starts_with('/')
                && !code.get(1..).unwrap_or("/").contains('/')
                && (lower.contains("run") || lower.contains("invoke"))
    }) || lower.contains("` skill")
        || lower.contains("` target") && lower.contains("run ")
}

fn explicit_scope(document: &Document, block: &Block, text: &str, masked: &str, kind: Kind) -> Vec<ScopePart> {
    let words = Words::get();
    let mut parts = Vec::new();
    let first = document.codes.partition_point(|c| c.outer.start < block.span.start);
    // What a rule names in its later sentences is mostly its reason.
    let limit = match kind {
        Kind::Rule => {
            let source = mask_code(document.slice(&block.span));
            sentences(&source).first().map_or(block.span.end, |s| block.span.start + s.end)
        }
        _ => block.span.end,
    };
    for code in document.codes.iter().skip(first).take_while(|c| c.outer.start < limit).take(64) {
        let token = code.text.trim();
        if kind != Kind::Pointer && is_reading(document, block, code.outer.start, token) {
            continue;
        }
        match shape(token) {
            ReferenceKind::Path | ReferenceKind::Home => parts.push(ScopePart::Path(token.to_owned())),
            ReferenceKind::FileName => parts.push(ScopePart::Path(token.to_owned())),
            // `/common/nexus` in a description of the layout; elsewhere such a token is a route.
            ReferenceKind::Absolute
                if kind == Kind::Fact && token.len() > 2 && code.outer.start <= block.span.start + 4 =>
            {
                parts.push(ScopePart::Path(token.to_owned()));
            }
            ReferenceKind::Glob => parts.push(ScopePart::Glob(token.to_owned())),
            ReferenceKind::Slashed if token.matches('/').count() >= 1 && kind != Kind::Rule => {
                parts.push(ScopePart::Path(token.to_owned()))
            }
            ReferenceKind::Dotted
                if token.len() <= 8
                    && token
                        .get(1..)
                        .is_some_and(|e| e.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())) =>
            {
                parts.push(ScopePart::FileType(token.to_owned()));
            }
            _ => {}
        }
    }
    if kind == Kind::Pointer {
        let first = document.links.partition_point(|l| l.span.start + 4 < block.span.start);
        let links = document.links.iter().skip(first).take_while(|l| l.span.start < block.span.end).take(16);
        let local = links.filter(|l| !l.target.contains(':') && !l.target.starts_with('#'));
        parts.extend(local.map(|l| ScopePart::Path(l.target.clone())));
    }
    // Paths in running text.
    for word in masked.split_whitespace() {
        let word = word.trim_matches(['*', '_', '(', ')', ',', ';', ':', '"', '\'']).trim_end_matches('.');
        if word.contains(['/', '.']) && shape(word) == ReferenceKind::Path && !word.contains('`') && parts.len() < 64 {
            parts.push(ScopePart::Path(word.to_owned()));
        }
    }
    if matches!(kind, Kind::Fact | Kind::Heading) {
        return parts;
    }
    if let Some(condition) = condition_of(text) {
        let about_work = words.task_verbs.occur(condition) || words.area.occur(condition);
        if about_work && condition.split_whitespace().count() > 1 {
            parts.push(ScopePart::Area(condition.to_owned()));
        }
    }
    if kind != Kind::Pointer
        && !matches!(block.kind, BlockKind::Paragraph)
        && let Some(place) = place_of(masked)
    {
        parts.push(ScopePart::Area(place.to_owned()));
    }
    parts
}

/// "Follow `docs/style.md`": a text to go by limits nothing.
fn is_reading(document: &Document, block: &Block, at: usize, token: &str) -> bool {
    let text = [".md", ".mdc", ".mdx"].iter().any(|end| token.to_ascii_lowercase().ends_with(end));
    let before = document.text.get(block.span.start..at).unwrap_or("").trim_end_matches(['(', '[', ' ']);
    let word = before.rsplit([' ', '\n', '*']).next().unwrap_or("").to_lowercase();
    text && matches!(word.as_str(), "follow" | "use" | "see" | "read" | "per" | "consult" | "against" | "by" | "to")
}

/// "in tests", "for the public API": a part of the project behind a preposition.
fn place_of(masked: &str) -> Option<&str> {
    let words = Words::get();
    let lower = masked.to_ascii_lowercase();
    ["in ", "for ", "within ", "inside ", "from ", "to "].iter().find_map(|preposition| {
        lower.match_indices(preposition).take(20).find_map(|(at, _)| {
            let begins = at == 0 || !lower.as_bytes().get(at - 1).is_some_and(u8::is_ascii_alphanumeric);
            let behind = masked.get(at + preposition.len()..)?;
            let skipped = ["the ", "all ", "new ", "any ", "your ", "our "]
                .iter()
                .find_map(|w| behind.strip_prefix(w))
                .unwrap_or(behind);
            let length = words.area.leading(skipped)?;
            begins.then(|| masked.get(at..at + preposition.len() + (behind.len() - skipped.len()) + length)).flatten()
        })
    })
}

/// The condition of the first sentence, at its start or behind the main clause.
fn condition_of(text: &str) -> Option<&str> {
    let start = text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '`');
    if let Some((condition, _)) = classify::split_condition(start) {
        return Some(condition);
    }
    let masked = mask_code(start);
    let at = [" when ", " if ", " whenever ", " before ", " after "].iter().filter_map(|w| masked.find(w)).min()?;
    let rest = start.get(at + 1..)?;
    let end = mask_code(rest).find(['.', ',', ';', ')']).unwrap_or(rest.len());
    rest.get(..end)
}

fn evidence(text: &str, masked: &str, commands: &[Command]) -> Option<String> {
    // The name of a lint rule in code: `max-params`, `@typescript-eslint/…`, `clippy::…`.
    let lint = text
        .split('`')
        .skip(1)
        .step_by(2)
        .find(|code| code.contains("lint/") || code.contains("clippy::") || code.starts_with("eslint"));
    if let Some(lint) = lint {
        return Some(lint.to_owned());
    }
    let check = commands.iter().find(|c| {
        let text = c.text.as_str();
        ["test", "check", "lint", "clippy", "verify", "typecheck", "tsc", "validate", "build", "--check", "fmt"]
            .iter()
            .any(|w| text.contains(w))
    });
    Words::get().evidence.find(masked).map(str::to_owned).or_else(|| check.map(|c| c.text.clone()))
}

/// The word that leaves the measure to the reader, if the sentence that holds it makes up most of the item.
fn vague(masked: &str) -> Option<String> {
    let words = Words::get();
    let all = masked.split_whitespace().count();
    sentences(masked).into_iter().find_map(|span| {
        let sentence = masked.get(span)?;
        let word = words.vague.find(sentence)?;
        // A sentence full of names says what is meant.
        (sentence.matches('`').count() < 4 && sentence.split_whitespace().count() * 5 >= all * 3)
            .then(|| word.to_owned())
    })
}

/// A day or a month of a year in the text.
fn date_in(text: &str) -> Option<String> {
    let mut best = None;
    for word in text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | ':' | ';')) {
        let word = word.trim_end_matches('.');
        let parts: Vec<&str> = word.split('-').collect();
        let year = parts.first().is_some_and(|y| {
            y.len() == 4 && (y.starts_with("19") || y.starts_with("20")) && y.bytes().all(|b| b.is_ascii_digit())
        });
        if year
            && (2..=3).contains(&parts.len())
            && parts.iter().skip(1).all(|p| p.len() == 2 && p.bytes().all(|b| b.is_ascii_digit()))
        {
            best = Some(word.to_owned());
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str, path: &str) -> Vec<Rule> {
        Document::parse(text).rules(&Context::at(path)).into_iter().filter(|r| r.kind == Kind::Rule).collect()
    }

    fn one(text: &str) -> Rule {
        let mut rules = rules(text, "AGENTS.md");
        assert_eq!(rules.len(), 1, "{text}: {rules:#?}");
        rules.remove(0)
    }

    #[test]
    fn a_complete_rule() {
        let text = "- If you change `src/schema/`, run `just gen` and commit the result, because CI fails otherwise.\n";
        let rule = one(text);
        assert_eq!(rule.scope.source, ScopeSource::Explicit);
        assert!(rule.scope.parts.contains(&ScopePart::Path("src/schema/".into())));
        assert_eq!(rule.command, CommandStatus::Exact);
        assert_eq!(rule.commands[0].text, "just gen");
        assert!(rule.evidence.is_some());
        assert!(rule.reason.as_deref().unwrap().starts_with("because"));
        assert_eq!(rule.directive, Some(Directive::Obligation));
    }

    #[test]
    fn scope_comes_from_the_nearest_place_that_limits() {
        assert_eq!(one("## Commit messages\n\n- Use the imperative mood\n").scope.source, ScopeSource::Heading);
        assert_eq!(one("## Rules\n\n- Use the imperative mood\n").scope.source, ScopeSource::None);
        let nested = rules("## Rules\n\n- Use the imperative mood\n", "packages/a/AGENTS.md");
        assert_eq!(
            nested[0].scope,
            Scope { source: ScopeSource::Location, parts: vec![ScopePart::Path("packages/a".into())] }
        );
        let scoped = rules("---\nglobs: **/*.rs\n---\n- Use the imperative mood\n", ".cursor/rules/a.mdc");
        assert_eq!(
            scoped[0].scope,
            Scope { source: ScopeSource::Frontmatter, parts: vec![ScopePart::Glob("**/*.rs".into())] }
        );
    }

    #[test]
    fn holes_make_a_command_partial() {
        assert_eq!(one("- Always run `cargo test -p <crate>` first\n").command, CommandStatus::Partial);
        assert_eq!(one("- Always keep functions short\n").command, CommandStatus::None);
    }

    #[test]
    fn permission_and_time() {
        assert!(one("- Never read `.env` files\n").permission_only);
        let items = Document::parse("- For now, use the old parser\n").rules(&Context::default());
        assert_eq!(items[0].temporary.as_deref(), Some("For now"));
    }

    #[test]
    fn command_lines_of_fences_are_examples() {
        let items = Document::parse("## Build\n\n```bash\nmake all && make check\nmake <target>\n```\n")
            .rules(&Context::default());
        let examples: Vec<(CommandStatus, usize)> =
            items.iter().filter(|r| r.kind == Kind::Example).map(|r| (r.command, r.commands.len())).collect();
        assert_eq!(examples, [(CommandStatus::Exact, 2), (CommandStatus::Partial, 1)]);
    }
}
