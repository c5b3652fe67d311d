//! `conflict`: one file requires what another, loaded with it, forbids.

use crate::document::classify::Directive;
use crate::document::command::Directory;
use crate::document::reference::mask_code;
use crate::document::words::Words;
use crate::document::{Kind, Rule, Span};
use crate::inventory::owner;
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::{InstructionFile, Material};
use crate::lint::mentions;
use crate::lint::registry::{Group, RuleInfo};
use crate::survey::Reading;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "conflict",
    group: Group::References,
    severity: Severity::Warning,
    summary: "one file requires what another that loads with it forbids",
    page: include_str!("../../../docs/rules/conflict.md"),
    hosts: &[],
    since: "0.1.0",
};

/// Words behind a forbidden command that limit when it is forbidden.
const LIMITS: &[&str] = &[
    "without", "unless", "except", "only", "until", "directly", "manually", "alone", "before", "after", "when", "if",
    "while", "from", "on", "in", "inside", "outside", "for", "during", "to", "as", "by", "with", "against", "at",
    "again", "locally", "first", "yet", "here", "where",
];

/// Words in front of it that do.
const CONDITIONS: &[&str] = &["if", "when", "unless", "while", "until", "once", "where", "except", "only", "without"];

/// Package managers of which a project uses one, with the lock files by which its use is known.
const MANAGERS: &[&[(&str, &[&str])]] = &[
    &[
        ("npm", &["package-lock.json", "npm-shrinkwrap.json"]),
        ("pnpm", &["pnpm-lock.yaml"]),
        ("yarn", &["yarn.lock"]),
        ("bun", &["bun.lock", "bun.lockb"]),
    ],
    &[("uv", &["uv.lock"]), ("poetry", &["poetry.lock"]), ("pipenv", &["Pipfile.lock"]), ("pdm", &["pdm.lock"])],
];

/// What installs.
const INSTALLS: &[&str] = &["install", "i", "add", "ci", "sync"];

/// What one file says of a command.
struct Statement<'m> {
    file: &'m InstructionFile,
    owner: PathBuf,
    command: String,
    span: Span,
    forbids: bool,
    /// Where it stands lets nobody doubt that it is for the whole folder.
    unlimited: bool,
}

/// One finding for each pair of files and command, and for each pair of files and managers.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    let subjects = mentions::subjects(material);
    let statements: Vec<Statement<'_>> =
        subjects.iter().flat_map(|subject| statements(material, subject.file)).collect();
    let mut seen: BTreeSet<(&str, &str, &str)> = BTreeSet::new();
    for forbidding in statements.iter().filter(|statement| statement.forbids) {
        for requiring in statements.iter().filter(|s| !s.forbids && s.command == forbidding.command) {
            if requiring.file.path == forbidding.file.path || !requiring.owner.starts_with(&forbidding.owner) {
                continue;
            }
            let hosts = together(material, requiring.file, forbidding.file);
            let key = (requiring.file.path.as_str(), forbidding.file.path.as_str(), requiring.command.as_str());
            if !hosts.is_empty() && seen.insert(key) {
                let message = format!("`{}` is to be run here and not to be run there", requiring.command);
                findings.push(finding(message, requiring, forbidding, "forbidden here", hosts));
            }
        }
    }
    for family in MANAGERS {
        managers(material, family, &statements, findings);
    }
}

