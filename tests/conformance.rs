//! Holds the models against recordings of the real hosts (`fixtures/conformance`), and against cases written from what is
//! known about the hosts (`fixtures/facts`).

#![cfg(unix)]
#![allow(clippy::unwrap_used, missing_docs)]

use agentsctl::discover::{self, Launch, Touch};
use agentsctl::filesystem::{Disk, Entry, FileSystem, Metadata};
use agentsctl::host::Catalog;
use regex::Regex;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/conformance");
/// Cases of the same form that are no recordings: their `expect` follows from a sentence about the host.
const FACTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/facts");

// ---------------------------------------------------------------- the world of a fixture

/// The real folders behind a fixture's placeholders.
struct Places {
    base: PathBuf,
    above: PathBuf,
}

impl Places {
    fn new(base: &Path, above_length: Option<u64>) -> Self {
        let base = fs::canonicalize(base).unwrap();
        let pad = above_length.map_or(1, |length| length as usize - base.to_str().unwrap().len() - 1);
        Self { above: base.join("w".repeat(pad)), base }
    }

    fn fill(&self, text: &str) -> String {
        let repo = self.above.join("repo").to_str().unwrap().to_owned();
        let slug: String = repo.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        text.replace("$REPO_SLUG", &slug)
            .replace("$REPO", &repo)
            .replace("$HOME", self.above.join("home").to_str().unwrap())
            .replace("$ABOVE", self.above.to_str().unwrap())
            .replace("$SYSTEM", self.base.join("system").to_str().unwrap())
    }
}

fn content(value: &Value, places: &Places) -> Vec<u8> {
    let text = |key: &str| value[key].as_str().unwrap_or_default();
    let number = |key: &str| value[key].as_u64();
    if let Some(text) = value.as_str() {
        return text.as_bytes().to_vec();
    }
    if value.get("base64").is_some() {
        return decode_base64(text("base64"));
    }
    if value.get("template").is_some() {
        return places.fill(text("template")).into_bytes();
    }
    if let Some(parts) = value["parts"].as_array() {
        return parts.iter().flat_map(|part| content(part, places)).collect();
    }
    if value.get("repeat").is_some() {
        return text("repeat").repeat(number("times").unwrap() as usize).into_bytes();
    }
    let first = number("from").unwrap_or(1);
    let width = number("width").unwrap() as usize;
    let mut result = text("head").to_owned();
    for n in first..first + number("lines").unwrap() {
        let start = format!("MK<{}:{}#{n}> ", text("scope"), text("path"));
        result.push_str(&start);
        result.push_str(&"x".repeat((width - 1).saturating_sub(start.len())));
        result.push('\n');
    }
    result.into_bytes()
}

fn decode_base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for byte in text.bytes().filter(|b| *b != b'=') {
        bits = bits << 6 | ALPHABET.iter().position(|a| *a == byte).unwrap() as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    bytes
}

fn entries<'a>(fixture: &'a Value, key: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    fixture[key].as_object().into_iter().flatten()
}

fn lay_out(fixture: &Value, places: &Places) {
    for folder in ["repo", "home"] {
        fs::create_dir_all(places.above.join(folder)).unwrap();
    }
    fs::create_dir_all(places.base.join("system")).unwrap();
    let make_parent = |path: &Path| fs::create_dir_all(path.parent().unwrap()).unwrap();
    for (key, value) in entries(fixture, "tree") {
        let path = PathBuf::from(places.fill(key));
        if value.get("dir").is_some() || value.get("numbered_empty_files").is_some() {
            fs::create_dir_all(&path).unwrap();
            for n in 1..=value["numbered_empty_files"].as_u64().unwrap_or(0) {
                fs::write(path.join(n.to_string()), "").unwrap();
            }
        } else {
            make_parent(&path);
            fs::write(&path, content(value, places)).unwrap();
        }
    }
    for (key, target) in entries(fixture, "links") {
        let path = PathBuf::from(places.fill(key));
        make_parent(&path);
        symlink(places.fill(target.as_str().unwrap()), path).unwrap();
    }
    for (key, other) in entries(fixture, "hardlinks") {
        let path = PathBuf::from(places.fill(key));
        make_parent(&path);
        fs::hard_link(places.fill(other.as_str().unwrap()), path).unwrap();
    }
    for key in fixture["fifos"].as_array().into_iter().flatten() {
        let path = PathBuf::from(places.fill(key.as_str().unwrap()));
        make_parent(&path);
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    }
    for step in fixture["before_last_turn"].as_array().into_iter().flatten() {
        if let Some(path) = step["remove"].as_str() {
            fs::remove_file(places.fill(path)).unwrap();
        }
    }
    for (key, mode) in entries(fixture, "modes") {
        let mode = u32::from_str_radix(mode.as_str().unwrap(), 8).unwrap();
        fs::set_permissions(places.fill(key), fs::Permissions::from_mode(mode)).unwrap();
    }
}

