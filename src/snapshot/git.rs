//! The one place that runs git: found on PATH, without a shell, with everything off that a repository could make it run.
//!
//! What is asked here only reads. A repository's own configuration is not trusted: its hooks, file-system monitor,
//! pager, filters and remotes are switched off or never reached. The user's own configuration stays in force, since it
//! says which folders of other users git may look at (`safe.directory`).

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long git may take for one answer.
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// How much of a list is read, in bytes.
const LIST_LIMIT: u64 = 1 << 30;
/// How much of git's complaint is kept, in bytes.
const COMPLAINT_LIMIT: u64 = 64 << 10;
/// How much of one object is kept, in bytes; the rest is skipped.
const OBJECT_LIMIT: u64 = 64 << 20;

/// Why git gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no git.
    #[error("cannot run git: {0}")]
    Start(#[source] io::Error),
    /// Git refused, with its words.
    #[error("git says: {0}")]
    Refused(String),
    /// Git took too long.
    #[error("git gave no answer within {} seconds", .0.as_secs())]
    Slow(Duration),
    /// Git's answer is not of the kind that was asked for.
    #[error("git gave an answer that cannot be read: {0}")]
    Answer(String),
}

/// Git, to be asked about the repository at a folder.
#[derive(Debug, Clone)]
pub struct Git {
    root: PathBuf,
    time_limit: Duration,
    output_limit: u64,
}

impl Git {
    /// Git for the repository that holds a folder.
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_path_buf(), time_limit: TIME_LIMIT, output_limit: LIST_LIMIT }
    }

    /// With other limits: of time, and of what is read, in bytes.
    #[must_use]
    pub fn with_limits(self, time_limit: Duration, output_limit: u64) -> Self {
        Self { time_limit, output_limit, ..self }
    }

    fn command(&self) -> Command {
        let mut command = Command::new("git");
        command
            .args(["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"])
            .args(["-c", "log.showSignature=false", "-c", "core.quotePath=false", "-c", "diff.external="])
            .arg("-C")
            .arg(&self.root)
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            // Should git want to fetch all the same, it may use no way at all.
            .env("GIT_ALLOW_PROTOCOL", "none")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("LC_ALL", "C")
            .env_remove("GIT_EXTERNAL_DIFF")
            // The folder says which repository is meant. GIT_INDEX_FILE stays: within a hook it is what will be committed.
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE")
            .env_remove("GIT_COMMON_DIR")
            .env_remove("GIT_NAMESPACE")
            .env_remove("GIT_TRACE")
            .env_remove("GIT_PREFIX");
        command
    }

    /// Runs one command that ends by itself, and answers with what it wrote.
    ///
    /// # Errors
    /// [`GitError`]; a command that ends with another code than 0 has refused.
    pub fn ask(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        let Ended { output, complaint, status } = self.run(arguments)?;
        if output.len() as u64 >= self.output_limit {
            return Err(GitError::Answer(format!("it is longer than {} bytes", self.output_limit)));
        }
        match status {
            Some(status) if status.success() => Ok(output),
            Some(_) => {
                let words = String::from_utf8_lossy(&complaint);
                let words = words.trim().trim_start_matches("fatal: ").replace('\n', "; ");
                Err(GitError::Refused(if words.is_empty() { "no".to_owned() } else { words }))
            }
            None => Err(GitError::Slow(self.time_limit)),
        }
    }

    /// Runs one command, and answers with what it wrote before it ended or reached a limit.
    ///
    /// # Errors
    /// [`GitError::Start`]
    pub fn ask_in_part(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        self.run(arguments).map(|ended| ended.output)
    }

    fn run(&self, arguments: &[&str]) -> Result<Ended, GitError> {
        let mut child = self
            .command()
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(GitError::Start)?;
        let (Some(output), Some(complaint)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(GitError::Answer("it has no output".to_owned()));
        };
        let limit = self.output_limit;
        // At the limit the pipe is closed, and git ends by that.
        let output = std::thread::spawn(move || read_some(output, limit));
        let complaint = std::thread::spawn(move || read_some(complaint, COMPLAINT_LIMIT));
        let started = Instant::now();
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if started.elapsed() < self.time_limit => std::thread::sleep(Duration::from_millis(1)),
                Ok(None) | Err(_) => break None,
            }
        };
        if status.is_none() {
            let _ = child.kill();
            let _ = child.wait();
        }
        let (output, complaint) = (output.join().unwrap_or_default(), complaint.join().unwrap_or_default());
        Ok(Ended { output, complaint, status })
    }

    /// Access to objects by their names.
    pub fn objects(&self) -> Objects {
        Objects { git: self.clone(), sizes: Mutex::new(None), contents: Mutex::new(None) }
    }
}

/// A command that is over.
struct Ended {
    output: Vec<u8>,
    complaint: Vec<u8>,
    /// `None` if it had to be stopped.
    status: Option<ExitStatus>,
}

fn read_some(stream: impl Read, limit: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What came before an error is what there is.
    let _ = stream.take(limit).read_to_end(&mut bytes);
    bytes
}

