//! Rules of GitHub Copilot CLI 1.0.102 that were seen in runs, told from the texts that reached the model.

#![allow(clippy::unwrap_used, missing_docs)]

use agentsctl::discover::context::{Loads, Reason};
use agentsctl::discover::{self, Context, Launch, Touch};
use agentsctl::filesystem::Disk;
use agentsctl::host::Catalog;
use std::path::PathBuf;

/// A repository and a home folder on the disk.
struct World {
    _above: tempfile::TempDir,
    above: PathBuf,
    launch: Launch,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let above = folder.path().canonicalize().unwrap();
        let launch = Launch { home: Some(above.join("home")), ..Launch::new(above.join("repo")) };
        let world = Self { _above: folder, above, launch };
        world
            .write("repo/.git/HEAD", "ref: refs/heads/main\n")
            .write("repo/.git/objects/x", "")
            .write("repo/.git/refs/x", "")
    }

    fn write(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        let file = self.above.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
        self
    }

    fn launched_in(mut self, folder: &str) -> Self {
        self.launch.directory = self.above.join(folder);
        self
    }

    fn variable(mut self, name: &str, value: &str) -> Self {
        self.launch.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    fn flag(mut self, flag: &str) -> Self {
        self.launch.arguments.push(flag.to_owned());
        self
    }

    fn touch(mut self, tool: &str, path: &str) -> Self {
        let value =
            if tool == "agent" { path.to_owned() } else { self.above.join(path).to_string_lossy().into_owned() };
        self.launch.touches.push(Touch { tool: tool.to_owned(), value });
        self
    }

    fn context(&self, host: &str) -> Context {
        let selection = Catalog::built_in().select(host).unwrap();
        discover::discover(&selection.host, &self.launch, &Disk)
    }

    /// The pieces at launch and on touch, by path.
    fn loaded(&self) -> (Vec<String>, Vec<String>) {
        self.loaded_by("copilot")
    }

    fn loaded_by(&self, host: &str) -> (Vec<String>, Vec<String>) {
        let context = self.context(host);
        let (launch, touch): (Vec<_>, Vec<_>) = context.pieces.iter().partition(|p| p.loads == Loads::AtLaunch);
        let shown = |pieces: Vec<&discover::Piece>| {
            let own = pieces.into_iter().filter(|p| !p.inline).filter_map(|p| p.path.as_ref());
            own.map(|p| p.strip_prefix(&self.above).unwrap().to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        (shown(launch), shown(touch))
    }

    fn reason(&self, path: &str) -> Option<Reason> {
        let path = self.above.join(path);
        self.context("copilot").omissions.into_iter().find(|o| o.path == path).map(|o| o.reason)
    }
}

const NONE: [&str; 0] = [];

#[test]
fn an_import_is_seen_everywhere_but_in_code_spans_and_fences() {
    let text = "a @1.md\n\n<!-- @2.md `@no1.md` -->\n\n    @3.md `@no2.md`\n\n> # (@4.md),\n~~~\n@no3.md\n~~~\n`` @no4.md ``\nx@no5.md\n";
    let world = World::new().write("repo/AGENTS.md", text);
    let world = (1..=5).fold(world, |w, n| w.write(&format!("repo/no{n}.md"), format!("NO{n}")));
    let world = (1..=4).fold(world, |w, n| w.write(&format!("repo/{n}.md"), format!("YES{n}")));
    let text = world.context("copilot").launch_text;
    for n in 1..=4 {
        assert!(text.contains(&format!("YES{n}")), "{n}: {text}");
    }
    assert!(!text.contains("NO"), "{text}");
}

#[test]
fn at_most_64_files_are_imported_for_one_file() {
    let mentions: String = (1..=65).map(|n| format!("@d/{n}.md\n")).collect();
    let world = World::new().write("repo/AGENTS.md", &mentions).write("repo/CLAUDE.md", "@d/65.md\n");
    let world = (1..=65).fold(world, |w, n| w.write(&format!("repo/d/{n}.md"), format!("TEXT{n}.")));
    let text = world.context("copilot").launch_text;
    assert!(text.contains("TEXT64."));
    // The other file has a count of its own.
    assert_eq!(text.matches("TEXT65.").count(), 1);
}

#[test]
fn without_a_root_imports_do_not_leave_the_launch_directory() {
    let world = World::new().launched_in("plain").write("plain/AGENTS.md", "@../secret.md @in/a.md\n@~/x.md\n");
    let world = world.write("secret.md", "SECRET").write("plain/in/a.md", "INSIDE").write("home/x.md", "HOME");
    let text = world.context("copilot").launch_text;
    assert!(text.contains("INSIDE") && !text.contains("SECRET") && !text.contains("HOME"), "{text}");
    assert!(matches!(world.reason("secret.md"), Some(Reason::ImportOutside { .. })));
}

#[test]
fn gemini_files_and_rules_import_nothing() {
    let world = World::new().write("repo/GEMINI.md", "@x.md").write("repo/.claude/rules/a.md", "@../../x.md");
    assert!(!world.write("repo/x.md", "TEXT").context("copilot").launch_text.contains("TEXT"));
}

#[test]
fn a_rule_comes_once_and_only_when_a_file_is_viewed() {
    let base = || {
        World::new()
            .write("repo/.github/instructions/py.instructions.md", "---\napplyTo: '*.py'\n---\n")
            .write("repo/sub/AGENTS.md", "nested")
            .write("repo/sub/x.py", "")
            .write("repo/sub/y.py", "")
    };
    let rule = "repo/.github/instructions/py.instructions.md";
    let twice = base().touch("read", "repo/sub/x.py").touch("read", "repo/sub/y.py");
    assert_eq!(twice.loaded().1, [rule, "repo/sub/AGENTS.md"]);
    for (tool, path) in [
        ("edit", "repo/sub/x.py"),
        ("write", "repo/sub/new.py"),
        ("patch", "repo/sub/x.py"),
        ("grep", "repo/sub/x.py"),
        ("read", "repo/sub"),
        ("read", "repo/sub/missing.py"),
    ] {
        assert_eq!(base().touch(tool, path).loaded().1, NONE, "{tool} {path}");
    }
    let context = base().context("copilot");
    assert_eq!(context.pointers.len(), 1);
    assert_eq!(context.pointers[0].patterns, ["*.py"]);
}

#[test]
fn a_view_goes_up_from_the_file_and_leaves_out_the_folders_of_the_launch() {
    let world =
        World::new().launched_in("repo/a/b").write("repo/a/.claude/rules/dead.md", "x").write("repo/a/b/c/d/x", "");
    let world = world
        .write("repo/a/AGENTS.md", "a")
        .write("repo/a/b/c/AGENTS.md", "c")
        .write("repo/a/b/c/d/.claude/CLAUDE.md", "d");
    let world = world.write("repo/other/AGENTS.md", "o").write("repo/other/x", "").write("repo/a/x", "");
    let world = world.touch("read", "repo/a/x").touch("read", "repo/a/b/c/d/x").touch("read", "repo/other/x");
    let (launch, touch) = world.loaded();
    assert_eq!(launch, ["repo/a/AGENTS.md"]);
    assert_eq!(touch, ["repo/a/b/c/d/.claude/CLAUDE.md", "repo/a/b/c/AGENTS.md", "repo/other/AGENTS.md"]);
    assert!(matches!(world.reason("repo/a/.claude/rules/dead.md"), Some(Reason::NeverRead { .. })));
}

#[test]
fn dead_files_are_told() {
    let world = World::new().write("repo/.claude/CLAUDE.md", "x").write("home/.copilot/AGENTS.md", "x");
    let world = world.write("repo/more/CLAUDE.md", "x").write("repo/more/AGENTS.md", "x");
    let world = world.variable("COPILOT_CUSTOM_INSTRUCTIONS_DIRS", "more");
    assert_eq!(world.loaded().0, NONE);
    for path in ["repo/.claude/CLAUDE.md", "home/.copilot/AGENTS.md", "repo/more/CLAUDE.md"] {
        assert!(matches!(world.reason(path), Some(Reason::NeverRead { .. })), "{path}");
    }
    assert_eq!(world.reason("repo/more/AGENTS.md"), Some(Reason::NamedOnly));
    let pointers = world.context("copilot").pointers;
    assert_eq!(pointers[0].description.as_deref(), Some("Agent instructions for more/**/*"));
}

#[test]
fn custom_folders_are_a_comma_list_from_the_launch_directory() {
    let base = || {
        World::new()
            .launched_in("repo/sub")
            .write("repo/sub/one/x.instructions.md", "1")
            .write("repo/sub/one/.hidden/x.instructions.md", "dot")
            .write("repo/two/a/b/x.Instructions.MD", "2")
            .write("home/x.instructions.md", "home")
    };
    let with = |value: &str| base().variable("COPILOT_CUSTOM_INSTRUCTIONS_DIRS", value).loaded().0;
    assert_eq!(with("one , ../two,none,,"), ["repo/sub/one/x.instructions.md", "repo/two/a/b/x.Instructions.MD"]);
    assert_eq!(with("~"), NONE);
    assert_eq!(with("one:../two"), NONE);
}

#[test]
fn dot_folders_and_nameless_rules_are_passed_over_but_not_node_modules() {
    let world = World::new()
        .write("repo/.github/instructions/.dot/a.instructions.md", "no")
        .write("repo/.github/instructions/.instructions.md", "no")
        .write("repo/.github/instructions/plain.md", "no")
        .write("repo/.github/instructions/scoped.instructions.md", "---\napplyTo: '*.py'\n---\n")
        .write("repo/.github/instructions/node_modules/b.instructions.md", "yes")
        .write("repo/.claude/rules/c.mdc", "no")
        .write("repo/.claude/rules/d.txt", "no")
        .write("repo/.claude/rules/e.MD", "yes");
    let expected = ["repo/.github/instructions/node_modules/b.instructions.md", "repo/.claude/rules/e.MD"];
    assert_eq!(world.loaded().0, expected);
    let name = |path| matches!(world.reason(path), Some(Reason::NameNotTaken { .. }));
    assert!(name("repo/.github/instructions/plain.md") && name("repo/.claude/rules/c.mdc"));
    assert!(!name("repo/.github/instructions/scoped.instructions.md"));
}

#[test]
fn the_users_rules_have_limits_that_a_repositorys_have_not() {
    let large = "x".repeat((1 << 20) + 1);
    let world = World::new()
        .write("home/.copilot/instructions/a.instructions.md", &large)
        .write("home/.copilot/instructions/b.instructions.md", &large[1..])
        .write("home/.copilot/instructions/c.instructions.md", b"caf\xe9")
        .write("repo/.github/instructions/a.instructions.md", &large)
        .write("repo/.github/instructions/c.instructions.md", b"caf\xe9");
    let expected = [
        "home/.copilot/instructions/b.instructions.md",
        "repo/.github/instructions/a.instructions.md",
        "repo/.github/instructions/c.instructions.md",
    ];
    assert_eq!(world.loaded().0, expected);
    let limit = 1 << 20;
    assert_eq!(world.reason("home/.copilot/instructions/a.instructions.md"), Some(Reason::TooLarge { limit }));
}

#[test]
fn the_flag_switches_everything_off_and_is_named() {
    let world =
        World::new().flag("--no-custom-instructions").write("repo/AGENTS.md", "x").write("repo/sub/AGENTS.md", "x");
    let world =
        world.write("home/.copilot/copilot-instructions.md", "x").write("repo/sub/x", "").touch("read", "repo/sub/x");
    assert_eq!(world.loaded(), (Vec::new(), Vec::new()));
    assert_eq!(world.reason("repo/AGENTS.md"), Some(Reason::SwitchedOff { by: "--no-custom-instructions".to_owned() }));
}

#[test]
fn only_some_sub_agents_get_the_launch_text() {
    let base = || {
        World::new()
            .write("repo/AGENTS.md", "x")
            .write("repo/.github/agents/plain.agent.md", "---\nname: plain\n---\nplain")
            .write("repo/.github/agents/include.agent.md", "---\ninclude-custom-instructions: true\n---\ninclude")
    };
    let gets = |kind: &str| base().touch("agent", kind).loaded().1;
    assert_eq!(gets("general-purpose"), ["repo/AGENTS.md"]);
    assert_eq!(gets("explore"), NONE);
    assert_eq!(gets("../agents/include"), NONE);
    assert_eq!(gets("plain"), ["repo/.github/agents/plain.agent.md"]);
    assert_eq!(gets("include"), ["repo/AGENTS.md", "repo/.github/agents/include.agent.md"]);
}

#[test]
fn older_versions_know_less() {
    let world = World::new()
        .launched_in("repo/a/b")
        .write("repo/a/b/x", "")
        .write("repo/AGENTS.md", "@imported.md")
        .write("repo/imported.md", "IMPORTED")
        .write("repo/a/AGENTS.md", "a")
        .write("repo/.claude/rules/r.md", "r")
        .write("repo/.github/instructions/py.instructions.md", "---\napplyTo: '*.py'\n---\nSCOPED")
        .write("repo/x.py", "")
        .touch("read", "repo/x.py");
    let rule = "repo/.github/instructions/py.instructions.md";
    let now = world.loaded();
    assert_eq!(now.0, ["repo/AGENTS.md", "repo/a/AGENTS.md", "repo/.claude/rules/r.md"]);
    assert_eq!(now.1, [rule]);
    assert_eq!(world.loaded_by("copilot@1.0.99").1, NONE);
    assert_eq!(world.loaded_by("copilot@1.0.88").0, ["repo/AGENTS.md", "repo/a/AGENTS.md"]);
    assert!(world.context("copilot@1.0.66").launch_text.contains("IMPORTED"));
    assert!(!world.context("copilot@1.0.65").launch_text.contains("IMPORTED"));
    assert!(world.context("copilot@1.0.25").launch_text.contains("SCOPED"));
    assert_eq!(world.loaded_by("copilot@1.0.10").0, ["repo/AGENTS.md", rule]);
}

#[cfg(unix)]
#[test]
fn links_are_followed_at_launch_but_linked_folders_below_are_not_entered() {
    let world = World::new()
        .write("other/a.md", "outside")
        .write("other/rules/b.instructions.md", "outside")
        .write("repo/.github/instructions/own.instructions.md", "own")
        .write("repo/sub/x", "");
    let link = |target: &str, path: &str| {
        std::os::unix::fs::symlink(world.above.join(target), world.above.join(path)).unwrap()
    };
    link("other/a.md", "repo/AGENTS.md");
    link("other/rules", "repo/.github/instructions/linked");
    link("other/a.md", "repo/sub/AGENTS.md");
    let world = world.touch("read", "repo/sub/x");
    assert_eq!(world.loaded().0, ["repo/AGENTS.md", "repo/.github/instructions/own.instructions.md"]);
    assert_eq!(world.loaded().1, NONE);
    assert!(matches!(world.reason("repo/sub/AGENTS.md"), Some(Reason::LinkRefused { .. })));
}

/// Many entries in one folder use the limit up, but the folder behind it in the order of names is entered first.
#[test]
fn ten_thousand_entries_of_the_users_rules_are_looked_at() {
    let world = World::new().write("home/.copilot/instructions/zz/z.instructions.md", "x");
    let world = (0..10_000).fold(world, |w, n| w.write(&format!("home/.copilot/instructions/aa/{n}"), ""));
    let world = world.write("home/.copilot/instructions/aa/a9.instructions.md", "behind the limit");
    assert_eq!(world.loaded().0, ["home/.copilot/instructions/zz/z.instructions.md"]);
}
