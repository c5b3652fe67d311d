//! What counts as touching a file, and which files a touch means.

use super::launch::Touch;
use super::paths;
use super::resolve::Resolver;
use crate::filesystem::FileKind;
use crate::host::schema::{ShellReading, Touching};
use ignore::gitignore::GitignoreBuilder;
use std::path::{Path, PathBuf};

/// An ignore file is read up to this size, in bytes.
const IGNORE_FILE_LIMIT: u64 = 4 << 20;

/// A file or folder that a touch leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The touched path, absolute.
    pub path: PathBuf,
    /// The folder from which on the host looks upwards.
    pub folder: PathBuf,
    /// The innermost folder that the host allows touches in and that holds it, if it keeps to such folders.
    pub reach: Option<PathBuf>,
}

/// The targets of a touch, by the host's rules. None, if the touch does not count.
pub fn targets(resolver: &Resolver<'_>, touch: &Touch) -> Vec<Target> {
    let model = &resolver.host.touch;
    if model.when.as_ref().is_some_and(|when| !resolver.holds(when)) {
        return Vec::new();
    }
    let launch = resolver.place("launch").unwrap_or_default();
    let named: Vec<PathBuf> = match touch.tool.as_str() {
        // What is touched is a sub-agent, not a file.
        "agent" if model.tools.iter().any(|t| t == "agent") => {
            return vec![Target { path: launch.join(&touch.value), folder: launch, reach: None }];
        }
        "shell" => match model.shell {
            Some(reading) => shell_paths(&touch.value, reading, &launch, resolver),
            None => Vec::new(),
        },
        tool if model.tools.iter().chain(&model.folder_tools).any(|t| t == tool) => {
            vec![paths::join(&launch, &touch.value)]
        }
        _ => Vec::new(),
    };
    named.into_iter().filter_map(|path| target(resolver, model, &touch.tool, path)).collect()
}

fn target(resolver: &Resolver<'_>, model: &Touching, tool: &str, path: PathBuf) -> Option<Target> {
    let path = match (model.resolve_links, model.resolve_missing) {
        (true, true) => resolved(resolver, path),
        (true, false) => resolver.files.canonicalize(&path).unwrap_or(path),
        _ => path,
    };
    let kind = resolver.files.metadata(&path).ok().map(|m| m.kind);
    let shell = tool == "shell";
    let is_folder = match model.suffix_means_file {
        true => kind != Some(FileKind::File) && path.extension().is_none_or(std::ffi::OsStr::is_empty),
        false => kind == Some(FileKind::Directory),
    };
    if kind.is_none() && !shell && !model.missing_tools.iter().any(|t| t == tool) {
        return None;
    }
    if is_folder && !shell && !model.folder_tools.iter().any(|t| t == tool) {
        return None;
    }
    if model.file_only && kind != Some(FileKind::File) {
        return None;
    }
    let reach = reach(resolver, &model.reach);
    if !model.reach.is_empty() && !reach.iter().any(|r| path.starts_with(r)) {
        return None;
    }
    let within = reach.iter().find_map(|r| path.strip_prefix(r).ok()).unwrap_or(&path);
    let refused = |part: &str| model.refused_parts.iter().any(|p| p.eq_ignore_ascii_case(part));
    if within.components().any(|c| refused(&c.as_os_str().to_string_lossy())) {
        return None;
    }
    let ignoring = model.ignoring_tools.is_empty() || model.ignoring_tools.iter().any(|t| t == tool);
    if ignoring && is_ignored(resolver, model, &path, is_folder) {
        return None;
    }
    let folder = if is_folder { path.clone() } else { path.parent()?.to_path_buf() };
    let reach = reach.into_iter().filter(|r| path.starts_with(r)).max_by_key(|r| r.components().count());
    Some(Target { path, folder, reach })
}

/// Whether an ignore file, from the launch directory down to the target, names the target or a folder that holds it.
fn is_ignored(resolver: &Resolver<'_>, model: &Touching, path: &Path, is_folder: bool) -> bool {
    let launch = resolver.place("launch").unwrap_or_default();
    let launch = resolver.files.canonicalize(&launch).unwrap_or(launch);
    let Ok(_) = path.strip_prefix(&launch) else { return false };
    let in_repository = || resolver.place("git-root").is_some();
    let below = model.ignore_files.iter().filter(|name| *name != ".gitignore" || in_repository());
    let below = below.flat_map(|name| paths::chain(&launch, path).into_iter().map(move |f| f.join(name)));
    let files = below.chain(model.top_ignore_files.iter().map(|name| launch.join(name)));
    // The nearest file that has something to say decides; a folder that is ignored takes all that it holds.
    let mut ignored = false;
    for file in files {
        let Ok(bytes) = resolver.files.read(&file, IGNORE_FILE_LIMIT) else { continue };
        let Some(base) = file.parent() else { continue };
        let mut builder = GitignoreBuilder::new(base);
        for line in String::from_utf8_lossy(&bytes).lines() {
            // A line that is no pattern says nothing, as in git.
            drop(builder.add_line(None, line));
        }
        let Ok(rules) = builder.build() else { continue };
        if path.starts_with(base) {
            match rules.matched_path_or_any_parents(path, is_folder) {
                ignore::Match::Ignore(_) => ignored = true,
                ignore::Match::Whitelist(_) => ignored = false,
                ignore::Match::None => {}
            }
        }
    }
    ignored
}

