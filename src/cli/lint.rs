//! `agentsctl lint`: findings about the instruction files that some host loads.

use super::launch::{HostArguments, base_launch, repository_root, working_directory};
use super::output;
use crate::discover::paths;
use crate::error::{CommandError, ErrorKind, ExitStatus};
use crate::filesystem::{Cached, Disk, FileSystem, Overlay};
use crate::host::Selection;
use crate::lint::baseline::{self, Baseline};
use crate::lint::config::discover::{Configs, FindError, read_file};
use crate::lint::config::{Config, FILE_NAME, Overrides, Persona};
use crate::lint::finding::Severity;
use crate::lint::registry::Registry;
use crate::lint::rules::registry;
use crate::lint::run::{self, Outcome, Request, RunError};
use crate::lint::sources::FileSources;
use crate::lint::{fix, judge::Judged};
use crate::project::{Project, ScanOptions, Tree, tree};
use crate::report::{self, Format, Output, Report, Summary};
use crate::snapshot::{Snapshot, SnapshotError};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Check the instruction files that some host loads: first whether they load at all, then whether their rules can work
///
/// A PATH limits what is reported, not what is looked at: the answer for one file is that of the full run.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Files or folders to report on [default: the whole repository]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    hosts: HostArguments,
    /// Only these rules or groups
    #[arg(long, value_name = "RULES", value_delimiter = ',', help_heading = "Rules")]
    select: Vec<String>,
    /// These rules or groups as well
    #[arg(long, value_name = "RULES", value_delimiter = ',', help_heading = "Rules")]
    extend_select: Vec<String>,
    /// Not these rules or groups
    #[arg(long, value_name = "RULES", value_delimiter = ',', help_heading = "Rules")]
    ignore: Vec<String>,
    /// Not the files that match this pattern; may be given more than once
    #[arg(long, value_name = "GLOB", help_heading = "Rules")]
    exclude: Vec<String>,
    /// How much is said: `default`, or `pedantic` for hints line by line
    #[arg(long, value_name = "PERSONA", value_parser = persona, help_heading = "Rules")]
    persona: Option<Persona>,
    /// This configuration instead of the ones found
    #[arg(long, value_name = "FILE", conflicts_with = "isolated", help_heading = "Configuration")]
    config: Option<PathBuf>,
    /// No configuration file at all
    #[arg(long, help_heading = "Configuration")]
    isolated: bool,
    /// Print the configuration in force, with where each value comes from
    #[arg(long, help_heading = "Configuration")]
    show_settings: bool,
    /// Print the files that would be checked
    #[arg(long, help_heading = "Configuration")]
    show_files: bool,
    /// The least severity that makes the exit code 1
    #[arg(long, value_name = "LEVEL", value_parser = severity, help_heading = "Exit code")]
    fail_on: Option<Severity>,
    /// Exit with 0 whatever is found
    #[arg(long, help_heading = "Exit code")]
    exit_zero: bool,
    /// Known findings, which do not count
    #[arg(long, value_name = "FILE", help_heading = "Adoption")]
    baseline: Option<PathBuf>,
    /// Write the findings to a baseline
    #[arg(long, value_name = "FILE", help_heading = "Adoption")]
    write_baseline: Option<PathBuf>,
    /// Make the changes that are certain to be right
    #[arg(long, help_heading = "Fixes")]
    fix: bool,
    /// Show those changes instead
    #[arg(long, help_heading = "Fixes")]
    diff: bool,
    /// Read one file from standard input, as if it were at this path
    #[arg(long, value_name = "PATH", help_heading = "Input")]
    stdin_filename: Option<PathBuf>,
    /// Judge what is staged for the next commit, not what lies in the work tree
    #[arg(long, conflicts_with_all = ["stdin_filename", "fix"], help_heading = "Input")]
    staged: bool,
    /// Report only what is worse than in this revision, judged by that revision's configuration
    #[arg(
        long,
        value_name = "REV",
        conflicts_with_all = ["stdin_filename", "fix", "diff", "baseline", "write_baseline"],
        help_heading = "Adoption"
    )]
    since: Option<String>,
    /// Look at the history of git for files that were moved
    #[arg(long, help_heading = "Input")]
    history: bool,
    /// How findings are written: full, concise, json, sarif, github, gitlab, junit, markdown
    #[arg(long, value_name = "FORMAT", default_value = "full", help_heading = "Output")]
    format: String,
    /// Write to a file as well; may be given more than once
    #[arg(long, value_name = "FORMAT:FILE", help_heading = "Output")]
    output: Vec<String>,
    /// Only count findings by rule
    #[arg(long, help_heading = "Output")]
    statistics: bool,
}

