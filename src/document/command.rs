//! Shell commands in code blocks and code spans: words with spans, and the folder in which each would run.

use super::reference::{Literalness, literalness};
use super::words::Words;
use super::{Document, Span};

/// How many lines a continued command may have.
const CONTINUATION_LIMIT: usize = 200;
/// How many folders deep a `cd` is followed.
const DEPTH_LIMIT: usize = 32;
/// How many lines an open quote may reach over.
const QUOTE_LIMIT: usize = 50;

/// Where a command is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// In a code block, with its index.
    Fence(usize),
    /// In a code span, with its index.
    Code(usize),
}

/// What stands between a command and the next one on its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|`
    Pipe,
    /// `;`
    Then,
    /// `&`
    Background,
}

/// The folder in which a command runs, as far as the text before it says.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Directory {
    /// Where the reader stands when the block begins.
    Start,
    /// A folder as written, relative to the start unless it begins with `/` or `~`.
    Folder(String),
    /// A `cd` whose target cannot be read, such as `cd $DIR`.
    Unknown,
}

/// One word of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandWord {
    /// The word with its quotes taken off.
    pub text: String,
    /// Bytes in the file, with quotes.
    pub span: Span,
    /// Whether a part of it was in quotes.
    pub quoted: bool,
}

/// One simple command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Its words; the first is the program. Never empty.
    pub words: Vec<CommandWord>,
    /// Variables set in front of it, as `NAME=value`.
    pub environment: Vec<String>,
    /// Bytes from its first word (or variable) to its last.
    pub span: Span,
    /// The words in front of it as one text: what a reader would type.
    pub text: String,
    /// Where it runs, the likeliest first. There are several after a line like `cd a && make`, since documents
    /// often mean each line from the start.
    pub directories: Vec<Directory>,
    /// Whether a word is a placeholder.
    pub literalness: Literalness,
    /// What follows it on its line.
    pub next: Option<Operator>,
    /// Where it is written.
    pub origin: Origin,
    /// Bytes of the comment behind it or the last comment line above it in its block.
    pub comment: Option<Span>,
    /// The block it stands in.
    pub block: usize,
}

impl Command {
    /// The program's name.
    #[must_use]
    pub fn program(&self) -> &str {
        self.words.first().map_or("", |word| word.text.as_str())
    }
}

/// Every command of a document, in order.
pub(super) fn collect(document: &Document) -> Vec<Command> {
    let words = Words::get();
    let mut commands = Vec::new();
    for (i, fence) in document.fences.iter().enumerate() {
        if document.trees.binary_search_by_key(&i, |t| t.fence).is_ok() {
            continue;
        }
        let shell = words.shell_languages.contains(&fence.language);
        let plain = words.plain_languages.contains(&fence.language);
        if !shell && (!plain || !looks_like_commands(document, &fence.lines)) {
            continue;
        }
        let mut script = Script::new(document, Origin::Fence(i), fence.block);
        script.read(&fence.lines);
        commands.append(&mut script.commands);
    }
    for (i, code) in document.codes.iter().enumerate() {
        if code.text.len() <= 2000 && is_inline_command(&code.text) {
            let mut script = Script::new(document, Origin::Code(i), code.block);
            script.read(std::slice::from_ref(&code.span));
            commands.append(&mut script.commands);
        }
    }
    commands.sort_by_key(|command| command.span.start);
    commands
}

/// Whether a code span names a command rather than a path, a type or a piece of code.
#[must_use]
pub fn is_inline_command(text: &str) -> bool {
    let text = text.trim().trim_start_matches("$ ");
    let mut rest = text.split_whitespace().skip_while(|word| is_assignment(word));
    let Some(program) = rest.next() else { return false };
    let arguments = rest.count();
    if text.contains(['(', '{']) && !text.contains(['<', '$', '"', '\'']) && arguments < 2 {
        return false;
    }
    match program {
        "export" | "env" | "source" | "echo" if !text.contains(['=', '/', '"', '$']) => return false,
        "find" | "act" | "mint" | "invoke" | "sh" | "py" if arguments < 1 => return false,
        _ => {}
    }
    let words = Words::get();
    if words.tools.contains(program) {
        return arguments > 0 && !text.ends_with(':') || words.alone.contains(program);
    }
    is_script(program)
}

