//! Whatever a repository or a home folder holds, every command ends soon, without a panic, with one of the three exit codes.

#![cfg(unix)]
#![allow(clippy::unwrap_used, missing_docs)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

struct World {
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["repo/.git/objects", "repo/.git/refs", "home"] {
            fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        fs::write(folder.path().join("repo/.git/HEAD"), "ref: refs/heads/main\n").unwrap();
        Self { folder }
    }

    fn repo(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Runs a command in a folder and answers with its exit code and what it printed.
    fn run(&self, arguments: &[&str], folder: &Path) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agentsctl"));
        command.args(arguments).current_dir(folder);
        self.finish(command, arguments)
    }

    fn finish(&self, mut command: Command, arguments: &[&str]) -> (i32, String, String) {
        let (out, err) = (self.folder.path().join("out"), self.folder.path().join("err"));
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", self.home());
        command.stdin(Stdio::null());
        command.stdout(fs::File::create(&out).unwrap()).stderr(fs::File::create(&err).unwrap());
        let mut child = command.spawn().unwrap();
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if begun.elapsed() > PATIENCE {
                child.kill().unwrap();
                panic!("{arguments:?} did not end within {PATIENCE:?}");
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let text = |file| String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
        let (out, err) = (text(&out), text(&err));
        assert!(!err.contains("panicked"), "{arguments:?}: {err}");
        let code = status.code().unwrap_or_else(|| panic!("{arguments:?} ended by a signal: {err}"));
        assert!((0..=2).contains(&code), "{arguments:?}: exit {code}: {err}");
        (code, out, err)
    }

    /// Runs every command that looks at a repository. What they print must not be able to act on a terminal.
    fn run_all(&self, target: &str) {
        for arguments in [
            &["explain", target][..],
            &["explain", "--format", "json", target],
            &["explain", "--host", "codex", "--", "--cd", "a/b"],
            &["list"],
            &["rules"],
            &["lint"],
            &["lint", "--format", "concise"],
            &["lint", "--persona", "pedantic", "--format", "github"],
            &["context", "--host", "claude-code", "--touch", &format!("read:{target}"), "--format", "json"],
            &["context", "--host", "codex"],
        ] {
            let (_, out, err) = self.run(arguments, &self.repo());
            let raw = arguments[0] == "context";
            let is_shown = |c: char| raw || c == '\n' || c == '\t' || !c.is_control();
            assert!(out.chars().chain(err.chars()).all(is_shown), "{arguments:?} lets control characters through");
        }
    }
}

#[test]
fn links_that_loop_and_files_that_are_none() {
    let world = World::new();
    let repo = world.repo();
    for name in ["AGENTS.md", "CLAUDE.md"] {
        symlink(name, repo.join(name)).unwrap();
    }
    fs::create_dir(repo.join("GEMINI.md")).unwrap();
    assert!(Command::new("mkfifo").arg(repo.join(".hermes.md")).status().unwrap().success());
    symlink("/dev/zero", repo.join("HERMES.md")).unwrap();
    symlink("/dev/zero", repo.join("CLAUDE.local.md")).unwrap();
    fs::create_dir_all(repo.join(".claude")).unwrap();
    symlink("..", repo.join(".claude/rules")).unwrap();
    symlink(".", repo.join("loop")).unwrap();
    fs::create_dir_all(repo.join(".github/instructions/a")).unwrap();
    symlink("..", repo.join(".github/instructions/a/up")).unwrap();
    assert!(Command::new("mkfifo").arg(repo.join("Makefile")).status().unwrap().success());
    assert!(Command::new("mkfifo").arg(repo.join("agentsctl.toml")).status().unwrap().success());
    assert!(Command::new("mkfifo").arg(repo.join(".gitignore")).status().unwrap().success());
    world.run_all("loop/loop/x.rs");
}

#[test]
fn bytes_that_are_no_text() {
    let world = World::new();
    world.write("repo/AGENTS.md", [0xff, 0xfe, b'#', 0, b' ', 0, 0xd8, 0, b'\n', 0, 0x80, 0xc3]);
    world.write(
        "repo/CLAUDE.md",
        "a\0b \u{1b}[2J\u{1b}]0;x\u{7} \u{202e}evil\u{202c} @\u{0}x @\u{1b}[31m\r\n- Run `make \u{1b}[1m` \r\n",
    );
    world.write("repo/GEMINI.md", "\u{feff}@nothing.md \u{9b}31m\n");
    world.write("repo/.claude/rules/x.md", "---\npaths: [\"\u{1b}[31m**\"\n---\nx\n");
    world.write("repo/.git/config", [0xff; 64]);
    world.write("repo/package.json", [0xff; 64]);
    world.run_all("src/x.rs");
}

#[test]
fn names_that_are_no_text() {
    let world = World::new();
    let repo = world.repo();
    let names: [&[u8]; 5] =
        [b"a\xff\xfe", b"new\nline", b"\x1b[31mred\x1b[0m", b"::error file=x::y", "\u{202e}gnp.exe".as_bytes()];
    for name in names {
        let folder = repo.join(OsStr::from_bytes(name));
        fs::create_dir_all(folder.join(".claude/rules")).unwrap();
        fs::write(folder.join("AGENTS.md"), "- Never edit `gone/file.rs`, see [x](missing/y.md)\n").unwrap();
        fs::write(folder.join("CLAUDE.md"), "@missing.md\n").unwrap();
        let rule = folder.join(".claude/rules").join(OsStr::from_bytes(&[name, b".md"].concat()));
        fs::write(rule, "---\npaths: nothing/**\n---\nx\n").unwrap();
    }
    world.run_all("new\nline/x.rs");
    let (_, out, _) = world.run(&["lint", "--format", "github"], &repo);
    assert!(out.lines().all(|line| !line.starts_with("::error file=x::y")), "{out}");
}

#[test]
fn a_long_chain_a_wide_one_and_a_cycle_of_imports() {
    let world = World::new();
    const MANY: usize = 2_000;
    for n in 0..MANY {
        world.write(&format!("repo/chain/f{n}.md"), format!("@f{}.md\n", (n + 1) % MANY));
    }
    let wide: String = (0..MANY).map(|n| format!("@chain/f{n}.md ")).collect();
    world.write("repo/CLAUDE.md", format!("@chain/f0.md\n{wide}\n"));
    world.write("repo/GEMINI.md", "@chain/f0.md\n");
    world.write("repo/AGENTS.md", "@CLAUDE.md @AGENTS.md\n");
    world.write(
        "home/.gemini/settings.json",
        r#"{"context": {"importFormat": "flat"}, "security": {"folderTrust": {"enabled": false}}}"#,
    );
    world.run(&["explain", "--format", "json"], &world.repo());
    world.run(&["context", "--host", "gemini-cli", "--format", "json"], &world.repo());
}

#[test]
fn a_file_of_a_gigabyte() {
    let world = World::new();
    for name in ["AGENTS.md", "CLAUDE.md", ".claude/rules/r.md", "package.json"] {
        world.write(&format!("repo/{name}"), "");
        let file = fs::OpenOptions::new().write(true).open(world.repo().join(name)).unwrap();
        file.set_len(1 << 30).unwrap();
    }
    world.run(&["explain", "--host", "codex,claude-code"], &world.repo());
}

#[test]
fn settings_at_their_limits_and_broken_ones() {
    for budget in ["0", "9223372036854775807", "18446744073709551615", "-1", "1.5", "\"x\"", "[]", "nan"] {
        let world = World::new();
        world.write("repo/AGENTS.md", "one\ntwo\n");
        world.write("home/.codex/config.toml", format!("project_doc_max_bytes = {budget}\n"));
        world.write("home/.hermes/config.yaml", format!("context_file_max_chars: {budget}\nmodel: [\n"));
        world.write(
            "home/.openclaw/openclaw.json",
            format!("{{\"agents\": {{\"defaults\": {{\"bootstrapMaxChars\": {budget}}}}}}}"),
        );
        world.write(
            "home/.claude/settings.json",
            "{\"permissions\": {\"deny\": 5}, \"claudeMdExcludes\": {\"a\": [1]}}",
        );
        world.write("home/.gemini/settings.json", "{,}");
        world.run_all("src/x.rs");
    }
}

#[test]
fn a_home_that_is_none_and_a_folder_that_is_gone() {
    let world = World::new();
    world.write("repo/AGENTS.md", "one\n");
    world.write("file", "");
    for home in [None, Some(world.folder.path().join("file")), Some(world.folder.path().join("missing"))] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agentsctl"));
        command.args(["explain"]).current_dir(world.repo());
        command.env_clear().env("PATH", "/usr/bin:/bin");
        if let Some(home) = home {
            command.env("HOME", home);
        }
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let gone = world.folder.path().join("gone");
    fs::create_dir(&gone).unwrap();
    let mut command = Command::new("sh");
    let script =
        format!("cd '{0}' && rmdir '{0}' && exec '{1}' explain", gone.display(), env!("CARGO_BIN_EXE_agentsctl"));
    command.args(["-c", &script]);
    let (code, _, err) = world.finish(command, &["explain"]);
    assert_eq!(code, 2);
    assert!(err.contains("current directory"), "{err}");
    let (code, _, err) = world.run(&["explain", "--from", "nowhere"], &world.repo());
    assert_eq!((code, err.contains("nowhere")), (2, true), "{err}");
    let (code, _, err) = world.run(&["explain", "--host", "codx"], &world.repo());
    assert_eq!((code, err.contains("did you mean `codex`")), (2, true), "{err}");
    world.run(&["explain", "/etc/passwd"], &world.repo());
    world.run(&["explain"], Path::new("/"));
}

#[test]
fn a_closed_pipe_is_success() {
    let world = World::new();
    world.write("repo/AGENTS.md", "- See [x](gone/y.md)\n".repeat(5000));
    for arguments in ["explain", "lint", "list", "rules", "context --host codex --format json"] {
        let script = format!("'{}' {arguments}; echo \"exit $?\" >&2", env!("CARGO_BIN_EXE_agentsctl"));
        let output = Command::new("sh")
            .args(["-c", &format!("({script}) | true; wait")])
            .current_dir(world.repo())
            .env("HOME", world.home())
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(
            !err.contains("panicked") && !err.contains("exit 2") && !err.contains("exit 101"),
            "{arguments}: {err}"
        );
    }
}

/// What is called a secret must not be spread by the report that calls it so.
#[test]
fn no_format_prints_a_secret() {
    let world = World::new();
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0".repeat(2).get(..36).unwrap());
    world.write(
        "repo/AGENTS.md",
        format!("- See [x](gone/y.md).\n- Use `{token}` for the API.\n- See [z](gone/z.md).\n"),
    );
    for format in ["full", "concise", "json", "sarif", "github", "gitlab", "junit", "markdown"] {
        let (code, out, err) = world.run(&["lint", "--format", format], &world.repo());
        assert_eq!(code, 1, "{format}: {err}");
        assert!(out.contains("secret"), "{format}: {out}");
        assert!(!out.contains(&token) && !err.contains(&token), "{format}: {out}");
    }
}
