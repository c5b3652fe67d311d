//! `agentsctl context`: the text itself.

use crate::discover::{self, Launch, Touch};
use crate::filesystem::Disk;
use crate::host::Catalog;
use std::path::PathBuf;
use std::process::ExitCode;

/// See the module.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[arg(long)]
    host: String,
    #[arg(long)]
    from: Option<PathBuf>,
    #[arg(long)]
    mode: Option<String>,
    #[arg(long)]
    session: Option<String>,
    #[arg(long, default_value_t = 1)]
    turn: u32,
    #[arg(long)]
    touch: Vec<Touch>,
    #[arg(long)]
    format: Option<String>,
    #[arg(last = true)]
    arguments: Vec<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    let catalog = Catalog::built_in().map_err(|e| e.to_string()).unwrap();
    let selection = catalog.select(&arguments.host).map_err(|e| format!("{e:?}")).unwrap();
    let launch = Launch {
        home: std::env::var_os("HOME").map(PathBuf::from),
        variables: std::env::vars_os()
            .filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?)))
            .collect(),
        arguments: arguments.arguments.clone(),
        mode: arguments.mode.clone(),
        session: arguments.session.as_ref().and_then(|s| serde_json::from_str(s).ok()).unwrap_or_default(),
        turn: arguments.turn,
        system_root: std::env::var_os("AGENTSCTL_SYSTEM_ROOT").map_or(PathBuf::from("/"), PathBuf::from),
        touches: arguments.touch.clone(),
        ..Launch::new(arguments.from.clone().unwrap_or_else(|| std::env::current_dir().unwrap_or_default()))
    };
    let context = discover::discover(&selection.host, &launch, &Disk);
    let omissions: Vec<_> = context.omissions.iter().map(|o| format!("{} {:?}", o.path.display(), o.reason)).collect();
    println!(
        "{}",
        serde_json::json!({"launch_text": context.launch_text, "on_touch_text": context.on_touch_text, "omissions": omissions, "refusal": context.refusal, "notices": context.notices, "settings": context.settings, "problems": context.problems})
    );
    ExitCode::SUCCESS
}
