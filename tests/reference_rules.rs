//! The rules about references, rules and safety on whole small projects: what they must find, and the inputs that other
//! checkers are known to stumble over.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use agentsctl::discover::Launch;
use agentsctl::filesystem::{Disk, FileSystem};
use agentsctl::host::{Catalog, Selection};
use agentsctl::lint::config::discover::Configs;
use agentsctl::lint::config::{Config, Overrides, Persona};
use agentsctl::lint::registry::Group;
use agentsctl::lint::rules::registry;
use agentsctl::lint::run::{Request, run};
use agentsctl::lint::sources::FileSources;
use agentsctl::project::{Project, ScanOptions};

/// A project on the disk.
struct Repository(tempfile::TempDir);

impl Repository {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a file has a folder")).expect("folders can be made");
            fs::write(path, text).expect("files can be written");
        }
        fs::create_dir_all(folder.path().join(".git")).expect("folders can be made");
        Self(folder)
    }

    fn root(&self) -> std::path::PathBuf {
        self.0.path().canonicalize().expect("the folder is there")
    }

    /// What is found, as `severity rule path:line message`.
    fn lint(&self, persona: Persona) -> Vec<String> {
        let root = self.root();
        let files: Arc<dyn FileSystem> = Arc::new(Disk);
        let project =
            Project::scan(&root, ScanOptions { files: files.clone(), history: false }).expect("it can be scanned");
        let catalog = Catalog::built_in();
        let selections: Vec<Selection> = catalog.ids().filter_map(|id| catalog.select(id).ok()).collect();
        let registry = registry();
        let overrides = Overrides { persona: Some(persona), ..Overrides::default() };
        let configs = Configs::fixed(files.as_ref(), root.clone(), &registry, overrides, Config::default())
            .expect("the default configuration is one");
        let sources = FileSources::new(files.as_ref(), root.clone());
        let outcome = run(&Request {
            project: &project,
            selections: &selections,
            launch: &Launch { system_root: root.join("no-system"), ..Launch::new(root.clone()) },
            configs: &configs,
            registry: &registry,
            file_system: files.as_ref(),
            sources: &sources,
            only: &BTreeSet::new(),
            partial: false,
            baseline: None,
        })
        .expect("it can be checked");
        let shown = |judged: &agentsctl::lint::judge::Judged| {
            let finding = &judged.finding;
            let text = fs::read_to_string(root.join(&finding.primary.path)).unwrap_or_default();
            let line = text.get(..finding.primary.span.start).unwrap_or("").matches('\n').count() + 1;
            let (severity, rule, path) = (finding.severity.name(), finding.rule, &finding.primary.path);
            format!("{severity} {rule} {path}:{line} {}", finding.message)
        };
        // The rules about loading are tested where they are.
        let is_ours = |judged: &&agentsctl::lint::judge::Judged| {
            registry.rule(judged.finding.rule).is_none_or(|rule| rule.group != Group::Reach)
        };
        outcome.findings.iter().filter(is_ours).map(shown).collect()
    }
}

fn found(files: &[(&str, &str)]) -> Vec<String> {
    Repository::new(files).lint(Persona::Default)
}

#[track_caller]
fn clean(text: &str, others: &[(&str, &str)]) {
    let mut files = vec![("AGENTS.md", text)];
    files.extend(others);
    assert_eq!(found(&files), Vec::<String>::new(), "{text}");
}

const NOTHING: &[(&str, &str)] = &[];

/// Lines that checkers are known to misread, in one file.
#[test]
fn the_trap_file() {
    let text = "# Notes

- Do not create `src/old.ts`.
- Never edit `gen/out.rs`.
- We have unit/integration tests; ask @octocat about `@types/node`.
- The guide is `other-repo/docs/x.md` in that repo.
- `Token::Placeholder { text }` is a token of the lexer.

```
project/
├── unit/
│   └── a.txt
└── other/
```

Run `cd apps && make test` first.
";
    let found = found(&[("AGENTS.md", text), ("src/main.ts", ""), ("gen/in.rs", ""), ("apps/x.ts", "")]);
    assert_eq!(
        found,
        [
            "warning dead-command AGENTS.md:16 there is no target `test`, and the repository has nothing that could define one for `make`"
        ]
    );
}