/// A path with its links resolved, as far as it is there.
fn resolved(resolver: &Resolver<'_>, path: PathBuf) -> PathBuf {
    let there = path.ancestors().find_map(|above| Some((above, resolver.files.canonicalize(above).ok()?)));
    match there.and_then(|(above, real)| Some(real.join(path.strip_prefix(above).ok()?))) {
        // Joined to nothing, a path would get a slash at its end.
        Some(real) => paths::normalize(&real),
        None => path,
    }
}

/// Expressions and `$parameter` lists as paths, links resolved.
pub fn reach(resolver: &Resolver<'_>, expressions: &[String]) -> Vec<PathBuf> {
    let mut result = Vec::new();
    for expression in expressions {
        match expression.strip_prefix('$').filter(|e| !e.starts_with('{')) {
            Some(parameter) => {
                result.extend(super::walk::each(resolver, parameter).into_iter().map(PathBuf::from));
            }
            None => result.extend(resolver.path(expression)),
        }
    }
    result.into_iter().map(|path| resolver.files.canonicalize(&path).unwrap_or(path)).collect()
}

fn shell_paths(command: &str, reading: ShellReading, base: &Path, resolver: &Resolver<'_>) -> Vec<PathBuf> {
    match reading {
        ShellReading::OneFilePrinted => {
            let found = printed_file(command).map(|printed| {
                let path = paths::join(base, resolver.expand_home(&printed.file));
                (path, printed)
            });
            let shown =
                found.filter(|(path, printed)| resolver.files.is_file(path) && printed.shows_lines(path, resolver));
            shown.into_iter().map(|(path, _)| path).collect()
        }
        ShellReading::PathWords => named_paths(&path_words(command), base, resolver),
        ShellReading::PathWordsAndFolderChanges => {
            let mut words = folder_changes(command);
            words.extend(path_words(command));
            named_paths(&words, base, resolver)
        }
    }
}

fn named_paths(words: &[String], base: &Path, resolver: &Resolver<'_>) -> Vec<PathBuf> {
    words.iter().map(|word| paths::join(base, resolver.expand_home(word))).collect()
}

/// The words of a command that look like paths: they hold `/` or `.`, and are no options and no addresses.
fn path_words(command: &str) -> Vec<String> {
    // Commands that a shell would not take are split at white space.
    let words = shell_words(command, false);
    let mut words = words.unwrap_or_else(|| command.split_whitespace().map(str::to_owned).collect());
    let elsewhere = ["-", "http://", "https://", "git@"];
    words.retain(|w| w.contains(['/', '.']) && !elsewhere.iter().any(|start| w.starts_with(start)));
    words
}

/// The folders that `cd` and `pushd` name where they begin a command.
fn folder_changes(command: &str) -> Vec<String> {
    const OPERATORS: [&str; 9] = ["&&", "||", "|", ";", "&", ";;", "|&", "(", ")"];
    let words = shell_words(command, true).unwrap_or_default();
    let is_operator = |word: &String| OPERATORS.contains(&word.as_str());
    let mut begins = true;
    let mut folders = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if begins && (word == "cd" || word == "pushd") {
            let operand = words.iter().skip(at + 1).find(|w| is_operator(w) || !w.starts_with('-'));
            folders.extend(operand.filter(|w| !w.is_empty() && !is_operator(w)).cloned());
        }
        begins = is_operator(word);
    }
    folders
}

/// The words of a shell command, quotes taken off; `None` if a quote is open. With `operators`, runs of `();<>|&` are
/// words of their own and `#` begins a comment.
fn shell_words(command: &str, operators: bool) -> Option<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut open: Option<String> = None;
    let mut rest = command.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            ' ' | '\t' | '\r' | '\n' => words.extend(open.take()),
            '#' if operators => {
                words.extend(open.take());
                rest.by_ref().find(|c| *c == '\n');
            }
            '(' | ')' | ';' | '<' | '>' | '|' | '&' if operators => {
                words.extend(open.take());
                let mut run = c.to_string();
                while let Some(more) = rest.next_if(|c| "();<>|&".contains(*c)) {
                    run.push(more);
                }
                words.push(run);
            }
            '\\' => open.get_or_insert_default().push(rest.next()?),
            '\'' => {
                let word = open.get_or_insert_default();
                loop {
                    match rest.next()? {
                        '\'' => break,
                        inner => word.push(inner),
                    }
                }
            }
            '"' => {
                let word = open.get_or_insert_default();
                loop {
                    match rest.next()? {
                        '"' => break,
                        '\\' => {
                            let escaped = rest.next()?;
                            if !['"', '\\'].contains(&escaped) {
                                word.push('\\');
                            }
                            word.push(escaped);
                        }
                        inner => word.push(inner),
                    }
                }
            }
            other => open.get_or_insert_default().push(other),
        }
    }
    words.extend(open);
    Some(words)
}

