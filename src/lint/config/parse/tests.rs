use super::*;
use crate::error::{CommandError, ErrorKind};
use crate::lint::config::Overrides;
use crate::lint::registry::{Group, OWN_RULES, RuleInfo};
use crate::report::Terminal;

fn registry() -> Registry {
    let rule = |id, group, severity| RuleInfo { id, group, severity, ..OWN_RULES[0] };
    Registry::new([
        rule("truncated", Group::Reach, Severity::Error),
        rule("headroom", Group::Reach, Severity::Hint),
        rule("missing-path", Group::References, Severity::Warning),
    ])
}

fn parse(text: &str) -> Result<Config, ConfigError> {
    Config::parse(text, "agentsctl.toml", "", &registry())
}

fn reports(config: &Config, rule: &str, path: &str) -> bool {
    let registry = registry();
    let rule = registry.rule(rule).unwrap();
    config.reports(rule, path, config.severity_of(rule, path, rule.severity))
}

const WHOLE: &str = r###"
root = true
select = ["reach", "missing-path"]
extend-select = ["config"]
ignore = ["headroom"]
hosts = ["codex"]
launch = [".", "packages/app"]
hosts-file = "hosts.toml"
exclude = ["fixtures"]
persona = "pedantic"
fail-on = "info"

[severity]
missing-path = "error"

[budgets]
bytes = 32_768

[budgets.codex]
lines = 200

[per-path."docs/**"]
ignore = ["missing-path"]
severity = { truncated = "info" }

[[suppress]]
rule = "truncated"
path = "AGENTS.md"
text = "## Later"
reason = "to be split"
expires = 2027-01-31
"###;

#[test]
fn reads_every_key() {
    let config = parse(WHOLE).unwrap();
    assert_eq!(config.findings, []);
    assert!(config.root.value);
    assert_eq!(config.root.origin, Origin::File(2));
    assert_eq!(config.hosts.value, ["codex"]);
    assert_eq!(config.launch.value, [".", "packages/app"]);
    assert_eq!(config.hosts_file.value.as_deref(), Some("hosts.toml"));
    assert!(config.excludes("tests/fixtures/AGENTS.md") && !config.excludes("AGENTS.md"));
    assert_eq!((config.persona.value, config.fail_on.0.value), (Persona::Pedantic, Severity::Info));
    let codex = config.budgets.of_host("codex");
    assert_eq!((codex.bytes.value, codex.lines.value), (Some(32_768), Some(200)));
    assert_eq!(config.budgets.of_host("gemini").lines.value, None);
    let entry = &config.suppress[0];
    assert_eq!(
        (entry.rule, entry.text.as_deref(), entry.expires),
        ("truncated", Some("## Later"), Date::new(2027, 1, 31))
    );
    assert_eq!(&WHOLE[entry.span.clone()], "\"truncated\"");
    let registry = registry();
    let severity = |rule, path| config.severity_of(registry.rule(rule).unwrap(), path, Severity::Warning);
    assert_eq!(severity("missing-path", "docs/a.md"), Severity::Error);
    assert_eq!(severity("truncated", "docs/a.md"), Severity::Info);
    assert_eq!(severity("truncated", "a.md"), Severity::Warning);
}

#[test]
fn ids_count_for_more_than_groups() {
    let config = parse("select = ['truncated']\nignore = ['reach']").unwrap();
    assert!(reports(&config, "truncated", "a.md") && !reports(&config, "missing-path", "a.md"));
    let config = parse("ignore = ['reach']").unwrap();
    assert!(!reports(&config, "truncated", "a.md") && reports(&config, "missing-path", "a.md"));
    let config = parse("select = ['all']\nignore = ['all']\nextend-select = ['references']").unwrap();
    assert!(!reports(&config, "truncated", "a.md") && reports(&config, "missing-path", "a.md"));
}

#[test]
fn hints_come_only_when_asked_for() {
    assert!(!reports(&parse("").unwrap(), "headroom", "a.md"));
    assert!(!reports(&parse("select = ['reach']").unwrap(), "headroom", "a.md"));
    assert!(reports(&parse("extend-select = ['headroom']").unwrap(), "headroom", "a.md"));
    assert!(reports(&parse("persona = 'pedantic'").unwrap(), "headroom", "a.md"));
    assert!(reports(&parse("severity.headroom = 'info'").unwrap(), "headroom", "a.md"));
}