#[test]
fn what_other_checkers_stumble_over() {
    for text in [
        "Do not create helpers like `src/helpers/misc.ts`.\n",
        "In `workers-docs`, a private repository, `src/content/index.md` lists the pages of that repo.\n",
        "Hooks are in `~/.config/tool/hooks/run.sh`.\n",
        "| type | of |\n| --- | --- |\n| `list<string>` | list<string> |\n",
        "```json\n{ \"path\": \"src/<name>/index.ts\", \"file\": \"src/gone/x.ts\" }\n```\n",
        "- unit/integration, skill/agent, content/length and try/catch are words\n",
        "- `/deploy`, `/api/users` and `/compact` are no files; `~80%` neither\n",
        "- Never run `npx old-tool` and never `npm run gone`.\n",
        "- There is no `make release` on purpose.\n",
        "- On Windows the program runs `npm install` itself.\n",
        "- Be helpful, and usually be brief; generally, frequently ask.\n",
        "```md\n[a template](../not/here.md)\n```\n",
        "- The build writes `src/generated/api.ts`.\n",
        "- Use `src/foo/SomeTest.ts` as a pattern, e.g. `src/foo/my-file.ts`.\n",
        "- `origin/main`, `feat/x`, `text/html`, `zod/v4`, `owner/repo#12`, `System.Text.Json`\n",
        "- Keep `src/**/*.stories.tsx` beside the component.\n",
        "- 不要创建 `src/old.ts`\n- 禁止修改 `src/gone.ts`\n- keine Datei `src/alt.ts` anlegen\n",
    ] {
        clean(text, &[("package.json", "{}"), ("src/main.ts", "")]);
    }
}

#[test]
fn a_fence_in_a_list_is_a_fence() {
    let text = "1. Build:\n   ```bash\n   npm run build\n   ```\n2. Done\n";
    clean(text, &[("package.json", "{\"scripts\": {\"build\": \"x\"}}")]);
    let wrong = found(&[("AGENTS.md", text), ("package.json", "{\"scripts\": {\"test\": \"x\"}}")]);
    assert_eq!(wrong, ["error dead-command AGENTS.md:3 there is no script `build` in `package.json`"]);
}

#[test]
fn paths_count_from_the_package_that_the_sentence_names() {
    clean("In `packages/app`, the entry is `src/entry.ts`.\n", &[("packages/app/src/entry.ts", "")]);
    clean("Run `bash \"scripts/my build.sh\"`.\n", &[("scripts/my build.sh", "")]);
}

#[test]
fn markdown_that_no_host_loads_is_left_alone() {
    let dead = "[gone](gone.md) and `src/gone/x.rs`\n";
    let files = [("src/a.rs", ""), ("tests/snapshots/page.md", dead), ("docs/agents.md", dead), ("README.md", dead)];
    assert_eq!(found(&files), Vec::<String>::new());
    // The page about a subject may have a name that some host takes.
    assert_eq!(found(&[("src/a.rs", ""), ("docs/en/agents.md", dead), ("AGENTS.md", "x\n")]), Vec::<String>::new());
    // A fixture loads for whoever works there, but speaks of a project that is not here.
    assert_eq!(found(&[("src/a.rs", ""), ("tests/fixtures/app/AGENTS.md", dead)]), Vec::<String>::new());
}

#[test]
fn dead_references_of_each_kind() {
    let text = "Read [the guide](docs/gone.md) and [another](docs/Guide.md).

- Look at `src/core/gone.rs`; the parser is `src/old/a.rs`, its tests `src/old/b.rs`.

```bash
cd apps/web
./scripts/startAll.sh
```
";
    let files = [
        ("AGENTS.md", text),
        ("docs/guide.md", ""),
        ("src/core/engine.rs", ""),
        ("scripts/start_all.sh", ""),
        ("apps/api/x.ts", ""),
    ];
    assert_eq!(
        found(&files),
        [
            "error dead-link AGENTS.md:1 there is no `docs/gone.md`",
            "warning wrong-case AGENTS.md:1 `docs/Guide.md` is written `docs/guide.md` in the tree",
            "warning dead-path AGENTS.md:3 there is no `src/core/gone.rs`",
            "warning dead-path AGENTS.md:3 there is no `src/old/`, into which 2 mentions lead",
            "error dead-directory AGENTS.md:6 there is no folder `apps/web`: this command and those after it fail",
        ]
    );
}

#[test]
fn a_folder_that_is_certainly_gone_is_gone_for_all_who_name_it() {
    let moved = [("AGENTS.md", "Look into `app_data/schema/`.\n"), ("infra/app_data/schema/a.sql", "")];
    assert_eq!(found(&moved), Vec::<String>::new(), "the end of a path may be meant");
    let mut known = moved.to_vec();
    known.push(("CLAUDE.md", "```bash\ncd app_data\n```\n"));
    assert_eq!(
        found(&known),
        [
            "warning dead-path AGENTS.md:1 there is no `app_data/schema`",
            "error dead-directory CLAUDE.md:2 there is no folder `app_data`: this command and those after it fail",
        ]
    );
}

