//! Holds the model of OpenClaw against inputs and outputs of the host's own budget function.

use agentsctl::discover::{self, Launch};
use agentsctl::filesystem::{Entry, FileKind, FileSystem, Metadata};
use agentsctl::host::Catalog;
use agentsctl::host::schema::{FileSet, Host};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Files of one folder, held in memory.
struct Memory(BTreeMap<PathBuf, Vec<u8>>);

impl FileSystem for Memory {
    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        let size = self.0.get(path).ok_or(io::ErrorKind::NotFound)?.len() as u64;
        Ok(Metadata { kind: FileKind::File, size, identity: None, names: 1, mode: 0o644 })
    }
    fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.metadata(path)
    }
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let bytes = self.0.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(bytes[..bytes.len().min(limit as usize)].to_vec())
    }
    fn entries(&self, _: &Path) -> io::Result<Vec<Entry>> {
        Err(io::ErrorKind::NotFound.into())
    }
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(path.to_path_buf())
    }
    fn read_link(&self, _: &Path) -> io::Result<PathBuf> {
        Err(io::ErrorKind::InvalidInput.into())
    }
}

/// The recorded inputs: numbered lines of 16 characters, with rules among them for `Q`.
fn text(kind: &str, length: usize) -> String {
    let mut text = String::new();
    for n in 1.. {
        if text.len() >= length {
            break;
        }
        text += &match kind {
            "Q" if n % 5 == 0 => format!("- rule {n:05} xy\n"),
            "Q" if n % 7 == 0 => format!("must do {n:05} z\n"),
            _ => format!("{n:05} word word\n"),
        };
    }
    text.truncate(length);
    text
}

/// The host with just the files of a vector, each of which says so when it is missing, and with its limits.
fn host(host: &Host, vector: &Value) -> Host {
    let mut host = host.clone();
    let set = host.sources["workspace"].files[0].clone();
    let file = |file: &Value| FileSet {
        names: vec![file[0].as_str().unwrap().to_owned()],
        when: None,
        written_length: None,
        finish: Vec::new(),
        ..set.clone()
    };
    let files = vector["files"].as_array().unwrap().iter().map(file).collect();
    host.sources["workspace"].files = files;
    host.sources.retain(|id, _| id == "workspace");
    host.parameters["per-file"].default = vector["max"].clone();
    host.parameters["in-all"].default = vector["total"].clone();
    host
}

fn disk(vector: &Value) -> Memory {
    let files = vector["files"].as_array().unwrap().iter().filter(|f| f[1] != "missing");
    let content = |f: &Value| text(f[1].as_str().unwrap(), f[2].as_u64().unwrap() as usize).into_bytes();
    Memory(files.map(|f| (Path::new("/w").join(f[0].as_str().unwrap()), content(f))).collect())
}

#[test]
fn every_vector_of_the_budget_function_agrees() {
    let recorded: Value = serde_json::from_str(include_str!("../fixtures/vectors/openclaw.json")).unwrap();
    let vectors = recorded["vectors"].as_array().unwrap();
    assert_eq!(vectors.len(), 274);
    let openclaw = Catalog::built_in().select("openclaw").unwrap().host;
    assert_eq!(openclaw.verified.version, recorded["version"]);
    for vector in vectors {
        let mut launch = Launch::new(PathBuf::from("/w"));
        launch.mode = Some("agent exec".to_owned());
        let context = discover::discover(&host(&openclaw, vector), &launch, &disk(vector));
        let case = format!("{} of at most {}, {} in all", vector["files"], vector["max"], vector["total"]);
        let wanted = vector["out"].as_array().unwrap();
        assert_eq!(context.pieces.len(), wanted.len(), "{case}");
        for (piece, wanted) in context.pieces.iter().zip(wanted) {
            let text = piece.text.flatten();
            let name = piece.label.rsplit('/').next().unwrap();
            assert_eq!(name, wanted["name"], "{case}");
            assert_eq!(text.encode_utf16().count() as u64, wanted["length"].as_u64().unwrap(), "{case}: {text}");
            assert_eq!(format!("{:x}", Sha256::digest(&text)), wanted["sha256"], "{case}: {text}");
        }
    }
}

