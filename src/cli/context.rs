//! `agentsctl context`: the assembled instruction text.

use super::launch::{HostArguments, LaunchArguments};
use crate::discover::{self, Touch};
use crate::error::{CommandError, ExitStatus};
use crate::explain::json;
use crate::filesystem::Disk;
use crate::report::escape;
use serde_json::{Value, json};
use std::io::{self, IsTerminal, Write};

/// Print the instruction text that a host sends, in order and cut where the host cuts it
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// What the agent touches after the launch, in order: `read:PATH`, `write:PATH`, `shell:COMMAND`, …
    #[arg(long, value_name = "TOOL:PATH")]
    touch: Vec<Touch>,
    #[command(flatten)]
    hosts: HostArguments,
    #[command(flatten)]
    launch: LaunchArguments,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// The text, as it is.
    Text,
    /// The text with the pieces it is made of.
    Json,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitStatus, CommandError> {
    let catalog = arguments.hosts.catalog()?;
    if arguments.hosts.host.len() != 1 {
        let ids = catalog.ids().collect::<Vec<_>>().join(", ");
        return Err(
            CommandError::usage("`context` prints the text of one host").hint(format!("name it with --host: {ids}"))
        );
    }
    let Some(selection) = arguments.hosts.selections(&catalog)?.into_iter().next() else {
        return Err(CommandError::usage("no host is named"));
    };
    let launch = arguments.launch.launch(arguments.touch.clone())?;
    super::mode_for(&selection.host, launch.mode.as_deref());
    let context = discover::discover(&selection.host, &launch, &Disk);
    // Not through a filter for colours: a text that holds escape sequences goes out as the host sends it.
    let mut out = io::BufWriter::new(io::stdout().lock());
    match arguments.format {
        Format::Json => {
            let mut value = json::pieces(&context);
            if let Value::Object(map) = &mut value {
                map.insert("schema".to_owned(), json!(json::SCHEMA));
                map.insert("host".to_owned(), json!(context.host));
                map.insert("version".to_owned(), json!(selection.requested.as_ref().unwrap_or(&context.version)));
                map.insert("version_note".to_owned(), json!(selection.note));
                map.insert("sizes".to_owned(), sizes(&format!("{}{}", context.launch_text, context.on_touch_text)));
                map.insert("launch_text".to_owned(), json!(context.launch_text));
                map.insert("on_touch_text".to_owned(), json!(context.on_touch_text));
            }
            writeln!(out, "{value:#}")?;
        }
        Format::Text => {
            if let Some(refusal) = &context.refusal {
                let message = format!("{} does not start here: {refusal}", selection.host.name);
                return Err(CommandError::usage(message).hint("mend that; nothing is sent until then"));
            }
            // On a terminal the text must not be able to act on it; in a file or a pipe it is what the host sends.
            let terminal = io::stdout().is_terminal();
            for text in [&context.launch_text, &context.on_touch_text] {
                if !text.is_empty() {
                    let shown = if terminal { escape::block(text) } else { text.as_str().into() };
                    writeln!(out, "{shown}")?;
                }
            }
        }
    }
    out.flush()?;
    Ok(ExitStatus::Clean)
}

/// Sizes of a text. Tokens are counted with OpenAI's `o200k_base`, which the hosts' models only approximate.
fn sizes(text: &str) -> Value {
    json!({
        "bytes": text.len(),
        "characters": text.chars().count(),
        "tokens": estimate_tokens(text),
        "tokenizer": "o200k_base",
    })
}

/// Up to this size, in bytes, tokens are counted; of a longer text a part is, and the rest estimated from it.
const COUNTED: usize = 256 * 1024;

fn estimate_tokens(text: &str) -> usize {
    let mut end = text.len().min(COUNTED);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    if end == 0 {
        return 0;
    }
    let counted = tiktoken_rs::o200k_base_singleton().encode_ordinary(&text[..end]).len();
    // Integer arithmetic would overflow for very long texts on small machines, a float does not.
    (counted as f64 * (text.len() as f64 / end as f64)).round() as usize
}