fn persona(name: &str) -> Result<Persona, String> {
    Persona::from_name(name).ok_or_else(|| "the personas are default and pedantic".to_owned())
}

fn severity(name: &str) -> Result<Severity, String> {
    Severity::from_name(name).ok_or_else(|| "the levels are hint, info, warning and error".to_owned())
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitStatus, CommandError> {
    let outputs = outputs(arguments)?;
    let current = working_directory(None)?;
    let first = arguments.paths.first().or(arguments.stdin_filename.as_ref());
    let start = first.map_or_else(|| current.clone(), |path| existing_folder(&paths::join(&current, path)));
    let root = repository_root(&start);
    let options = |files: Arc<dyn FileSystem>| ScanOptions { files, history: arguments.history };
    let registry = registry();
    let base = arguments.since.as_deref().map(|revision| Base::read(revision, &root)).transpose()?;
    let staged = arguments.staged.then(|| Snapshot::staged(&root)).transpose();
    let staged = staged.map_err(|error| snapshot_error("--staged", &error))?;
    let staged_tree = staged.as_ref().map(Snapshot::tree);
    let files = match staged {
        Some(staged) => Arc::new(Cached::new(staged)),
        None => file_system(arguments, &current, &root)?,
    };
    // A change cannot loosen its own gate: what it is compared with also says what counts.
    let judge_files = base.as_ref().map_or(&files, |base| &base.files);
    let configs = configs(arguments, judge_files.as_ref(), &root, &registry)?;
    let config = configs.root().map_err(|error| config_error(error, arguments))?;
    if arguments.show_settings {
        print!("{}", config.describe());
        return Ok(ExitStatus::Clean);
    }
    let catalog = arguments.hosts.catalog()?;
    let asked = HostArguments {
        host: if arguments.hosts.host.is_empty() { config.hosts.value.clone() } else { arguments.hosts.host.clone() },
        hosts: arguments.hosts.hosts.clone(),
    };
    let selections: Vec<Selection> = asked.selections(&catalog)?;
    let project = match staged_tree {
        Some(tree) => Project::from_tree(&root, tree, options(files.clone())),
        None => Project::scan(&root, options(files.clone()))
            .map_err(|error| CommandError::new(ErrorKind::Input, error.to_string()))?,
    };
    let only = only(arguments, &current, &root, &project, files.as_ref())?;
    let baseline = arguments.baseline.as_ref().map(|file| read_baseline(file)).transpose()?;
    let sources = FileSources::new(files.as_ref(), root.clone());
    let all = BTreeSet::new();
    let run_over = |project: &Project, files: &dyn FileSystem, sources: &FileSources<'_>, only: &BTreeSet<String>| {
        run::run(&Request {
            project,
            selections: &selections,
            launch: &base_launch(root.clone()),
            configs: &configs,
            registry: &registry,
            file_system: files,
            sources,
            only,
            partial: !arguments.select.is_empty() || !arguments.hosts.host.is_empty(),
            baseline: baseline.as_ref(),
        })
        .map_err(|error| run_error(error, arguments))
    };
    let outcome = match &base {
        None => run_over(&project, files.as_ref(), &sources, &only)?,
        Some(base) => {
            let project_before =
                Project::from_tree(&root, base.tree.take().unwrap_or_default(), options(base.files.clone()));
            let sources_before = FileSources::new(base.files.as_ref(), root.clone());
            let before = run_over(&project_before, base.files.as_ref(), &sources_before, &all)?;
            let mut after = run_over(&project, files.as_ref(), &sources, &all)?;
            own_configurations(arguments, files.as_ref(), &root, &registry, &after.checked)?;
            let known = |path: &str| base.renames.get(path).cloned();
            after.findings = baseline::new_since(&before.findings, after.findings, &sources, &known);
            // What the configuration itself is told about is told with the configuration that is being replaced.
            after.findings.retain(|judged| !is_configuration(&judged.finding.primary.path));
            after.findings.retain(|judged| run::concerns(&judged.finding, &only));
            after.checked.retain(|path| only.is_empty() || only.contains(path));
            after
        }
    };
    if arguments.show_files {
        let mut out = output::stdout();
        for path in &outcome.checked {
            writeln!(out, "{}", report::escape::inline(path))?;
        }
        out.flush()?;
        return Ok(ExitStatus::Clean);
    }
    if let Some(file) = &arguments.write_baseline {
        let mut text = Vec::new();
        Baseline::of(&outcome.findings, &sources).write(&mut text)?;
        std::fs::write(file, text)
            .map_err(|error| CommandError::input(&format!("write `{}`", file.display()), &error))?;
    }
    let (outcome, fixed) = fix_findings(arguments, &root, outcome, &sources)?;
    let fail_on = config.fail_on.0.value;
    let summary = Summary::of(&outcome.findings, outcome.checked.len(), fixed);
    let stdout = std::io::stdout();
    let report = Report {
        findings: &outcome.findings,
        sources: &sources,
        registry: &registry,
        summary,
        fail_on,
        version: env!("CARGO_PKG_VERSION"),
        terminal: report::Terminal::of(&stdout, anstream::ColorChoice::Auto),
    };
    if arguments.statistics {
        statistics(&outcome.findings)?;
    } else if !arguments.diff {
        report::write_all(&outputs, &report, &mut std::io::BufWriter::new(stdout.lock()))?;
    }
    Ok(if arguments.exit_zero || arguments.write_baseline.is_some() {
        ExitStatus::Clean
    } else {
        summary.status(fail_on)
    })
}

