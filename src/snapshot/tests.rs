use super::*;
use std::process::Command;

/// Runs git in a repository made for a test; false if there is no git.
fn git(root: &Path, arguments: &[&str]) -> bool {
    let mut command = Command::new("git");
    command.arg("-C").arg(root).args(["-c", "user.name=t", "-c", "user.email=t@example.invalid"]);
    command.args(["-c", "commit.gpgSign=false", "-c", "core.autocrlf=false"]).args(arguments);
    for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
        command.env_remove(name);
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").output().is_ok_and(|output| output.status.success())
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

fn repository_with_a_commit() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = std::fs::canonicalize(folder.path()).expect("its real path");
    assert!(git(&root, &["init", "-q"]), "these tests need git on PATH");
    write(&root, "AGENTS.md", "one\n");
    write(&root, "a/b/x.md", "x");
    write(&root, "gone.md", "gone");
    assert!(git(&root, &["add", "."]) && git(&root, &["commit", "-qm", "first"]));
    (folder, root)
}

fn text(snapshot: &Snapshot, path: &str) -> String {
    let bytes = snapshot.read(&snapshot.root.join(path), 1 << 20).expect("it can be read");
    String::from_utf8(bytes).expect("text")
}

#[test]
fn what_is_staged_counts_and_nothing_else() {
    let (_folder, root) = repository_with_a_commit();
    write(&root, "AGENTS.md", "staged\n");
    write(&root, "new/AGENTS.md", "new");
    assert!(git(&root, &["add", "."]) && git(&root, &["rm", "-q", "--cached", "gone.md"]));
    write(&root, "AGENTS.md", "not staged");
    write(&root, "untracked.md", "");
    let snapshot = Snapshot::staged(&root).expect("a snapshot");
    assert_eq!(text(&snapshot, "AGENTS.md"), "staged\n");
    assert_eq!(snapshot.metadata(&root.join("AGENTS.md")).expect("known").size, 7);
    assert_eq!(snapshot.read(&root.join("AGENTS.md"), 3).expect("its head"), b"sta");
    for absent in ["gone.md", "untracked.md", "a/x"] {
        let error = snapshot.metadata(&root.join(absent)).expect_err("it is not staged");
        assert_eq!(error.kind(), io::ErrorKind::NotFound, "{absent}");
    }
    let names = |folder: &str| -> Vec<String> {
        snapshot.entries(&root.join(folder)).expect("a folder").into_iter().map(|e| e.name).collect()
    };
    assert_eq!(names(""), ["AGENTS.md", "a", "new", ".git"]);
    assert_eq!(names("a/b"), ["x.md"]);
    assert!(snapshot.is_directory(&root) && snapshot.is_directory(&root.join(".git")));
    let tree = snapshot.tree();
    let paths: Vec<&str> = tree.entries().map(|e| e.path).collect();
    assert_eq!(paths, ["AGENTS.md", "a", "a/b", "a/b/x.md", "new", "new/AGENTS.md"]);
    assert_eq!(tree.kind("a"), Some(EntryKind::Directory));
}

#[test]
fn a_revision_is_read_without_a_checkout_and_renames_are_known() {
    let (_folder, root) = repository_with_a_commit();
    write(&root, "AGENTS.md", "two\n");
    let long = "a long line, so that the rename is seen\n".repeat(5);
    write(&root, "old name.md", &long);
    assert!(git(&root, &["add", "."]) && git(&root, &["commit", "-qm", "second"]) && git(&root, &["tag", "t"]));
    assert!(git(&root, &["mv", "old name.md", "a/new\u{e9}.md"]));
    let first = Snapshot::of_revision(&root, "HEAD~1").expect("the first commit");
    assert_eq!(text(&first, "AGENTS.md"), "one\n");
    let second = Snapshot::of_revision(&root, "t").expect("a tag");
    assert_eq!(text(&second, "AGENTS.md"), "two\n");
    let renames = second.renames().expect("renames");
    assert_eq!(renames.into_iter().collect::<Vec<_>>(), [("a/new\u{e9}.md".to_owned(), "old name.md".to_owned())]);
}

