//! Fixes: which can be applied together, what the texts become, the difference to look at, and writing it.

use super::finding::{Edit, Finding};
use super::sources::Sources;
use crate::report::escape;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

/// What fixes make of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Path as in findings.
    pub path: String,
    /// The text before.
    pub before: String,
    /// The text after.
    pub after: String,
}

/// A fix that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The finding's rule.
    pub rule: &'static str,
    /// The finding's path.
    pub path: String,
    /// Why.
    pub reason: SkipReason,
}

/// Why a fix is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SkipReason {
    /// Another fix changes the same place. Running again may apply it.
    #[error("another fix changes the same place")]
    Overlap,
    /// An edit lies outside of the text or inside a character: the fix belongs to another text.
    #[error("it does not fit the file's text")]
    Misplaced,
    /// The text is not to be had.
    #[error("the file cannot be read")]
    Unreadable,
}

/// Fixes that can be applied together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// The files that change, by path.
    pub files: Vec<FileChange>,
    /// How many findings are fixed.
    pub applied: usize,
    /// What is left out.
    pub skipped: Vec<Skipped>,
}

/// Two edits that cannot both be made, or whose order would matter.
fn conflict(left: &Range<usize>, right: &Range<usize>) -> bool {
    left.start == right.start || (left.start < right.end && right.start < left.end)
}

/// Chooses fixes in the order of the findings: each wholly or not at all, and none that touches the place of an
/// earlier one. The very same edit may come from several findings (one for each host).
pub fn plan<'f>(findings: impl IntoIterator<Item = &'f Finding>, sources: &dyn Sources) -> Plan {
    let mut plan = Plan::default();
    let mut chosen: BTreeMap<&str, Vec<&Edit>> = BTreeMap::new();
    for finding in findings {
        let Some(fix) = &finding.fix else { continue };
        let mut skip = |reason| {
            plan.skipped.push(Skipped { rule: finding.rule, path: finding.primary.path.clone(), reason });
        };
        let mut reason = None;
        for (index, edit) in fix.edits.iter().enumerate() {
            let Some(text) = sources.text(&edit.path) else {
                reason = Some(SkipReason::Unreadable);
                break;
            };
            if text.get(edit.span.clone()).is_none() {
                reason = Some(SkipReason::Misplaced);
                break;
            }
            let others = chosen.get(edit.path.as_str()).into_iter().flatten().copied();
            let own = fix.edits.iter().take(index).filter(|own| own.path == edit.path);
            if others.chain(own).any(|other| other != edit && conflict(&other.span, &edit.span)) {
                reason = Some(SkipReason::Overlap);
                break;
            }
        }
        if let Some(reason) = reason {
            skip(reason);
            continue;
        }
        plan.applied += 1;
        for edit in &fix.edits {
            let edits = chosen.entry(&edit.path).or_default();
            if !edits.contains(&edit) {
                edits.push(edit);
            }
        }
    }
    for (path, edits) in chosen {
        let before = sources.text(path).unwrap_or_default().to_string();
        // Every edit was checked above.
        let after = apply(&before, &edits).unwrap_or_else(|| before.clone());
        if after != before {
            plan.files.push(FileChange { path: path.to_string(), before, after });
        }
    }
    plan
}

/// Makes edits that do not overlap; `None` if one does not fit the text.
fn apply(text: &str, edits: &[&Edit]) -> Option<String> {
    let mut edits = edits.to_vec();
    edits.sort_by_key(|edit| edit.span.start);
    let mut output = String::with_capacity(text.len());
    let mut from = 0;
    for edit in edits {
        output.push_str(text.get(from..edit.span.start)?);
        output.push_str(&edit.replacement);
        from = edit.span.end;
    }
    output.push_str(text.get(from..)?);
    Some(output)
}

impl FileChange {
    /// The difference as a unified diff, as `patch` and `git apply` take it.
    pub fn diff(&self) -> String {
        let path = escape::path(&self.path);
        similar::TextDiff::from_lines(&self.before, &self.after)
            .unified_diff()
            .context_radius(3)
            .header(&format!("a/{path}"), &format!("b/{path}"))
            .to_string()
    }

