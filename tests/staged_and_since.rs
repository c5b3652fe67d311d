//! `lint --staged` and `lint --since` as a hook or a CI job runs them, in repositories made for the test.

use std::path::Path;
use std::process::{Command, Output};

struct Repository(tempfile::TempDir);

impl Repository {
    fn new() -> Self {
        let repository = Self(tempfile::tempdir().expect("a folder"));
        repository.git(&["init", "-q"]);
        repository
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn git(&self, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.arg("-C").arg(self.path()).args(["-c", "user.name=t", "-c", "user.email=t@example.invalid"]);
        command.args(["-c", "commit.gpgSign=false"]).args(arguments).env("GIT_CONFIG_GLOBAL", "/dev/null");
        for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
            command.env_remove(name);
        }
        let output = command.output().expect("these tests need git on PATH");
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "commit"]);
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agentsctl"));
        command.current_dir(self.path()).arg("lint").args(arguments).env("HOME", self.path().join("no-home"));
        for name in ["XDG_CONFIG_HOME", "CODEX_HOME", "GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
            command.env_remove(name);
        }
        command.output().expect("it runs")
    }

    /// The concise lines, and the exit code.
    fn lint(&self, arguments: &[&str]) -> (Vec<String>, i32) {
        let output = self.run(&[&["--format", "concise"], arguments].concat());
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() != Some(2), "{error}");
        let lines = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
        (lines, output.status.code().expect("a code"))
    }

    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}

/// A reference that is certainly dead.
const DEAD: &str = "# Rules\n\nRead [the guide](docs/no-such-guide.md) first.\n";
const FINE: &str = "# Rules\n\nRun the tests before you push.\n";

fn names_dead_link(lines: &[String]) -> bool {
    matches!(lines, [one] if one.starts_with("AGENTS.md:3:") && one.contains("docs/no-such-guide.md"))
}

#[test]
fn staged_content_is_judged_and_not_the_work_tree() {
    let repository = Repository::new();
    repository.write("AGENTS.md", DEAD);
    repository.git(&["add", "."]);
    repository.write("AGENTS.md", FINE);
    let (lines, code) = repository.lint(&["--staged", "AGENTS.md"]);
    assert!(names_dead_link(&lines) && code == 1, "{lines:?}");
    assert_eq!(repository.lint(&["AGENTS.md"]), (vec![], 0), "the work tree is fine");

    repository.git(&["add", "."]);
    repository.write("AGENTS.md", DEAD);
    assert_eq!(repository.lint(&["--staged"]), (vec![], 0));

    // The other side of a reference counts as staged too: a guide that is there but not staged is missing in a clone.
    repository.git(&["add", "."]);
    repository.write("docs/no-such-guide.md", "a guide\n");
    assert!(names_dead_link(&repository.lint(&["--staged"]).0));
    assert_eq!(repository.lint(&[]), (vec![], 0));
    repository.git(&["add", "."]);
    assert_eq!(repository.lint(&["--staged"]), (vec![], 0));
    repository.git(&["rm", "-q", "--cached", "docs/no-such-guide.md"]);
    assert!(names_dead_link(&repository.lint(&["--staged"]).0), "what is deleted in the index is absent");
}

#[test]
fn the_staged_configuration_holds() {
    let repository = Repository::new();
    repository.write("AGENTS.md", DEAD);
    repository.write("agentsctl.toml", "ignore = ['references']\n");
    repository.git(&["add", "AGENTS.md"]);
    assert!(names_dead_link(&repository.lint(&["--staged"]).0), "the configuration is not staged");
    repository.git(&["add", "."]);
    assert_eq!(repository.lint(&["--staged"]), (vec![], 0));
    std::fs::remove_file(repository.path().join("agentsctl.toml")).expect("removed");
    assert_eq!(repository.lint(&["--staged"]), (vec![], 0), "it is staged still");
}

#[test]
fn paths_filter_a_full_run_and_chain_faults_are_told_to_their_cause() {
    let repository = Repository::new();
    // Codex spends one budget on the whole chain: the root's file takes what the nested one needs.
    repository.write("AGENTS.md", &format!("# Root\n\n{}", "Keep the lines of this file short.\n".repeat(900)));
    repository.write("service/AGENTS.md", &format!("# Service\n\n{}", "Ask before you add a service.\n".repeat(100)));
    repository.write("other/AGENTS.md", "# Other\n\nSee [this](nowhere-at-all.md).\n");
    repository.git(&["add", "."]);
    let full = repository.lint(&["--staged", "--host", "codex"]).0;
    let of_root = repository.lint(&["--staged", "--host", "codex", "AGENTS.md"]).0;
    let elsewhere = |lines: &[String]| lines.iter().any(|l| l.starts_with("service/AGENTS.md:"));
    assert!(elsewhere(&of_root), "the nested file is cut by the root's: {full:#?}");
    assert!(of_root.iter().all(|line| full.contains(line)) && !of_root.iter().any(|l| l.starts_with("other/")));
    let of_other = repository.lint(&["--staged", "--host", "codex", "other/AGENTS.md"]).0;
    let expected: Vec<String> = full.iter().filter(|l| l.starts_with("other/")).cloned().collect();
    assert_eq!(of_other, expected);
    assert!(!expected.is_empty());
    // The work tree is the same, so its answer is too.
    assert_eq!(repository.lint(&["--host", "codex"]).0, full);
    assert_eq!(repository.lint(&["--host", "codex", "AGENTS.md"]).0, of_root);
    // A configuration concerns all of its folder.
    repository.write("other/agentsctl.toml", "");
    repository.git(&["add", "."]);
    assert_eq!(repository.lint(&["--staged", "--host", "codex", "other/agentsctl.toml"]).0, expected);
}