#[test]
fn unknown_revisions_and_places_without_git_are_told_apart() {
    let (_folder, root) = repository_with_a_commit();
    for revision in ["nowhere", "", "--help", "HEAD~9", "HEAD:AGENTS.md", "a\nb"] {
        let error = Snapshot::of_revision(&root, revision).expect_err("there is none");
        assert!(matches!(&error, SnapshotError::Revision(r) if r == revision), "{error}");
    }
    let outside = tempfile::tempdir().expect("a folder");
    let error = Snapshot::staged(outside.path()).expect_err("no repository");
    assert!(matches!(error, SnapshotError::Repository { .. }), "{error}");
    let below = Snapshot::staged(&root.join("a")).expect_err("not the top");
    assert!(matches!(below, SnapshotError::Repository { .. }), "{below}");
}

#[cfg(unix)]
#[test]
fn links_are_followed_inside_and_loops_end() {
    use std::os::unix::fs::symlink;
    let (_folder, root) = repository_with_a_commit();
    symlink("../AGENTS.md", root.join("a/CLAUDE.md")).expect("a link");
    symlink("a/b", root.join("short")).expect("a link");
    symlink("loop", root.join("loop")).expect("a link");
    assert!(git(&root, &["add", "."]));
    std::fs::remove_file(root.join("a/CLAUDE.md")).expect("removed from the work tree only");
    let snapshot = Snapshot::staged(&root).expect("a snapshot");
    assert_eq!(text(&snapshot, "a/CLAUDE.md"), "one\n");
    assert_eq!(text(&snapshot, "short/x.md"), "x");
    let link = root.join("a/CLAUDE.md");
    assert_eq!(snapshot.canonicalize(&link).expect("its real path"), root.join("AGENTS.md"));
    assert_eq!(snapshot.read_link(&link).expect("its target"), Path::new("../AGENTS.md"));
    assert_eq!(snapshot.link_metadata(&link).expect("known").kind, FileKind::Link);
    assert_eq!(snapshot.metadata(&link).expect("known").kind, FileKind::File);
    assert!(snapshot.metadata(&root.join("loop")).is_err());
    assert_eq!(snapshot.tree().link_target("short"), Some("a/b"));
}

#[test]
fn a_repository_cannot_make_git_run_anything() {
    let (_folder, root) = repository_with_a_commit();
    let mark = root.join("ran");
    let run = format!("touch '{}'", mark.display());
    for key in ["core.fsmonitor", "core.pager", "diff.external", "filter.x.clean", "filter.x.smudge", "core.sshCommand"]
    {
        assert!(git(&root, &["config", key, &run]));
    }
    write(&root, ".git/info/attributes", "* filter=x\n");
    write(&root, ".git/hooks/post-index-change", &format!("#!/bin/sh\n{run}\n"));
    write(&root, "AGENTS.md", "changed in the work tree\n");
    let staged = Snapshot::staged(&root).expect("a snapshot");
    let head = Snapshot::of_revision(&root, "HEAD").expect("a snapshot");
    assert_eq!(text(&staged, "AGENTS.md"), text(&head, "AGENTS.md"));
    head.renames().expect("renames");
    assert!(!mark.exists(), "something was run");
}

#[test]
fn of_an_unresolved_merge_our_side_counts() {
    let list = b"100644 aa 1\tf\x00100644 bb 2\tf\x00100644 cc 3\tf\x00100644 dd 3\tg\x00160000 ee 0\tm\0";
    let entries = parse(list, staged_entry).expect("a list");
    let file = |object: &str| Node::File { object: object.to_owned(), mode: 0o644 };
    let expected = [("f", file("bb")), ("g", file("dd")), ("m", Node::Module)];
    assert_eq!(entries, expected.map(|(path, node)| (PathBuf::from(path), node)));
    assert!(parse(b"nonsense\0", staged_entry).is_err());
    assert!(parse(b"100644 -x 0\tf\0", staged_entry).is_err());
}
