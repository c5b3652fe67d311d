use super::*;
use crate::filesystem::Disk;
use crate::lint::config::Overrides;
use crate::lint::finding::Severity;
use crate::lint::registry::{Group, OWN_RULES, RuleInfo};
use crate::lint::sources::FileSources;

fn registry() -> Registry {
    let rule = |id, severity| RuleInfo { id, group: Group::References, severity, ..OWN_RULES[0] };
    Registry::new([
        rule("missing-path", Severity::Warning),
        rule("truncated", Severity::Error),
        rule("headroom", Severity::Hint),
    ])
}

fn finding(rule: &'static str, path: &str, start: usize) -> Finding {
    let severity = registry().rule(rule).unwrap().severity;
    Finding {
        rule,
        severity,
        message: "it".to_string(),
        primary: Location { path: path.to_string(), span: start..start + 1, label: String::new() },
        related: Vec::new(),
        help: None,
        hosts: Vec::new(),
        fix: None,
    }
}

/// Judges on 1 June 2027 and shows each finding as `path:line rule` and how it is silenced.
fn judge(files: &[(&str, &str)], findings: Vec<Finding>, coverage: Coverage) -> Vec<String> {
    let project = tempfile::tempdir().unwrap();
    for (path, text) in files {
        std::fs::write(project.path().join(path), text).unwrap();
    }
    let registry = registry();
    let sources = FileSources::new(&Disk, project.path().to_path_buf());
    let configs = Configs::find(&Disk, project.path().to_path_buf(), &registry, Overrides::default());
    let checked: Vec<String> =
        files.iter().map(|(path, _)| (*path).to_string()).filter(|path| path.ends_with(".md")).collect();
    let today = Date::new(2027, 6, 1).unwrap();
    let judge = Judge {
        registry: &registry,
        configs: &configs,
        sources: &sources,
        checked: &checked,
        coverage,
        baseline: None,
        today,
    };
    let show = |judged: Judged| {
        let place = &judged.finding.primary;
        let text = sources.text(&place.path).unwrap();
        let line = Lines::of(&text).line_of(place.span.start);
        let silenced = judged.suppression.map_or(String::new(), |s| format!(" {:?}: {}", s.kind, s.reason));
        format!("{}:{line} {}{silenced}", place.path, judged.finding.rule)
    };
    judge.judge(findings).unwrap().into_iter().map(show).collect()
}

const IGNORE: &str = "<!-- agentsctl-ignore missing-path -- built -->";

#[test]
fn comments_and_entries_silence_and_keep() {
    let files = [
        ("AGENTS.md", &*format!("{IGNORE}\nsee `x`\n\nsee `y`\n")),
        ("CLAUDE.md", "see `z`\n"),
        ("agentsctl.toml", "[[suppress]]\nrule='missing-path'\npath='CLAUDE.md'\ntext='`z`'\nreason='generated'\n"),
    ];
    let found = vec![
        finding("missing-path", "CLAUDE.md", 4),
        finding("missing-path", "AGENTS.md", 60),
        finding("missing-path", "AGENTS.md", 52),
    ];
    assert_eq!(
        judge(&files, found, Coverage::Everything),
        [
            "AGENTS.md:2 missing-path Comment: built",
            "AGENTS.md:4 missing-path",
            "CLAUDE.md:1 missing-path Config: generated",
        ]
    );
}

#[test]
fn unused_suppressions_are_found_only_when_enough_was_seen() {
    let files = [
        ("AGENTS.md", &*format!("{IGNORE}\nfine\n")),
        ("agentsctl.toml", "[[suppress]]\nrule='missing-path'\npath='**'\nreason='x'\n"),
    ];
    assert_eq!(
        judge(&files, vec![], Coverage::Everything),
        ["AGENTS.md:1 unused-suppression", "agentsctl.toml:2 unused-suppression"]
    );
    // The configuration is in use as soon as any path is looked up.
    assert_eq!(judge(&files, vec![], Coverage::SomeFiles), ["AGENTS.md:1 unused-suppression"]);
    assert_eq!(judge(&files, vec![], Coverage::SomeRules), Vec::<String>::new());
}

