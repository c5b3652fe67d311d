//! Looks texts through for phrases for which a host holds them back.

use super::phrase::{Phrase, Phrases};
use super::text::Text;
use crate::host::schema::{Entries, Scan};
use indexmap::IndexMap;
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;

/// Something for which a text is held back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The host's name for it.
    pub id: String,
    /// The words, in lower case, as far as they are shown.
    pub phrase: String,
    /// The line of the file in which they begin, from 1.
    pub line: usize,
}

/// A scan, made ready.
#[derive(Debug, Clone, Default)]
pub struct Scanner {
    limit: Option<usize>,
    fold: bool,
    characters: Vec<(char, String)>,
    ids: Vec<String>,
    phrases: Phrases,
    replacement: String,
    passes: Option<String>,
}

/// More of a phrase is not shown.
const SHOWN: usize = 80;

impl Scanner {
    /// Makes a scan of a host's model ready.
    ///
    /// # Errors
    /// Names a phrase that cannot be read, or a scan that is not there.
    pub fn new(name: &str, scans: &IndexMap<String, Scan>) -> Result<Self, String> {
        let scan = scans.get(name).ok_or_else(|| format!("there is no scan `{name}`"))?;
        let mut scanner = Self {
            limit: scan.limit,
            fold: scan.fold_compatibility,
            replacement: scan.replacement.clone(),
            passes: scan.passes.clone(),
            ..Self::default()
        };
        let mut phrases = Vec::new();
        scanner.add(scan, scans, &mut phrases, 0)?;
        scanner.phrases = Phrases::new(phrases);
        Ok(scanner)
    }

    fn add(
        &mut self,
        scan: &Scan,
        scans: &IndexMap<String, Scan>,
        phrases: &mut Vec<Phrase>,
        depth: usize,
    ) -> Result<(), String> {
        for name in &scan.includes {
            let included = scans.get(name).filter(|_| depth < scans.len());
            let included = included.ok_or_else(|| format!("the scan `{name}` is not there or includes itself"))?;
            self.add(included, scans, phrases, depth + 1)?;
        }
        for character in scan.characters.chars() {
            let code = format!("{:04X}", u32::from(character));
            self.characters.push((character, scan.character_finding.replace("{code}", &code)));
        }
        for (id, says) in &scan.phrases {
            phrases.push(Phrase::parse(says)?);
            self.ids.push(id.clone());
        }
        Ok(())
    }

    /// What it finds in a text. `first_line` is the line in which the text begins.
    pub fn find(&self, text: &str, first_line: usize) -> Vec<Finding> {
        let end = match self.limit {
            Some(limit) => text.char_indices().nth(limit).map_or(text.len(), |(at, _)| at),
            None => text.len(),
        };
        let text = text.get(..end).unwrap_or(text);
        let line = |text: &str, at: usize| first_line + text.bytes().take(at).filter(|b| *b == b'\n').count();
        let mut found = Vec::new();
        if !text.is_ascii() {
            for (character, id) in &self.characters {
                if let Some(at) = text.find(*character) {
                    let phrase = format!("U+{:04X}", u32::from(*character));
                    found.push(Finding { id: id.clone(), phrase, line: line(text, at) });
                }
            }
        }
        let lower = self.lower(text);
        for (index, range) in self.phrases.find(&lower) {
            let line = line(&lower, range.start);
            let phrase = shown(&lower, range);
            found.extend(self.ids.get(index).map(|id| Finding { id: id.clone(), phrase, line }));
        }
        found
    }

    fn lower(&self, text: &str) -> String {
        if text.is_ascii() {
            return text.to_ascii_lowercase();
        }
        let folded: Cow<'_, str> = if self.fold { text.nfkc().collect::<String>().into() } else { text.into() };
        folded.to_lowercase()
    }

    /// What takes the place of a text in which something was found.
    pub fn replacement(&self, label: &str, name: &str, found: &[Finding]) -> String {
        let ids: Vec<&str> = found.iter().map(|f| f.id.as_str()).collect();
        self.replacement.replace("{label}", label).replace("{name}", name).replace("{findings}", &ids.join(", "))
    }

    /// Looks a whole text through, and replaces it if it finds something and `replaces` says so.
    pub fn apply(&self, text: &mut Text, label: &str, name: &str, replaces: bool) -> Vec<Finding> {
        let flat = text.flatten();
        let found = self.find(&flat, first_line(text, 0));
        if replaces && !found.is_empty() {
            text.replace(0..flat.len(), &self.replacement(label, name, &found));
        }
        found
    }
}

/// Puts a list of entries in order, and replaces each in which the scanner finds something.
pub fn sift(text: &mut Text, entries: &Entries, scanner: Option<&Scanner>, label: &str, name: &str) -> Vec<Finding> {
    let flat = text.flatten();
    let mut found: Vec<Finding> = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let (mut taken, mut start, mut end_of_last) = (0, 0, 0);
    for (number, raw) in flat.split(entries.separator.as_str()).enumerate() {
        let begins = if number == 0 { 0 } else { start + entries.separator.len() };
        start = begins + raw.len();
        let entry = raw.trim();
        if entry.is_empty() || (entries.drop_doubles && !seen.insert(entry)) {
            continue;
        }
        let at = begins + (raw.len() - raw.trim_start().len());
        let between = if taken > 0 { entries.separator.as_str() } else { "" };
        taken += 1;
        edits.push((end_of_last..at, between.to_owned()));
        end_of_last = at + entry.len();
        if let Some(scanner) = scanner.filter(|s| !s.passes.as_ref().is_some_and(|p| entry.starts_with(p.as_str()))) {
            let here = scanner.find(entry, first_line(text, at));
            if !here.is_empty() {
                edits.push((at..end_of_last, scanner.replacement(label, name, &here)));
                found.extend(here);
            }
        }
    }
    edits.push((end_of_last..flat.len(), String::new()));
    // An edit that changes nothing would turn the file's own text into added text.
    edits.retain(|(range, new)| flat.get(range.clone()) != Some(new.as_str()));
    text.edit(&edits);
    found
}

/// The line of the file, from 1, in which the byte `at` of the text as it is now stands.
fn first_line(text: &Text, at: usize) -> usize {
    let source = text.source();
    let before = text.source_offset(at).unwrap_or(0);
    1 + source.bytes().take(before).filter(|b| *b == b'\n').count()
}

fn shown(text: &str, range: Range<usize>) -> String {
    let words: Vec<&str> = text.get(range).unwrap_or_default().split_whitespace().collect();
    let whole = words.join(" ");
    match whole.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &whole[..at]),
        None => whole,
    }
}