/// Whether a first word is a script of the project: `./gradlew`, `scripts/build.sh`.
fn is_script(program: &str) -> bool {
    let lower = program.to_ascii_lowercase();
    let runnable = [".sh", ".bat", ".cmd", ".ps1", ".bash"].iter().any(|end| lower.ends_with(end));
    let last = program.rsplit(['/', '\\']).next().unwrap_or("");
    let bare_local = program.starts_with("./") && !last.is_empty() && !last.contains(['.', '*', '<', '{']);
    let quiet = !program.contains(['*', '(', ',', '=']);
    quiet
        && ((runnable && program.contains(['/', '\\']) && program.len() > 4) || bare_local && !program.ends_with('/'))
        && (runnable || Words::get().tools.contains(last) || program.matches('/').count() == 1)
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        let name = name.strip_prefix("$env:").unwrap_or(name);
        name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// Whether most lines of an unlabelled block are commands.
fn looks_like_commands(document: &Document, lines: &[Span]) -> bool {
    let words = Words::get();
    let (mut commands, mut others) = (0usize, 0usize);
    let mut continued = false;
    for line in lines {
        let source = document.slice(line).trim();
        let was_continued = std::mem::replace(&mut continued, source.ends_with('\\'));
        if source.is_empty() || source.starts_with('#') || was_continued {
            continue;
        }
        if source.starts_with("$ ") {
            return true;
        }
        let mut rest = source.split_whitespace().skip_while(|word| is_assignment(word));
        let known = rest.next().is_some_and(|program| {
            words.tools.contains(program) && (words.alone.contains(program) || rest.next().is_some())
                || program.starts_with("./") && is_script(program)
                || is_script(program)
        });
        // Prose that begins with a tool's name ends like a sentence.
        if known && !source.ends_with(['.', ':', ',']) { commands += 1 } else { others += 1 }
    }
    commands > 0 && commands >= others
}

struct Script<'d> {
    document: &'d Document,
    origin: Origin,
    block: usize,
    directories: Vec<Directory>,
    previous: Vec<Directory>,
    stack: Vec<Vec<Directory>>,
    pushed: Vec<Vec<Directory>>,
    comment: Option<Span>,
    commands: Vec<Command>,
}

/// A word or an operator of a logical line.
enum Token {
    Word(CommandWord),
    Operator(Operator),
    Open,
    Close,
    Redirect,
}

impl<'d> Script<'d> {
    fn new(document: &'d Document, origin: Origin, block: usize) -> Self {
        Self {
            document,
            origin,
            block,
            directories: vec![Directory::Start],
            previous: vec![Directory::Start],
            stack: Vec::new(),
            pushed: Vec::new(),
            comment: None,
            commands: Vec::new(),
        }
    }

    fn read(&mut self, lines: &[Span]) {
        let prompted = lines.iter().any(|l| self.document.slice(l).trim_start().starts_with("$ "));
        let mut i = 0;
        while let Some(line) = lines.get(i) {
            i += 1;
            let source = self.document.slice(line);
            let trimmed = source.trim_start();
            let lower = trimmed.get(..4).unwrap_or("").to_ascii_lowercase();
            if trimmed.is_empty() {
                self.comment = None;
                continue;
            }
            if trimmed.starts_with('#') || trimmed.starts_with("//") || lower == "rem " || trimmed.starts_with("::") {
                self.comment = Some(line.start + (source.len() - trimmed.len())..line.end);
                continue;
            }
            let mut start = line.start + (source.len() - trimmed.len());
            let prompt = ["$ ", "% ", "❯ ", "PS> "].iter().find(|p| trimmed.starts_with(**p));
            match prompt {
                Some(prompt) => start += prompt.len(),
                None if prompted => continue,
                None => {}
            }
            let mut parts: Vec<Span> = Vec::with_capacity(1);
            parts.push(start..line.end);
            // A backslash at the end (or a PowerShell backtick) goes on in the next line.
            while parts.len() < CONTINUATION_LIMIT
                && parts.last().is_some_and(|p| self.document.slice(p).trim_end().ends_with(['\\', '`']))
                && let Some(next) = lines.get(i)
            {
                if let Some(last) = parts.last_mut() {
                    let kept = self.document.slice(last).trim_end().len() - 1;
                    last.end = last.start + kept;
                }
                parts.push(next.clone());
                i += 1;
            }
            let (tokens, comment, open_quote, here) = tokenize(&self.document.text, &parts);
            self.run(tokens, comment);
            if let Some(quote) = open_quote {
                let rest = lines.get(i..).unwrap_or(&[]);
                if let Some(close) = rest.iter().take(QUOTE_LIMIT).position(|l| self.document.slice(l).contains(quote))
                {
                    i += close + 1;
                }
            }
            if let Some(word) = here {
                // As in the shell, a here-document without its end word reaches to the end.
                let rest = lines.get(i..).unwrap_or(&[]);
                let close = rest.iter().position(|l| self.document.slice(l).trim() == word);
                i = close.map_or(lines.len(), |close| i + close + 1);
            }
        }
    }