/// The state that a change is compared with.
struct Base {
    files: Arc<dyn FileSystem>,
    tree: std::cell::Cell<Option<Tree>>,
    /// The earlier path of files that were renamed since, by the present one.
    renames: BTreeMap<String, String>,
}

impl Base {
    fn read(revision: &str, root: &Path) -> Result<Self, CommandError> {
        let failed = |error: SnapshotError| snapshot_error("--since", &error);
        let snapshot = Snapshot::of_revision(root, revision).map_err(failed)?;
        let renames = snapshot.renames().map_err(|error| failed(error.into()))?;
        let tree = std::cell::Cell::new(Some(snapshot.tree()));
        Ok(Self { files: Arc::new(Cached::new(snapshot)), tree, renames })
    }
}

/// An error of reading what git has, for the option that asked for it.
fn snapshot_error(option: &str, error: &SnapshotError) -> CommandError {
    let said = CommandError::new(ErrorKind::Input, format!("{option}: {error}"));
    match error {
        SnapshotError::Repository { .. } => said.hint(format!("{option} needs a git repository with a work tree, and git on PATH")),
        SnapshotError::Revision(_) => said.hint(
            "name a commit, branch or tag that was fetched; a shallow clone lacks the older ones (git fetch --unshallow, \
             or `fetch-depth: 0` in GitHub's checkout action)",
        ),
        SnapshotError::Git(_) => said,
    }
}

/// A change has to leave its own configurations usable, although it is judged by the earlier ones.
fn own_configurations(
    arguments: &Arguments,
    files: &dyn FileSystem,
    root: &Path,
    registry: &Registry,
    checked: &[String],
) -> Result<(), CommandError> {
    let own = configs(arguments, files, root, registry)?;
    own.root().map_err(find_error)?;
    checked.iter().try_for_each(|path| own.for_path(path).map(|_| ()).map_err(find_error))
}

