//! Every host launched from every folder that matters in a repository: the facts behind `list`, the readers of a file and
//! the reach rules of `lint`.

use crate::discover::context::Loads;
use crate::discover::{self, Context, Launch, Reason, Touch};
use crate::filesystem::FileSystem;
use crate::host::Selection;
use crate::inventory::owner;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What each host has in front of it, launched from each folder.
#[derive(Debug, Clone)]
pub struct Survey {
    /// The repository's root.
    pub root: PathBuf,
    /// The launch directories, the root first.
    pub directories: Vec<PathBuf>,
    /// The contexts by host (in the order of the selections) and launch directory.
    pub contexts: Vec<Vec<Context>>,
    by_file: HashMap<PathBuf, Vec<(usize, usize, Reading)>>,
}

/// How a host has a file in front of it, launched from one directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// In the first request.
    AtLaunch,
    /// After a file beside it (or one that its patterns match) was touched.
    OnTouch,
    /// Once a file that its patterns match is touched.
    WaitsForMatch(Vec<String>),
    /// It is named to the agent, which decides.
    AgentDecides,
    /// Only when the user names it.
    ByMention,
}

/// A sample of the files of a folder: what an agent would touch there.
pub type Samples<'a> = &'a dyn Fn(&Path) -> Option<PathBuf>;

impl Survey {
    /// Launches every host from the root and from every folder that an instruction file speaks for. `launch` gives home,
    /// variables and system root; `samples` names a file to touch in a folder.
    pub fn run(
        selections: &[Selection],
        root: &Path,
        instruction_files: &[PathBuf],
        more_directories: &[PathBuf],
        launch: &Launch,
        files: &dyn FileSystem,
        samples: Samples<'_>,
    ) -> Self {
        let owners: BTreeSet<PathBuf> = instruction_files.iter().map(|file| owner(root, file)).collect();
        let mut directories = vec![root.to_path_buf()];
        directories.extend(more_directories.iter().chain(&owners).filter(|o| *o != root).cloned());
        let mut seen = BTreeSet::new();
        directories.retain(|d| seen.insert(d.clone()));
        let touch = |folder: &Path| {
            let file = samples(folder).unwrap_or_else(|| folder.join("file"));
            Touch { tool: "read".to_owned(), value: file.to_string_lossy().into_owned() }
        };
        let touches_below = |directory: &Path| -> Vec<Touch> {
            // From the root, one file in every folder that has instructions; from there, one beside them.
            let concerned = owners.iter().filter(|o| directory == root || *o == directory);
            concerned.map(|o| touch(o)).collect()
        };
        let launches: Vec<(PathBuf, Vec<Touch>)> = directories.iter().map(|d| (d.clone(), touches_below(d))).collect();
        let jobs: Vec<(usize, usize)> =
            (0..selections.len()).flat_map(|h| (0..launches.len()).map(move |d| (h, d))).collect();
        let run_one = |(h, d): (usize, usize)| {
            let host = &selections[h].host;
            let launch = Launch {
                directory: launches[d].0.clone(),
                touches: launches[d].1.clone(),
                mode: host.repository_mode.clone(),
                arguments: Vec::new(),
                // What a repository's files do once people work there is the question, not whether they work there yet.
                trusted: true,
                ..launch.clone()
            };
            discover::discover(host, &launch, files)
        };
        let mut contexts: Vec<Vec<Context>> = vec![vec![Context::default(); launches.len()]; selections.len()];
        for (job, context) in in_parallel(&jobs, run_one) {
            contexts[job.0][job.1] = context;
        }
        let by_file = index(&contexts);
        Self { root: root.to_path_buf(), directories, contexts, by_file }
    }

    /// How the hosts read a file: host, launch directory and way.
    pub fn readings(&self, file: &Path) -> Vec<(usize, usize, Reading)> {
        self.by_file.get(file).cloned().unwrap_or_default()
    }
}

/// The readings of every file, in one pass over the contexts: a repository may have thousands of files and imports.
fn index(contexts: &[Vec<Context>]) -> HashMap<PathBuf, Vec<(usize, usize, Reading)>> {
    let mut by_file: HashMap<PathBuf, Vec<(usize, usize, Reading)>> = HashMap::new();
    for (h, contexts) in contexts.iter().enumerate() {
        for (d, context) in contexts.iter().enumerate() {
            let pieces = context.pieces.iter().flat_map(|piece| {
                let loads = match piece.loads {
                    Loads::AtLaunch => Reading::AtLaunch,
                    Loads::OnTouch { .. } => Reading::OnTouch,
                };
                piece.path.iter().chain(&piece.real).map(move |path| (path, loads.clone()))
            });
            let omitted = context.omissions.iter().filter_map(|o| Some((&o.path, of_omission(&o.reason)?)));
            for (path, reading) in pieces.chain(omitted) {
                let readings = by_file.entry(path.clone()).or_default();
                // A file that is loaded twice, or loaded and left out elsewhere, is read as it was first found.
                if !matches!(readings.last(), Some((last_h, last_d, _)) if (*last_h, *last_d) == (h, d)) {
                    readings.push((h, d, reading));
                }
            }
        }
    }
    by_file
}

/// The way in which a file is read later that is left out now.
fn of_omission(reason: &Reason) -> Option<Reading> {
    match reason {
        Reason::WaitsForMatch { patterns } => Some(Reading::WaitsForMatch(patterns.clone())),
        Reason::AgentDecides | Reason::NamedOnly => Some(Reading::AgentDecides),
        Reason::ByMentionOnly => Some(Reading::ByMention),
        Reason::SameAs { .. } => Some(Reading::AtLaunch),
        _ => None,
    }
}

/// How a context holds a file.
pub fn reading(context: &Context, file: &Path) -> Option<Reading> {
    let is_it = |path: Option<&Path>, real: Option<&Path>| path == Some(file) || real == Some(file);
    if let Some(piece) = context.pieces.iter().find(|p| is_it(p.path.as_deref(), p.real.as_deref())) {
        return Some(match piece.loads {
            Loads::AtLaunch => Reading::AtLaunch,
            Loads::OnTouch { .. } => Reading::OnTouch,
        });
    }
    of_omission(&context.omissions.iter().find(|o| o.path == file)?.reason)
}

/// Does the jobs on all cores; the order of the answers is that of the jobs.
fn in_parallel<J: Copy + Send + Sync, A: Send>(jobs: &[J], work: impl Fn(J) -> A + Sync) -> Vec<(J, A)> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(jobs.len().max(1));
    let next = AtomicUsize::new(0);
    let mut answers: Vec<(usize, A)> = Vec::with_capacity(jobs.len());
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut done = Vec::new();
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(job) = jobs.get(index) else { break done };
                        done.push((index, work(*job)));
                    }
                })
            })
            .collect();
        for worker in workers {
            // A worker can only fail by a panic, which is a bug to be seen, not to be hidden.
            match worker.join() {
                Ok(done) => answers.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    answers.sort_by_key(|(index, _)| *index);
    answers.into_iter().filter_map(|(index, answer)| Some((*jobs.get(index)?, answer))).collect()
}
