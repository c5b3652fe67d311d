//! What all formats have in common, and each with hostile names.

use super::*;
use crate::lint::baseline::fingerprints;
use crate::lint::finding::{Edit, Finding, Fix};
use crate::lint::judge::Suppression;
use crate::lint::registry::{Group, OWN_RULES, RuleInfo};
use std::collections::BTreeMap;

pub(super) struct Case {
    findings: Vec<Judged>,
    sources: BTreeMap<String, String>,
    registry: Registry,
}

impl Case {
    pub(super) fn report(&self) -> Report<'_> {
        Report {
            findings: &self.findings,
            sources: &self.sources,
            registry: &self.registry,
            summary: Summary::of(&self.findings, self.sources.len(), 0),
            fail_on: Severity::Warning,
            version: "0.1.0",
            terminal: Terminal::plain(),
        }
    }

    pub(super) fn write(&self, format: Format) -> String {
        let mut output = Vec::new();
        write(format, &self.report(), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }
}

fn location(path: &str, span: std::ops::Range<usize>, label: &str) -> Location {
    Location { path: path.to_string(), span, label: label.to_string() }
}

fn case(files: &[(&str, &str)], findings: Vec<(Finding, Option<Suppression>)>) -> Case {
    let sources: BTreeMap<String, String> =
        files.iter().map(|(path, text)| ((*path).to_string(), (*text).to_string())).collect();
    let (findings, suppressions): (Vec<_>, Vec<_>) = findings.into_iter().unzip();
    let fingerprints = fingerprints(&findings, &sources, &|_| None);
    let findings = findings
        .into_iter()
        .zip(suppressions)
        .zip(fingerprints)
        .map(|((finding, suppression), fingerprint)| Judged { finding, fingerprint, suppression })
        .collect();
    let rule =
        |id, group, severity, page| RuleInfo { id, group, severity, page, summary: "what it finds", ..OWN_RULES[0] };
    let registry = Registry::new([
        rule("truncated", Group::Reach, Severity::Error, "# truncated\n\nThe page.\n"),
        rule("missing-path", Group::References, Severity::Warning, "# missing-path\n\nThe page.\n"),
        rule("headroom", Group::Reach, Severity::Info, "# headroom\n\nThe page.\n"),
    ]);
    Case { findings, sources, registry }
}

fn finding(rule: &'static str, severity: Severity, message: &str, primary: Location) -> Finding {
    Finding {
        rule,
        severity,
        message: message.to_string(),
        primary,
        related: Vec::new(),
        help: None,
        hosts: Vec::new(),
        fix: None,
    }
}

/// One finding of each kind: with a cause in another file, with a fix, suppressed, on a whole file.
pub(super) fn sample() -> Case {
    let agents = "# Ünïcode rules\n\n- Read `docs/API.md` before you start.\n- Keep it.\n\n## Later\n\ncut text\n";
    let claude = "# Notes\n\nBig.\n";
    let path = agents.find("`docs").unwrap();
    let later = agents.find("## Later").unwrap();
    let mut truncated = finding(
        "truncated",
        Severity::Error,
        "codex keeps 60 of 85 bytes when launched from `app`; the rest of the file, 3 lines, is lost",
        location("AGENTS.md", later..agents.len(), "not loaded from here"),
    );
    truncated.related = vec![location("CLAUDE.md", 0..7, "the budget is spent here")];
    truncated.help = Some("move the section into `app/AGENTS.md`".to_string());
    truncated.hosts = vec!["codex".to_string()];
    let mut missing = finding(
        "missing-path",
        Severity::Warning,
        "`docs/API.md` does not exist",
        location("AGENTS.md", path..path + 13, "no such file"),
    );
    missing.help = Some("did you mean `docs/api.md`?".to_string());
    missing.fix = Some(Fix {
        description: "write `docs/api.md`".to_string(),
        edits: vec![Edit {
            path: "AGENTS.md".to_string(),
            span: path + 1..path + 12,
            replacement: "docs/api.md".to_string(),
        }],
    });
    let headroom =
        finding("headroom", Severity::Info, "2 bytes are left of codex's budget", location("CLAUDE.md", 0..0, ""));
    let suppressed = finding("missing-path", Severity::Warning, "`x` does not exist", location("CLAUDE.md", 9..12, ""));
    let suppression = Suppression {
        kind: SuppressionKind::Comment,
        reason: "the build makes it".to_string(),
        location: Some(location("CLAUDE.md", 9..12, "suppressed here")),
    };
    case(
        &[("AGENTS.md", agents), ("CLAUDE.md", claude)],
        vec![(missing, None), (truncated, None), (headroom, None), (suppressed, Some(suppression))],
    )
}