#[test]
fn what_is_not_staged_or_no_repository_is_refused_clearly() {
    let repository = Repository::new();
    repository.write("AGENTS.md", FINE);
    let said = repository.refused(&["--staged", "AGENTS.md"]);
    assert!(said.contains("no `AGENTS.md` among what is staged") && said.contains("git add"), "{said}");
    repository.commit();
    let said = repository.refused(&["--since", "nowhere"]);
    assert!(said.contains("no revision `nowhere`") && said.contains("shallow clone"), "{said}");
    std::fs::remove_dir_all(repository.path().join(".git")).expect("removed");
    for option in [&["--staged"][..], &["--since", "HEAD"]] {
        let said = repository.refused(option);
        assert!(said.contains("no repository that git can read") && said.contains("needs a git repository"), "{said}");
    }
}

#[test]
fn since_reports_only_what_is_worse() {
    let repository = Repository::new();
    repository.write("AGENTS.md", DEAD);
    repository.commit();
    assert_eq!(repository.lint(&["--since", "HEAD"]), (vec![], 0), "it was so before");
    repository.write("AGENTS.md", &format!("{DEAD}\nSee [that](another-lost-file.md).\n"));
    let (lines, code) = repository.lint(&["--since", "HEAD"]);
    assert!(matches!(lines.as_slice(), [one] if one.contains("another-lost-file.md")) && code == 1, "{lines:?}");
    assert_eq!(repository.lint(&["--since", "HEAD", "--staged"]), (vec![], 0), "nothing is staged");
    repository.git(&["add", "."]);
    assert_eq!(repository.lint(&["--since", "HEAD", "--staged"]).0, lines);

    // Moved without a change, it is no worse.
    repository.write("AGENTS.md", DEAD);
    repository.commit();
    std::fs::create_dir(repository.path().join("sub")).expect("a folder");
    repository.git(&["mv", "AGENTS.md", "sub/AGENTS.md"]);
    assert_eq!(repository.lint(&["--since", "HEAD", "--select", "references"]), (vec![], 0));
    // But hosts that looked for it at the root are told that it is gone from there.
    let lines = repository.lint(&["--since", "HEAD"]).0;
    assert!(matches!(lines.as_slice(), [one] if one.contains("[host-gap]")), "{lines:?}");
}

#[test]
fn a_change_cannot_loosen_its_own_gate() {
    let repository = Repository::new();
    repository.write("AGENTS.md", FINE);
    repository.write("agentsctl.toml", "fail-on = 'warning'\n");
    repository.commit();
    repository.write("AGENTS.md", DEAD);
    repository.write("agentsctl.toml", "ignore = ['references']\n");
    assert_eq!(repository.lint(&[]), (vec![], 0), "by its own configuration it passes");
    let (lines, code) = repository.lint(&["--since", "HEAD"]);
    assert!(names_dead_link(&lines) && code == 1, "{lines:?}");
    // Nor by removing or breaking the configuration.
    std::fs::remove_file(repository.path().join("agentsctl.toml")).expect("removed");
    assert!(names_dead_link(&repository.lint(&["--since", "HEAD"]).0));
    repository.write("agentsctl.toml", "fail-on = 'never'\n");
    assert!(repository.refused(&["--since", "HEAD"]).contains("agentsctl.toml"));
    // Once the configuration is in the base, it holds.
    repository.write("agentsctl.toml", "ignore = ['references']\n");
    repository.write("AGENTS.md", FINE);
    repository.commit();
    repository.write("AGENTS.md", DEAD);
    assert_eq!(repository.lint(&["--since", "HEAD"]), (vec![], 0));
}

#[test]
fn a_hook_judges_the_index_that_git_hands_it() {
    let repository = Repository::new();
    repository.write("AGENTS.md", FINE);
    repository.commit();
    repository.write("AGENTS.md", DEAD);
    // `git commit AGENTS.md` makes an index of its own and names it to its hooks.
    let index = repository.path().join(".git/next-index");
    std::fs::copy(repository.path().join(".git/index"), &index).expect("a copy");
    let added = Command::new("git")
        .arg("-C")
        .arg(repository.path())
        .args(["add", "AGENTS.md"])
        .env("GIT_INDEX_FILE", &index)
        .status()
        .expect("git runs");
    assert!(added.success());
    let output = Command::new(env!("CARGO_BIN_EXE_agentsctl"))
        .current_dir(repository.path())
        .args(["lint", "--staged", "--format", "concise"])
        .env("GIT_INDEX_FILE", &index)
        .env("HOME", repository.path().join("no-home"))
        .output()
        .expect("it runs");
    let lines: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    assert!(names_dead_link(&lines), "{lines:?}");
    assert_eq!(repository.lint(&["--staged"]), (vec![], 0));
}