/// The objects of a repository, read by one git that is started when the first one is asked for.
#[derive(Debug)]
pub struct Objects {
    git: Git,
    sizes: Mutex<Option<Conversation>>,
    contents: Mutex<Option<Conversation>>,
}

impl Objects {
    /// The size of an object in bytes.
    ///
    /// # Errors
    /// The object is not there, or git gives no answer.
    pub fn size(&self, name: &str) -> io::Result<u64> {
        self.converse(&self.sizes, "--batch-check", false, name).map(|(size, _)| size)
    }

    /// The content of an object, its first 64 MiB.
    ///
    /// # Errors
    /// The object is not there, or git gives no answer.
    pub fn content(&self, name: &str) -> io::Result<Vec<u8>> {
        self.converse(&self.contents, "--batch", true, name).map(|(_, content)| content)
    }

    fn converse(
        &self,
        conversation: &Mutex<Option<Conversation>>,
        way: &str,
        with_content: bool,
        name: &str,
    ) -> io::Result<(u64, Vec<u8>)> {
        let mut conversation = conversation.lock().unwrap_or_else(PoisonError::into_inner);
        let open = match conversation.as_mut() {
            Some(open) => open,
            None => conversation.insert(Conversation::begin(&self.git, way, with_content)?),
        };
        let answer = open.ask(name);
        if matches!(answer, Err(Broken::Off(_))) {
            // What would be heard next could belong to another question.
            *conversation = None;
        }
        answer.map_err(|broken| match broken {
            Broken::Off(error) | Broken::Missing(error) => error,
        })
    }
}

/// Why an object is not had.
#[derive(Debug)]
enum Broken {
    /// This one is not there; others may be.
    Missing(io::Error),
    /// The conversation is over.
    Off(io::Error),
}

type Answer = Result<(u64, Vec<u8>), Broken>;

/// A running `git cat-file`.
#[derive(Debug)]
struct Conversation {
    child: Child,
    questions: ChildStdin,
    answers: Receiver<Answer>,
}

impl Conversation {
    fn begin(git: &Git, way: &str, with_content: bool) -> io::Result<Self> {
        let mut child = git
            .command()
            .args(["cat-file", way])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(questions), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("git has no input or output"));
        };
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let answer = hear(&mut output, with_content);
                let over = matches!(answer, Err(Broken::Off(_)));
                if sender.send(answer).is_err() || over {
                    break;
                }
            }
        });
        Ok(Self { child, questions, answers })
    }

    fn ask(&mut self, name: &str) -> Answer {
        let question = format!("{name}\n");
        self.questions.write_all(question.as_bytes()).and_then(|()| self.questions.flush()).map_err(Broken::Off)?;
        match self.answers.recv_timeout(TIME_LIMIT) {
            Ok(answer) => answer,
            Err(_) => Err(Broken::Off(io::Error::new(io::ErrorKind::TimedOut, "git gave no answer"))),
        }
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // It only reads, so nothing is lost by ending it at once.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads `name kind size`, and the content that follows it if there is one.
fn hear(output: &mut impl BufRead, with_content: bool) -> Answer {
    let mut line = String::new();
    match output.take(4096).read_line(&mut line) {
        Ok(0) => return Err(Broken::Off(io::Error::new(io::ErrorKind::UnexpectedEof, "git ended"))),
        Ok(_) => {}
        Err(error) => return Err(Broken::Off(error)),
    }
    let mut words = line.split_whitespace();
    let (Some(name), Some(kind)) = (words.next(), words.next()) else {
        return Err(Broken::Off(io::Error::other(format!("git said {line:?}"))));
    };
    let Some(size) = words.next().and_then(|size| size.parse::<u64>().ok()) else {
        return Err(Broken::Missing(io::Error::other(format!(
            "git has no object {name} ({kind}); the clone may be partial or damaged"
        ))));
    };
    let mut content = Vec::new();
    if with_content {
        // One more byte, a line break, follows the content.
        let read = output.by_ref().take(size.min(OBJECT_LIMIT)).read_to_end(&mut content);
        let rest = size + 1 - size.min(OBJECT_LIMIT);
        let skipped = read.and_then(|_| io::copy(&mut output.take(rest), &mut io::sink()));
        if skipped.map_err(Broken::Off)? != rest {
            return Err(Broken::Off(io::Error::new(io::ErrorKind::UnexpectedEof, "git ended within an object")));
        }
    }
    Ok((size, content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hears_objects_one_after_another() {
        let mut output = io::Cursor::new(b"aa blob 3\nx\ny\nbb missing\ncc blob 0\n\ndd blob 9\nshort".to_vec());
        assert_eq!(hear(&mut output, true).expect("the first"), (3, b"x\ny".to_vec()));
        assert!(matches!(hear(&mut output, true), Err(Broken::Missing(e)) if e.to_string().contains("no object bb")));
        assert_eq!(hear(&mut output, true).expect("the third"), (0, Vec::new()));
        assert!(matches!(hear(&mut output, true), Err(Broken::Off(_))));
    }
}
