//! The examples in rules' pages, read so that tests can run them.
//!
//! A fence is an example's file when its info string has `bad`, `good` or `both` after the language, and names the
//! file: ```` ```md bad file=AGENTS.md ````. Each such fence is an example of its own; fences with the same `case=NAME`
//! are the files of one, and `both` gives a case's bad and good example the same file. `repeat=N` stands for N times the
//! text, `link=TARGET` makes the file a symbolic link. Other `key=value` words, such as `host=codex` or
//! `launch=packages/app`, are kept for whoever runs the example. Words may be quoted as in a shell.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path};

/// What the page claims of an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The rule finds something.
    Bad,
    /// The rule finds nothing.
    Good,
}

/// One file of an example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExampleFile {
    /// Relative path with `/`.
    pub path: String,
    /// The text, with its last line break.
    pub text: String,
    /// Where the file leads, if it is a symbolic link.
    pub link: Option<String>,
}

/// One example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// What the page claims.
    pub verdict: Verdict,
    /// The line of its first fence in the page (from 1).
    pub line: usize,
    /// The files, in the order of the page.
    pub files: Vec<ExampleFile>,
    /// The other words of the fences.
    pub attributes: BTreeMap<String, String>,
}

/// A fence that is meant as an example and is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ExampleError {
    /// The fence's line in the page (from 1).
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

impl Example {
    /// Writes the files below a folder.
    ///
    /// # Errors
    /// What the platform answers.
    pub fn write_to(&self, folder: &Path) -> io::Result<()> {
        for file in &self.files {
            let path = folder.join(&file.path);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            match &file.link {
                Some(target) => link(target, &path)?,
                None => fs::write(path, &file.text)?,
            }
        }
        Ok(())
    }
}