/// The disk as an ordinary user sees it who owns everything: permissions count even where the tests run as root.
struct AsOrdinaryUser;

impl AsOrdinaryUser {
    fn check(&self, path: &Path, bit: u32) -> io::Result<()> {
        let real = fs::canonicalize(path)?;
        let allows = |path: &Path, bit: u32| fs::metadata(path).map(|m| m.permissions().mode() & bit != 0);
        let entered = real.ancestors().skip(1).map(|a| allows(a, 0o100)).all(|r| r.unwrap_or(false));
        if entered && allows(&real, bit)? { Ok(()) } else { Err(io::ErrorKind::PermissionDenied.into()) }
    }
}

impl FileSystem for AsOrdinaryUser {
    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        Disk.metadata(path)
    }
    fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
        Disk.link_metadata(path)
    }
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        self.check(path, 0o400)?;
        Disk.read(path, limit)
    }
    fn entries(&self, path: &Path) -> io::Result<Vec<Entry>> {
        self.check(path, 0o400)?;
        Disk.entries(path)
    }
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        Disk.canonicalize(path)
    }
    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        Disk.read_link(path)
    }
}

// ---------------------------------------------------------------- the prediction

fn touch(value: &Value, places: &Places) -> Touch {
    let tool = value["tool"].as_str().unwrap().to_owned();
    let text = |value: &Value| places.fill(value.as_str().unwrap());
    let input = &value["input"];
    let value = match tool.as_str() {
        "shell" => text(&value["command"]),
        "code" => text(&input["code"]),
        "agent" => {
            let kind = input["agent_type"].as_str().or(input["agent_name"].as_str());
            kind.unwrap_or("default").to_owned()
        }
        _ => text(&value["path"]),
    };
    Touch { tool, value }
}

fn predict(catalog: &Catalog, host: &str, fixture: &Value, places: &Places) -> (String, String) {
    let selection = catalog.select(host).unwrap();
    let mut variables: BTreeMap<String, String> =
        [("PATH", "/usr/bin:/bin"), ("LANG", "C.UTF-8")].map(|(k, v)| (k.to_owned(), v.to_owned())).into();
    variables.insert("HOME".to_owned(), places.above.join("home").to_str().unwrap().to_owned());
    for (name, value) in entries(fixture, "env") {
        variables.insert(name.clone(), places.fill(value.as_str().unwrap()));
    }
    let touches = fixture["touch"].as_array().into_iter().flatten();
    let launch = Launch {
        home: Some(places.above.join("home")),
        variables,
        arguments: fixture["argv"].as_array().into_iter().flatten().map(|a| places.fill(a.as_str().unwrap())).collect(),
        mode: fixture["mode"].as_str().map(str::to_owned),
        session: serde_json::from_str(&places.fill(&fixture["session"].to_string())).unwrap(),
        turn: fixture["turns"].as_u64().unwrap_or(1) as u32,
        system_root: places.base.join("system"),
        touches: touches.filter(|t| t["by"] != "sub-agent").map(|t| touch(t, places)).collect(),
        ..Launch::new(PathBuf::from(places.fill(fixture["cwd"].as_str().unwrap())))
    };
    let files: &dyn FileSystem = if fixture["uid"].is_null() { &Disk } else { &AsOrdinaryUser };
    let context = discover::discover(&selection.host, &launch, files);
    (context.launch_text, context.on_touch_text)
}

