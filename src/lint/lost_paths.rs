//! Words lost paths: one finding for each part of the tree that is gone, however many mentions lead below it.

use super::finding::{Edit, Finding, Fix, Location, Severity};
use super::mentions::{Mention, Subject};
use super::registry::RuleInfo;
use crate::project::{Certainty, Missing, Project, RemovalKind, parent};

/// The most counterparts that one finding lists; the message has the whole count.
const LISTED: usize = 100;

/// What the mentions of a rule are called.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    /// One of them, such as `link`.
    pub one: &'static str,
    /// Several.
    pub several: &'static str,
}

struct Group<'m> {
    prefix: &'m str,
    mentions: Vec<(&'m Mention, &'m Missing)>,
}

/// One finding for each lost part that mentions of a file lead into.
pub fn findings(
    info: &RuleInfo,
    words: Words,
    subject: &Subject<'_>,
    project: &Project,
    mentions: &[(&Mention, &Missing)],
) -> Vec<Finding> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (mention, missing) in mentions.iter().copied() {
        match groups.iter_mut().find(|group| group.prefix == missing.missing_prefix) {
            Some(group) => group.mentions.push((mention, missing)),
            None => groups.push(Group { prefix: &missing.missing_prefix, mentions: vec![(mention, missing)] }),
        }
    }
    groups.iter().filter_map(|group| finding(info, words, subject, project, group)).collect()
}

fn finding(
    info: &RuleInfo,
    words: Words,
    subject: &Subject<'_>,
    project: &Project,
    group: &Group<'_>,
) -> Option<Finding> {
    let ((first, missing), others) = group.mentions.split_first()?;
    let certain = group.mentions.iter().any(|(_, missing)| missing.certainty == Certainty::Certain);
    let same = others.iter().all(|(_, other)| other.path == missing.path);
    // A prefix that is longer than what all mentions name says more.
    let what = if same { missing.path.as_str() } else { group.prefix };
    let count = group.mentions.len();
    let message = match count {
        1 => format!("there is no `{what}`"),
        _ if same => format!("there is no `{what}`, named by {count} {}", words.several),
        _ => format!("there is no `{what}/`, into which {count} {} lead", words.several),
    };
    let location = |mention: &Mention, label: String| Location {
        path: subject.file.path.clone(),
        span: mention.span.clone(),
        label,
    };
    let label = match () {
        () if count > 1 => format!("the first {}", words.one),
        () if missing.existing_ancestor.is_empty() || same && parent(what) == missing.existing_ancestor => {
            String::new()
        }
        () => format!("`{}` is the last folder that is there", missing.existing_ancestor),
    };
    let listed = others.iter().take(LISTED);
    let mut related: Vec<Location> =
        listed.map(|(mention, other)| location(mention, format!("`{}`", other.path))).collect();
    related.extend(copies(subject));
    let prefix_suggestion = || suggestion_for_prefix(missing, group.prefix, project);
    let suggestions = match same {
        true => missing.suggestions.clone(),
        false => prefix_suggestion().into_iter().collect(),
    };
    let removal = project.removal(what).or_else(|| missing.removal.clone());
    let was = removal.map(|removal| match (removal.kind, removal.moved_to) {
        (RemovalKind::Moved, Some(to)) => format!("it was moved to `{to}` on {}", removal.date),
        (RemovalKind::Moved, None) => format!("what was in it was moved on {}", removal.date),
        (RemovalKind::Removed, _) => format!("it was removed on {}", removal.date),
    });
    let meant = (!suggestions.is_empty()).then(|| {
        let names: Vec<String> = suggestions.iter().map(|path| format!("`{path}`")).collect();
        format!("did you mean {}?", names.join(" or "))
    });
    let help = [was, meant].into_iter().flatten().collect::<Vec<_>>().join("; ");
    let edits: Option<Vec<Edit>> =
        group.mentions.iter().map(|(mention, missing)| moved_edit(subject, project, mention, missing)).collect();
    Some(Finding {
        rule: info.id,
        severity: if certain { Severity::Error } else { Severity::Warning },
        message,
        primary: location(first, label),
        related,
        help: Some(if help.is_empty() { format!("mend or remove the {}", words.one) } else { help }),
        hosts: Vec::new(),
        fix: edits.map(|edits| Fix { description: "name the place to which it was moved".to_owned(), edits }),
    })
}

/// The files beside a file that have the same text.
pub fn copies<'s>(subject: &'s Subject<'_>) -> impl Iterator<Item = Location> + 's {
    subject.copies.iter().map(|copy| Location {
        path: copy.path.clone(),
        span: 0..0,
        label: "this file has the same text".to_owned(),
    })
}

/// Where a lost folder may be now: a suggestion for a path below it, less what the two end in.
fn suggestion_for_prefix(missing: &Missing, prefix: &str, project: &Project) -> Option<String> {
    let tail = missing.path.strip_prefix(prefix)?;
    let folder = missing.suggestions.iter().find_map(|path| path.strip_suffix(tail))?;
    project.is_directory(folder).then(|| folder.to_owned())
}

/// A change that names the new place of a file that git saw moving. `None` unless the mention is written in full.
fn moved_edit(subject: &Subject<'_>, project: &Project, mention: &Mention, missing: &Missing) -> Option<Edit> {
    let to = missing.removal.as_ref()?.moved_to.as_ref().filter(|to| project.is_file(to))?;
    let written = subject.file.document.slice(&mention.span);
    let (path, rest) = split_suffix(written);
    let (prefix, path) = path.strip_prefix("mdc:").map_or(("", path), |path| ("mdc:", path));
    let from_root = path.trim_start_matches(['/', '.']) == missing.path || path == missing.path;
    let relative = relative_path(subject.file.folder(), to);
    let replacement = match () {
        () if path.contains(['%', '\\', '<', ' ']) => return None,
        () if from_root && !path.starts_with("./") => {
            format!("{}{to}", if path.starts_with('/') { "/" } else { "" })
        }
        () if crate::project::join(subject.file.folder(), path).as_deref() == Some(missing.path.as_str()) => relative,
        () => return None,
    };
    Some(Edit {
        path: subject.file.path.clone(),
        span: mention.span.clone(),
        replacement: format!("{prefix}{replacement}{rest}"),
    })
}

/// The path and the `#anchor` or `:line` behind it.
pub fn split_suffix(written: &str) -> (&str, &str) {
    let at = written.find(['#', '?', ':']).filter(|at| *at > 0 && !written.starts_with("mdc:"));
    written.split_at(at.unwrap_or(written.len()))
}

/// The way from a folder to a path, both relative to the root.
fn relative_path(folder: &str, to: &str) -> String {
    let here: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let there: Vec<&str> = to.split('/').collect();
    let common = here.iter().zip(&there).take_while(|(a, b)| a == b).count();
    let up = here.iter().skip(common).map(|_| "..");
    up.chain(there.iter().skip(common).copied()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_between_folders() {
        for (folder, to, way) in
            [("", "a/b.md", "a/b.md"), ("a", "a/b.md", "b.md"), ("a/c", "a/b.md", "../b.md"), ("x", "a/b", "../a/b")]
        {
            assert_eq!(relative_path(folder, to), way, "{folder} {to}");
        }
    }

    #[test]
    fn suffixes_stay() {
        assert_eq!(split_suffix("a/b.md#part"), ("a/b.md", "#part"));
        assert_eq!(split_suffix("a/b.rs:12"), ("a/b.rs", ":12"));
        assert_eq!(split_suffix("mdc:a/b.md"), ("mdc:a/b.md", ""));
    }
}