    fn run(&mut self, tokens: Vec<Token>, comment: Option<Span>) {
        let before_line = self.directories.clone();
        let comment = comment.or_else(|| self.comment.clone());
        let mut words: Vec<CommandWord> = Vec::new();
        let mut moved = false;
        let mut count = 0usize;
        let mut skip = false;
        for token in tokens {
            match token {
                Token::Word(_) if skip => skip = false,
                Token::Word(word) => words.push(word),
                Token::Redirect => skip = true,
                Token::Operator(operator) => {
                    moved |= self.finish(std::mem::take(&mut words), Some(operator), &comment);
                    count += 1;
                }
                Token::Open => {
                    self.finish(std::mem::take(&mut words), None, &comment);
                    if self.stack.len() < 32 {
                        self.stack.push(self.directories.clone());
                    }
                }
                Token::Close => {
                    self.finish(std::mem::take(&mut words), None, &comment);
                    if let Some(saved) = self.stack.pop() {
                        self.directories = saved;
                        moved = false;
                    }
                }
            }
        }
        let last = !words.is_empty();
        moved |= self.finish(words, None, &comment);
        // `cd a && make`: the next line may be meant from the old place.
        if moved && count > 0 && last {
            for directory in before_line {
                if self.directories.len() < 4 && !self.directories.contains(&directory) {
                    self.directories.push(directory);
                }
            }
        }
    }

    /// Takes one simple command; true where it changes the folder.
    fn finish(&mut self, mut words: Vec<CommandWord>, next: Option<Operator>, comment: &Option<Span>) -> bool {
        let is_syntax = |w: &CommandWord| {
            !w.quoted && matches!(w.text.as_str(), "then" | "do" | "else" | "!" | "time" | "{" | "}" | "&")
        };
        while words.first().is_some_and(is_syntax) {
            words.remove(0);
        }
        let assignments = words.iter().take_while(|w| is_assignment(&w.text)).count();
        let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
        let span = first.span.start..last.span.end;
        let environment: Vec<String> = words.drain(..assignments).map(|w| w.text).collect();
        let Some(program) = words.first().map(|w| w.text.clone()) else { return false };
        if matches!(
            program.as_str(),
            "for" | "if" | "while" | "case" | "done" | "fi" | "esac" | "function" | "in" | "elif" | "set"
        ) {
            return false;
        }
        let literal =
            words.iter().map(|w| literalness(&w.text)).chain(environment.iter().map(|e| literalness(e))).max();
        let literal = if self.document.slice(&span).contains("<") && has_angle_placeholder(self.document.slice(&span)) {
            Literalness::Placeholder
        } else {
            literal.unwrap_or_default()
        };
        let target = words.get(1).map(|w| w.text.clone());
        // `make up / down`: one command for each alternative.
        let slash = words
            .iter()
            .position(|w| w.text == "/")
            .filter(|i| *i >= 2 && words.len() > *i + 1 && words.len() % 2 == *i % 2);
        let mut variants = vec![words.clone()];
        if let Some(slash) = slash {
            let stem = words.get(..slash - 1).unwrap_or(&[]).to_vec();
            let choices = words.get(slash - 1..).unwrap_or(&[]).iter().step_by(2);
            variants = choices.map(|choice| stem.iter().chain(std::iter::once(choice)).cloned().collect()).collect();
        }
        for words in variants {
            let text = words.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" ");
            self.commands.push(Command {
                words,
                environment: environment.clone(),
                span: span.clone(),
                text,
                directories: self.directories.clone(),
                literalness: literal,
                next,
                origin: self.origin,
                comment: comment.clone(),
                block: self.block,
            });
        }
        match program.as_str() {
            "cd" | "pushd" | "chdir" | "Set-Location" => {
                if program == "pushd" && self.pushed.len() < 32 {
                    self.pushed.push(self.directories.clone());
                }
                let target = if target.as_deref() == Some("/d") { None } else { target };
                let to = match target.as_deref() {
                    Some("-") => self.previous.clone(),
                    Some(target) => {
                        let mut to: Vec<Directory> = self.directories.iter().map(|d| join(d, target)).collect();
                        to.dedup();
                        to
                    }
                    None => vec![Directory::Unknown],
                };
                self.previous = std::mem::replace(&mut self.directories, to);
                true
            }
            "popd" => {
                self.directories = self.pushed.pop().unwrap_or_else(|| vec![Directory::Unknown]);
                true
            }
            _ => false,
        }
    }
}