// ---------------------------------------------------------------- the comparison

type Runs = Vec<(u64, u64)>;

struct Observer {
    marker: Regex,
}

impl Observer {
    fn new() -> Self {
        Self { marker: Regex::new(r"MK<((?:repo|home|abs):[^#>\n]+)#(\d+)>").unwrap() }
    }

    /// Labels in the order in which they first appear, each with the runs of its markers.
    fn observe(&self, text: &str) -> Vec<(String, Runs)> {
        let mut seen: Vec<(String, BTreeSet<u64>)> = Vec::new();
        for found in self.marker.captures_iter(text) {
            let number = found[2].parse().unwrap();
            match seen.iter_mut().find(|(label, _)| *label == found[1]) {
                Some((_, numbers)) => {
                    numbers.insert(number);
                }
                None => seen.push((found[1].to_owned(), BTreeSet::from([number]))),
            }
        }
        seen.into_iter().map(|(label, numbers)| (label, runs(&numbers))).collect()
    }

    fn repeated(&self, text: &str) -> BTreeSet<String> {
        let mut seen = BTreeSet::new();
        let again = self.marker.captures_iter(text).filter(|found| !seen.insert(found[0].to_owned()));
        again.map(|found| found[1].to_owned()).collect()
    }
}

fn runs(numbers: &BTreeSet<u64>) -> Runs {
    let mut runs: Runs = Vec::new();
    for n in numbers {
        match runs.last_mut() {
            Some(last) if last.1 + 1 == *n => last.1 = *n,
            _ => runs.push((*n, *n)),
        }
    }
    runs
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(|v| v.as_str().unwrap().to_owned()).collect()
}

fn expected(value: &Value, ignored: &[String]) -> Vec<(String, Option<Runs>)> {
    let run = |r: &Value| (r[0].as_u64().unwrap(), r[1].as_u64().unwrap());
    let entry = |e: &Value| {
        let kept = e["kept"].as_array().map(|runs| runs.iter().map(run).collect());
        (e["path"].as_str().unwrap().to_owned(), kept)
    };
    value.as_array().into_iter().flatten().map(entry).filter(|(label, _)| !ignored.contains(label)).collect()
}

fn differences(observer: &Observer, fixture: &Value, launch: &str, touched: &str) -> Vec<String> {
    let ignored = strings(&fixture["ignore"]);
    let mention = fixture["touch"].as_array().into_iter().flatten().any(|t| t["tool"] == "mention");
    let whole = format!("{launch}\n{touched}");
    let (launch_text, touch_text) = if mention { (whole.as_str(), "") } else { (launch, touched) };
    let got = observer.observe(launch_text);
    let got_touched: Vec<_> = observer
        .observe(touch_text)
        .into_iter()
        .filter(|(label, _)| !ignored.contains(label) && !got.iter().any(|(l, _)| l == label))
        .collect();
    let got: Vec<_> = got.into_iter().filter(|(label, _)| !ignored.contains(label)).collect();
    let want = expected(&fixture["expect"]["launch"], &ignored);
    let mut found = Vec::new();
    compare_sets("launch", &got, &want, &mut found);
    if found.is_empty() && fixture["order"] != "any" {
        compare_order(fixture, &got, &want, &mut found);
    }
    compare_sets("on touch", &got_touched, &expected(&fixture["expect"]["on_touch"], &ignored), &mut found);
    if found.is_empty() && !mention {
        for (key, text) in [("repeated_at_launch", launch), ("repeated_in_all", whole.as_str())] {
            if fixture["expect"][key].is_array() {
                let without = |labels: BTreeSet<String>| -> BTreeSet<String> {
                    labels.into_iter().filter(|label| !ignored.contains(label)).collect()
                };
                let got = without(observer.repeated(text));
                let want = without(strings(&fixture["expect"][key]).into_iter().collect());
                if got != want {
                    found.push(format!("{key}: {got:?}, recorded {want:?}"));
                }
            }
        }
    }
    found
}

