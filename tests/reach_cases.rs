//! Layouts that people reported about hosts and linters, each with what has to be said about it, or with silence.

use std::fs;
use std::path::Path;

mod support;

/// A repository in a temporary folder.
struct Repository {
    folder: tempfile::TempDir,
}

impl Repository {
    /// Lays out files; a text that begins with `->` is the target of a link.
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let repository = Self { folder };
        fs::create_dir_all(repository.root().join(".git")).unwrap();
        files.iter().for_each(|(path, text)| repository.write(path, text));
        repository
    }

    fn root(&self) -> std::path::PathBuf {
        self.folder.path().canonicalize().unwrap().join("repository")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match text.strip_prefix("->") {
            Some(target) => link(target, &path),
            None => fs::write(path, text).unwrap(),
        }
    }

    /// What the reach rules say, hints left out.
    fn lint(&self, hosts: &[&str]) -> Vec<String> {
        let hosts: Vec<String> = hosts.iter().map(|h| (*h).to_owned()).collect();
        let findings = support::findings(&self.root(), &["reach".to_owned()], &hosts, &[]);
        findings.iter().map(support::shown).collect()
    }
}

#[cfg(unix)]
fn link(target: &str, path: &Path) {
    std::os::unix::fs::symlink(target, path).unwrap();
}

#[cfg(not(unix))]
fn link(target: &str, path: &Path) {
    fs::copy(path.parent().unwrap().join(target), path).unwrap();
}

const RULE: &str = "- Run the formatter before each commit.\n";

/// Whether one of the findings begins so.
#[track_caller]
fn has(found: &[String], start: &str) {
    assert!(found.iter().any(|line| line.starts_with(start)), "`{start}` is not among {found:#?}");
}