/// The one file whose lines a command prints, if it is of a form that hosts were seen to recognise (Claude Code 2.1.332):
/// the first of commands joined by `&&` or `;` is `cat`, `nl`, `head -n`, `tail`, `sed -n`, `grep` or `rg` on one file,
/// with no pipe and no redirect.
fn printed_file(command: &str) -> Option<PrintedFile> {
    let first = command.split("&&").next()?.split(';').next()?.trim();
    if first.contains(['|', '>', '<', '&', '`', '\n']) || first.contains("$(") {
        return None;
    }
    let words = shlex::split(first)?;
    let (program, arguments) = words.split_first()?;
    let has = |flag: char| arguments.iter().any(|a| a.starts_with('-') && !a.starts_with("--") && a.contains(flag));
    // Flags that take the next word with them.
    let takes_value: &[&str] = match program.as_str() {
        "head" | "tail" => &["-n"],
        "grep" | "rg" => &["-A", "-B", "-C", "-m", "-e"],
        _ => &[],
    };
    let mut operands: Vec<&String> = Vec::new();
    let mut given_pattern = None;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if takes_value.contains(&argument.as_str()) {
            let value = rest.next();
            given_pattern = if argument == "-e" { value } else { given_pattern };
        } else if !argument.starts_with('-') {
            operands.push(argument);
        }
    }
    let whole = |file: &String| Some(PrintedFile { file: file.clone(), pattern: None });
    let matching = |pattern: &String, file: &String| {
        let prints_lines = !['l', 'L', 'c', 'q'].into_iter().any(has);
        prints_lines.then(|| PrintedFile { file: file.clone(), pattern: Some(pattern.clone()) })
    };
    match (program.as_str(), operands.as_slice(), given_pattern) {
        ("cat" | "nl", [file], _) => whole(file),
        ("head" | "tail", [file], _) if !has('c') => whole(file),
        ("sed", [_, file], _) if has('n') => whole(file),
        ("grep" | "rg", [file], Some(pattern)) => matching(pattern, file),
        ("grep" | "rg", [pattern, file], None) => matching(pattern, file),
        _ => None,
    }
}

/// A file of which a command prints lines.
#[derive(Debug, PartialEq, Eq)]
struct PrintedFile {
    file: String,
    /// Only the lines that match this, if it is a search.
    pattern: Option<String>,
}

impl PrintedFile {
    /// Whether anything of it is printed.
    fn shows_lines(&self, path: &Path, resolver: &Resolver<'_>) -> bool {
        let Some(pattern) = &self.pattern else { return true };
        let text = resolver.files.read(path, super::pick::READ_LIMIT).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        // A pattern that is no regular expression here is one of grep's own dialect: then its letters are looked for.
        match regex::RegexBuilder::new(pattern).multi_line(true).build() {
            Ok(pattern) => pattern.is_match(&text),
            Err(_) => text.contains(pattern.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_look_like_paths_are_taken_from_a_command() {
        let words = |command| path_words(command).join(",");
        assert_eq!(words("cat 'a b/none' a/none; true"), "a b/none,a/none;");
        assert_eq!(words("grep --file=b/x y c/x.txt>d/out; true"), "c/x.txt>d/out;");
        assert_eq!(words("curl https://x.org/a git@h:a/b http://x/ ./a \"b \\\"c/d\" # e/f"), "./a,b \"c/d,e/f");
        assert_eq!(words("ls svc"), "");
        // Not a command that a shell would take.
        assert_eq!(words("cat 'a/b c.d"), "'a/b,c.d");
    }

    #[test]
    fn a_change_of_folder_counts_where_it_begins_a_command() {
        let folders = |command| folder_changes(command).join(",");
        assert_eq!(folders("cd svc && ls"), "svc");
        assert_eq!(folders("ls; pushd -q 'a b';cd c| (cd d)"), "a b,c,d");
        for nothing in ["cd", "cd -", "cd && ls", "echo cd svc", "true\ncd svc", "# cd svc", "cd 'open"] {
            assert_eq!(folders(nothing), "", "{nothing}");
        }
    }

    #[test]
    fn commands_that_print_one_file_are_recognised() {
        let file = |command| printed_file(command).map(|printed| printed.file);
        for command in [
            "cat a/x.py",
            "nl a/x.py",
            "head -n 5 a/x.py",
            "tail -20 a/x.py",
            "sed -n '1,5p' a/x.py",
            "grep MK a/x.py",
            "cat a/x.py && echo hi",
            "cat a/x.py; ls",
        ] {
            assert_eq!(file(command).as_deref(), Some("a/x.py"), "{command}");
        }
        for command in [
            "cat a/x.py | head",
            "cd a && cat x.py",
            "cat a/x.py a/y.py",
            "cat a/x.py > /dev/null",
            "head -c 10 a/x.py",
            "wc a/x.py",
            "ls a",
            "grep -l MK a/x.py",
            "python a/x.py",
        ] {
            assert_eq!(file(command), None, "{command}");
        }
    }
}