    /// The same for a person at a terminal: nothing in it acts on the terminal.
    pub fn diff_for_terminal(&self) -> String {
        let diff = self.diff().replace("\r\n", "\n");
        escape::defuse_commands(&escape::block(&diff)).into_owned()
    }

    /// Writes the changed text in place of the file: whole or not at all, with the file's permissions, and only where
    /// the file still holds the text that the fixes were made for.
    ///
    /// # Errors
    /// The file lies outside of `root` or is reached through a link that leaves it, is part of `.git`, is no regular
    /// file, has changed or is not UTF-8, or cannot be written.
    pub fn write(&self, root: &Path) -> Result<(), WriteError> {
        let target = target(root, &self.path)?;
        let metadata = std::fs::metadata(&target)?;
        if !metadata.is_file() {
            return Err(WriteError::NotAFile);
        }
        if metadata.len() != self.before.len() as u64 || std::fs::read(&target)? != self.before.as_bytes() {
            return Err(WriteError::Changed);
        }
        let folder = target.parent().ok_or(WriteError::Outside)?;
        let mut file = tempfile::Builder::new().prefix(".agentsctl-").tempfile_in(folder)?;
        file.write_all(self.after.as_bytes())?;
        file.as_file().set_permissions(metadata.permissions())?;
        file.as_file().sync_all()?;
        file.persist(&target).map_err(|error| error.error)?;
        Ok(())
    }
}

/// Why a file is not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Its path or a link on it leaves the project.
    #[error("it lies outside of the project")]
    Outside,
    /// It belongs to the repository's own data.
    #[error("it belongs to `.git`")]
    Repository,
    /// It is a folder, pipe, socket or device.
    #[error("it is no regular file")]
    NotAFile,
    /// It does not hold the text that the fixes were made for.
    #[error("it has changed since it was read, or is not UTF-8")]
    Changed,
    /// The platform refused.
    #[error(transparent)]
    Input(#[from] io::Error),
}