/// A folder reached from another by a relative or absolute path.
fn join(from: &Directory, target: &str) -> Directory {
    if literalness(target) != Literalness::Literal || target.contains(['*', '?']) {
        return Directory::Unknown;
    }
    if target.starts_with(['/', '~']) {
        return Directory::Folder(target.trim_end_matches('/').to_owned());
    }
    let base = match from {
        Directory::Start => "",
        Directory::Folder(folder) => folder.as_str(),
        Directory::Unknown => return Directory::Unknown,
    };
    let absolute = base.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in base.split('/').chain(target.split(['/', '\\'])) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    if parts.len() > DEPTH_LIMIT {
        return Directory::Unknown;
    }
    let joined = parts.join("/");
    match (absolute, joined.is_empty()) {
        (true, _) => Directory::Folder(format!("/{joined}")),
        (false, true) => Directory::Start,
        (false, false) => Directory::Folder(joined),
    }
}

/// Whether a text holds `<name>`, which the shell would read as redirections.
pub(super) fn has_angle_placeholder(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| text.get(at + 1..).is_some_and(closes_placeholder))
}

/// Whether the text behind a `<` closes it again soon, with a name between.
fn closes_placeholder(behind: &str) -> bool {
    let mut named = false;
    for (i, c) in behind.char_indices().take(60) {
        match c {
            '>' => return named,
            c if c.is_alphanumeric() => named = true,
            '@' | '/' | '_' | '.' | '*' => {}
            '-' | ' ' | '|' | ':' | '\'' | '#' if i > 0 => {}
            _ => return false,
        }
    }
    false
}

