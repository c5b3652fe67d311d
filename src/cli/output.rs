//! What commands share when they write: formats, the terminal, tables of readers.

use crate::explain::human::paragraph;
use crate::explain::readers::Reader;
use crate::report::Terminal;
use anstyle::Style;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;
use unicode_width::UnicodeWidthStr;

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people.
    Human,
    /// For programs; versioned.
    Json,
}

/// Standard output, written in one go when it is flushed, with colours only where they can be shown.
///
/// A stream that takes out colours piece by piece would ask the system once a line.
#[derive(Debug, Default)]
pub struct Stdout {
    text: Vec<u8>,
}

/// Standard output. Flush it: nothing is written before.
pub fn stdout() -> Stdout {
    Stdout::default()
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = std::mem::take(&mut self.text);
        let stdout = io::stdout();
        let plain = anstream::AutoStream::choice(&stdout) == anstream::ColorChoice::Never;
        let text = if plain { anstream::adapter::strip_bytes(&text).into_vec() } else { text };
        let mut stdout = stdout.lock();
        stdout.write_all(&text)?;
        stdout.flush()
    }
}

/// What a stream can show.
pub fn terminal<S: anstream::stream::RawStream>(stream: &S) -> Terminal {
    Terminal {
        color: anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never,
        unicode: stream.is_terminal(),
        ..Terminal::plain()
    }
}

/// Readers as JSON.
pub fn readers_json(read: &[(PathBuf, Vec<Reader>)]) -> Value {
    read.iter()
        .map(|(path, readers)| {
            json!({
                "path": path.to_string_lossy(),
                "hosts": readers.iter().map(|r| json!({ "id": r.id, "ways": r.ways, "never": r.never })).collect::<Vec<_>>(),
            })
        })
        .collect()
}

/// Writes who reads a file, a line a host.
pub fn write_readers(readers: &[Reader], out: &mut dyn Write) -> io::Result<()> {
    let widest = readers.iter().map(|r| r.name.width()).max().unwrap_or(0);
    for reader in readers {
        let pad = " ".repeat(widest - reader.name.width());
        let text = match &reader.never {
            Some(why) => format!("✗ {}{pad}  never: {why}", reader.name),
            None => format!("✓ {}{pad}  {}", reader.name, reader.ways.join("; ")),
        };
        paragraph(out, "  ", &text, Style::new())?;
    }
    Ok(())
}