fn managers<'m>(
    material: &Material<'_>,
    family: &[(&'static str, &[&str])],
    statements: &[Statement<'m>],
    findings: &mut Vec<Finding>,
) {
    let installs: Vec<(&'static str, &Statement<'m>)> = statements
        .iter()
        .filter(|statement| !statement.forbids && statement.unlimited)
        .filter_map(|statement| {
            let mut words = statement.command.split_whitespace();
            let program = words.next()?;
            let (name, _) = family.iter().find(|(name, _)| *name == program)?;
            let mut rest = words.clone();
            let installs = words.next().is_none_or(|word| INSTALLS.contains(&word));
            let global = rest.any(|word| matches!(word, "-g" | "--global"));
            (installs && !global && (program == "yarn" || statement.command.contains(' ')))
                .then_some((*name, statement))
        })
        .collect();
    // Two lock files say that both have their place.
    let locked = |name: &str| {
        let files = family.iter().find(|(manager, _)| *manager == name).map_or(&[][..], |(_, files)| files);
        files.iter().any(|file| material.project.tree().named(file).next().is_some())
    };
    let mut seen: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (index, (first, one)) in installs.iter().enumerate() {
        for (second, other) in installs.iter().skip(index + 1) {
            if first == second || one.file.path == other.file.path || one.owner != other.owner {
                continue;
            }
            if locked(first) && locked(second) || !seen.insert((&one.file.path, &other.file.path)) {
                continue;
            }
            let hosts = together(material, one.file, other.file);
            if hosts.is_empty() {
                continue;
            }
            // The one without a lock file is the likelier slip.
            let (slip, slipped, kept, keeps) =
                if locked(first) { (other, second, one, first) } else { (one, first, other, second) };
            let message = format!("packages are to be installed with `{slipped}` here and with `{keeps}` there");
            findings.push(finding(message, slip, kept, &format!("with `{keeps}` here"), hosts));
        }
    }
}

fn finding(message: String, here: &Statement<'_>, there: &Statement<'_>, label: &str, hosts: Vec<String>) -> Finding {
    let location = |statement: &Statement<'_>, label: &str| Location {
        path: statement.file.path.clone(),
        span: statement.span.clone(),
        label: label.to_owned(),
    };
    Finding {
        rule: INFO.id,
        severity: INFO.severity,
        message,
        primary: location(here, ""),
        related: vec![location(there, label)],
        help: Some("both load in one session: keep one, or say in each when it holds".to_owned()),
        hosts,
        fix: None,
    }
}

/// The hosts that have both files loaded in one session.
fn together(material: &Material<'_>, one: &InstructionFile, other: &InstructionFile) -> Vec<String> {
    let loads = |reading: &Reading| matches!(reading, Reading::AtLaunch | Reading::OnTouch | Reading::WaitsForMatch(_));
    let places = |file: &InstructionFile| -> BTreeSet<(usize, usize)> {
        file.readings.iter().filter(|(_, _, way)| loads(way)).map(|(host, place, _)| (*host, *place)).collect()
    };
    let hosts: BTreeSet<usize> = places(one).intersection(&places(other)).map(|(host, _)| *host).collect();
    hosts.into_iter().filter_map(|host| material.selections.get(host)).map(|s| s.host.id.clone()).collect()
}

fn statements<'m>(material: &Material<'_>, file: &'m InstructionFile) -> Vec<Statement<'m>> {
    let owner = owner(material.root, &file.absolute);
    let mut statements = Vec::new();
    for item in file.items() {
        let (Kind::Rule, Some(directive)) = (item.kind, item.directive) else { continue };
        for clause in clauses(file.document.slice(&item.span)) {
            let clause = item.span.start + clause.start..item.span.start + clause.end;
            read_clause(file, &owner, item, directive, &clause, &mut statements);
        }
    }
    statements
}

fn read_clause<'m>(
    file: &'m InstructionFile,
    owner: &std::path::Path,
    item: &Rule,
    directive: Directive,
    clause: &Span,
    statements: &mut Vec<Statement<'m>>,
) {
    let words = Words::get();
    let text = file.document.slice(clause);
    let masked = mask_code(text);
    let denies = words.prohibition.occur(&masked) || words.negation.occur(&masked);
    let commands: Vec<_> = item
        .commands
        .iter()
        .filter(|command| clause.start <= command.span.start && command.span.end <= clause.end)
        .filter(|command| command.directories.as_slice() == [Directory::Start] && command.program() != "cd")
        .collect();
    // `npm install` or `pnpm install`: the reader has the choice.
    let choice = commands.len() > 1 && has_word(&masked, &["or"]);
    for command in commands {
        let lower = masked.to_ascii_lowercase();
        let before = lower.get(..command.span.start - clause.start).unwrap_or("");
        let after = lower.get(command.span.end - clause.start..).unwrap_or("");
        let conditional = has_word(before, CONDITIONS);
        let limited = conditional || has_word(after, LIMITS);
        let forbids = denies && !limited;
        let requires = !denies && directive == Directive::Obligation && !choice;
        if command.words.len() > 1 && (forbids || requires) || requires && command.program() == "yarn" {
            statements.push(Statement {
                file,
                owner: owner.to_path_buf(),
                command: command.text.split_whitespace().collect::<Vec<_>>().join(" "),
                span: command.span.clone(),
                forbids,
                unlimited: !conditional && item.scope.source != crate::document::rule::ScopeSource::Explicit,
            });
        }
    }
}

fn has_word(text: &str, words: &[&str]) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'').any(|word| words.contains(&word))
}

/// The parts of a text that each say one thing, as byte ranges. Code is not cut.
fn clauses(text: &str) -> Vec<Span> {
    let mut clauses = Vec::new();
    let (mut start, mut code) = (0, false);
    for (at, letter) in text.char_indices() {
        let rest = text.get(at + letter.len_utf8()..).unwrap_or("");
        let blank_follows = rest.is_empty() || rest.starts_with(char::is_whitespace);
        let cut = match letter {
            '`' => {
                code = !code;
                false
            }
            _ if code => false,
            '.' | ';' | '!' | '?' | ':' => blank_follows,
            '—' | '–' | '。' | '；' => true,
            ',' => [" not ", " never ", " instead of ", " rather than ", " but "].iter().any(|w| rest.starts_with(w)),
            ' ' => {
                ["instead of ", "rather than ", "but ", "and never ", "and not "].iter().any(|w| rest.starts_with(w))
            }
            _ => false,
        };
        if cut {
            clauses.push(start..at);
            start = at + letter.len_utf8();
        }
    }
    clauses.push(start..text.len());
    clauses.retain(|clause| !clause.is_empty());
    clauses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_cut_where_they_turn() {
        let text = "Use `a; b`, not `c`. Never `d`; run `e` instead of `f`";
        let parts: Vec<&str> = clauses(text).into_iter().map(|clause| &text[clause]).collect();
        assert_eq!(parts, ["Use `a; b`", " not `c`", " Never `d`", " run `e`", "instead of `f`"]);
    }
}
