//! `near-miss`: a file that looks like an instruction file and is read by no host, or by fewer than was meant.

use crate::explain::near;
use crate::host::schema::Scope;
use crate::lint::finding::{Finding, Location, Severity};
use crate::lint::material::Material;
use crate::lint::reach;
use crate::lint::registry::{Group, RuleInfo};
use std::collections::BTreeMap;

/// See the page.
pub const INFO: RuleInfo = RuleInfo {
    id: "near-miss",
    group: Group::Reach,
    severity: Severity::Warning,
    summary: "a file whose name, letter case, ending or folder is nearly one that a host reads",
    page: include_str!("../../../docs/rules/near-miss.md"),
    hosts: &[],
    since: "0.1.0",
};

/// Folders whose files are pages for people: a name there means nothing.
const PAGES: &[&str] =
    &["docs", "doc", "documentation", "content", "pages", "website", "site", "blog", "posts", "wiki"];

/// One finding for each file with a wrong name, one for each folder with files of a wrong kind.
pub fn check(material: &Material<'_>, findings: &mut Vec<Finding>) {
    for (path, meant) in &material.inventory.near_misses {
        // What lies in a folder of rules comes below; what ends as it should is only unknown to the hosts in question.
        if meant.contains(' ') || format!("/{path}").ends_with(&format!("/{meant}")) {
            continue;
        }
        misnamed(material, path, meant, findings);
    }
    // A second spelling that some hosts take, and that was not named above.
    let is_named = |path: &str| material.inventory.near_misses.iter().any(|(near, _)| near == path);
    for file in material.files.iter().filter(|f| !f.path.contains('/') && !is_named(&f.path)) {
        if let Some(meant) = near::meant(&file.path) {
            misnamed(material, &file.path, meant, findings);
        }
    }
    for file in material.files.iter().filter(|f| !f.is_loaded() && f.unreadable.is_none()) {
        // A known name in a folder where nobody looks: `.codex/AGENTS.md`.
        if let Some(meant) = tails(&file.path).find_map(near::meant).filter(|m| is_in_dot_folder(&file.path, m)) {
            misplaced(material, &file.path, meant, findings);
        }
    }
    wrong_endings(material, findings);
    // That nobody looks there can only be said if all hosts were asked.
    if material.config.hosts.value.is_empty() {
        rules_where_nobody_looks(material, findings);
    }
}

fn is_in_dot_folder(path: &str, meant: &str) -> bool {
    path.rsplit('/').nth(1).is_some_and(|folder| folder.starts_with('.')) && path.ends_with(meant)
}

/// The path from each of its parts on.
fn tails(path: &str) -> impl Iterator<Item = &str> {
    std::iter::once(path).chain(path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..)))
}

fn misnamed(material: &Material<'_>, path: &str, meant: &str, findings: &mut Vec<Finding>) {
    let folders: Vec<&str> = path.split('/').rev().skip(1).collect();
    if folders.iter().any(|f| PAGES.contains(&f.to_lowercase().as_str())) {
        return;
    }
    let readers: Vec<usize> = {
        let mut hosts: Vec<usize> =
            material.survey.readings(&material.root.join(path)).into_iter().map(|(h, _, _)| h).collect();
        hosts.sort_unstable();
        hosts.dedup();
        hosts
    };
    // What matters is whether the hosts that read the right name read this one as well.
    let takes = |h: &usize| material.names.has(&material.selections[*h].host.id, meant);
    let all: Vec<usize> = (0..material.selections.len()).filter(takes).collect();
    let used: Vec<usize> = all.iter().copied().filter(|h| reach::is_in_use(material, *h)).collect();
    let meant_for = if used.is_empty() { all } else { used };
    let missing: Vec<usize> = meant_for.iter().copied().filter(|h| !readers.contains(h)).collect();
    if !readers.is_empty() && missing.is_empty() {
        return;
    }
    let file = path.rsplit('/').next().unwrap_or(path);
    let message = match readers.is_empty() {
        true if material.config.hosts.value.is_empty() => format!("no host reads `{file}` here"),
        true => format!("none of the hosts in question reads `{file}` here"),
        false => format!(
            "{} not read `{file}`, though {}",
            match missing.as_slice() {
                [_] => format!("{} does", reach::names(material, &missing)),
                _ => format!("{} do", reach::names(material, &missing)),
            },
            match readers.as_slice() {
                [_] => format!("{} does", reach::names(material, &readers)),
                _ => format!("{} do", reach::names(material, &readers)),
            }
        ),
    };
    // In the root the name can hardly mean anything else; deeper down it may be an ordinary page.
    let is_root = folders.last().is_none_or(|outermost| outermost.starts_with('.'));
    let owner =
        if is_root { String::new() } else { path.rsplit_once('/').map_or(String::new(), |(f, _)| format!("{f}/")) };
    let right = format!("{owner}{meant}");
    if material.project.exists(&right) && right != path {
        findings.push(finding(
            path,
            if is_root { INFO.severity } else { Severity::Hint },
            message,
            format!("move what it says into {right}, or remove it"),
            Vec::new(),
        ));
        return;
    }
    let severity = if is_root { INFO.severity } else { Severity::Hint };
    let hosts = missing.iter().map(|h| material.selections[*h].host.id.clone()).collect();
    findings.push(finding(path, severity, message, format!("name it {right}"), hosts));
}

