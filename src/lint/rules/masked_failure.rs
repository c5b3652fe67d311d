//! `masked-failure`: a check is run in a way that hides its failure.

use crate::document::command::{Operator, Origin};
use crate::document::{Command, Document, Polarity};
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::Material;
use crate::lint::mentions;
use crate::lint::registry::{Group, RuleInfo};

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "masked-failure",
    group: Group::References,
    severity: Severity::Info,
    summary: "a check is run in a way that hides its failure",
    page: include_str!("../../../docs/rules/masked-failure.md"),
    hosts: &[],
    since: "0.1.0",
};

/// Words of commands that are run for their exit status.
const CHECKS: &[&str] = &[
    "test",
    "tests",
    "lint",
    "check",
    "clippy",
    "typecheck",
    "tsc",
    "pytest",
    "vitest",
    "jest",
    "mypy",
    "pyright",
    "verify",
    "validate",
    "eslint",
    "rspec",
    "rubocop",
    "phpunit",
    "phpstan",
    "ctest",
    "build",
];

/// Programs that end well whatever they read.
const FILTERS: &[&str] = &["tail", "head", "tee", "less", "more", "cat", "sed", "awk", "sort", "jq"];

/// Commands that always end well.
const EXCUSES: &[&str] = &["true", ":", "echo", "exit"];

/// One finding for each command.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for subject in mentions::subjects(material) {
        let document = &subject.file.document;
        let commands = document.commands();
        for (index, command) in commands.iter().enumerate() {
            let Some(next) = commands.get(index + 1).filter(|next| next.origin == command.origin) else { continue };
            if !is_check(command) || is_denied(document, command) {
                continue;
            }
            let masked = match command.next {
                Some(Operator::Or) => EXCUSES.contains(&next.program()) && !leaves_with_failure(next),
                Some(Operator::Pipe) => FILTERS.contains(&next.program()) && !keeps_status(&commands, command),
                _ => false,
            };
            if !masked {
                continue;
            }
            let pipe = command.next == Some(Operator::Pipe);
            let message = if pipe {
                format!("the exit status is that of `{}`: `{}` may fail unseen", next.program(), command.text)
            } else {
                format!("`{}` may fail unseen: `|| {}` makes it end well", command.text, next.text)
            };
            let help = if pipe { "run it alone, or after `set -o pipefail`" } else { "let it fail" };
            findings.push(Finding {
                rule: INFO.id,
                severity: if pipe { Severity::Hint } else { INFO.severity },
                message,
                primary: Location {
                    path: subject.file.path.clone(),
                    span: command.span.start..next.span.end.max(command.span.end),
                    label: String::new(),
                },
                related: Vec::new(),
                help: Some(help.to_owned()),
                hosts: Vec::new(),
                fix: None,
            });
        }
    }
}

fn is_check(command: &Command) -> bool {
    let words = command.words.iter().take(4).flat_map(|word| word.text.split(|c: char| !c.is_ascii_alphanumeric()));
    let mut words = words;
    words.any(|word| CHECKS.contains(&word))
}

fn leaves_with_failure(command: &Command) -> bool {
    command.program() == "exit" && command.words.get(1).is_some_and(|word| word.text != "0")
}

/// Whether the text shows the command as how not to do it.
fn is_denied(document: &Document, command: &Command) -> bool {
    let Some(block) = document.blocks.get(command.block) else { return false };
    let lead = block.lead_in.and_then(|index| document.blocks.get(index));
    let comment = command.comment.as_ref().map_or("", |span| document.slice(span));
    [block.text.as_str(), lead.map_or("", |lead| lead.text.as_str()), comment].iter().any(|text| {
        let polarity = Polarity::of(text);
        polarity.negated || polarity.wrong
    })
}

/// Whether the block sets `pipefail` before the command.
fn keeps_status(commands: &[Command], command: &Command) -> bool {
    let before = commands.iter().take_while(|other| other.span.start < command.span.start);
    let mut same = before.filter(|other| other.origin == command.origin && matches!(other.origin, Origin::Fence(_)));
    same.any(|other| other.program() == "set" && other.text.contains("pipefail"))
}
