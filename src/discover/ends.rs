//! Cuts a text to its start and its end, with a note between them, so that all of it keeps within the limit.

use super::text::{self, Text};
use crate::host::schema::{Split, Unit};

/// The kept lengths and the note between them are fitted to each other this often; then what is too much is cut off.
const FITTINGS: usize = 3;

/// Cuts a text that is longer than `limit` units.
pub fn cut(text: &mut Text, limit: u64, unit: Unit, split: &Split, name: &str) {
    let flat = text.flatten();
    let length = text::measure(&flat, unit);
    let long = Note { template: &split.note, name, length, unit };
    let short = Note { template: &split.short_note, name, length, unit };
    let room = limit.saturating_sub(long.taken(0, 0) + long.joints(1, 1));
    let note = if room >= split.least.max(1) { long } else { short };
    let (head, tail) = fit(&note, limit, split);
    let start = text::offset_of(&flat, head, unit);
    let end = text::offset_from_end(&flat, tail, unit).max(start);
    let joint = |there: bool| if there && note.is_block() { "\n" } else { "" };
    let between = format!("{}{}{}", joint(head > 0), note.fill(head, tail), joint(tail > 0));
    text.replace(start..end, &between);
    let flat = text.flatten();
    text.keep(0..text::offset_of(&flat, limit, unit));
}

/// How much of the start and of the end stays.
fn fit(note: &Note<'_>, limit: u64, split: &Split) -> (u64, u64) {
    let (mut head, mut tail) = (0, 0);
    for _ in 0..FITTINGS {
        let left = limit.saturating_sub(note.taken(head, tail) + note.joints(head, tail));
        let next = (share(left, split.head), share(left, split.tail));
        if next == (head, tail) {
            break;
        }
        (head, tail) = next;
    }
    while head + tail > 0 {
        let whole = head + tail + note.taken(head, tail) + note.joints(head, tail);
        let Some(excess) = whole.checked_sub(limit).filter(|excess| *excess > 0) else { break };
        if tail > 0 {
            tail = tail.saturating_sub(excess);
        } else {
            head = head.saturating_sub(excess);
        }
    }
    if (head, tail) == (0, 0) && 1 + note.taken(1, 0) + note.joints(1, 0) <= limit {
        head = 1;
    }
    (head, tail)
}

/// `amount × part`, cut to a whole number.
pub fn share(amount: u64, part: f64) -> u64 {
    (amount as f64 * part).max(0.0) as u64
}

struct Note<'a> {
    template: &'a str,
    name: &'a str,
    length: u64,
    unit: Unit,
}

impl Note<'_> {
    /// A note that holds a line end stands on lines of its own.
    fn is_block(&self) -> bool {
        self.template.contains('\n')
    }

    fn fill(&self, head: u64, tail: u64) -> String {
        self.template
            .replace("{name}", self.name)
            .replace("{head}", &head.to_string())
            .replace("{tail}", &tail.to_string())
            .replace("{length}", &self.length.to_string())
    }

    fn taken(&self, head: u64, tail: u64) -> u64 {
        text::measure(&self.fill(head, tail), self.unit)
    }

    /// The line ends that join the note to what is kept.
    fn joints(&self, head: u64, tail: u64) -> u64 {
        if self.is_block() { u64::from(head > 0) + u64::from(tail > 0) } else { 0 }
    }
}
