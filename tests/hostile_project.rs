//! A repository may hold anything: what cannot be read or decided is unknown, never a panic, a hang or a finding.

use std::path::Path;

use agentsctl::project::{CommandQuery, MANIFEST_LIMIT, Mood, Project, Resolution, ScanError, ScanOptions};

fn run(project: &Project, command: &str) -> Resolution {
    let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    project.resolve_command(&CommandQuery {
        words: &words,
        directory: "",
        directory_is_stated: false,
        hints: &[],
        mood: Mood::Plain,
    })
}

fn write(root: &Path, path: &str, text: &[u8]) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

#[track_caller]
fn assert_unknown(resolution: &Resolution) {
    assert!(matches!(resolution, Resolution::Unknown { why } if !why.is_empty()), "{resolution:?}");
}

#[test]
fn a_manifest_beyond_the_limit_is_not_read() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = std::fs::File::create(folder.path().join("package.json")).expect("a file");
    // A hole of 100 MB: reading it would show in the time.
    file.set_len(100 << 20).expect("a sparse file");
    let project = Project::scan(folder.path(), ScanOptions::default()).expect("a folder");
    let Resolution::Unknown { why } = run(&project, "npm run build") else { panic!("not unknown") };
    assert!(why.contains(&MANIFEST_LIMIT.to_string()), "{why}");
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_manifest_does_not_block() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["Makefile", "package.json", "justfile", ".gitignore"] {
        let made = std::process::Command::new("mkfifo").arg(folder.path().join(name)).status();
        if !made.is_ok_and(|status| status.success()) {
            println!("skipped: mkfifo is not there");
            return;
        }
    }
    let project = Project::scan(folder.path(), ScanOptions::default()).expect("a folder");
    assert_eq!(project.tree().unreadable().len(), 1, "the ignore file cannot be obeyed");
    std::fs::remove_file(folder.path().join(".gitignore")).expect("the pipe is removed");
    let project = Project::scan(folder.path(), ScanOptions::default()).expect("a folder");
    assert!(project.tree().unreadable().is_empty());
    for command in ["make build", "npm run build", "just build"] {
        assert!(!matches!(run(&project, command), Resolution::Found { .. }), "{command}");
    }
}

#[test]
fn broken_manifests_are_unknown() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    let deep = "[".repeat(100_000);
    for (path, text) in [
        ("package.json", deep.as_bytes()),
        ("Cargo.toml", b"[package\n" as &[u8]),
        ("pyproject.toml", b"\xff\xfe[tool"),
        ("Taskfile.yml", b"tasks: [{"),
        ("composer.json", b"{\"scripts\":"),
        ("mise.toml", b"= ="),
        ("turbo.json", b"\0\0\0"),
        ("compose.yaml", b"services: &a [*a, *b"),
    ] {
        write(root, path, text);
    }
    let project = Project::scan(root, ScanOptions::default()).expect("a folder");
    for command in [
        "npm run build",
        "cargo test -p gone",
        "poe gone",
        "task gone",
        "composer run gone",
        "mise run gone",
        "turbo run gone",
        "docker compose up gone",
    ] {
        assert_unknown(&run(&project, command));
    }
}

#[cfg(unix)]
#[test]
fn link_loops_and_links_out_of_the_tree_end() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    std::os::unix::fs::symlink(".", root.join("self")).expect("a link");
    std::os::unix::fs::symlink("b", root.join("a")).expect("a link");
    std::os::unix::fs::symlink("a", root.join("b")).expect("a link");
    std::os::unix::fs::symlink("/", root.join("outside")).expect("a link");
    write(root, "x.md", b"");
    let project = Project::scan(root, ScanOptions::default()).expect("a folder");
    assert!(project.exists("self/self/self/x.md"));
    assert!(!project.exists("a/x.md"));
    assert!(!project.exists("outside/etc"));
}

#[test]
fn a_root_that_is_none_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let missing = Project::scan(&folder.path().join("gone"), ScanOptions::default());
    assert!(matches!(&missing, Err(ScanError::Unreadable { .. })));
    write(folder.path(), "file", b"");
    let file = Project::scan(&folder.path().join("file"), ScanOptions::default());
    assert!(matches!(file, Err(error @ ScanError::NotADirectory { .. }) if error.to_string().contains("file")));
}