/// The real file behind a path of the project.
fn target(root: &Path, path: &str) -> Result<PathBuf, WriteError> {
    if !Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(WriteError::Outside);
    }
    let root = root.canonicalize()?;
    let target = root.join(path).canonicalize()?;
    let inside = target.strip_prefix(&root).map_err(|_| WriteError::Outside)?;
    if inside.components().any(|part| part.as_os_str().eq_ignore_ascii_case(".git")) {
        return Err(WriteError::Repository);
    }
    Ok(target)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::finding::{Fix, Location, Severity};

    fn finding(path: &str, edits: &[(Range<usize>, &str)]) -> Finding {
        let edits = edits
            .iter()
            .map(|(span, text)| Edit { path: path.to_string(), span: span.clone(), replacement: (*text).to_string() })
            .collect();
        Finding {
            rule: "missing-path",
            severity: Severity::Warning,
            message: "it".to_string(),
            primary: Location { path: path.to_string(), span: 0..0, label: String::new() },
            related: Vec::new(),
            help: None,
            hosts: Vec::new(),
            fix: Some(Fix { description: "mend it".to_string(), edits }),
        }
    }

    fn planned(text: &str, findings: &[Finding]) -> (String, usize, Vec<SkipReason>) {
        let sources: BTreeMap<String, String> = [("a.md".to_string(), text.to_string())].into();
        let plan = plan(findings, &sources);
        let after = plan.files.first().map_or(text.to_string(), |file| file.after.clone());
        (after, plan.applied, plan.skipped.into_iter().map(|skipped| skipped.reason).collect())
    }

    #[test]
    fn fixes_apply_wholly_or_not_at_all() {
        let findings = [
            finding("a.md", &[(4..5, "X"), (0..1, "Y")]),
            finding("a.md", &[(2..3, "Z"), (0..2, "no")]),
            finding("a.md", &[(4..5, "X")]),
            finding("a.md", &[(6..6, "+")]),
            finding("a.md", &[(6..6, "-")]),
        ];
        assert_eq!(
            planned("abcdef\n", &findings),
            ("YbcdXf+\n".to_string(), 3, vec![SkipReason::Overlap, SkipReason::Overlap])
        );
    }

    #[test]
    fn edits_that_do_not_fit_are_left_out() {
        let findings = [
            finding("a.md", &[(0..1, "n")]),
            finding("a.md", &[(0..99, "n")]),
            finding("gone.md", &[(0..1, "n")]),
            finding("a.md", &[(0..2, "n")]),
        ];
        let (after, applied, reasons) = planned("ñ\n", &findings);
        assert_eq!((after.as_str(), applied), ("n\n", 1));
        assert_eq!(reasons, [SkipReason::Misplaced, SkipReason::Misplaced, SkipReason::Unreadable]);
    }

    #[test]
    fn the_difference_is_a_unified_diff() {
        let change = FileChange {
            path: "a.md".to_string(),
            before: "a\nb\u{1b}\r\nc".to_string(),
            after: "a\nB\r\nc".to_string(),
        };
        assert_eq!(
            change.diff(),
            "--- a/a.md\n+++ b/a.md\n@@ -1,3 +1,3 @@\n a\n-b\u{1b}\r\n+B\r\n c\n\\ No newline at end of file\n"
        );
        assert!(change.diff_for_terminal().contains("-b\\u{1b}\n+B\n"));
    }

    fn change(path: &str, before: &str) -> FileChange {
        FileChange { path: path.to_string(), before: before.to_string(), after: "new\n".to_string() }
    }

    #[test]
    fn writes_what_it_was_made_for() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("a.md");
        std::fs::write(&file, "old\n").unwrap();
        assert!(matches!(change("a.md", "other\n").write(root.path()), Err(WriteError::Changed)));
        change("a.md", "old\n").write(root.path()).unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "new\n");
        std::fs::write(&file, b"\xff").unwrap();
        assert!(matches!(change("a.md", "\u{fffd}").write(root.path()), Err(WriteError::Changed)));
        assert!(matches!(change("gone.md", "").write(root.path()), Err(WriteError::Input(_))));
        std::fs::create_dir(root.path().join("folder.md")).unwrap();
        assert!(matches!(change("folder.md", "").write(root.path()), Err(WriteError::NotAFile)));
        let left: Vec<_> = std::fs::read_dir(root.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left.len(), 2, "no temporary file stays: {left:?}");
    }

    #[cfg(unix)]
    #[test]
    fn links_cannot_lead_a_write_out_of_the_project() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("x.md"), "old\n").unwrap();
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        symlink(outside.path().join("x.md"), at("file-link.md")).unwrap();
        symlink(outside.path(), at("folder-link")).unwrap();
        std::fs::create_dir(at(".git")).unwrap();
        std::fs::write(at(".git/config"), "old\n").unwrap();
        symlink(at(".git/config"), at("config.md")).unwrap();
        let absolute = outside.path().join("x.md").to_string_lossy().into_owned();
        for path in ["file-link.md", "folder-link/x.md", "../x.md", absolute.as_str()] {
            assert!(matches!(change(path, "old\n").write(root.path()), Err(WriteError::Outside)), "{path}");
        }
        for path in [".git/config", "config.md"] {
            assert!(matches!(change(path, "old\n").write(root.path()), Err(WriteError::Repository)), "{path}");
        }
        assert_eq!(std::fs::read_to_string(outside.path().join("x.md")).unwrap(), "old\n");

        std::fs::write(at("real.md"), "old\n").unwrap();
        std::fs::set_permissions(at("real.md"), std::fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real.md", at("CLAUDE.md")).unwrap();
        change("CLAUDE.md", "old\n").write(root.path()).unwrap();
        assert!(at("CLAUDE.md").symlink_metadata().unwrap().is_symlink(), "the link stays a link");
        assert_eq!(std::fs::read_to_string(at("real.md")).unwrap(), "new\n");
        assert_eq!(at("real.md").metadata().unwrap().permissions().mode() & 0o777, 0o640);
    }
}
