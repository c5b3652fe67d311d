//! Who reads an instruction file: which hosts, launched from where, and how.

use super::Shown;
use crate::host::Selection;
use crate::survey::{Reading, Survey};
use std::path::{Path, PathBuf};

/// What one host does with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reader {
    /// The host's id.
    pub id: String,
    /// The host's name.
    pub name: String,
    /// In words: when it reads the file, by launch directory.
    pub ways: Vec<String>,
    /// Why it never does, if it does not.
    pub never: Option<String>,
}

/// Says for each host when it reads the file.
pub fn readers(survey: &Survey, selections: &[Selection], file: &Path, shown: &Shown) -> Vec<Reader> {
    let readings = survey.readings(file);
    selections
        .iter()
        .enumerate()
        .map(|(h, selection)| {
            let of_host: Vec<(usize, &Reading)> =
                readings.iter().filter(|(host, _, _)| *host == h).map(|(_, d, reading)| (*d, reading)).collect();
            Reader {
                id: selection.host.id.clone(),
                name: selection.host.name.clone(),
                ways: ways(survey, &of_host, shown),
                never: of_host.is_empty().then(|| why_never(survey, h, selection, file, shown)),
            }
        })
        .collect()
}

fn ways(survey: &Survey, readings: &[(usize, &Reading)], shown: &Shown) -> Vec<String> {
    let mut by_reading: Vec<(&Reading, Vec<PathBuf>)> = Vec::new();
    for (d, reading) in readings {
        let directory = survey.directories[*d].clone();
        match by_reading.iter_mut().find(|(r, _)| r == reading) {
            Some((_, directories)) => directories.push(directory),
            None => by_reading.push((reading, vec![directory])),
        }
    }
    by_reading
        .into_iter()
        .map(|(reading, directories)| {
            let way = match reading {
                Reading::AtLaunch => "at launch".to_owned(),
                Reading::OnTouch => "when a file beside it is read".to_owned(),
                Reading::WaitsForMatch(patterns) => format!("when a file matches {}", patterns.join(", ")),
                Reading::AgentDecides => "when the agent decides by its description".to_owned(),
                Reading::ByMention => "when the user names it".to_owned(),
            };
            format!("{way}, from {}", list(&directories, shown))
        })
        .collect()
}

fn list(directories: &[PathBuf], shown: &Shown) -> String {
    let name = |path: &PathBuf| match shown.path(path).as_str() {
        "." => "the root".to_owned(),
        other => other.to_owned(),
    };
    match directories {
        [one] => name(one),
        [one, two] => format!("{} and {}", name(one), name(two)),
        [first, rest @ ..] => format!("{} and {} more folders", name(first), rest.len()),
        [] => String::new(),
    }
}

fn why_never(survey: &Survey, h: usize, selection: &Selection, file: &Path, shown: &Shown) -> String {
    let omission = survey.contexts[h].iter().flat_map(|c| &c.omissions).find(|o| o.path == file);
    match omission {
        Some(omission) => super::wording::not_loaded(&selection.host, omission, shown).reason,
        None => "it does not look there".to_owned(),
    }
}
