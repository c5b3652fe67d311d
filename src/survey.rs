//! Every host launched from every folder that matters in a repository: the facts behind `list`, the readers of a file and
//! the reach rules of `lint`.

use crate::discover::{self, Context, Launch, Touch};
use crate::filesystem::FileSystem;
use crate::host::Selection;
use crate::inventory::owner;
use std::collections::BTreeSet;
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
        Self { root: root.to_path_buf(), directories, contexts }
    }

    /// How the hosts read a file: host, launch directory and way.
    pub fn readings(&self, file: &Path) -> Vec<(usize, usize, Reading)> {
        let mut readings = Vec::new();
        for (h, contexts) in self.contexts.iter().enumerate() {
            for (d, context) in contexts.iter().enumerate() {
                if let Some(reading) = reading(context, file) {
                    readings.push((h, d, reading));
                }
            }
        }
        readings
    }
}

/// How a context holds a file.
pub fn reading(context: &Context, file: &Path) -> Option<Reading> {
    use crate::discover::context::{Loads, Reason};
    let is_it = |path: Option<&Path>, real: Option<&Path>| path == Some(file) || real == Some(file);
    if let Some(piece) = context.pieces.iter().find(|p| is_it(p.path.as_deref(), p.real.as_deref())) {
        return Some(match piece.loads {
            Loads::AtLaunch => Reading::AtLaunch,
            Loads::OnTouch { .. } => Reading::OnTouch,
        });
    }
    let omission = context.omissions.iter().find(|o| o.path == file)?;
    match &omission.reason {
        Reason::WaitsForMatch { patterns } => Some(Reading::WaitsForMatch(patterns.clone())),
        Reason::AgentDecides | Reason::NamedOnly => Some(Reading::AgentDecides),
        Reason::ByMentionOnly => Some(Reading::ByMention),
        Reason::SameAs { .. } => Some(Reading::AtLaunch),
        _ => None,
    }
}

/// Does the jobs on all cores; the order of the answers is that of the jobs.
fn in_parallel<J: Copy + Sync, A: Send>(jobs: &[J], work: impl Fn(J) -> A + Sync) -> Vec<(J, A)>
where
    J: Send,
{
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
