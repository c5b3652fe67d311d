//! `agentsctl hosts`: the models in force.

use super::launch::HostArguments;
use super::output::{self, Format};
use crate::error::{CommandError, ExitStatus};
use crate::explain::human::paragraph;
use crate::host::catalog::Version;
use crate::host::schema::{Host, Known, Moment};
use crate::host::{Catalog, Selection};
use crate::report::escape::inline;
use anstyle::Style;
use serde_json::{Value, json};
use std::cmp::Ordering;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Show the hosts that are modelled: versions, how each was verified, what each reads, and which are installed here
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// One host, in full
    #[arg(value_name = "HOST")]
    id: Option<String>,
    /// Ask the programs on PATH for their version
    #[arg(long)]
    installed: bool,
    /// A file of the vocabulary of hosts.toml that adds hosts or changes them; may be given more than once
    #[arg(long, value_name = "FILE", env = "AGENTSCTL_HOSTS")]
    hosts: Vec<PathBuf>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitStatus, CommandError> {
    let host = HostArguments { host: arguments.id.iter().cloned().collect(), hosts: arguments.hosts.clone() };
    let catalog = host.catalog()?;
    let selections = host.selections(&catalog)?;
    let installed: Vec<Option<Installed>> =
        selections.iter().map(|s| if arguments.installed { find_installed(&s.host) } else { None }).collect();
    let mut out = output::stdout();
    match (arguments.format, arguments.id.is_some()) {
        (Format::Json, _) => {
            let hosts: Vec<Value> = selections.iter().zip(&installed).map(|(s, i)| describe(s, i.as_ref())).collect();
            let value = json!({ "schema": crate::explain::json::SCHEMA, "hosts": hosts, "overridden_by": catalog.overridden_by });
            writeln!(out, "{value:#}")?;
        }
        (Format::Human, true) => {
            for (selection, installed) in selections.iter().zip(&installed) {
                write_host(selection, installed.as_ref(), &mut out)?;
            }
        }
        (Format::Human, false) => write_table(&selections, &installed, &catalog, arguments.installed, &mut out)?,
    }
    out.flush()?;
    Ok(ExitStatus::Clean)
}

fn how(known: Known) -> &'static str {
    match known {
        Known::Recorded => "recorded",
        Known::Source => "source",
        Known::Documentation => "documentation",
    }
}

fn write_table(
    selections: &[Selection],
    installed: &[Option<Installed>],
    catalog: &Catalog,
    asked: bool,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let bold = Style::new().bold();
    writeln!(out, "{bold}{:<13} {:<20} {:<11} {:<13} {:<10}{bold:#}", "id", "name", "version", "verified by", "on")?;
    for (selection, installed) in selections.iter().zip(installed) {
        let host = &selection.host;
        let verified = &host.verified;
        writeln!(
            out,
            "{:<13} {:<20} {:<11} {:<13} {:<10}",
            inline(&host.id),
            inline(&host.name),
            inline(&verified.version),
            how(verified.how),
            inline(&verified.date)
        )?;
        if let Some(installed) = installed {
            paragraph(out, "              ", &installed.words(host), Style::new())?;
        }
    }
    if !asked {
        writeln!(out, "\nagentsctl hosts ID shows one in full; --installed asks the programs on PATH.")?;
    }
    for file in &catalog.overridden_by {
        writeln!(out, "changed by {}", inline(file))?;
    }
    Ok(())
}

fn write_host(selection: &Selection, installed: Option<&Installed>, out: &mut dyn Write) -> Result<(), CommandError> {
    let host = &selection.host;
    let bold = Style::new().bold();
    writeln!(out, "{bold}{}{bold:#} ({})", inline(&host.name), inline(&host.id))?;
    let version = selection.requested.as_ref().unwrap_or(&host.verified.version);
    writeln!(
        out,
        "version {}, verified {} by {}",
        inline(version),
        inline(&host.verified.date),
        how(host.verified.how)
    )?;
    if let Some(note) = &selection.note {
        paragraph(out, "", &format!("! {note}"), Style::new())?;
    }
    if let Some(installed) = installed {
        paragraph(out, "", &installed.words(host), Style::new())?;
    }
    let modes = host.modes.join(", ");
    if !modes.is_empty() {
        writeln!(out, "modes: {}", inline(&modes))?;
    }
    for (title, moment) in [("at launch", Moment::Launch), ("when a file is touched", Moment::Touch)] {
        let sources: Vec<_> = host.sources.iter().filter(|(_, s)| s.on == moment).collect();
        if sources.is_empty() {
            continue;
        }
        writeln!(out, "\n{bold}{title}, in this order{bold:#}")?;
        for (id, source) in sources {
            let names: Vec<String> = source.files.iter().flat_map(files_in_words).collect();
            let known = source.known.map_or(String::new(), |known| format!(" [{}]", how(known)));
            paragraph(out, "  ", &format!("{id}: {}{known}", source.about), Style::new())?;
            if !names.is_empty() {
                paragraph(out, "    ", &names.join(", "), Style::new().dimmed())?;
            }
        }
    }
    if !host.budgets.is_empty() {
        writeln!(out, "\n{bold}budgets{bold:#}")?;
        for (id, budget) in &host.budgets {
            let limit = match &budget.limit {
                Value::String(name) => default_of(host, name),
                other => other.to_string(),
            };
            let text = format!("{id}: {} — {limit} {}", budget.about, crate::explain::wording::unit(budget.unit));
            paragraph(out, "  ", &text, Style::new())?;
        }
    }
    for (title, lines) in [("good to know", &host.remarks), ("documentation", &host.documentation)] {
        if !lines.is_empty() {
            writeln!(out, "\n{bold}{title}{bold:#}")?;
            for line in lines {
                paragraph(out, "  ", line, Style::new())?;
            }
        }
    }
    Ok(())
}