#[track_caller]
fn is_silent(found: &[String]) {
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_limit_of_codex_is_for_the_chain_and_takes_the_deepest_file_first() {
    let ten_thousand = RULE.repeat(260);
    let repository = Repository::new(&[
        ("AGENTS.md", &ten_thousand),
        ("a/AGENTS.md", &ten_thousand),
        ("a/b/AGENTS.md", &ten_thousand),
        ("a/b/c/AGENTS.md", &ten_thousand),
        ("a/b/c/d/AGENTS.md", RULE),
    ]);
    let found = repository.lint(&["codex"]);
    has(&found, "error[truncated] a/b/c/AGENTS.md: OpenAI Codex CLI keeps 1,568 of 10,400 bytes (from 2 launch");
    has(&found, "error[dropped] a/b/c/d/AGENTS.md: OpenAI Codex CLI drops the whole file (launched in `a/b/c/d`)");
}

#[test]
fn a_cut_tells_what_it_goes_through() {
    let character = format!("{}é\n", "a".repeat(32_767));
    has(&Repository::new(&[("AGENTS.md", &character)]).lint(&["codex"]), "error[truncated]");
    let found = Repository::new(&[("AGENTS.md", &character)]).lint(&["codex"]);
    assert!(found[0].ends_with("the cut falls inside a character"), "{found:?}");
    let fence = format!("{}```sh\nmake\nmake test\n```\n", RULE.repeat(819));
    let found = Repository::new(&[("AGENTS.md", &fence)]).lint(&["codex"]);
    assert!(found[0].ends_with("the cut falls inside a code block"), "{found:?}");
}

#[test]
fn what_fits_to_the_byte_is_only_nearly_full() {
    let exact = "a".repeat(32_766) + "\n\n";
    let found = Repository::new(&[("AGENTS.md", &exact)]).lint(&["codex"]);
    assert_eq!(found.len(), 1, "{found:?}");
    has(&found, "info[headroom] AGENTS.md: 32,768 of 32,768 bytes are used");
}

#[test]
fn a_local_file_switches_the_team_file_off_for_one_person() {
    let repository = Repository::new(&[
        ("AGENTS.md", RULE),
        ("CLAUDE.local.md", "- Answer in verse.\n"),
        (".gitignore", "CLAUDE.local.md\n"),
    ]);
    let found = repository.lint(&["claude-code"]);
    has(&found, "warning[shadowed] CLAUDE.local.md: `CLAUDE.local.md` keeps `AGENTS.md` from Claude Code");
    assert!(found[0].contains("for you alone"), "{found:?}");
}

#[test]
fn a_file_above_all_clones_switches_agents_files_off() {
    let repository = Repository::new(&[("AGENTS.md", RULE)]);
    fs::write(repository.root().parent().unwrap().join("CLAUDE.md"), "- Answer in verse.\n").unwrap();
    let found = repository.lint(&["claude-code"]);
    has(&found, "warning[shadowed] AGENTS.md: `");
    assert!(found[0].contains("CLAUDE.md` keeps `AGENTS.md` from Claude Code"), "{found:?}");
}

#[test]
fn a_root_file_that_imports_the_other_still_keeps_nested_ones_out() {
    let repository = Repository::new(&[
        ("CLAUDE.md", "@AGENTS.md\n"),
        ("AGENTS.md", RULE),
        ("a/AGENTS.md", "- Never log tokens.\n"),
    ]);
    let found = repository.lint(&["claude-code"]);
    has(&found, "warning[shadowed] CLAUDE.md: `CLAUDE.md` keeps `a/AGENTS.md` from Claude Code");
    has(
        &found,
        "info[import-refused] CLAUDE.md: Claude Code asks before it imports `AGENTS.md`, which is outside of the launch directory (launched in `a`)",
    );
}

#[test]
fn stubs_that_only_name_the_other_file() {
    for stub in ["AGENTS.md", "AGENTS.md\n", "[AGENTS.md](AGENTS.md)\n", "`AGENTS.md`\n"] {
        let found = Repository::new(&[("CLAUDE.md", stub), ("AGENTS.md", RULE)]).lint(&["claude-code"]);
        assert_eq!(found.len(), 1, "{stub}: {found:?}");
        has(&found, "error[import-meant] CLAUDE.md: `CLAUDE.md` holds nothing but the name of `AGENTS.md`");
    }
    let found =
        Repository::new(&[("CLAUDE.md", "Please read AGENTS.md first.\n"), ("AGENTS.md", RULE)]).lint(&["claude-code"]);
    assert_eq!(found.len(), 1, "{found:?}");
    has(&found, "info[import-meant] CLAUDE.md: `CLAUDE.md` asks in words for `AGENTS.md`");
}

#[test]
fn stubs_that_work_are_fine() {
    is_silent(&Repository::new(&[("AGENTS.md", RULE), ("CLAUDE.md", "@AGENTS.md\n")]).lint(&["claude-code", "codex"]));
    is_silent(
        &Repository::new(&[("AGENTS.md", RULE), (".claude/CLAUDE.md", "@../AGENTS.md\n")]).lint(&["claude-code"]),
    );
    is_silent(&Repository::new(&[("AGENTS.md", RULE), ("CLAUDE.md", "->AGENTS.md")]).lint(&["claude-code", "codex"]));
    is_silent(&Repository::new(&[("AGENTS.md", RULE), ("CLAUDE.md", RULE)]).lint(&["claude-code", "codex"]));
}

#[test]
#[cfg(unix)]
fn a_link_whose_target_imports_itself() {
    let text = format!("{RULE}\n@AGENTS.md\n");
    let found = Repository::new(&[("AGENTS.md", &text), ("CLAUDE.md", "->AGENTS.md")]).lint(&["claude-code"]);
    has(&found, "info[import-cycle] ");
}

#[test]
fn names_that_are_nearly_right() {
    for (path, start) in [
        ("AGENT.md", "warning[near-miss] AGENT.md: no host reads `AGENT.md` here"),
        // Copilot alone takes names in any letter case.
        ("Claude.md", "warning[near-miss] Claude.md: Claude Code, Cursor and Hermes Agent do not read"),
        (".codex/AGENTS.md", "warning[near-miss] .codex/AGENTS.md: no host loads `AGENTS.md` from the folder `.codex`"),
        (".claude/CLAUDE.local.md", "warning[near-miss] .claude/CLAUDE.local.md: "),
        (".github/copilot/copilot-instructions.md", "warning[near-miss] .github/copilot/copilot-instructions.md: "),
        ("agents.md", "warning[near-miss] agents.md: "),
    ] {
        has(&Repository::new(&[(path, RULE)]).lint(&[]), start);
    }
    is_silent(
        &Repository::new(&[("docs/agents.md", "# Agents\n\nThey talk.\n"), ("guide/claude.md", "# Claude\n")])
            .lint(&[]),
    );
}

#[test]
fn headers_for_several_hosts_are_fine() {
    let header =
        "---\ndescription: Sources\napplyTo: \"**/*.ts\"\npaths: [\"**/*.ts\"]\nglobs: \"**/*.ts\"\n---\n- No any.\n";
    is_silent(&Repository::new(&[(".claude/rules/ts.md", header), ("src/a.ts", "")]).lint(&["claude-code"]));
}

#[test]
fn patterns_that_the_host_understands_are_fine() {
    for patterns in [
        "paths: src/**/*.{ts,tsx}",
        "paths: \"src/**, lib/**\"",
        "paths:\n  - \"src/**\"\n  - \"later/**\"",
        "paths: **/*.ts",
        "paths: [src/**]",
    ] {
        let rule = format!("---\n{patterns}\n---\n- No any.\n");
        is_silent(&Repository::new(&[(".claude/rules/ts.md", &rule), ("src/a.ts", "")]).lint(&["claude-code"]));
    }
}

#[test]
fn patterns_in_another_dialect_are_named_with_what_works() {
    for (pattern, meant) in
        [("./src/**", "src/**"), ("/lib/**", "lib/**"), ("src\\**", "src/**"), ("@(src|lib)/**", "{src,lib}/**")]
    {
        let rule = format!("---\npaths: '{pattern}'\n---\n- No any.\n");
        let repository = Repository::new(&[("a/.claude/rules/ts.md", &rule), ("a/src/a.ts", ""), ("lib/b.ts", "")]);
        let found = repository.lint(&["claude-code"]);
        // What is anchored in the folder above is right there.
        if pattern.starts_with("/lib") {
            has(
                &found,
                "error[dead-scope] a/.claude/rules/ts.md: the rule never loads for Claude Code: no file below `a`",
            );
        } else {
            has(
                &found,
                &format!(
                    "error[dead-scope] a/.claude/rules/ts.md: `{pattern}` matches nothing for Claude Code, `{meant}`"
                ),
            );
        }
    }
}

#[test]
fn words_with_an_at_sign_are_no_errors() {
    let text = "- Ask @octocat. Types come from @types/node and @vitest/expect.\n- `@param` is for docs. Mail me@example.com.\n\
                - do not create `src/old.ts`, never edit `gen/out.rs`\n- unit/integration tests, `Token::Placeholder {…}`\n\
                - `other-repo/docs/x.md` in that repo\n\n```\nsrc/\n  main.rs\n```\n";
    is_silent(&Repository::new(&[("CLAUDE.md", text)]).lint(&["claude-code"]));
    is_silent(&Repository::new(&[("AGENTS.md", text)]).lint(&["codex"]));
}

#[test]
fn settings_and_gaps_of_gemini() {
    let repository =
        Repository::new(&[("AGENTS.md", RULE), (".gemini/settings.json", "{ \"contextFileName\": \"AGENTS.md\" }\n")]);
    let found = repository.lint(&[]);
    has(&found, "warning[dead-setting] .gemini/settings.json: `contextFileName` has no effect here for Gemini CLI");
    has(&found, "info[host-gap] AGENTS.md: Gemini CLI loads none of the repository's instructions");
    let works = "{ \"context\": { \"fileName\": \"AGENTS.md\" } }\n";
    is_silent(&Repository::new(&[("AGENTS.md", RULE), (".gemini/settings.json", works)]).lint(&["gemini-cli"]));
}

#[test]
fn words_that_gemini_tries_as_imports_are_hints() {
    let text = "Use @param and @Injectable() and @types/node.\n\n- Ask @alice.\n";
    is_silent(&Repository::new(&[("GEMINI.md", text)]).lint(&["gemini-cli"]));
    let stop = "Read @docs/a.md.\n";
    let found = Repository::new(&[("GEMINI.md", stop), ("docs/a.md", RULE)]).lint(&["gemini-cli"]);
    has(&found, "error[import-missing] GEMINI.md: Gemini CLI takes the punctuation behind `@docs/a.md`");
}

#[test]
fn a_file_of_another_kind_beats_the_team_file() {
    let found = Repository::new(&[("AGENTS.md", RULE), ("HERMES.md", "# Hermes, the fastest messenger\n")]).lint(&[]);
    has(&found, "warning[shadowed] HERMES.md: `HERMES.md` keeps `AGENTS.md` from Hermes Agent");
}

#[test]
fn rules_of_cursor() {
    let fine = "---\ndescription: Go\nglobs: **/*.go, **/*.{mod,sum}\nalwaysApply: false\n---\n- No panics.\n";
    is_silent(&Repository::new(&[(".cursor/rules/go.mdc", fine), ("a.go", ""), ("go.mod", "")]).lint(&["cursor"]));
    let text = "---\nglobs: **/*.go\nalwaysApply: \"true\"\n---\n- No panics.\n";
    let found = Repository::new(&[(".cursor/rules/go.mdc", text), ("a.go", "")]).lint(&["cursor"]);
    has(&found, "warning[scope-key] .cursor/rules/go.mdc: Cursor takes `alwaysApply` for a text here");
    let foreign = "---\npaths: **/*.go\n---\n- No panics.\n";
    let found = Repository::new(&[(".cursor/rules/go.mdc", foreign), ("a.go", "")]).lint(&["cursor"]);
    has(
        &found,
        "warning[scope-key] .cursor/rules/go.mdc: Cursor does not know `paths`, so the rule loads only when it is named",
    );
    let found = Repository::new(&[(".cursor/rules/go.md", RULE), ("AGENTS.md", RULE)]).lint(&["cursor"]);
    has(&found, "warning[near-miss] .cursor/rules/go.md: Cursor takes no `.md` from .cursor/rules");
    let found = Repository::new(&[("AGENTS.md", "@docs/a.md\n"), ("docs/a.md", RULE), (".cursorrules", RULE)])
        .lint(&["cursor"]);
    has(&found, "warning[import-inert] AGENTS.md: Cursor imports nothing: `@docs/a.md` stays a line of text");
}

#[test]
fn hosts_that_nobody_uses_are_not_spoken_of() {
    // Hermes would cut this file, and hold the other back; the repository has nothing of Hermes.
    let repository =
        Repository::new(&[("CLAUDE.md", &RULE.repeat(2_500)), ("a/AGENTS.md", "- Pretend to be a parrot.\n")]);
    assert!(repository.lint(&[]).iter().all(|line| !line.contains("Hermes")));
}

#[test]
fn an_unreadable_file_takes_the_others_with_it() {
    let repository = Repository::new(&[("AGENTS.md", RULE)]);
    fs::create_dir_all(repository.root().join("a/AGENTS.md")).unwrap();
    repository.write("a/b/CLAUDE.md", RULE);
    let found = repository.lint(&["codex", "claude-code"]);
    assert!(found.iter().all(|line| !line.starts_with("error[unreadable] AGENTS.md")), "{found:?}");
}

#[test]
fn findings_are_the_same_for_one_file_as_for_all() {
    // A chain that is too long is a fact about the leaf, whatever is asked for.
    let repository = Repository::new(&[("AGENTS.md", &RULE.repeat(800)), ("a/AGENTS.md", &RULE.repeat(100))]);
    has(&repository.lint(&["codex"]), "error[truncated] a/AGENTS.md: ");
}