#[test]
fn expired_entries_silence_nothing() {
    let entry = |day: &str| format!("[[suppress]]\nrule='missing-path'\npath='**'\nreason='x'\nexpires={day}\n");
    let found = || vec![finding("missing-path", "AGENTS.md", 0)];
    let (over, last_day) = (entry("2027-05-31"), entry("2027-06-01"));
    assert_eq!(
        judge(&[("AGENTS.md", "x\n"), ("agentsctl.toml", &over)], found(), Coverage::Everything),
        ["AGENTS.md:1 missing-path", "agentsctl.toml:2 expired-suppression"]
    );
    assert_eq!(
        judge(&[("AGENTS.md", "x\n"), ("agentsctl.toml", &last_day)], found(), Coverage::Everything),
        ["AGENTS.md:1 missing-path Config: x"]
    );
}

#[test]
fn a_suppression_of_a_rule_that_is_off_is_not_unused() {
    let text = "<!-- agentsctl-ignore headroom -- tight on purpose -->\ntext\n";
    let found = vec![finding("headroom", "AGENTS.md", 56)];
    assert_eq!(judge(&[("AGENTS.md", text)], found, Coverage::Everything), Vec::<String>::new());
    let entry = "ignore = ['truncated']\n[[suppress]]\nrule='truncated'\npath='**'\nreason='x'\n";
    let files = [("AGENTS.md", text), ("agentsctl.toml", entry)];
    assert_eq!(judge(&files, vec![], Coverage::Everything), Vec::<String>::new(), "a rule that is off need not run");
}

#[test]
fn findings_about_suppressions_can_be_silenced_and_switched_off() {
    let text = format!("<!-- agentsctl-ignore-file unused-suppression -- kept for the example -->\n\n{IGNORE}\nfine\n");
    assert_eq!(
        judge(&[("AGENTS.md", &text)], vec![], Coverage::Everything),
        ["AGENTS.md:3 unused-suppression Comment: kept for the example"]
    );
    let files = [("AGENTS.md", &*format!("{IGNORE}\nfine\n")), ("agentsctl.toml", "ignore = ['config']\n")];
    assert_eq!(judge(&files, vec![], Coverage::Everything), Vec::<String>::new());
}

#[test]
fn excluded_files_are_silent() {
    let files = [("AGENTS.md", IGNORE), ("agentsctl.toml", "exclude = ['AGENTS.md']\nfoo = 1\n")];
    let found = vec![finding("missing-path", "AGENTS.md", 0)];
    assert_eq!(judge(&files, found, Coverage::Everything), ["agentsctl.toml:2 unknown-config-key"]);
}

#[test]
fn the_pages_of_our_own_rules_are_true() {
    use crate::lint::examples::{Verdict, read};
    for rule in OWN_RULES {
        let examples = read(rule.page).unwrap();
        for verdict in [Verdict::Bad, Verdict::Good] {
            assert!(
                examples.iter().any(|example| example.verdict == verdict),
                "{} has no {verdict:?} example",
                rule.id
            );
        }
        for example in examples {
            let files: Vec<(&str, &str)> =
                example.files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
            let found = judge(&files, vec![], Coverage::Everything);
            let fires = found.iter().any(|line| line.ends_with(rule.id));
            assert_eq!(fires, example.verdict == Verdict::Bad, "line {} of {}: {found:?}", example.line, rule.id);
            if example.verdict == Verdict::Good {
                assert_eq!(found, Vec::<String>::new());
            }
        }
    }
}

#[test]
fn hosts_that_the_team_does_not_support_are_not_reported() {
    let of = |hosts: &[&str]| Finding {
        hosts: hosts.iter().map(|host| (*host).to_string()).collect(),
        ..finding("missing-path", "AGENTS.md", 0)
    };
    let files = [("AGENTS.md", "x\n"), ("agentsctl.toml", "hosts = ['codex']\n")];
    let found = vec![of(&["gemini"]), of(&["gemini", "codex"]), of(&[])];
    assert_eq!(judge(&files, found, Coverage::Everything).len(), 2);
}
