//! What git remembers of removed and moved files, asked only when the caller allows a process.

use std::collections::HashMap;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use super::Project;
use crate::snapshot::git::Git;

/// How long git may take.
const TIME_LIMIT: Duration = Duration::from_secs(5);
/// How much of git's answer is read, in bytes.
const OUTPUT_LIMIT: u64 = 32 << 20;

/// What happened to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemovalKind {
    /// The file was deleted.
    Removed,
    /// The file was moved.
    Moved,
}

/// The last time a path went away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    /// What happened.
    pub kind: RemovalKind,
    /// The day of the commit, `YYYY-MM-DD`.
    pub date: String,
    /// Where the file went, for a move.
    pub moved_to: Option<String>,
}

pub(super) struct History {
    allowed: bool,
    removals: OnceLock<HashMap<String, Removal>>,
}

impl History {
    pub(super) fn new(allowed: bool) -> Self {
        Self { allowed, removals: OnceLock::new() }
    }
}

impl Project {
    /// When and how a file, or the last file of a folder, went away. Always `None` unless the scan allowed history.
    pub fn removal(&self, path: &str) -> Option<Removal> {
        if !self.history.allowed {
            return None;
        }
        let removals = self.history.removals.get_or_init(|| ask_git(&self.root).unwrap_or_default());
        let path = path.trim_end_matches('/');
        if let Some(removal) = removals.get(path) {
            return Some(removal.clone());
        }
        let folder = format!("{path}/");
        removals
            .iter()
            .filter(|(p, _)| p.starts_with(&folder))
            .map(|(_, r)| r)
            .max_by(|a, b| a.date.cmp(&b.date))
            .map(|removal| Removal { kind: removal.kind, date: removal.date.clone(), moved_to: None })
    }
}

fn ask_git(root: &Path) -> Option<HashMap<String, Removal>> {
    let git = Git::new(root).with_limits(TIME_LIMIT, OUTPUT_LIMIT);
    let log = ["-c", "diff.renameLimit=2000", "log", "--no-ext-diff", "--no-textconv", "--no-show-signature"];
    let what = ["--diff-filter=DR", "--name-status", "--relative", "-M", "-z", "--format=%x01%cs", "-n", "20000"];
    let answer = git.ask_in_part(&[&log[..], &what].concat()).ok()?;
    Some(parse(&String::from_utf8_lossy(&answer)))
}

/// Reads `\x01DATE`, then `D\0path` or `R…\0old\0new`. The newest entry of a path wins, as git lists newest first.
fn parse(text: &str) -> HashMap<String, Removal> {
    let mut removals: HashMap<String, Removal> = HashMap::new();
    let mut date = String::new();
    let mut fields = text.split('\0');
    while let Some(field) = fields.next() {
        let mut status = field.trim();
        if let Some(header) = status.strip_prefix('\u{1}') {
            let (day, rest) = header.split_once('\n').unwrap_or((header, ""));
            date = day.trim().to_owned();
            status = rest.trim();
        }
        let (kind, old, new) = match status.chars().next() {
            Some('D') => (RemovalKind::Removed, fields.next(), None),
            Some('R') => (RemovalKind::Moved, fields.next(), fields.next()),
            _ => continue,
        };
        if let Some(old) = old {
            removals.entry(old.to_owned()).or_insert_with(|| Removal {
                kind,
                date: date.clone(),
                moved_to: new.map(str::to_owned),
            });
        }
    }
    removals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_deletions_and_moves_newest_first() {
        let text = "\u{1}2026-02-09\0\nD\0.ai/a.md\0R100\0old/b.rs\0new/b.rs\0\u{1}2025-01-01\0\nD\0.ai/a.md\0";
        let removals = parse(text);
        assert_eq!(removals.get(".ai/a.md").map(|r| r.date.as_str()), Some("2026-02-09"));
        assert_eq!(removals.get("old/b.rs").and_then(|r| r.moved_to.as_deref()), Some("new/b.rs"));
        assert_eq!(removals.len(), 2);
    }
}