fn compare_order(fixture: &Value, got: &[(String, Runs)], want: &[(String, Option<Runs>)], found: &mut Vec<String>) {
    let mut order: Vec<&str> = got.iter().map(|(label, _)| label.as_str()).collect();
    let wanted: Vec<&str> = want.iter().map(|(label, _)| label.as_str()).collect();
    for group in fixture["unordered"].as_array().into_iter().flatten().map(strings) {
        let Some(at) = wanted.iter().position(|l| *l == group[0]) else { continue };
        if let Some(slots) = order.get_mut(at..at + group.len())
            && slots.iter().all(|label| group.iter().any(|g| g == label))
        {
            slots.copy_from_slice(&wanted[at..at + group.len()]);
        }
    }
    if order != wanted {
        found.push(format!("launch: order {order:?}, recorded {wanted:?}"));
    }
}

fn compare_sets(what: &str, got: &[(String, Runs)], want: &[(String, Option<Runs>)], found: &mut Vec<String>) {
    for (label, kept) in want {
        match (got.iter().find(|(l, _)| l == label), kept) {
            (None, _) => found.push(format!("{what}: {label} is missing")),
            (Some((_, got)), Some(want)) if got != want => {
                found.push(format!("{what}: {label} keeps {got:?}, recorded {want:?}"));
            }
            _ => {}
        }
    }
    for (label, _) in got.iter().filter(|(label, _)| !want.iter().any(|(l, _)| l == label)) {
        found.push(format!("{what}: {label} is not in the recording"));
    }
}

// ---------------------------------------------------------------- the run

/// The temporary folder of one fixture; what was made unreadable is made readable again before it goes.
struct World(tempfile::TempDir);

impl Drop for World {
    fn drop(&mut self) {
        for entry in ignore::WalkBuilder::new(self.0.path()).standard_filters(false).build().flatten() {
            if entry.file_type().is_some_and(|t| t.is_dir()) {
                let _ = fs::set_permissions(entry.path(), fs::Permissions::from_mode(0o755));
            }
        }
    }
}

/// What differs in the texts themselves, for the cases that say what they are.
fn differences_of_text(
    fixture: &Value,
    places: &Places,
    observer: &Observer,
    launch: &str,
    touched: &str,
) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(want) = fixture["expect"]["exact_launch"].as_str().map(|text| places.fill(text))
        && launch.trim_end() != want
    {
        found.push(format!("launch: the text is {launch:?}, expected {want:?}"));
    }
    let order: Vec<String> = observer.observe(touched).into_iter().map(|(label, _)| label).collect();
    let mut at = 0;
    for step in fixture["expect"]["order_on_touch"].as_array().into_iter().flatten() {
        let want = if step.is_string() { vec![step.as_str().unwrap().to_owned()] } else { strings(step) };
        let got: BTreeSet<&String> = order.iter().skip(at).take(want.len()).collect();
        if got != want.iter().collect() {
            found.push(format!("on touch: order {order:?}, expected {want:?} at {at}"));
        }
        at += want.len();
    }
    found
}

fn fixtures(root: &str, host: &str) -> Vec<(String, Value)> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(Path::new(root).join(host)).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let name = |file: &PathBuf| file.file_stem().unwrap().to_str().unwrap().to_owned();
    files.iter().map(|file| (name(file), serde_json::from_slice(&fs::read(file).unwrap()).unwrap())).collect()
}

/// What a run over one host's recordings gave.
#[derive(Debug, Clone, Default)]
struct Outcome {
    /// What differs, for every case that is not predicted.
    failed: BTreeMap<String, Vec<String>>,
    /// Passed and all cases, by tier.
    counts: BTreeMap<String, (usize, usize)>,
}