fn misplaced(material: &Material<'_>, path: &str, meant: &str, findings: &mut Vec<Finding>) {
    let folder = path.rsplit_once('/').map_or("", |(f, _)| f);
    let above = folder.rsplit_once('/').map_or(String::new(), |(f, _)| format!("{f}/"));
    let message = format!("no host loads `{meant}` from the folder `{folder}`");
    let right = format!("{above}{meant}");
    let help = match material.project.exists(&right) {
        true => format!("move what it says into {right}, or remove it"),
        false => format!("move it to {right}"),
    };
    findings.push(finding(path, INFO.severity, message, help, Vec::new()));
}

/// Files in a folder of rules whose ending the host does not take: one finding for each folder and ending.
fn wrong_endings(material: &Material<'_>, findings: &mut Vec<Finding>) {
    let mut by_folder: BTreeMap<(usize, String, String, Vec<String>), Vec<&str>> = BTreeMap::new();
    for (path, meant) in &material.inventory.near_misses {
        let file = path.rsplit('/').next().unwrap_or(path);
        let is_page = ["readme.md", "index.md", "changelog.md", "license.md"].contains(&file.to_lowercase().as_str());
        if !meant.contains(' ') || is_page {
            continue;
        }
        for (h, selection) in material.selections.iter().enumerate().filter(|(h, _)| reach::is_in_use(material, *h)) {
            let project = selection.host.sources.values().filter(|s| s.scope != Scope::Memory);
            for set in project.flat_map(|s| &s.files) {
                let Some(folder) = set.folder.as_ref().filter(|f| f.starts_with('.') && !f.contains('{')) else {
                    continue;
                };
                let slashed = format!("/{path}");
                let takes = set.suffixes.iter().any(|s| file.to_lowercase().ends_with(&s.to_lowercase()));
                if slashed.contains(&format!("/{folder}/")) && !takes && !set.suffixes.is_empty() {
                    let ending = file.split_once('.').map_or(String::new(), |(_, e)| format!(".{e}"));
                    let key = (h, folder.clone(), ending, set.suffixes.clone());
                    let paths = by_folder.entry(key).or_default();
                    if !paths.contains(&path.as_str()) {
                        paths.push(path);
                    }
                }
            }
        }
    }
    for ((h, folder, ending, suffixes), paths) in by_folder {
        let Some(first) = paths.first() else { continue };
        let host = &material.selections[h].host;
        let wanted = reach::list(suffixes.iter().map(|s| format!("`{s}`")));
        let message = match paths.len() {
            1 => format!("{} takes no `{ending}` from {folder}", host.name),
            n => format!("{} takes no `{ending}` from {folder}: {n} files there never load", host.name),
        };
        let help = format!("let the name end in {wanted}, or move it out of the folder");
        findings.push(finding(first, INFO.severity, message, help, vec![host.id.clone()]));
    }
}

/// Rule files by their look (a `.mdc` with a header that scopes it) in folders that no host knows: one for each folder.
fn rules_where_nobody_looks(material: &Material<'_>, findings: &mut Vec<Finding>) {
    let mut by_folder: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let known = |path: &str| {
        material.files.iter().any(|f| f.path == path) || material.inventory.near_misses.iter().any(|(p, _)| p == path)
    };
    for path in material.project.tree().files().filter(|p| p.ends_with(".mdc")) {
        // Only below a folder of an agent: elsewhere `.mdc` is a page format.
        let dotted = path.split('/').any(|part| part.len() > 1 && part.starts_with('.'));
        if dotted && !known(path) {
            by_folder.entry(path.rsplit_once('/').map_or("", |(f, _)| f)).or_default().push(path);
        }
    }
    for (folder, paths) in by_folder {
        let Some(first) = paths.first() else { continue };
        let message = match paths.len() {
            1 => format!("no host reads rules from `{folder}`"),
            n => format!("no host reads rules from `{folder}`: {n} files there never load"),
        };
        findings.push(finding(
            first,
            Severity::Info,
            message,
            "move them to a folder that a host reads, such as .cursor/rules".to_owned(),
            Vec::new(),
        ));
    }
}

fn finding(path: &str, severity: Severity, message: String, help: String, hosts: Vec<String>) -> Finding {
    Finding {
        rule: INFO.id,
        severity,
        message,
        primary: Location { path: path.to_owned(), span: 0..0, label: String::new() },
        related: Vec::new(),
        help: Some(help),
        hosts,
        fix: None,
    }
}