fn is_configuration(path: &str) -> bool {
    tree::file_name(path) == FILE_NAME
}

fn outputs(arguments: &Arguments) -> Result<Vec<Output>, CommandError> {
    let mut outputs = vec![Output { format: arguments.format.parse::<Format>()?, file: None }];
    for text in &arguments.output {
        let output: Output = text.parse()?;
        if output.file.is_none() {
            return Err(CommandError::usage(format!("`--output {text}` names no file"))
                .hint("write FORMAT:FILE; --format chooses what goes to standard output"));
        }
        outputs.push(output);
    }
    Ok(outputs)
}

/// The path itself if it is a folder, else the nearest folder above it that exists.
fn existing_folder(path: &Path) -> PathBuf {
    path.ancestors().find(|a| a.is_dir()).unwrap_or(path).to_path_buf()
}

fn file_system(arguments: &Arguments, current: &Path, root: &Path) -> Result<Arc<dyn FileSystem>, CommandError> {
    let Some(name) = &arguments.stdin_filename else { return Ok(Arc::new(Cached::new(Disk))) };
    let path = paths::join(current, name);
    // The rest of the program names files by their real folder.
    let folder = path.parent().and_then(|p| std::fs::canonicalize(p).ok());
    let path = match (folder, path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path,
    };
    if !path.starts_with(root) {
        return Err(CommandError::usage(format!("`{}` lies outside of the repository", name.display())));
    }
    let mut content = Vec::new();
    std::io::stdin().read_to_end(&mut content).map_err(|error| CommandError::input("read standard input", &error))?;
    Ok(Arc::new(Cached::new(Overlay::new(Disk, BTreeMap::from([(path, content)])))))
}

fn configs<'c>(
    arguments: &Arguments,
    files: &'c dyn FileSystem,
    root: &Path,
    registry: &'c Registry,
) -> Result<Configs<'c>, CommandError> {
    let overrides = Overrides {
        select: (!arguments.select.is_empty()).then(|| arguments.select.clone()),
        extend_select: arguments.extend_select.clone(),
        ignore: arguments.ignore.clone(),
        exclude: arguments.exclude.clone(),
        hosts: arguments.hosts.host.clone(),
        persona: arguments.persona,
        fail_on: arguments.fail_on,
        ..Overrides::default()
    };
    let fixed = match (&arguments.config, arguments.isolated) {
        (None, false) => return Ok(Configs::find(files, root.to_path_buf(), registry, overrides)),
        (None, true) => Config::default(),
        (Some(file), _) => {
            let path = paths::join(&working_directory(None)?, file);
            read_file(files, &path, &file.to_string_lossy(), "", registry)?
        }
    };
    Configs::fixed(files, root.to_path_buf(), registry, overrides, fixed).map_err(find_error)
}

fn find_error(error: FindError) -> CommandError {
    match error {
        FindError::File(error) => error.into(),
        FindError::Options(error) => error,
    }
}

/// As [`find_error`], with which configuration is meant.
fn config_error(error: FindError, arguments: &Arguments) -> CommandError {
    let error = find_error(error);
    match &arguments.since {
        Some(revision) => error.hint(format!("this is the configuration in `{revision}`, by which --since judges")),
        None => error,
    }
}

fn run_error(error: RunError, arguments: &Arguments) -> CommandError {
    match error {
        RunError::Config(error) => config_error(error, arguments),
        RunError::Scan(error) => CommandError::new(ErrorKind::Input, error.to_string()),
    }
}