/// The words and operators of one logical line; its comment; the quote left open; the end word of a here-document.
fn tokenize(text: &str, parts: &[Span]) -> (Vec<Token>, Option<Span>, Option<char>, Option<String>) {
    let mut tokens = Vec::new();
    let mut word: Option<CommandWord> = None;
    let mut quote: Option<char> = None;
    let mut here: Option<String> = None;
    let mut here_next = false;
    let mut end_word = |word: &mut Option<CommandWord>, tokens: &mut Vec<Token>, here_next: &mut bool| {
        if let Some(done) = word.take() {
            if std::mem::take(here_next) {
                here = Some(done.text);
            } else {
                tokens.push(Token::Word(done));
            }
        }
    };
    for part in parts {
        let source = text.get(part.clone()).unwrap_or("");
        let mut chars = source.char_indices().peekable();
        while let Some((i, c)) = chars.next() {
            let at = part.start + i;
            let rest = source.get(i + c.len_utf8()..).unwrap_or("");
            let push = |word: &mut Option<CommandWord>, c: Option<char>, quoted: bool| {
                let word = word.get_or_insert_with(|| CommandWord { text: String::new(), span: at..at, quoted: false });
                word.text.extend(c);
                word.quoted |= quoted;
                word.span.end = at + c.map_or(1, char::len_utf8);
            };
            if let Some(open) = quote {
                if c == open {
                    quote = None;
                    push(&mut word, None, true);
                } else if c == '\\' && open == '"' && rest.starts_with(['"', '\\', '$', '`']) {
                    if let Some((_, escaped)) = chars.next() {
                        push(&mut word, Some(escaped), true);
                    }
                } else {
                    push(&mut word, Some(c), true);
                }
                continue;
            }
            match c {
                '"' | '\'' => {
                    // An apostrophe inside a word is no quote.
                    if c == '\''
                        && word.as_ref().is_some_and(|w| w.text.ends_with(char::is_alphanumeric))
                        && !rest.contains('\'')
                    {
                        push(&mut word, Some(c), false);
                    } else {
                        quote = Some(c);
                        push(&mut word, None, true);
                    }
                }
                '\\' if rest.starts_with([
                    ' ', '"', '\'', '$', '\\', '&', ';', '|', '<', '>', '(', ')', '#', '*', '?', '`', '!',
                ]) =>
                {
                    if let Some((_, escaped)) = chars.next() {
                        push(&mut word, Some(escaped), true);
                    }
                }
                c if c.is_whitespace() => end_word(&mut word, &mut tokens, &mut here_next),
                '#' if word.is_none() => {
                    end_word(&mut word, &mut tokens, &mut here_next);
                    let comment = at..part.end;
                    return (tokens, Some(comment), None, here);
                }
                '&' | '|' | ';' => {
                    let double = rest.starts_with(c);
                    if c == '&' && (rest.starts_with('>') || word.as_ref().is_some_and(|w| w.text.is_empty())) {
                        continue;
                    }
                    end_word(&mut word, &mut tokens, &mut here_next);
                    if double {
                        chars.next();
                    }
                    tokens.push(Token::Operator(match (c, double) {
                        ('&', true) => Operator::And,
                        ('&', false) => Operator::Background,
                        ('|', true) => Operator::Or,
                        ('|', false) => Operator::Pipe,
                        _ => Operator::Then,
                    }));
                }
                '<' if closes_placeholder(rest) => {
                    // A placeholder, kept as one word even with blanks inside.
                    push(&mut word, Some(c), false);
                    for (j, inner) in chars.by_ref() {
                        if let Some(word) = &mut word {
                            word.text.push(inner);
                            word.span.end = part.start + j + inner.len_utf8();
                        }
                        if inner == '>' {
                            break;
                        }
                    }
                }
                '<' | '>' => {
                    // `2>` is a part of the redirection.
                    if word.as_ref().is_some_and(|w| w.text.chars().all(|c| c.is_ascii_digit())) {
                        word = None;
                    }
                    end_word(&mut word, &mut tokens, &mut here_next);
                    if c == '<' && rest.starts_with('<') && !rest.starts_with("<<") {
                        chars.next();
                        if chars.peek().is_some_and(|(_, c)| *c == '-') {
                            chars.next();
                        }
                        here_next = true;
                        continue;
                    }
                    while chars.peek().is_some_and(|(_, c)| matches!(c, '<' | '>' | '&')) {
                        chars.next();
                    }
                    tokens.push(Token::Redirect);
                }
                '(' if word.is_none() => tokens.push(Token::Open),
                ')' if word.as_ref().is_none_or(|w| !w.text.contains('(')) => {
                    end_word(&mut word, &mut tokens, &mut here_next);
                    tokens.push(Token::Close);
                }
                c => push(&mut word, Some(c), false),
            }
        }
        if quote.is_none() {
            end_word(&mut word, &mut tokens, &mut here_next);
        }
    }
    end_word(&mut word, &mut tokens, &mut here_next);
    (tokens, None, quote, here)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(text: &str) -> Vec<Command> {
        Document::parse(text).commands()
    }

    fn texts(text: &str) -> Vec<String> {
        commands(text).into_iter().map(|c| c.text).collect()
    }

    fn folder(name: &str) -> Directory {
        Directory::Folder(name.to_owned())
    }

    #[test]
    fn splits_prompts_operators_and_comments() {
        let text = "```bash\n$ cd apps && make test # once\noutput here\n$ A=1 B='x y' cargo run -- \"two words\" | tee log\n```\n";
        let read = commands(text);
        assert_eq!(texts(text), ["cd apps", "make test", "cargo run -- two words", "tee log"]);
        assert_eq!(read[2].environment, ["A=1", "B=x y"]);
        assert_eq!(read[0].next, Some(Operator::And));
        assert_eq!(&text[read[1].comment.clone().unwrap()], "# once");
        assert_eq!(&text[read[2].words[3].span.clone()], "\"two words\"");
        assert_eq!(&text[read[1].span.clone()], "make test");
    }

    #[test]
    fn the_folder_follows_cd() {
        let read = commands("```sh\ncd a\nmake x\ncd b/c\nmake y\ncd ..\nmake z\ncd /workspace && make w\n```\n");
        let of = |name: &str| read.iter().find(|c| c.text == name).unwrap().directories.clone();
        assert_eq!(of("make x"), [folder("a")]);
        assert_eq!(of("make y"), [folder("a/b/c")]);
        assert_eq!(of("make z"), [folder("a/b")]);
        assert_eq!(of("make w"), [folder("/workspace")]);
    }

    #[test]
    fn each_line_may_start_anew_after_a_compound_line() {
        let read = commands("```sh\ncd front && pnpm lint\ncd back && make lint\n```\n");
        assert_eq!(read[1].directories, [folder("front")]);
        assert!(read[3].directories.contains(&folder("back")), "{:?}", read[3].directories);
        assert!(read[3].directories.contains(&folder("front/back")));
    }

    #[test]
    fn subshells_and_unreadable_targets() {
        let read = commands("```sh\n(cd a && make x)\nmake y\ncd $DIR\nmake z\n```\n");
        let of = |name: &str| read.iter().find(|c| c.text == name).unwrap().directories.clone();
        assert_eq!(of("make x"), [folder("a")]);
        assert_eq!(of("make y"), [Directory::Start]);
        assert_eq!(of("make z"), [Directory::Unknown]);
    }

    #[test]
    fn continuations_here_documents_and_open_quotes() {
        let text = "```bash\ndocker run \\\n  --rm x\ncat <<'EOF' > f\ncargo never\nEOF\ngit commit -m \"one\ntwo\"\nmake z\n```\n";
        assert_eq!(texts(text), ["docker run --rm x", "cat", "git commit -m one", "make z"]);
    }

    #[test]
    fn code_spans() {
        assert_eq!(
            texts("Run `cargo test -p <crate>`, `make up / down`, `pytest` or `./gradlew build`."),
            ["cargo test -p <crate>", "make up", "make down", "pytest", "./gradlew build"]
        );
        assert_eq!(commands("`cargo test -p <crate>`")[0].literalness, Literalness::Placeholder);
        assert!(
            texts("The `cargo` tool, `src/main.rs`, `./src/app`, `make(x)`, `export const a`, `go.mod`").is_empty()
        );
        assert_eq!(texts("`scripts\\startAll.bat`"), ["scripts\\startAll.bat"]);
    }

    #[test]
    fn unlabelled_blocks_are_judged_by_their_lines() {
        assert_eq!(texts("```\n# From apps/desktop/\npnpm tauri:dev\n```\n"), ["pnpm tauri:dev"]);
        assert!(texts("```\nfeat: add x\nmake sure it works.\n```\n").is_empty());
        assert!(texts("```python\nmake = 1\n```\n").is_empty());
    }

    #[test]
    fn redirections_are_no_words() {
        assert_eq!(
            texts("```sh\nmake all 2>&1 | tee out.log\ncmd > /dev/null 2>&1\n```\n"),
            ["make all", "tee out.log", "cmd"]
        );
    }
}
