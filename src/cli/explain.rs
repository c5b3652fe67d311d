//! `agentsctl explain`: what loads, when, and what does not.

use super::launch::{HostArguments, LaunchArguments, base_launch, repository_root};
use super::output::{self, Format};
use crate::discover::{Launch, Touch, paths};
use crate::error::{CommandError, ExitStatus};
use crate::explain::near::Names;
use crate::explain::readers::{self, Reader};
use crate::explain::{self, Explanation, Shown, human, json};
use crate::filesystem::{Cached, Disk};
use crate::host::Selection;
use crate::inventory::{self, RuleFolders};
use crate::report::escape::inline;
use crate::survey::Survey;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Say what each host loads at launch and when a file is touched, what does not load, and why
///
/// Without PATH, the launch alone is explained. A PATH that is an instruction file is also looked up the other way round:
/// which hosts read it, launched from where. Flags after `--` are the host's own, such as `-- --add-dir ../lib`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Files that the agent will read
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Other touches, such as `write:src/new.rs` or `shell:cat src/main.rs`
    #[arg(long, value_name = "TOOL:PATH")]
    touch: Vec<Touch>,
    #[command(flatten)]
    hosts: HostArguments,
    #[command(flatten)]
    launch: LaunchArguments,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitStatus, CommandError> {
    let catalog = arguments.hosts.catalog()?;
    let selections = arguments.hosts.selections(&catalog)?;
    let mut launch = arguments.launch.launch(Vec::new())?;
    let current = super::launch::working_directory(None).unwrap_or_else(|_| launch.directory.clone());
    let targets: Vec<PathBuf> = arguments.paths.iter().map(|path| target(&current, &launch.directory, path)).collect();
    for path in &targets {
        launch.touches.push(Touch { tool: "read".to_owned(), value: path.to_string_lossy().into_owned() });
    }
    launch.touches.extend(arguments.touch.iter().cloned());
    // The names of every host count, also of those that were not asked for; a host is read only once.
    let is_selected = |id: &str| selections.iter().any(|s| s.host.id == id);
    let others: Vec<Selection> =
        catalog.ids().filter(|id| !is_selected(id)).filter_map(|id| catalog.select(id).ok()).collect();
    let every = || selections.iter().chain(&others).map(|s| &s.host);
    let names = Names::collect(every());
    let files = Cached::new(Disk);
    let root = repository_root(&launch.directory);
    let shown = Shown::from(root.clone(), launch.home.clone());
    let explanations: Vec<Explanation> = selections
        .iter()
        .map(|selection| {
            let launch = Launch { mode: super::mode_for(&selection.host, launch.mode.as_deref()), ..launch.clone() };
            explain::explain(selection, &launch, &files, &names, &shown)
        })
        .collect();
    let folders = RuleFolders::collect(every());
    let read: Vec<(PathBuf, Vec<Reader>)> = targets
        .iter()
        .filter(|path| inventory::is_instruction_file(path, &root, &names, &folders))
        .map(|path| {
            let launch = base_launch(root.clone());
            let more = [launch.directory.clone()];
            let sample = |folder: &Path| sample(folder);
            let survey = Survey::run(&selections, &root, std::slice::from_ref(path), &more, &launch, &files, &sample);
            (path.clone(), readers::readers(&survey, &selections, path, &shown))
        })
        .collect();
    let mut out = output::stdout();
    match arguments.format {
        Format::Json => {
            let mut value = json::explanations(&explanations);
            if !read.is_empty()
                && let Some(map) = value.as_object_mut()
            {
                map.insert("readers".to_owned(), output::readers_json(&read));
            }
            writeln!(out, "{value:#}")?;
        }
        Format::Human => {
            let from =
                shown.path(&std::fs::canonicalize(&launch.directory).unwrap_or_else(|_| launch.directory.clone()));
            let place = if from == "." { "the repository's root".to_owned() } else { from };
            writeln!(out, "Launched in {}\n", inline(&place))?;
            human::write(&explanations, &shown, &mut out)?;
            for (path, readers) in &read {
                writeln!(out, "\nWho reads {}", inline(&shown.path(path)))?;
                output::write_readers(readers, &mut out)?;
            }
        }
    }
    out.flush()?;
    Ok(ExitStatus::Clean)
}

/// A path as typed counts from the current directory; if nothing is there, but something is in the launch directory, it is
/// that.
fn target(current: &Path, directory: &Path, path: &Path) -> PathBuf {
    let typed = paths::join(current, path);
    let from_launch = paths::join(directory, path);
    if !typed.exists() && from_launch.exists() { from_launch } else { typed }
}

/// A file that an agent could touch in a folder: the first one by name.
pub fn sample(folder: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    let files = entries.take(1000).filter_map(Result::ok).filter(|e| e.file_type().is_ok_and(|t| t.is_file()));
    files.map(|entry| entry.path()).min()
}