/// The paths that findings have to concern, relative to the root with `/`; empty for all.
fn only(
    arguments: &Arguments,
    current: &Path,
    root: &Path,
    project: &Project,
    files: &dyn FileSystem,
) -> Result<BTreeSet<String>, CommandError> {
    let mut only = BTreeSet::new();
    for path in arguments.paths.iter().chain(&arguments.stdin_filename) {
        let absolute = paths::join(current, path);
        let real = match (absolute.parent().and_then(|p| files.canonicalize(p).ok()), absolute.file_name()) {
            (Some(folder), Some(name)) => folder.join(name),
            _ => files.canonicalize(&absolute).unwrap_or_else(|_| absolute.clone()),
        };
        if files.link_metadata(&real).is_err() && Some(path) != arguments.stdin_filename.as_ref() {
            let (place, hint) = match arguments.staged {
                true => (" among what is staged", "`git add` it, or name files or folders that are staged"),
                false => ("", "name files or folders of the repository"),
            };
            return Err(CommandError::usage(format!("there is no `{}`{place}", path.display())).hint(hint));
        }
        let Some(relative) = paths::relative(&real, root) else {
            return Err(CommandError::usage(format!("`{}` lies outside of {}", path.display(), root.display()))
                .hint("all paths have to lie in one repository; run the command once for each"));
        };
        // What a configuration says is felt in every file of its folder.
        let folder = match is_configuration(&relative) {
            true => Some(tree::parent(&relative)),
            false => files.is_directory(&real).then_some(relative.as_str()),
        };
        if let Some(folder) = folder {
            if folder.is_empty() {
                return Ok(BTreeSet::new());
            }
            only.extend(project.tree().under(folder).map(|entry| entry.path.to_owned()));
        }
        // The folder too, so that one without any file does not mean all of the repository.
        only.insert(relative);
    }
    Ok(only)
}

fn read_baseline(file: &Path) -> Result<Baseline, CommandError> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| CommandError::input(&format!("read the baseline `{}`", file.display()), &error))?;
    Baseline::parse(&text).map_err(|error| {
        CommandError::new(ErrorKind::Config, format!("`{}` is no baseline: {error}", file.display()))
            .hint("write one with --write-baseline")
    })
}

/// Makes or shows the fixes that were asked for; what was fixed is no longer among the findings.
fn fix_findings(
    arguments: &Arguments,
    root: &Path,
    outcome: Outcome,
    sources: &FileSources<'_>,
) -> Result<(Outcome, usize), CommandError> {
    if !arguments.fix && !arguments.diff {
        return Ok((outcome, 0));
    }
    let counting = outcome.findings.iter().filter(|j| j.suppression.is_none()).map(|j| &j.finding);
    let plan = fix::plan(counting, sources);
    if arguments.diff {
        let mut out = output::stdout();
        for change in &plan.files {
            write!(out, "{}", change.diff_for_terminal())?;
        }
        out.flush()?;
        return Ok((outcome, 0));
    }
    for change in &plan.files {
        change.write(root).map_err(|error| CommandError::new(ErrorKind::Input, error.to_string()))?;
        sources.insert(&change.path, &change.after);
    }
    let fixed = |judged: &Judged| {
        let skipped = |f: &crate::lint::finding::Finding| {
            plan.skipped.iter().any(|s| s.rule == f.rule && s.path == f.primary.path)
        };
        judged.suppression.is_none() && judged.finding.fix.is_some() && !skipped(&judged.finding)
    };
    let applied = plan.applied;
    let findings = outcome.findings.into_iter().filter(|judged| !fixed(judged)).collect();
    Ok((Outcome { findings, checked: outcome.checked }, applied))
}

fn statistics(findings: &[Judged]) -> Result<(), CommandError> {
    let mut counts: BTreeMap<(&str, Severity), usize> = BTreeMap::new();
    for judged in findings.iter().filter(|j| j.suppression.is_none()) {
        *counts.entry((judged.finding.rule, judged.finding.severity)).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut out = output::stdout();
    for ((rule, severity), count) in counts {
        writeln!(out, "{count:>6} {:<8} {rule}", severity.name())?;
    }
    out.flush()?;
    Ok(())
}