fn files_in_words(set: &crate::host::schema::FileSet) -> Vec<String> {
    match &set.folder {
        Some(folder) => {
            vec![format!("{folder}/{}", set.suffixes.iter().map(|s| format!("*{s}")).collect::<Vec<_>>().join(", "))]
        }
        None => set.names.clone(),
    }
}

fn default_of(host: &Host, name: &str) -> String {
    let name = name.trim_start_matches('$');
    match host.parameters.get(name) {
        Some(parameter) if !parameter.default.is_null() => parameter.default.to_string(),
        Some(parameter) => match parameter.formula.as_ref().and_then(|f| f.minimum) {
            Some(minimum) => format!("by the model's window, at least {minimum}"),
            None => name.to_owned(),
        },
        None => name.to_owned(),
    }
}

fn describe(selection: &Selection, installed: Option<&Installed>) -> Value {
    let host = &selection.host;
    let sources: Vec<Value> = host
        .sources
        .iter()
        .map(|(id, source)| {
            json!({
                "id": id, "about": source.about, "scope": source.scope, "known": source.known.unwrap_or(host.verified.how),
                "when": if source.on == Moment::Launch { "at-launch" } else { "on-touch" },
                "files": source.files.iter().flat_map(files_in_words).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "id": host.id, "name": host.name, "aliases": host.aliases, "modes": host.modes,
        "version": selection.requested.as_ref().unwrap_or(&host.verified.version), "version_note": selection.note,
        "verified": host.verified, "also_verified": host.also_verified, "documentation": host.documentation,
        "remarks": host.remarks, "sources": sources,
        "installed": installed.map(|i| json!({ "program": i.program.to_string_lossy(), "version": i.version })),
    })
}

/// A program found on PATH.
struct Installed {
    program: PathBuf,
    version: Option<String>,
}

impl Installed {
    fn words(&self, host: &Host) -> String {
        let place = self.program.to_string_lossy();
        let Some(version) = &self.version else { return format!("installed at {place}; it did not tell its version") };
        let verified = &host.verified.version;
        let order = Version::parse(version).zip(Version::parse(verified)).map(|(a, b)| a.compare(&b));
        match order {
            Some(Ordering::Equal) => format!("installed: {version}, the verified version"),
            Some(_) => format!("installed: {version}; verified was {verified}. Ask with --host {}@{version}", host.id),
            None => format!("installed: {version}"),
        }
    }
}

/// How long a program may take to tell its version.
const PATIENCE: Duration = Duration::from_secs(5);

/// Looks for the host's program in the folders of PATH, never in the current one or in a repository, and asks it.
fn find_installed(host: &Host) -> Option<Installed> {
    let program = host.program.as_ref()?;
    let current = std::env::current_dir().ok().map(|c| super::launch::repository_root(&c));
    let folders = std::env::split_paths(&std::env::var_os("PATH")?).collect::<Vec<_>>();
    let of_machine =
        |folder: &&PathBuf| folder.is_absolute() && current.as_ref().is_none_or(|c| !folder.starts_with(c));
    let path = folders.iter().filter(of_machine).map(|f| f.join(&program.name)).find(|p| is_program(p))?;
    let version = ask(&path, &program.version_arguments);
    Some(Installed { program: path, version })
}

fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    path.is_file()
}

fn ask(program: &Path, arguments: &[String]) -> Option<String> {
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let begun = Instant::now();
    while child.try_wait().ok()?.is_none() {
        if begun.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let mut text = String::new();
    child.stdout.take()?.take(4096).read_to_string(&mut text).ok()?;
    text.split_whitespace().find(|word| Version::parse(word).is_some()).map(|w| w.trim_start_matches('v').to_owned())
}