/// Findings whose path, message, label, help and text try everything.
pub(super) fn hostile() -> Case {
    let text =
        "\u{feff}\u{1b}]0;owned\u{7}\u{202e}::add-mask::x ##[add-matcher]y\u{200b}<script>|`@team`\r\n::error::z\n";
    let evil = "::warning file=x::\u{1b}[2J\nnext ##[error]line\r\u{202e}\u{9b}31m </td><img src=x> | `@team` ]]> & \"q\" [a](http://b) %0A";
    let mut findings = Vec::new();
    for path in HOSTILE_PATHS {
        let mut finding = finding("missing-path", Severity::Warning, evil, location(path, 3..text.len(), evil));
        finding.related = vec![location("::x:1:2: error[a] b", 0..4, evil)];
        finding.help = Some(evil.to_string());
        finding.hosts = vec![evil.to_string()];
        findings.push((finding, None));
    }
    let mut files: Vec<(&str, &str)> = HOSTILE_PATHS.iter().map(|path| (*path, text)).collect();
    files.push(("::x:1:2: error[a] b", text));
    case(&files, findings)
}

pub(super) const HOSTILE_PATHS: [&str; 6] = [
    "a:3:4: error[fake] b",
    "::stop-commands::x",
    "new\nline\r\u{1b}[31m\u{202e}gnp.md",
    "a,b%0A::error::c|d`e`<i>.md",
    "C:/outside \u{e0041}/x:",
    "##[add-path]\\u{3a}",
];

#[test]
fn no_format_lets_text_act() {
    let case = hostile();
    for format in Format::ALL {
        let output = case.write(format);
        let acting: Vec<char> =
            output.chars().filter(|c| !matches!(c, '\n' | '\t') && escape::is_hostile(*c)).collect();
        assert_eq!(acting, Vec::<char>::new(), "{format:?}");
        for line in output.lines() {
            let command = line.trim_start();
            let ours = format == Format::Github && command.starts_with("::warning file=");
            assert!(!command.starts_with("::") || ours, "{format:?} gives a runner's command: {line}");
            let data = matches!(format, Format::Json | Format::Sarif | Format::Gitlab | Format::Junit);
            assert!(data || !line.contains("##["), "{format:?} gives a runner's command: {line}");
        }
    }
}

#[test]
fn formats_and_files_are_parsed() {
    let parse = |text: &str| text.parse::<Output>();
    assert_eq!(parse("sarif"), Ok(Output { format: Format::Sarif, file: None }));
    assert_eq!(parse("json:C:\\x.json"), Ok(Output { format: Format::Json, file: Some("C:\\x.json".into()) }));
    assert_eq!(parse("jsn").unwrap_err().hints, ["did you mean `json`?"]);
    assert_eq!(parse("json:").unwrap_err().message, "`json:` names no file");
    for format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(format));
    }
}

#[test]
fn several_outputs_go_to_their_places() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out.json");
    let case = sample();
    let outputs =
        [Output { format: Format::Concise, file: None }, Output { format: Format::Json, file: Some(file.clone()) }];
    let mut standard = Vec::new();
    write_all(&outputs, &case.report(), &mut standard).unwrap();
    assert_eq!(String::from_utf8(standard).unwrap(), case.write(Format::Concise));
    assert_eq!(std::fs::read_to_string(file).unwrap(), case.write(Format::Json));
    let twice = [outputs[0].clone(), outputs[0].clone()];
    assert_eq!(
        write_all(&twice, &case.report(), &mut Vec::new()).unwrap_err().message,
        "two outputs for standard output"
    );
}