#[cfg(unix)]
fn link(target: &str, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

/// Where links need rights of their own, an example goes without.
#[cfg(not(unix))]
fn link(_target: &str, _path: &Path) -> io::Result<()> {
    Ok(())
}

/// One fence.
struct Fence {
    repeat: usize,
    line: usize,
    verdicts: Vec<Verdict>,
    case: Option<String>,
    file: ExampleFile,
    attributes: BTreeMap<String, String>,
}

/// Reads the examples of a page, in the order of their first fences.
///
/// # Errors
/// A fence that says `bad`, `good` or `both` without naming a file inside the example, or whose words cannot be read.
pub fn read(page: &str) -> Result<Vec<Example>, ExampleError> {
    let mut examples: Vec<(Option<String>, Example)> = Vec::new();
    for fence in fences(page)? {
        for verdict in fence.verdicts {
            let same = |(case, example): &&mut (Option<String>, Example)| {
                fence.case.is_some() && *case == fence.case && example.verdict == verdict
            };
            match examples.iter_mut().find(same) {
                Some((_, example)) => {
                    example.files.push(fence.file.clone());
                    example.attributes.extend(fence.attributes.clone());
                }
                None => examples.push((
                    fence.case.clone(),
                    Example {
                        verdict,
                        line: fence.line,
                        files: vec![fence.file.clone()],
                        attributes: fence.attributes.clone(),
                    },
                )),
            }
        }
    }
    Ok(examples.into_iter().map(|(_, example)| example).collect())
}

fn fences(page: &str) -> Result<Vec<Fence>, ExampleError> {
    let lines = crate::lines::Lines::of(page);
    let mut fences = Vec::new();
    let mut open: Option<Fence> = None;
    for (event, range) in Parser::new_ext(page, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                open = fence(&info, lines.line_of(range.start))?;
            }
            Event::Text(text) => {
                if let Some(fence) = &mut open {
                    fence.file.text.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => fences.extend(open.take().map(|mut fence| {
                fence.file.text = fence.file.text.repeat(fence.repeat);
                fence
            })),
            _ => {}
        }
    }
    Ok(fences)
}

fn fence(info: &str, line: usize) -> Result<Option<Fence>, ExampleError> {
    let wrong = |reason: String| ExampleError { line, reason };
    let words = shlex::split(info).ok_or_else(|| wrong(format!("the words `{info}` are not quoted rightly")))?;
    let mut verdicts = Vec::new();
    let (mut case, mut path, mut attributes) = (None, None, BTreeMap::new());
    let (mut link, mut repeat) = (None, 1);
    for word in words.into_iter().skip(1) {
        match word.split_once('=') {
            Some(("case", name)) => case = Some(name.to_string()),
            Some(("file", name)) => path = Some(name.to_string()),
            Some(("link", target)) => link = Some(target.to_string()),
            Some(("repeat", times)) => {
                repeat = times.parse().map_err(|_| wrong(format!("`repeat={times}` is no number")))?;
            }
            Some((key, value)) => {
                attributes.insert(key.to_string(), value.to_string());
            }
            None => match word.as_str() {
                "bad" => verdicts.push(Verdict::Bad),
                "good" => verdicts.push(Verdict::Good),
                "both" => verdicts.extend([Verdict::Bad, Verdict::Good]),
                _ => {
                    attributes.insert(word, String::new());
                }
            },
        }
    }
    if verdicts.is_empty() {
        return Ok(None);
    }
    if verdicts.len() == 2 && case.is_none() {
        return Err(wrong("`both` needs a `case=NAME`".to_string()));
    }
    let path = path.ok_or_else(|| wrong("the example names no file: add `file=PATH`".to_string()))?;
    let inside = !path.is_empty() && Path::new(&path).components().all(|part| matches!(part, Component::Normal(_)));
    if !inside {
        return Err(wrong(format!("`{path}` is no path inside the example")));
    }
    let file = ExampleFile { path, text: String::new(), link };
    Ok(Some(Fence { repeat, line, verdicts, case, file, attributes }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fence_is_an_example_unless_cases_join_them() {
        let page = "# x\n\n```md bad file=AGENTS.md host=codex\na\n```\n\n```sh\nnot one\n```\n\n\
                    ```json both case=two file='a b/package.json'\n{}\n```\n\n\
                    ````md bad case=two file=CLAUDE.md launch=a\n```\nb\n```\n````\n\n```md good case=two file=CLAUDE.md\nc\n```\n";
        let shown: Vec<String> = read(page)
            .unwrap()
            .iter()
            .map(|example| {
                format!("{:?}@{} {:?} {:?}", example.verdict, example.line, example.files, example.attributes)
            })
            .collect();
        assert_eq!(
            shown,
            [
                "Bad@3 [ExampleFile { path: \"AGENTS.md\", text: \"a\\n\", link: None }] {\"host\": \"codex\"}",
                "Bad@11 [ExampleFile { path: \"a b/package.json\", text: \"{}\\n\", link: None }, \
                 ExampleFile { path: \"CLAUDE.md\", text: \"```\\nb\\n```\\n\", link: None }] {\"launch\": \"a\"}",
                "Good@11 [ExampleFile { path: \"a b/package.json\", text: \"{}\\n\", link: None }, \
                 ExampleFile { path: \"CLAUDE.md\", text: \"c\\n\", link: None }] {}",
            ]
        );
    }

    #[test]
    fn fences_that_cannot_be_run_are_errors() {
        for (info, reason) in [
            ("md bad", "line 1: the example names no file: add `file=PATH`"),
            ("md bad file=../x", "line 1: `../x` is no path inside the example"),
            ("md bad file=/x", "line 1: `/x` is no path inside the example"),
            ("md both file=x", "line 1: `both` needs a `case=NAME`"),
            ("md bad file=x repeat=y", "line 1: `repeat=y` is no number"),
            ("md bad file='x", "line 1: the words `md bad file='x` are not quoted rightly"),
        ] {
            assert_eq!(read(&format!("```{info}\n```\n")).unwrap_err().to_string(), reason);
        }
    }

    #[test]
    fn files_are_laid_out() {
        let folder = tempfile::tempdir().unwrap();
        read("```md good file=a/b.md\nx\n```\n").unwrap()[0].write_to(folder.path()).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("a/b.md")).unwrap(), "x\n");
    }
}