#[test]
fn the_command_line_counts_for_more_but_paths_stay_ignored() {
    let config = parse("ignore = ['truncated']\n[per-path.'docs/*']\nignore = ['missing-path']").unwrap();
    let overrides = Overrides { select: Some(vec!["all".into()]), ..Overrides::default() };
    let config = config.with_overrides(&overrides, &registry()).unwrap();
    assert!(reports(&config, "truncated", "a.md"));
    assert!(reports(&config, "missing-path", "a.md") && !reports(&config, "missing-path", "docs/a.md"));
    let wrong = Overrides { ignore: vec!["mising-path".into()], ..Overrides::default() };
    let error = parse("").unwrap().with_overrides(&wrong, &registry()).unwrap_err();
    assert_eq!(
        (error.kind, error.message.as_str()),
        (ErrorKind::Usage, "`--ignore`: there is no rule or group `mising-path`")
    );
    assert_eq!(error.hints, ["did you mean `missing-path`?"]);
}

#[test]
fn what_does_not_exist_is_a_finding_with_its_place() {
    let text = "selct = ['reach']\nignore = ['safty', 'missing-paths']\n[severity]\ntruncatd = 'error'\n\
                [budgets]\nbytez = 1\n[per-path.'*']\nfoo = 1\n[[suppress]]\nrule = 'nope'\npath = '**'\nreason = 'x'\n";
    let config = parse(text).unwrap();
    let found: Vec<_> = config
        .findings
        .iter()
        .map(|finding| {
            (
                finding.rule,
                finding.message.as_str(),
                &text[finding.primary.span.clone()],
                finding.help.as_deref().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("unknown-config-key", "there is no key `selct`", "selct", "did you mean `select`?"),
            ("unknown-config-key", "there is no rule or group `safty`", "'safty'", "did you mean `safety`?"),
            (
                "unknown-config-key",
                "there is no rule or group `missing-paths`",
                "'missing-paths'",
                "did you mean `missing-path`?"
            ),
            ("unknown-config-key", "there is no rule `truncatd`", "truncatd", "did you mean `truncated`?"),
            ("unknown-config-key", "there is no key `bytez`", "bytez", "did you mean `bytes`?"),
            (
                "unknown-config-key",
                "there is no key `foo`",
                "foo",
                "remove it, or update agentsctl if a newer version knows it"
            ),
            (
                "unknown-suppression",
                "there is no rule `nope`",
                "'nope'",
                "remove it, or update agentsctl if a newer version knows it"
            ),
        ]
    );
    let config = parse("hosts = ['codx']\nbudgets.gemini.bytes = 1").unwrap();
    let hosts: Vec<_> = config.check_hosts(&["codex"]).into_iter().map(|finding| finding.message).collect();
    assert_eq!(hosts, ["there is no host `codx`", "there is no host `gemini`"]);
}

#[test]
fn wrong_values_are_errors_with_their_place() {
    for (text, message) in [
        ("select = 'reach'", "agentsctl.toml:1:10: `select` is an array of strings, not a string"),
        ("x = [", "agentsctl.toml:1:6: unclosed array, expected `]`"),
        ("persona = 'picky'", "agentsctl.toml:1:11: `persona` is one of `default`, `pedantic`, not `picky`"),
        (
            "\n  fail-on = 'eror'",
            "agentsctl.toml:2:13: `fail-on` is one of `hint`, `info`, `warning`, `error`, not `eror`",
        ),
        ("budgets.bytes = 0", "agentsctl.toml:1:17: `bytes` is a whole number above 0"),
        ("budgets.bytes = 99999999999999999999", "agentsctl.toml:1:17: `bytes` is a whole number above 0"),
        ("exclude = ['a', 'b[']", "agentsctl.toml:1:17: `b[` is no pattern: unclosed character class; missing ']'"),
        ("launch = ['../x']", "agentsctl.toml:1:11: `launch` leaves the project: `../x`"),
        ("suppress = [{rule = 'truncated', path = '**'}]", "agentsctl.toml:1:13: `[[suppress]]` has no `reason`"),
        ("[[suppress]]\nreason = ' '\nrule='truncated'\npath='**'", "agentsctl.toml:2:10: `reason` is empty"),
        (
            "[[suppress]]\nreason='x'\nrule='truncated'\npath='**'\nexpires='soon'",
            "agentsctl.toml:5:9: `expires` is a day such as 2027-01-31",
        ),
    ] {
        assert_eq!(parse(text).unwrap_err().to_string(), message, "{text}");
    }
    assert_eq!(parse("root = 1\npersona = 1").unwrap_err().problems.len(), 2, "all of them at once");
    assert!(parse("\u{feff}root = true").unwrap().root.value, "a byte order mark is no error");
}

#[test]
fn errors_are_shown_with_their_line() {
    let error = CommandError::from(parse("root = true\npersona = 'pedantc' # \u{202e}x\n").unwrap_err());
    insta::assert_snapshot!(error.render(&Terminal::plain()), @r#"
    error[config]

      x `persona` is one of `default`, `pedantic`, not `pedantc`
       ,-[agentsctl.toml:2:11]
     1 | root = true
     2 | persona = 'pedantc' # \u{202e}x
       :           ^^^^^^^^^
       `----
      help: did you mean `pedantic`?
    "#);
}

#[test]
fn the_effective_configuration_says_where_values_come_from() {
    let overrides = Overrides { ignore: vec!["config".into()], fail_on: Some(Severity::Error), ..Overrides::default() };
    let config = parse(WHOLE).unwrap().with_overrides(&overrides, &registry()).unwrap();
    insta::assert_snapshot!(config.describe(), @r###"
    root = true  # agentsctl.toml:2
    select = ["reach", "missing-path"]  # agentsctl.toml:3
    extend-select = ["config"]  # agentsctl.toml:4
    ignore = ["headroom"]  # agentsctl.toml:5
    ignore = ["config"]  # --ignore
    hosts = ["codex"]  # agentsctl.toml:6
    launch = [".", "packages/app"]  # agentsctl.toml:7
    hosts-file = "hosts.toml"  # agentsctl.toml:8
    exclude = ["fixtures"]  # agentsctl.toml:9
    persona = "pedantic"  # agentsctl.toml:10
    fail-on = "error"  # --fail-on

    [severity]
    missing-path = "error"  # agentsctl.toml:14

    [budgets]
    bytes = 32768  # agentsctl.toml:17

    [budgets.codex]
    lines = 200  # agentsctl.toml:20

    [per-path."docs/**"]
    ignore = ["missing-path"]  # agentsctl.toml:23

    [per-path."docs/**".severity]
    truncated = "info"  # agentsctl.toml:24

    [[suppress]]
    rule = "truncated"
    path = "AGENTS.md"
    text = "## Later"
    reason = "to be split"
    expires = 2027-01-31
    "###);
    assert!(Config::default().describe().contains("fail-on = \"warning\"  # default\n"));
    toml::from_str::<toml::Table>(&Config::default().describe()).unwrap();
}

#[test]
fn the_published_schema_has_the_same_keys() {
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../../../../docs/schema/agentsctl.schema.json")).unwrap();
    let keys = |pointer: &str| -> std::collections::BTreeSet<String> {
        schema.pointer(pointer).unwrap().as_object().unwrap().keys().cloned().collect()
    };
    let ours = |keys: &[&str]| keys.iter().map(|key| (*key).to_string()).collect();
    assert_eq!(keys("/properties"), ours(&KEYS));
    assert_eq!(keys("/$defs/perPath/properties"), ours(&PER_PATH_KEYS));
    assert_eq!(keys("/$defs/suppress/properties"), ours(&SUPPRESS_KEYS));
    assert_eq!(keys("/$defs/budget/properties"), ours(&BUDGET_KEYS));
    let validator = jsonschema::validator_for(&schema).unwrap();
    let whole: toml::Table = toml::from_str(WHOLE).unwrap();
    let mut whole = serde_json::to_value(whole).unwrap();
    // TOML's own days have no counterpart in JSON; editors that know TOML show them to the schema as strings.
    whole["suppress"][0]["expires"] = "2027-01-31".into();
    let errors: Vec<String> = validator.iter_errors(&whole).map(|error| error.to_string()).collect();
    assert_eq!(errors, Vec::<String>::new());
    assert!(!validator.is_valid(&serde_json::json!({"selct": []})));
    assert!(!validator.is_valid(&serde_json::json!({"suppress": [{"rule": "truncated", "path": "**"}]})));
}

#[test]
fn the_documented_configuration_is_read() {
    let page = include_str!("../../../../docs/configuration.md");
    let example = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let config = parse(example).unwrap();
    assert_eq!(config.findings, []);
    let table: toml::Table = toml::from_str(example).unwrap();
    let keys: std::collections::BTreeSet<&str> = table.keys().map(String::as_str).collect();
    assert_eq!(keys, KEYS.into_iter().collect(), "every key is shown");
}

#[test]
fn any_text_is_read_or_refused_with_a_place() {
    for end in 0..WHOLE.len() {
        for text in [WHOLE[..end].to_string(), format!("{}\u{1b}ñ{}", &WHOLE[..end], &WHOLE[end..])] {
            if let Err(error) = parse(&text) {
                assert!(!error.problems.is_empty());
                let rendered = CommandError::from(error).render(&Terminal::plain());
                assert!(rendered.contains("[agentsctl.toml:"), "{rendered}");
            }
        }
    }
}