#[test]
fn counts_decide_the_exit_code() {
    let summary = sample().report().summary;
    assert_eq!(summary.sentence(), "1 error, 1 warning, 1 note in 2 files (1 suppressed)");
    assert_eq!(summary.status(Severity::Error), ExitStatus::Findings);
    let only_notes = Summary { infos: 1, ..Summary::default() };
    assert_eq!(only_notes.status(Severity::Warning), ExitStatus::Clean);
    assert_eq!(only_notes.status(Severity::Info), ExitStatus::Findings);
    assert_eq!(Summary::default().sentence(), "no findings in 0 files");
}

#[test]
fn full_shows_places_causes_and_help() {
    insta::assert_snapshot!(sample().write(Format::Full), @r#"
    warning[missing-path]

      ! `docs/API.md` does not exist
       ,-[AGENTS.md:3:8]
     2 |
     3 | - Read `docs/API.md` before you start.
       :        ^^^^^^|^^^^^^
       :              `-- no such file
     4 | - Keep it.
       `----
      help: did you mean `docs/api.md`? (`agentsctl lint --fix` can write
            `docs/api.md`)

    error[truncated]

      x codex keeps 60 of 85 bytes when launched from `app`; the rest of the file,
      | 3 lines, is lost
       ,-[AGENTS.md:6:1]
     5 |
     6 | ,-> ## Later
     7 | |
     8 | |-> cut text
       : `---- not loaded from here
       `----
       ,-[CLAUDE.md:1:1]
     1 | # Notes
       : ^^^|^^^
       :    `-- the budget is spent here
     2 |
       `----
      help: move the section into `app/AGENTS.md`
      hosts: codex

    info[headroom]

      > 2 bytes are left of codex's budget
       ,-[CLAUDE.md:1:1]
     1 | # Notes
       : ^
     2 |
       `----

    1 error, 1 warning, 1 note in 2 files (1 suppressed)
    1 finding can be fixed with `agentsctl lint --fix`
    more about a rule: `agentsctl rule missing-path`
    "#);
}

#[test]
fn full_stays_within_its_width() {
    let long = "word ".repeat(100);
    let text = format!("{long}`gone.md` {long}\n");
    let at = text.find("`gone").unwrap();
    let missing = finding("missing-path", Severity::Warning, &long, location("AGENTS.md", at..at + 9, &long));
    let text = format!("{text}{text}");
    let mut wide = missing.clone();
    wide.primary.span = at..text.len();
    wide.related = vec![location("AGENTS.md", 0..text.len() - 9, &long)];
    let output = case(&[("AGENTS.md", &text)], vec![(missing, None), (wide, None)]).write(Format::Full);
    for line in output.lines() {
        assert!(line.chars().count() <= 80, "{} columns: {line}", line.chars().count());
    }
    assert!(output.contains("`gone.md`"), "what it is about stays in sight: {output}");
    let caret = output.lines().skip_while(|line| !line.contains("`gone.md`")).take(2).collect::<Vec<_>>();
    assert_eq!(caret[0].find("`gone.md`"), caret[1].find('^'), "{output}");
}

#[test]
fn full_survives_places_that_do_not_fit_the_text() {
    let text = "añ\n";
    for (start, end) in [(0, 0), (2, 2), (2, 3), (4, 4), (3, 99), (99, 200), (5, 1)] {
        #[allow(clippy::reversed_empty_ranges)]
        let missing = finding("missing-path", Severity::Warning, "it", location("a.md", start..end, "here"));
        let mut gone = missing.clone();
        gone.primary.path = "gone.md".to_string();
        gone.related = vec![missing.primary.clone()];
        let output = case(&[("a.md", text)], vec![(missing, None), (gone, None)]).write(Format::Full);
        assert!(output.contains("[a.md:") && output.contains("[gone.md:1:1]"), "{start}..{end}: {output}");
    }
}

/// The drawing crate takes each span on trust. Every span of a text with everything in it, alone and with another.
#[test]
fn full_draws_every_span() {
    let text = "\u{feff}a\tñ\r\n\n漢e\u{301}\u{202e}\n\nx\r\ny\nz\n\u{1f600}";
    let other = text.find('x').unwrap();
    for start in 0..=text.len() + 1 {
        for end in start..=text.len() + 1 {
            let mut missing = finding("missing-path", Severity::Warning, "it", location("a.md", start..end, "here"));
            if (start + end) % 2 == 0 {
                missing.related = vec![location("a.md", other..other + 1, "there"), location("a.md", end..end, "")];
            }
            let output = case(&[("a.md", text)], vec![(missing, None)]).write(Format::Full);
            assert!(output.contains("here") && output.contains("[a.md:"), "{start}..{end}: {output}");
            assert!(!output.contains("Failed to read"), "{start}..{end}: {output}");
        }
    }
}

#[test]
fn full_shows_two_places_of_one_file_together() {
    let text = "one two\nthree\n\n\n\n\nlast\n";
    let mut conflict = finding("missing-path", Severity::Warning, "it", location("a.md", 8..13, "this"));
    conflict.related = vec![location("a.md", 4..7, "that"), location("a.md", 18..22, "and that")];
    insta::assert_snapshot!(case(&[("a.md", text)], vec![(conflict, None)]).write(Format::Full), @r#"
    warning[missing-path]

      ! it
       ,-[a.md:2:1]
     1 | one two
       :     ^|^
       :      `-- that
     2 | three
       : ^^|^^
       :   `-- this
     3 |
       `----
       ,-[a.md:7:1]
     6 |
     7 | last
       : ^^|^
       :   `-- and that
       `----

    1 warning in 1 file
    more about a rule: `agentsctl rule missing-path`
    "#);
}

#[test]
fn full_on_a_terminal_has_colour() {
    let case = sample();
    let terminal = Terminal { color: true, unicode: true, width: 100 };
    let mut output = Vec::new();
    write(Format::Full, &Report { terminal, ..case.report() }, &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    assert!(output.contains("\u{1b}[31m") && output.contains('╭'), "{output}");
}

#[test]
fn concise_is_one_line_for_each_finding() {
    insta::assert_snapshot!(sample().write(Format::Concise), @r#"
    AGENTS.md:3:8: warning[missing-path] `docs/API.md` does not exist
    AGENTS.md:6:1: error[truncated] codex keeps 60 of 85 bytes when launched from `app`; the rest of the file, 3 lines, is lost
    CLAUDE.md:1:1: info[headroom] 2 bytes are left of codex's budget
    "#);
}

#[test]
fn the_problem_matcher_reads_every_line() {
    assert!(include_str!("../../docs/output.md").contains(&format!("\n{}\n", concise::PATTERN)), "as documented");
    let matcher: serde_json::Value = serde_json::from_str(include_str!("../../docs/problem-matcher.json")).unwrap();
    let coloured = matcher.pointer("/problemMatcher/0/pattern/0/regexp").and_then(|r| r.as_str()).unwrap();
    for pattern in [concise::PATTERN, coloured] {
        let pattern = regex::Regex::new(pattern).unwrap();
        let case = hostile();
        let output = case.write(Format::Concise);
        assert_eq!(output.lines().count(), HOSTILE_PATHS.len());
        for (line, path) in output.lines().zip(HOSTILE_PATHS) {
            let groups = pattern.captures(line).unwrap_or_else(|| panic!("unreadable: {line}"));
            assert_eq!(escape::unescape(&groups[1]), path, "{line}");
            assert_eq!((&groups[2], &groups[3], &groups[4], &groups[5]), ("1", "1", "warning", "missing-path"));
            assert_eq!(groups[6].matches("%0A").count(), 1, "the whole message: {line}");
        }
    }
}

/// Every path of up to five characters that could matter, read back from its line.
#[test]
fn any_path_can_be_read_back_from_its_line() {
    let pattern = regex::Regex::new(concise::PATTERN).unwrap();
    let alphabet = [':', '1', '\\', 'u', '{', '}', ' ', '\n', '#', '['];
    let mut paths: Vec<String> = vec![String::new()];
    let mut from = 0;
    for _ in 0..4 {
        let until = paths.len();
        for index in from..until {
            for character in alphabet {
                paths.push(format!("{}{character}", paths[index]));
            }
        }
        from = until;
    }
    for path in &paths[1..] {
        let line = format!("{}:7:8: error[x-y] it is\n", escape::path(path));
        let line = escape::defuse_commands(&line);
        let line = line.strip_suffix('\n').unwrap();
        let groups = pattern.captures(line).unwrap_or_else(|| panic!("unreadable: {line:?}"));
        assert_eq!(escape::unescape(&groups[1]), *path, "{line:?}");
        assert_eq!((&groups[2], &groups[3], &groups[6]), ("7", "8", "it is"), "{line:?}");
    }
}

#[test]
fn json_fits_its_schema() {
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../../docs/schema/findings.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for case in [sample(), hostile(), case(&[], vec![])] {
        let output: serde_json::Value = serde_json::from_str(&case.write(Format::Json)).unwrap();
        let errors: Vec<String> = validator.iter_errors(&output).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new());
    }
    assert!(!validator.is_valid(&serde_json::json!({"schema": 2})));
}

#[test]
fn json_counts_characters_and_bytes() {
    let output: serde_json::Value = serde_json::from_str(&sample().write(Format::Json)).unwrap();
    let edit = &output["findings"][0]["fix"]["edits"][0];
    assert_eq!(edit["start"], serde_json::json!({"line": 3, "column": 9, "offset": 27}));
    assert_eq!(output["findings"][3]["suppression"]["reason"], "the build makes it");
    assert_eq!(output["summary"]["suppressed"], 1);
}

#[test]
fn github_escapes_and_puts_errors_first() {
    insta::assert_snapshot!(sample().write(Format::Github), @r#"
    ::error file=AGENTS.md,line=6,title=truncated::codex keeps 60 of 85 bytes when launched from `app`; the rest of the file, 3 lines, is lost%0Ahelp: move the section into `app/AGENTS.md`
    ::warning file=AGENTS.md,line=3,title=missing-path::`docs/API.md` does not exist%0Ahelp: did you mean `docs/api.md`?
    ::notice file=CLAUDE.md,line=1,title=headroom::2 bytes are left of codex's budget
    "#);
    let output = hostile().write(Format::Github);
    assert_eq!(output.lines().count(), HOSTILE_PATHS.len());
    // The properties end at the first `::` after the command: nothing in a path can bring it forward.
    for (line, path) in output.lines().zip(HOSTILE_PATHS) {
        let (properties, message) = line.strip_prefix("::warning ").unwrap().split_once("::").unwrap();
        let properties: Vec<&str> = properties.split(',').collect();
        assert_eq!(properties.len(), 3, "{line}");
        let shown = properties[0].strip_prefix("file=").unwrap();
        let shown = shown.replace("%3A", ":").replace("%2C", ",").replace("%25", "%");
        assert_eq!(escape::unescape(&shown), escape::unescape(path), "{line}");
        assert!(message.starts_with("::warning file=x::\\u{1b}"), "{message}");
        assert!(message.contains("%250A"), "a written %0A stays text: {message}");
    }
}

#[test]
fn gitlab_is_an_array_with_distinct_fingerprints() {
    let output: serde_json::Value = serde_json::from_str(&sample().write(Format::Gitlab)).unwrap();
    let issues = output.as_array().unwrap();
    assert_eq!(issues.len(), 3, "suppressed findings stay away");
    assert_eq!(issues[1]["location"], serde_json::json!({"path": "AGENTS.md", "lines": {"begin": 6, "end": 9}}));
    assert_eq!(issues[1]["severity"], "major");
    let fingerprints: std::collections::BTreeSet<&str> =
        issues.iter().map(|issue| issue["fingerprint"].as_str().unwrap()).collect();
    assert_eq!(fingerprints.len(), 3);
}

#[test]
fn junit_fails_what_fails_the_run() {
    insta::assert_snapshot!(sample().write(Format::Junit), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="agentsctl" tests="4" failures="2" skipped="1">
      <testsuite name="AGENTS.md" tests="2" failures="2" skipped="0">
        <testcase name="missing-path at 3:8" classname="AGENTS.md" file="AGENTS.md" line="3">
          <failure message="`docs/API.md` does not exist" type="warning">AGENTS.md:3:8: warning[missing-path] `docs/API.md` does not exist&#10;help: did you mean `docs/api.md`?</failure>
        </testcase>
        <testcase name="truncated at 6:1" classname="AGENTS.md" file="AGENTS.md" line="6">
          <failure message="codex keeps 60 of 85 bytes when launched from `app`; the rest of the file, 3 lines, is lost" type="error">AGENTS.md:6:1: error[truncated] codex keeps 60 of 85 bytes when launched from `app`; the rest of the file, 3 lines, is lost&#10;help: move the section into `app/AGENTS.md`</failure>
        </testcase>
      </testsuite>
      <testsuite name="CLAUDE.md" tests="2" failures="0" skipped="1">
        <testcase name="headroom at 1:1" classname="CLAUDE.md" file="CLAUDE.md" line="1">
          <system-out>CLAUDE.md:1:1: info[headroom] 2 bytes are left of codex&apos;s budget</system-out>
        </testcase>
        <testcase name="missing-path at 3:1" classname="CLAUDE.md" file="CLAUDE.md" line="3">
          <skipped message="the build makes it"/>
        </testcase>
      </testsuite>
    </testsuites>
    "#);
    insta::assert_snapshot!(case(&[], vec![]).write(Format::Junit), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="agentsctl" tests="1" failures="0" skipped="0">
      <testsuite name="agentsctl" tests="1" failures="0" skipped="0">
        <testcase name="no findings" classname="agentsctl"/>
      </testsuite>
    </testsuites>
    "#);
    let output = hostile().write(Format::Junit);
    assert_eq!(output.matches("<failure ").count(), HOSTILE_PATHS.len());
    assert!(!output.contains("<img") && !output.contains("\"q\" [a]"), "{output}");
}

#[test]
fn markdown_shows_a_table_in_which_nothing_acts() {
    insta::assert_snapshot!(sample().write(Format::Markdown), @r#"
    ### agentsctl: 1 error, 1 warning, 1 note in 2 files (1 suppressed)

    | | rule | place | finding |
    |---|---|---|---|
    | error | `truncated` | AGENTS.md:6 | codex keeps 60 of 85 bytes when launched from <code>app</code>; the rest of the file, 3 lines, is lost<br>help: move the section into <code>app/AGENTS.md</code> |
    | warning | `missing-path` | AGENTS.md:3 | <code>docs/API.md</code> does not exist<br>help: did you mean <code>docs/api.md</code>? |
    | info | `headroom` | CLAUDE.md:1 | 2 bytes are left of codex's budget |
    "#);
    let output = hostile().write(Format::Markdown);
    assert_eq!(output.lines().filter(|line| line.starts_with("| warning")).count(), HOSTILE_PATHS.len());
    let mut acting = Vec::new();
    for event in pulldown_cmark::Parser::new_ext(&output, pulldown_cmark::Options::ENABLE_TABLES) {
        use pulldown_cmark::{Event, Tag};
        match event {
            Event::InlineHtml(html) if matches!(html.as_ref(), "<br>" | "<!-- -->" | "<code>" | "</code>") => {}
            Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::Link { .. } | Tag::Image { .. }) => {
                acting.push(format!("{event:?}"));
            }
            _ => {}
        }
    }
    assert_eq!(acting, Vec::<String>::new(), "{output}");
    assert!(!output.contains("@team"));
}

#[test]
fn fingerprints_in_reports_stay_when_lines_move() {
    let before = case(
        &[("a.md", "see x\n")],
        vec![(finding("missing-path", Severity::Warning, "it", location("a.md", 4..5, "")), None)],
    );
    let after = case(
        &[("a.md", "new\n\nsee x\n")],
        vec![(finding("missing-path", Severity::Warning, "it", location("a.md", 9..10, "")), None)],
    );
    let fingerprints = |case: &Case| {
        let output: serde_json::Value = serde_json::from_str(&case.write(Format::Sarif)).unwrap();
        output["runs"][0]["results"][0]["partialFingerprints"].clone()
    };
    assert!(fingerprints(&before).is_object());
    assert_eq!(fingerprints(&before), fingerprints(&after));
}