#[test]
fn a_copy_is_told_of_once() {
    let text = "Read [the guide](docs/gone.md).\n";
    let found = found(&[("AGENTS.md", text), ("CLAUDE.md", text), ("docs/guide.md", "")]);
    let dead: Vec<&String> = found.iter().filter(|finding| finding.contains("dead-link")).collect();
    assert_eq!(dead, ["error dead-link AGENTS.md:1 there is no `docs/gone.md`"]);
}

#[test]
fn a_folder_that_a_command_makes_is_there() {
    clean("```bash\ngit clone https://example.org/us/project\ncd project\n```\n", NOTHING);
    clean("```bash\nmkdir -p sandbox\ncd sandbox\n```\n", NOTHING);
}

#[test]
fn conflicts_only_between_files_that_load_together() {
    let package = ("package.json", "{\"scripts\": {\"check\": \"x\", \"lint\": \"x\"}}");
    let requires = "- Run `pnpm check` before each commit.\n";
    let forbids = "- Do not run `pnpm check`; run `pnpm lint`.\n";
    let conflicts = |files: &[(&str, &str)]| -> Vec<String> {
        found(files).into_iter().filter(|finding| finding.contains(" conflict ")).collect()
    };
    // Claude Code and Codex both read what they read of these, but no host reads both files of a folder.
    let nested = [package, ("CLAUDE.md", requires), ("a/CLAUDE.md", forbids)];
    assert_eq!(conflicts(&nested), Vec::<String>::new(), "the nested file may speak otherwise");
    let both = [package, ("CLAUDE.md", requires), (".claude/rules/a.md", forbids)];
    assert_eq!(
        conflicts(&both),
        ["warning conflict CLAUDE.md:1 `pnpm check` is to be run here and not to be run there"]
    );
    let conditional = "- Do not run `pnpm check` before `pnpm install`.\n";
    assert_eq!(
        conflicts(&[package, ("CLAUDE.md", requires), (".claude/rules/a.md", conditional)]),
        Vec::<String>::new()
    );
    let managers = [
        package,
        ("pnpm-lock.yaml", ""),
        ("CLAUDE.md", "- Install packages with `pnpm install`.\n"),
        (".claude/rules/a.md", "- Run `npm install` first.\n"),
    ];
    assert_eq!(
        conflicts(&managers),
        ["warning conflict .claude/rules/a.md:1 packages are to be installed with `npm` here and with `pnpm` there"]
    );
}

#[test]
fn safety() {
    let key = ["AKIA", "Q3ZEM7RTNXK2WV5L"].concat();
    let text = format!(
        "Use {key}.\n\nThe data is in `/Users/mwendling/data/x.csv`.\n\nRun `n\u{440}m test` now, exe\u{200b}cute.\n"
    );
    assert_eq!(
        found(&[("AGENTS.md", &text)]),
        [
            "error secret AGENTS.md:1 this has the shape of an AWS access key",
            "warning machine-path AGENTS.md:3 `/Users/mwendling` is a folder of one person's machine",
            "warning hidden-text AGENTS.md:5 U+200B stands inside of a word and is not drawn",
        ]
    );
    clean("Mount `/home/user/work/x` or `/Users/<name>/x`; on the server it is `/home/metabase/x`.\n", NOTHING);
    // What git ignores is its author's own.
    clean("x\n", &[(".gitignore", "CLAUDE.local.md\n"), ("CLAUDE.local.md", "See `/Users/mwendling/x/y`.\n")]);
}

#[test]
fn hints_show_when_asked_for() {
    let text = "# Rules\n\n- Write clean code.\n- Always run the linter.\n- Never read `.env` files.\n";
    assert_eq!(found(&[("AGENTS.md", text)]), Vec::<String>::new());
    let hints = Repository::new(&[("AGENTS.md", text)]).lint(Persona::Pedantic);
    for wanted in [
        "vague AGENTS.md:3",
        "unscoped AGENTS.md:3",
        "no-command AGENTS.md:4",
        "permission-prose AGENTS.md:5",
        "rules-summary",
    ] {
        assert!(hints.iter().any(|hint| hint.contains(wanted)), "{wanted}: {hints:#?}");
    }
}
