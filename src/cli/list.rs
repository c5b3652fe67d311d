//! `agentsctl list`: every instruction file, who reads it and when.

use super::launch::{HostArguments, base_launch, repository_root, working_directory};
use super::output::{self, Format};
use crate::discover::context::Loads;
use crate::error::{CommandError, ExitStatus};
use crate::explain::Shown;
use crate::explain::human::paragraph;
use crate::explain::near::Names;
use crate::explain::readers::{self, Reader};
use crate::filesystem::{Cached, Disk};
use crate::host::Selection;
use crate::inventory::{self, RuleFolders};
use crate::project::tree::Tree;
use crate::report::escape::inline;
use crate::survey::Survey;
use anstyle::Style;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

/// List the instruction files of the repository and of the user, who reads each and when, and the files that no host reads
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A folder of the repository [default: the current one]
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,
    #[command(flatten)]
    hosts: HostArguments,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitStatus, CommandError> {
    let catalog = arguments.hosts.catalog()?;
    let selections = arguments.hosts.selections(&catalog)?;
    let root = repository_root(&working_directory(arguments.directory.as_deref())?);
    let names = Names::collect(selections.iter().map(|s| &s.host));
    let folders = RuleFolders::collect(selections.iter().map(|s| &s.host));
    let tree = Tree::walk(&root);
    let files = Cached::new(Disk);
    let found = inventory::find(tree.files(), &root, &files, &names, &folders);
    let launch = base_launch(root.clone());
    let paths: Vec<PathBuf> = found.candidates.iter().map(|c| root.join(c)).collect();
    let sample = |folder: &Path| inventory::sample(&tree, &root, folder);
    let survey = Survey::run(&selections, &root, &paths, &[], &launch, &files, &sample);
    let shown = Shown::from(root.clone(), launch.home.clone());
    let all: Vec<(PathBuf, Vec<Reader>)> =
        paths.iter().map(|path| (path.clone(), readers::readers(&survey, &selections, path, &shown))).collect();
    let (read, unread): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, r)| r.iter().any(|r| r.never.is_none()));
    let user = user_level(&survey, &selections, &root);
    let mut out = output::stdout();
    match arguments.format {
        Format::Json => {
            let value = json!({
                "schema": crate::explain::json::SCHEMA,
                "root": root.to_string_lossy(),
                "read": output::readers_json(&read),
                "unread": output::readers_json(&unread),
                "near_misses": found.near_misses.iter().map(|(path, meant)| json!({ "path": path, "meant": meant })).collect::<Vec<_>>(),
                "user": user.iter().map(|(path, hosts)| json!({ "path": path.to_string_lossy(), "hosts": hosts })).collect::<Vec<_>>(),
            });
            writeln!(out, "{value:#}")?;
        }
        Format::Human => {
            write_files(&read, &shown, &mut out)?;
            if read.is_empty() {
                writeln!(out, "No host reads an instruction file here.")?;
            }
            if !user.is_empty() {
                writeln!(out, "\nThe user's own")?;
                for (path, hosts) in &user {
                    paragraph(&mut out, "  ", &format!("{}  {}", shown.path(path), hosts.join(", ")), Style::new())?;
                }
            }
            if !unread.is_empty() || !found.near_misses.is_empty() {
                writeln!(out, "\nRead by no host")?;
                for (path, readers) in &unread {
                    let why = readers.iter().find_map(|r| r.never.clone()).unwrap_or_default();
                    paragraph(&mut out, "  ", &format!("✗ {}: {why}", shown.path(path)), Style::new())?;
                }
                for (path, meant) in &found.near_misses {
                    paragraph(&mut out, "  ", &format!("✗ {path}: did you mean {meant}?"), Style::new())?;
                }
            }
        }
    }
    out.flush()?;
    Ok(ExitStatus::Clean)
}

fn write_files(read: &[(PathBuf, Vec<Reader>)], shown: &Shown, out: &mut dyn Write) -> Result<(), CommandError> {
    let bold = Style::new().bold();
    for (path, readers) in read {
        writeln!(out, "{bold}{}{bold:#}", inline(&shown.path(path)))?;
        let mut by_way: Vec<(String, Vec<&str>)> = Vec::new();
        for reader in readers.iter().filter(|r| r.never.is_none()) {
            let ways = reader.ways.join("; ");
            match by_way.iter_mut().find(|(w, _)| *w == ways) {
                Some((_, names)) => names.push(&reader.name),
                None => by_way.push((ways, vec![&reader.name])),
            }
        }
        for (ways, names) in by_way {
            paragraph(out, "  ", &format!("{}: {ways}", names.join(", ")), Style::new())?;
        }
        let never: Vec<&str> = readers.iter().filter(|r| r.never.is_some()).map(|r| r.name.as_str()).collect();
        if !never.is_empty() {
            paragraph(out, "  ", &format!("not read by {}", never.join(", ")), Style::new().dimmed())?;
        }
    }
    Ok(())
}

/// Files outside of the repository that some host loads when launched in its root, with the hosts' names.
fn user_level(survey: &Survey, selections: &[Selection], root: &Path) -> Vec<(PathBuf, Vec<String>)> {
    let mut found: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    for (contexts, selection) in survey.contexts.iter().zip(selections) {
        for piece in contexts.iter().flat_map(|c| &c.pieces).filter(|p| p.loads == Loads::AtLaunch) {
            if let Some(path) = piece.path.as_ref().filter(|path| !path.starts_with(root)) {
                found.entry(path.clone()).or_default().insert(selection.host.name.clone());
            }
        }
    }
    found.into_iter().map(|(path, hosts)| (path, hosts.into_iter().collect())).collect()
}