/// Each host is run once for all tests of this file.
fn run(root: &'static str, host: &'static str) -> Outcome {
    type Done = BTreeMap<(&'static str, &'static str), Outcome>;
    static DONE: std::sync::Mutex<Done> = std::sync::Mutex::new(BTreeMap::new());
    if let Some(done) = DONE.lock().unwrap().get(&(root, host)) {
        return done.clone();
    }
    let catalog = Catalog::built_in();
    let observer = Observer::new();
    let mut outcome = Outcome::default();
    for (case, fixture) in fixtures(root, host) {
        let tier = fixture["tier"].as_str().unwrap().to_owned();
        if tier == "out" {
            continue;
        }
        let world = World(tempfile::Builder::new().prefix("c").tempdir().unwrap());
        let places = Places::new(world.0.path(), fixture["above_length"].as_u64());
        lay_out(&fixture, &places);
        let (launch, touched) = predict(&catalog, host, &fixture, &places);
        let mut found = differences(&observer, &fixture, &launch, &touched);
        found.extend(differences_of_text(&fixture, &places, &observer, &launch, &touched));
        let (passed, total) = outcome.counts.entry(tier).or_insert((0, 0));
        *total += 1;
        *passed += usize::from(found.is_empty());
        if !found.is_empty() {
            outcome.failed.insert(case, found);
        }
    }
    DONE.lock().unwrap().insert((root, host), outcome.clone());
    outcome
}

/// The cases that are known not to be predicted, with the reason.
fn misses() -> BTreeMap<String, BTreeMap<String, String>> {
    toml::from_str(&fs::read_to_string(Path::new(FOLDER).join("misses.toml")).unwrap()).unwrap()
}

fn hold(host: &'static str) {
    let failed = run(FOLDER, host).failed;
    let known = misses().remove(host).unwrap_or_default();
    let mut wrong = String::new();
    for (case, found) in failed.iter().filter(|(case, _)| !known.contains_key(*case)) {
        wrong.push_str(&format!("{host}/{case}\n"));
        found.iter().for_each(|line| wrong.push_str(&format!("    {line}\n")));
    }
    for case in known.keys().filter(|case| !failed.contains_key(*case)) {
        wrong.push_str(&format!("{host}/{case} is listed in misses.toml, but is predicted\n"));
    }
    assert!(wrong.is_empty(), "not as recorded:\n{wrong}");
}

fn hold_facts(host: &'static str) {
    let mut wrong = String::new();
    for (case, found) in run(FACTS, host).failed {
        wrong.push_str(&format!("{host}/{case}\n"));
        found.iter().for_each(|line| wrong.push_str(&format!("    {line}\n")));
    }
    assert!(wrong.is_empty(), "not as is known:\n{wrong}");
}