/// A home folder with a configuration and files, all named by their path below it.
struct World {
    home: tempfile::TempDir,
    host: Host,
}

impl World {
    fn new(host: &str, configuration: &str, files: &[&str]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let world = Self { home, host: Catalog::built_in().select(host).unwrap().host };
        world.write(".openclaw/openclaw.json", configuration);
        files.iter().for_each(|file| world.write(file, &format!("text of {file}\n")));
        world
    }

    /// Every name in the workspace; the host writes nothing.
    fn full(host: &str) -> Self {
        let names = ["AGENTS", "SOUL", "IDENTITY", "USER", "BOOTSTRAP", "MEMORY", "TOOLS", "HEARTBEAT"];
        let files: Vec<String> = names.iter().map(|n| format!(".openclaw/workspace/{n}.md")).collect();
        Self::new(host, UNWRITTEN, &files.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.home.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn launch(&self) -> Launch {
        let directory = self.home.path().join("elsewhere");
        std::fs::create_dir_all(&directory).unwrap();
        Launch { home: Some(self.home.path().to_path_buf()), ..Launch::new(directory) }
    }

    fn ask(&self, launch: &Launch) -> discover::Context {
        discover::discover(&self.host, launch, &agentsctl::filesystem::Disk)
    }

    /// The loaded files, by their path below the usual workspace or the home folder.
    fn files(&self, launch: &Launch) -> Vec<String> {
        let home = self.home.path();
        let pieces = self.ask(launch).pieces;
        let paths = pieces.iter().filter_map(|p| p.path.as_ref()?.strip_prefix(home).ok());
        paths.map(|p| p.strip_prefix(".openclaw/workspace").unwrap_or(p).to_string_lossy().into_owned()).collect()
    }

    fn session(&self, session: Value) -> Vec<String> {
        self.files(&Launch { mode: Some("gateway".to_owned()), session, ..self.launch() })
    }

    fn with_arguments(&self, arguments: &[&str]) -> Vec<String> {
        self.files(&Launch { arguments: arguments.iter().map(|a| (*a).to_owned()).collect(), ..self.launch() })
    }

    fn with_variable(&self, name: &str, value: &str) -> Vec<String> {
        let value = value.replace('~', &self.home.path().to_string_lossy());
        self.files(&Launch { variables: BTreeMap::from([(name.to_owned(), value)]), ..self.launch() })
    }
}

const UNWRITTEN: &str = r#"{ agents: { defaults: { skipBootstrap: true } } }"#;

#[test]
fn the_kind_of_session_decides_which_names_load() {
    let world = World::full("openclaw");
    let main = ["AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "BOOTSTRAP.md", "MEMORY.md"];
    assert_eq!(world.files(&world.launch()), main);
    assert_eq!(world.with_arguments(&["--session-key", "agent:main:slack:group:1"]), main[..5]);
    assert_eq!(world.with_arguments(&["--session-key", "agent:main:subagent:1"]), main[..1]);
    assert_eq!(world.with_arguments(&["--session-key", "agent:main:cron:1"]), main[..4]);
    assert_eq!(world.session(serde_json::json!({"spawn": {"cwd": world.home.path().join("x")}})), main[..1]);
    assert!(world.session(serde_json::json!({"cron": {"lightContext": true}})).is_empty());
}

#[test]
fn the_folder_of_a_gateway_session_adds_its_agents_file_and_hides_bootstrap() {
    let world = World::full("openclaw");
    world.write("proj/AGENTS.md", "p\n");
    world.write("proj/SOUL.md", "p\n");
    let create = serde_json::json!({"create": {"cwd": world.home.path().join("proj")}});
    let files = ["AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "MEMORY.md", "proj/AGENTS.md"];
    assert_eq!(world.session(create), files);
}

#[test]
fn a_fleet_has_a_workspace_for_each_agent() {
    let fleet = |rest: &str| {
        let text = format!(r#"{{ agents: {{ ownership: "explicit", {rest} }} }}"#);
        World::new(
            "openclaw",
            &text,
            &["ws/main/AGENTS.md", "ws/AGENTS.md", "own/AGENTS.md", ".openclaw/workspace-b/AGENTS.md"],
        )
    };
    let world = fleet(r#"defaults: { workspace: "~/ws" }, entries: { main: {}, b: { workspace: "~/own" } }"#);
    assert_eq!(world.files(&world.launch()), ["ws/main/AGENTS.md"]);
    assert_eq!(world.with_arguments(&["--agent", "b"]), ["own/AGENTS.md"]);
    assert_eq!(world.with_arguments(&["--session-key", "agent:b:main"]), ["own/AGENTS.md"]);
    let world = fleet("entries: { a: {}, b: { default: true } }");
    assert_eq!(world.files(&world.launch()), [".openclaw/workspace-b/AGENTS.md"]);
    let unowned = World::new("openclaw", "{ agents: { entries: { a: {}, b: {} } } }", &[]);
    assert!(unowned.ask(&unowned.launch()).refusal.is_some());
}

#[test]
fn variables_move_the_workspace() {
    let world = World::new(
        "openclaw",
        UNWRITTEN,
        &[
            ".openclaw/workspace/AGENTS.md",
            ".openclaw-p/workspace/AGENTS.md",
            "one/AGENTS.md",
            "state/workspace/AGENTS.md",
            "other/.openclaw/workspace/AGENTS.md",
        ],
    );
    assert_eq!(world.with_variable("OPENCLAW_WORKSPACE_DIR", "~/one"), ["one/AGENTS.md"]);
    assert_eq!(world.with_variable("OPENCLAW_STATE_DIR", "~/state"), ["state/workspace/AGENTS.md"]);
    assert_eq!(world.with_variable("OPENCLAW_PROFILE", "p"), [".openclaw-p/workspace/AGENTS.md"]);
    assert_eq!(world.with_variable("OPENCLAW_PROFILE", "default"), ["AGENTS.md"]);
    assert_eq!(world.with_variable("OPENCLAW_HOME", "~/other"), ["other/.openclaw/workspace/AGENTS.md"]);
    assert_eq!(world.with_variable("OPENCLAW_CONFIG_PATH", "~/none.json"), ["AGENTS.md"]);
}

#[test]
fn the_hook_adds_files_in_a_gateway_alone() {
    let hook = |entry: &str| {
        let text = format!(
            r#"{{ agents: {{ defaults: {{ skipBootstrap: true }} }}, hooks: {{ internal: {{ entries: {{ "bootstrap-extra-files": {entry} }} }} }} }}"#
        );
        let files = ["a/AGENTS.md", "a/SOUL.md", "a/MEMORY.md", "a/TOOLS.md", ".h/AGENTS.md"];
        let files: Vec<String> = files.iter().map(|f| format!(".openclaw/workspace/{f}")).collect();
        World::new("openclaw", &text, &files.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let world = hook(r#"{ paths: [" "], patterns: ["**/*.md"], files: ["x"] }"#);
    assert!(world.files(&world.launch()).is_empty());
    assert_eq!(world.session(Value::Null), ["a/AGENTS.md", "a/MEMORY.md", "a/SOUL.md"]);
    assert_eq!(world.session(serde_json::json!({"key": "agent:main:x:group:1"})).len(), 3);
    assert_eq!(world.session(serde_json::json!({"spawn": {}})), ["a/AGENTS.md"]);
    let world = hook(r#"{ enabled: false, paths: ["a/AGENTS.md"] }"#);
    assert!(world.session(Value::Null).is_empty());
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_noted_in_its_place() {
    let world = World::new("openclaw", UNWRITTEN, &[".openclaw/workspace/real.md", "note.md"]);
    let workspace = world.home.path().join(".openclaw/workspace");
    std::os::unix::fs::symlink("real.md", workspace.join("AGENTS.md")).unwrap();
    std::fs::hard_link(workspace.join("real.md"), workspace.join("SOUL.md")).unwrap();
    std::fs::create_dir(workspace.join("IDENTITY.md")).unwrap();
    world.write(".openclaw/workspace/USER.md", " \n\u{feff}");
    std::fs::write(workspace.join("MEMORY.md"), vec![b'x'; 2_097_153]).unwrap();
    let context = world.ask(&world.launch());
    let notes: Vec<String> = context.pieces.iter().map(|p| p.text.flatten()).collect();
    assert_eq!(
        notes,
        [
            "[UNREADABLE: symlink path component not allowed]",
            "[UNREADABLE: path must not be hardlinked]",
            "[UNREADABLE: path does not have the required file type]",
            "[UNREADABLE: File exceeds 2097152 bytes]",
        ]
    );
    assert_eq!(context.omissions.len(), 5, "{:?}", context.omissions);
}

#[test]
fn exec_takes_its_folder_and_says_what_is_missing() {
    let world = World::new("openclaw", "{}", &["elsewhere/AGENTS.md", "repo/SOUL.md"]);
    let exec = |arguments: &[&str]| Launch {
        mode: Some("agent exec".to_owned()),
        arguments: arguments.iter().map(|a| (*a).to_owned()).collect(),
        ..world.launch()
    };
    assert_eq!(world.files(&exec(&[])), ["elsewhere/AGENTS.md"]);
    let context = world.ask(&exec(&["--cwd", "../repo"]));
    let shown: Vec<&str> = context.launch_text.lines().filter(|l| l.starts_with("[MISSING]")).collect();
    assert_eq!(shown.len(), 2, "{}", context.launch_text);
    assert_eq!(context.budgets.iter().find(|b| b.budget == "text").unwrap().used as usize, {
        let folder = world.home.path().join("repo").to_string_lossy().len();
        let missing = |name: &str| "[MISSING] Expected at: /".len() + folder + name.len();
        missing("AGENTS.md") + missing("IDENTITY.md") + missing("BOOTSTRAP.md") + "text of repo/SOUL.md".len()
    });
}

#[test]
fn what_the_host_writes_and_deletes_is_known() {
    let written = |files: &[&str]| {
        let world = World::new("openclaw", "{}", files);
        let context = world.ask(&world.launch());
        (world.files(&world.launch()), context.notices.len())
    };
    assert_eq!(written(&[]), (vec![], 5));
    let (files, notices) = written(&[".openclaw/workspace/SOUL.md", ".openclaw/workspace/BOOTSTRAP.md"]);
    assert_eq!((files, notices), (vec!["SOUL.md".to_owned()], 3));
}

#[test]
fn older_versions_differ() {
    let world = World::full("openclaw@2026.7.1");
    let all =
        ["AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "BOOTSTRAP.md", "MEMORY.md"];
    assert_eq!(world.files(&world.launch()), all);
    let text = world.ask(&world.launch()).launch_text;
    assert!(text.find("text of .openclaw/workspace/HEARTBEAT") > text.find("text of .openclaw/workspace/MEMORY"));
    world.write(".openclaw/workspace/USER.md", &"u".repeat(4001));
    assert!(world.ask(&world.launch()).pieces.iter().all(|p| p.cut.is_none()));
    assert_eq!(world.session(serde_json::json!({"spawn": {}})), ["AGENTS.md", "TOOLS.md"]);
    let limit = |version: &str| {
        let host = Catalog::built_in().select(version).unwrap().host;
        (host.parameters["per-file"].default.as_u64().unwrap(), host.parameters["in-all"].default.as_u64().unwrap())
    };
    assert_eq!(limit("openclaw"), (20_000, 60_000));
    assert_eq!(limit("openclaw@2026.5.28"), (12_000, 60_000));
    assert_eq!(limit("openclaw@2026.4.11"), (20_000, 150_000));
    let old = World::full("openclaw@2026.4.11");
    old.write(".openclaw/workspace/SOUL.md", &"s".repeat(30_000));
    let context = old.ask(&old.launch());
    let soul = context.pieces.iter().find(|p| p.label == "SOUL.md").unwrap();
    assert_eq!(soul.text.kept().iter().map(|r| r.len()).collect::<Vec<_>>(), [14_000, 4_000]);
}