macro_rules! facts {
    ($($test:ident: $host:literal),* $(,)?) => {
        $(#[test] fn $test() { hold_facts($host); })*
        const HOSTS_WITH_FACTS: &[&str] = &[$($host),*];
    };
}

facts! {
    facts_claude_code: "claude-code",
    facts_claude_code_2_1_197: "claude-code@2.1.197",
    facts_claude_code_2_1_276: "claude-code@2.1.276",
    facts_codex: "codex",
    facts_codex_0_104_0: "codex@0.104.0",
    facts_codex_0_121_0: "codex@0.121.0",
    facts_codex_0_136_0: "codex@0.136.0",
    facts_codex_0_143_0: "codex@0.143.0",
    facts_codex_0_149_1: "codex@0.149.1",
    facts_codex_0_150_1: "codex@0.150.1",
    facts_codex_0_155_1: "codex@0.155.1",
    facts_codex_0_157_1: "codex@0.157.1",
    facts_codex_0_168_0: "codex@0.168.0",
    facts_codex_0_169_0: "codex@0.169.0",
}

macro_rules! hosts {
    ($($test:ident: $host:literal),* $(,)?) => {
        $(#[test] fn $test() { hold($host); })*
        const HOSTS: &[&str] = &[$($host),*];
    };
}

hosts! {
    codex: "codex",
    claude_code: "claude-code",
    claude_code_2_1_197: "claude-code@2.1.197",
    copilot: "copilot",
    gemini_cli: "gemini-cli",
    cursor: "cursor",
    hermes: "hermes",
    hermes_0_19_0: "hermes@0.19.0",
    openclaw: "openclaw",
}

#[test]
fn every_recorded_host_is_held() {
    for (root, held) in [(FOLDER, HOSTS), (FACTS, HOSTS_WITH_FACTS)] {
        let folders: BTreeSet<String> = fs::read_dir(root)
            .unwrap()
            .map(|e| e.unwrap())
            .filter(|e| e.file_type().unwrap().is_dir())
            .map(|e| e.file_name().to_str().unwrap().to_owned())
            .collect();
        assert_eq!(folders, held.iter().map(|h| (*h).to_owned()).collect());
    }
}

/// The comparison must refuse what is wrong: a marker that is missing, added, doubled or out of order.
#[test]
fn the_comparison_can_fail() {
    let observer = Observer::new();
    let fixture: Value = serde_json::from_str(
        r#"{"expect": {"launch": [{"path": "repo:a", "kept": [[1, 2]]}, {"path": "repo:b", "kept": [[1, 1]]}],
            "on_touch": [{"path": "repo:c"}], "repeated_at_launch": []}}"#,
    )
    .unwrap();
    let good = "MK<repo:a#1> MK<repo:a#2> MK<repo:b#1>";
    let differ = |launch: &str, touched: &str| !differences(&observer, &fixture, launch, touched).is_empty();
    assert!(!differ(good, "MK<repo:c#1>"));
    for bad in ["MK<repo:a#1> MK<repo:b#1>", "MK<repo:b#1> MK<repo:a#1> MK<repo:a#2>", "MK<repo:a#1> MK<repo:a#2>"] {
        assert!(differ(bad, "MK<repo:c#1>"), "{bad}");
    }
    assert!(differ(&format!("{good} MK<repo:b#1>"), "MK<repo:c#1>"));
    assert!(differ(&format!("{good} MK<repo:d#1>"), "MK<repo:c#1>"));
    assert!(differ(good, "") && differ(good, "MK<repo:c#1> MK<repo:d#1>"));
}

/// `docs/conformance.md` is made from the run; `UPDATE_DOCS=1` writes it anew.
#[test]
fn the_table_in_the_docs_is_that_of_this_run() {
    let mut table = String::from(
        "# Conformance\n\nHow many recordings of the real hosts (`fixtures/conformance`) the models predict: the same files in the \
         same order, with the same lines kept, at launch and after each touch. Made by `UPDATE_DOCS=1 cargo test --test \
         conformance`.\n\n| host | core | edge |\n|---|--:|--:|\n",
    );
    for host in HOSTS {
        let counts = run(FOLDER, host).counts;
        let cell =
            |tier: &str| counts.get(tier).map_or("–".to_owned(), |(passed, total)| format!("{passed} / {total}"));
        table.push_str(&format!("| {host} | {} | {} |\n", cell("core"), cell("edge")));
    }
    table.push_str("\n## Not predicted\n\n");
    let misses = misses();
    if misses.values().all(BTreeMap::is_empty) {
        table.push_str("None.\n");
    }
    for (host, cases) in misses {
        for (case, reason) in cases {
            table.push_str(&format!("- `{host}/{case}`: {reason}\n"));
        }
    }
    table.push_str(
        "\nCases of tier `out` are left out: the host refuses its configuration or the folder and sends nothing, or what is \
         recorded is not about instruction files.\n",
    );
    let facts: usize = HOSTS_WITH_FACTS.iter().map(|host| fixtures(FACTS, host).len()).sum();
    table.push_str(&format!(
        "\nBeside the recordings, {facts} cases written from what is known about the hosts (`fixtures/facts`) hold the models too.\n"
    ));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/conformance.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&file, &table).unwrap();
    }
    assert_eq!(fs::read_to_string(&file).unwrap_or_default(), table, "run UPDATE_DOCS=1 cargo test --test conformance");
}
