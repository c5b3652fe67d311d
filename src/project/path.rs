//! Finds what a mentioned path leads to, or says how sure it is that the path is dead.
//!
//! A mention is tried generously, from the root, the file's folder, its parents and the folders named before it. What
//! is left is judged by where it stands: a link must resolve; inline code is reported only when it has the marks of a
//! path and the line speaks of something that is there.

use super::history::Removal;
use super::mood::Mood;
use super::shape::{Shape, has_file_extension, has_stand_in, is_plain_file_name, shape};
use super::tree::{EntryKind, file_name, join, parent};
use super::{Certainty, Project};

/// The longest mention that is looked up, in bytes.
const TEXT_LIMIT: usize = 1024;
/// The deepest.
const DEPTH_LIMIT: usize = 64;

/// Where a path is mentioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PathKind {
    /// The target of a Markdown link or image: from the file's own folder.
    Link,
    /// The target of an `mdc:` link: from the root. The `mdc:` may be left on.
    RootLink,
    /// An `@path` import; the `@` may be left on.
    Import,
    /// Inline code.
    InlineCode,
    /// An entry of a drawn folder tree, as a whole path.
    TreeEntry,
    /// The argument of `cd` or of an option that changes the folder.
    ChangeDirectory,
    /// A file or folder given to a program.
    Argument,
    /// Plain text.
    Prose,
}

/// A mention to look up.
#[derive(Debug, Clone, Copy)]
pub struct PathQuery<'a> {
    /// The text of the mention.
    pub text: &'a str,
    /// Where it stands.
    pub kind: PathKind,
    /// The folder of the file that mentions it, relative to the root; for [`PathKind::ChangeDirectory`] and
    /// [`PathKind::Argument`] the folder the command runs in.
    pub folder: &'a str,
    /// Folders named before it (a heading, "run from `x/`"), relative to the root or to `folder`.
    pub named: &'a [String],
    /// How the text speaks of it.
    pub mood: Mood,
}

/// From where a path was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Base {
    /// The root of the project.
    Root,
    /// The folder of the file that mentions it.
    OwnFolder,
    /// A folder above the file.
    Parent(String),
    /// A folder named before.
    Named(String),
    /// The root, after the repository's own name at the start.
    RepositoryName,
    /// Only on the disk: git ignores it, or it lies behind a link that leads out of the tree.
    Disk,
}

/// A path that leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// How sure that is.
    pub certainty: Certainty,
    /// The path as looked up, relative to the folder it was expected in.
    pub path: String,
    /// The folders it was looked up from; empty text is the root.
    pub searched: Vec<String>,
    /// The longest leading folder that does exist; empty is the root.
    pub existing_ancestor: String,
    /// The shortest leading part that does not exist: what to report once for all paths below it.
    pub missing_prefix: String,
    /// Tracked paths that may be meant, best first, at most three.
    pub suggestions: Vec<String>,
    /// What git remembers, when it may be asked.
    pub removal: Option<Removal>,
}

/// What a mention leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathResolution {
    /// Something of the tree, or on the disk.
    Found {
        /// The path relative to the root, as mentioned; empty for the root.
        path: String,
        /// From where it was found.
        base: Base,
    },
    /// Nothing is there, and git would ignore it, or a Makefile makes it: a build output.
    Ignored {
        /// The path relative to the root.
        path: String,
    },
    /// Only the end of tracked paths.
    Suffix {
        /// At most five of them.
        matches: Vec<String>,
        /// Whether parts in the middle are left out.
        shortened: bool,
    },
    /// Only the case of letters differs: found on some disks, not on others.
    CaseDiffers {
        /// The path as the tree has it.
        actual: String,
    },
    /// A glob; [`Project::count_matches`] answers for it.
    Glob {
        /// Whether any file matches it from the root, the own folder or a folder named before.
        matches: bool,
    },
    /// Nothing is there.
    Missing(Missing),
    /// No path of this repository.
    NotAPath {
        /// What it looks like.
        shape: Shape,
    },
}

struct Candidate {
    path: String,
    base: Base,
}

impl Project {
    /// Looks a mention up.
    pub fn resolve_path(&self, query: &PathQuery<'_>) -> PathResolution {
        let text = clean(query);
        let text = text.as_str();
        if text.is_empty() {
            return PathResolution::NotAPath { shape: Shape::Empty };
        }
        // No mention is this long; the work below grows with the square of it.
        if text.len() > TEXT_LIMIT || text.matches('/').count() > DEPTH_LIMIT {
            return PathResolution::NotAPath { shape: Shape::Code };
        }
        // What is literally there needs no judgement, however strange its name.
        let raw = text.trim_end_matches('/').trim_start_matches("./");
        let leading_slash = text.starts_with('/');
        if !raw.is_empty() && !text.starts_with("//") {
            for candidate in self.candidates(query, raw.trim_start_matches('/'), leading_slash) {
                if self.exists(&candidate.path) && !(candidate.path.is_empty() && raw != ".") {
                    return PathResolution::Found { path: candidate.path, base: candidate.base };
                }
            }
        }
        let shape = shape(text);
        let linked = matches!(query.kind, PathKind::Link | PathKind::RootLink | PathKind::Import);
        let expected =
            linked || matches!(query.kind, PathKind::ChangeDirectory | PathKind::Argument | PathKind::TreeEntry);
        let (path, directory) = match shape {
            Shape::Path { path, directory } => (path, directory),
            Shape::Glob => {
                return PathResolution::Glob { matches: self.glob_matches(query, text) };
            }
            // `a/b` and `docs` are words in a sentence, but paths where a path is expected.
            Shape::Words if !expected && query.kind == PathKind::InlineCode => {
                let path = text.trim_matches('/').trim_start_matches("./").to_owned();
                if !self.has_family(&path) {
                    return PathResolution::NotAPath { shape: Shape::Words };
                }
                (path, true)
            }
            Shape::Words | Shape::Word | Shape::Branch | Shape::MediaType if expected => {
                (text.trim_matches('/').trim_start_matches("./").to_owned(), text.ends_with('/'))
            }
            Shape::Absolute if linked && leading_slash && !text.starts_with("//") => {
                (text.trim_matches('/').to_owned(), text.ends_with('/'))
            }
            Shape::Placeholder if !linked => return self.resolve_placeholder(query, text),
            other => return PathResolution::NotAPath { shape: other },
        };
        self.resolve_clean(query, &path, directory, leading_slash)
    }

    /// `app/locales/<language>/`: the part before the placeholder is literal and can be dead.
    fn resolve_placeholder(&self, query: &PathQuery<'_>, text: &str) -> PathResolution {
        let literal = text
            .find(['<', '{', '[', '…'])
            .and_then(|at| text.get(..at))
            .and_then(|before| before.rsplit_once('/'))
            .map_or("", |(folder, _)| folder);
        if literal.contains('/')
            && let Shape::Path { path, .. } = shape(&format!("{literal}/"))
            && let PathResolution::Missing(missing) = self.resolve_clean(query, &path, true, false)
        {
            // What is below it is often made at run time.
            return PathResolution::Missing(Missing { certainty: Certainty::Unsure, ..missing });
        }
        PathResolution::NotAPath { shape: Shape::Placeholder }
    }

    /// Whether a path without marks would be one of a family of folders: `crates/app-gui` beside `crates/app-core` and
    /// `crates/app-net`.
    fn has_family(&self, path: &str) -> bool {
        let word = |name: &str| name.split(['-', '_', '.']).next().unwrap_or("").to_owned();
        let own = word(file_name(path));
        own.len() > 2
            && own.len() < file_name(path).len()
            && !parent(path).is_empty()
            && self
                .tree()
                .children(parent(path))
                .filter(|e| e.kind == EntryKind::Directory && word(e.name()) == own)
                .take(2)
                .count()
                == 2
    }

    fn glob_matches(&self, query: &PathQuery<'_>, text: &str) -> bool {
        std::iter::once("")
            .chain(std::iter::once(query.folder))
            .chain(query.named.iter().map(String::as_str))
            .any(|base| self.count_matches(text, base, 1).is_ok_and(|n| n > 0))
            || self.count_matches(&format!("**/{text}"), "", 1).is_ok_and(|n| n > 0)
    }

    /// The places where a path may be meant, nearest meaning first.
    fn candidates(&self, query: &PathQuery<'_>, path: &str, from_root: bool) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut add = |base_folder: &str, base: Base| {
            if let Some(path) = join(base_folder, path)
                && !candidates.iter().any(|c| c.path == path)
            {
                candidates.push(Candidate { path, base });
            }
        };
        let own = query.folder;
        if from_root || query.kind == PathKind::RootLink {
            add("", Base::Root);
            return candidates;
        }
        match query.kind {
            PathKind::Link | PathKind::Import => {
                add(own, Base::OwnFolder);
                if let Some(above) = above_tool_folder(own) {
                    add(above, Base::Parent(above.to_owned()));
                }
                if query.kind == PathKind::Link {
                    add("", Base::Root);
                }
            }
            PathKind::ChangeDirectory | PathKind::Argument => {
                add(own, Base::OwnFolder);
                for named in query.named.iter().filter_map(|n| join("", n)).filter(|n| self.is_directory(n)) {
                    add(&named, Base::Named(named.clone()));
                }
                // Lines of one fence are often alternatives that all start at the root.
                if query.kind == PathKind::ChangeDirectory {
                    add("", Base::Root);
                }
            }
            // The rest may be meant from anywhere above.
            _ => {
                if query.kind == PathKind::TreeEntry {
                    add(own, Base::OwnFolder);
                }
                add("", Base::Root);
                add(own, Base::OwnFolder);
                let mut folder = own;
                while !folder.is_empty() {
                    folder = parent(folder);
                    add(folder, Base::Parent(folder.to_owned()));
                }
                for named in query.named {
                    // Words of a heading are named too; only folders are bases.
                    let below_own = join(own, named);
                    for base in [join("", named), below_own].into_iter().flatten().filter(|b| self.is_directory(b)) {
                        add(&base, Base::Named(base.clone()));
                    }
                }
            }
        }
        candidates
    }

    fn resolve_clean(&self, query: &PathQuery<'_>, path: &str, directory: bool, from_root: bool) -> PathResolution {
        let candidates = self.candidates(query, path, from_root);
        if candidates.is_empty() {
            return PathResolution::NotAPath { shape: Shape::Outside };
        }
        for candidate in &candidates {
            if self.exists(&candidate.path) {
                return PathResolution::Found { path: candidate.path.clone(), base: candidate.base.clone() };
            }
        }
        let linked = matches!(query.kind, PathKind::Link | PathKind::RootLink | PathKind::Import);
        let marked = directory || has_file_extension(path) || is_plain_file_name(file_name(path));
        // `src/foo` for `src/foo.ts`, `docs/guide` for `docs/guide.md`.
        if !directory && (!has_file_extension(path) || query.kind == PathKind::InlineCode) {
            for candidate in &candidates {
                let with_extension = format!("{}.", candidate.path);
                if let Some(found) = self.tree().starting_with(with_extension).next() {
                    return PathResolution::Found { path: found.path.to_owned(), base: candidate.base.clone() };
                }
            }
        }
        if let Some(found) = self.after_repository_name(path) {
            return PathResolution::Found { path: found, base: Base::RepositoryName };
        }
        for candidate in &candidates {
            if let Some(actual) = self.tree().ignoring_case(&candidate.path) {
                return PathResolution::CaseDiffers { actual: actual.path.to_owned() };
            }
        }
        for candidate in &candidates {
            let ending = if directory { "/" } else { "" };
            if self.is_ignored(&format!("{}{ending}", candidate.path)) {
                return PathResolution::Ignored { path: candidate.path.clone() };
            }
        }
        for candidate in &candidates {
            if super::make::makes(self, &candidate.path) {
                return PathResolution::Ignored { path: candidate.path.clone() };
            }
        }
        for candidate in &candidates {
            if self.exists_on_disk(&candidate.path) {
                return PathResolution::Found { path: candidate.path.clone(), base: Base::Disk };
            }
        }
        let free = matches!(query.kind, PathKind::InlineCode | PathKind::Prose | PathKind::TreeEntry);
        if free {
            let matches = self.suffix_matches(path);
            if !matches.is_empty() {
                return PathResolution::Suffix { matches, shortened: false };
            }
            let matches = self.shortened_matches(path);
            if !matches.is_empty() {
                return PathResolution::Suffix { matches, shortened: true };
            }
        }
        let mut missing = self.describe_missing(query, path, &candidates);
        missing.certainty = self.judge(query, path, marked, linked, from_root, &missing);
        PathResolution::Missing(missing)
    }

    /// `project/src/x` where the checkout is named `project`.
    fn after_repository_name(&self, path: &str) -> Option<String> {
        let (first, rest) = path.split_once('/')?;
        let same = |name: &String| {
            name.eq_ignore_ascii_case(first)
                || name.rsplit_once(['+', '/']).is_some_and(|(_, last)| last.eq_ignore_ascii_case(first))
        };
        (self.names().iter().any(same) && self.exists(rest)).then(|| rest.to_owned())
    }

    fn suffix_matches(&self, path: &str) -> Vec<String> {
        let mut matches: Vec<String> = self.tree().ending_with(path).map(|e| e.path.to_owned()).take(5).collect();
        if matches.is_empty() && !has_file_extension(path) {
            let folder = parent(path);
            matches = self
                .tree()
                .with_stem(file_name(path))
                .filter(|e| folder.is_empty() || super::tree::ends_with_components(parent(e.path), folder))
                .map(|e| e.path.to_owned())
                .take(5)
                .collect();
        }
        matches
    }

    /// `service/entity/` for `service/src/main/java/com/x/service/entity`: all parts in order, the last one last.
    fn shortened_matches(&self, path: &str) -> Vec<String> {
        let parts: Vec<&str> = path.split('/').collect();
        let Some((last, before)) = parts.split_last() else { return Vec::new() };
        if before.is_empty() {
            return Vec::new();
        }
        self.tree()
            .named(last)
            .filter(|entry| {
                let mut components = parent(entry.path).split('/');
                before.iter().all(|part| components.any(|c| c == *part))
            })
            .map(|e| e.path.to_owned())
            .take(5)
            .collect()
    }

    fn describe_missing(&self, query: &PathQuery<'_>, path: &str, candidates: &[Candidate]) -> Missing {
        // The candidate that gets furthest is the one that was most likely meant.
        let (mut best, mut ancestor) = (path.to_owned(), String::new());
        let mut first = true;
        for candidate in candidates {
            let mut folder = parent(&candidate.path);
            while !folder.is_empty() && !self.is_directory(folder) {
                folder = parent(folder);
            }
            let depth_beyond_base = |folder: &str, whole: &str| -> usize {
                // How many components of the mention itself exist.
                let mention = path.split('/').filter(|p| !p.is_empty() && *p != "." && *p != "..").count();
                let left = whole.get(folder.len()..).unwrap_or("").split('/').filter(|p| !p.is_empty()).count();
                mention.saturating_sub(left)
            };
            if first || depth_beyond_base(folder, &candidate.path) > depth_beyond_base(&ancestor, &best) {
                best = candidate.path.clone();
                ancestor = folder.to_owned();
                first = false;
            }
        }
        if let Some(twin) = candidates.iter().find(|c| self.has_twin(&c.path)) {
            best = twin.path.clone();
            ancestor = parent(&best).to_owned();
        }
        let missing_prefix = {
            let rest = best.get(ancestor.len()..).unwrap_or("").trim_start_matches('/');
            let next = rest.split('/').next().unwrap_or(rest);
            if ancestor.is_empty() { next.to_owned() } else { format!("{ancestor}/{next}") }
        };
        let searched = match query.kind {
            PathKind::RootLink => vec![String::new()],
            _ => candidates
                .iter()
                .map(|c| match &c.base {
                    Base::OwnFolder => query.folder.to_owned(),
                    Base::Parent(folder) | Base::Named(folder) => folder.clone(),
                    _ => String::new(),
                })
                .collect(),
        };
        let removal = candidates.iter().find_map(|c| self.removal(&c.path));
        let mut suggestions = self.suggest(&best);
        if let Some(moved) = removal.as_ref().and_then(|r| r.moved_to.clone())
            && self.exists(&moved)
        {
            suggestions.retain(|s| s != &moved);
            suggestions.insert(0, moved);
            suggestions.truncate(3);
        }
        Missing {
            certainty: Certainty::Unsure,
            path: best,
            searched,
            existing_ancestor: ancestor,
            missing_prefix,
            suggestions,
            removal,
        }
    }

    /// Tracked paths that a dead one may have meant: the end of it elsewhere, its name elsewhere, a similar name
    /// beside it.
    pub(super) fn suggest(&self, path: &str) -> Vec<String> {
        let mut found: Vec<(usize, String)> = Vec::new();
        let name = file_name(path);
        for entry in self.tree().named_ignoring_case(name).take(200) {
            let shared =
                entry.path.rsplit('/').zip(path.rsplit('/')).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
            found.push((100 * shared, entry.path.to_owned()));
        }
        // A name that many folders have says nothing unless more than the name agrees.
        if found.len() > 20 {
            found.retain(|(score, _)| *score > 100);
        }
        if found.is_empty() {
            let folder = parent(path);
            for entry in self.tree().children(folder).take(2000) {
                let similarity = strsim::jaro_winkler(&entry.name().to_lowercase(), &name.to_lowercase());
                if similarity > 0.87 && entry.path != path {
                    found.push(((similarity * 99.0) as usize, entry.path.to_owned()));
                }
            }
        }
        found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.len().cmp(&b.1.len())).then(a.1.cmp(&b.1)));
        found.truncate(3);
        found.into_iter().map(|(_, path)| path).collect()
    }

    /// Whether beside the missing path lies one whose name differs in case and separators only: `start_all.bat` for
    /// `startAll.bat`.
    fn has_twin(&self, path: &str) -> bool {
        let plain = |name: &str| -> String {
            name.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
        };
        let own = plain(file_name(path));
        own.len() > 4 && self.tree().children(parent(path)).any(|e| plain(e.name()) == own)
    }

    /// Whether the last name of a path is somewhere else in the tree: what was meant is there, the way to it is not.
    /// Names that every project has say nothing.
    fn lies_elsewhere(&self, path: &str) -> bool {
        let name = file_name(path);
        let stem = name.split('.').next().unwrap_or(name);
        let generic = matches!(
            stem.to_ascii_lowercase().as_str(),
            "" | "index"
                | "readme"
                | "mod"
                | "main"
                | "lib"
                | "utils"
                | "util"
                | "types"
                | "config"
                | "package"
                | "test"
                | "tests"
                | "src"
                | "app"
                | "docs"
                | "doc"
                | "build"
                | "settings"
                | "setup"
                | "changelog"
                | "license"
                | "makefile"
                | "dockerfile"
                | "common"
                | "shared"
                | "helpers"
                | "constants"
                | "data"
                | "examples"
                | "__init__"
                | "button"
                | "user"
                | "users"
                | "home"
                | "bin"
                | "dist"
                | "output"
                | "tmp"
                | "cache"
        );
        !generic && !path.starts_with('.') && (1..50).contains(&self.tree().named(name).take(50).count())
    }

    fn judge(
        &self,
        query: &PathQuery<'_>,
        path: &str,
        marked: bool,
        linked: bool,
        from_root: bool,
        missing: &Missing,
    ) -> Certainty {
        let slash = path.contains('/');
        if has_stand_in(path) {
            return Certainty::Unsure;
        }
        let mood = query.mood;
        match query.kind {
            PathKind::RootLink => {
                if slash || marked {
                    Certainty::Certain
                } else {
                    Certainty::Unsure
                }
            }
            PathKind::Link | PathKind::Import if linked => {
                if from_root {
                    // A site's own root, unless its first folder is one of the repository.
                    return if !missing.existing_ancestor.is_empty() && marked {
                        Certainty::Certain
                    } else {
                        Certainty::Unsure
                    };
                }
                match (slash, marked) {
                    (_, true) => Certainty::Certain,
                    (true, false) => Certainty::Likely,
                    (false, false) => Certainty::Unsure,
                }
            }
            PathKind::ChangeDirectory => match mood {
                Mood::Plain | Mood::Elsewhere | Mood::Hedged => Certainty::Certain,
                Mood::Negative | Mood::Made => Certainty::Unsure,
            },
            PathKind::Argument => match mood {
                Mood::Negative => Certainty::Unsure,
                _ if slash && self.has_twin(&missing.path) => Certainty::Certain,
                Mood::Plain if slash && (marked || !missing.existing_ancestor.is_empty()) => Certainty::Certain,
                Mood::Plain if marked => Certainty::Likely,
                _ => Certainty::Unsure,
            },
            // The part to report is the shortest missing one; it must hang below something that is there.
            PathKind::TreeEntry => {
                if mood == Mood::Plain && marked && !missing.existing_ancestor.is_empty() {
                    Certainty::Likely
                } else {
                    Certainty::Unsure
                }
            }
            PathKind::InlineCode => {
                let inside = self.is_directory(path.split('/').next().unwrap_or(path))
                    || (!missing.existing_ancestor.is_empty() && missing.existing_ancestor != parent(path));
                let at_root = above_tool_folder(query.folder).unwrap_or(query.folder).is_empty();
                let dead = inside || at_root && self.lies_elsewhere(path);
                let twin = mood != Mood::Negative && self.has_twin(&missing.path);
                if slash && marked && (mood == Mood::Plain && dead || twin) {
                    Certainty::Likely
                } else {
                    Certainty::Unsure
                }
            }
            _ => Certainty::Unsure,
        }
    }
}

/// The folder above `.claude`, `.cursor`, `.github` and the like, from which their files speak.
fn above_tool_folder(folder: &str) -> Option<&str> {
    let mut at = 0;
    for part in folder.split('/') {
        if part.len() > 1 && part.starts_with('.') {
            return Some(folder.get(..at).unwrap_or("").trim_end_matches('/'));
        }
        at += part.len() + 1;
    }
    None
}

/// Takes off what is not part of the path: `mdc:`, `@`, a query, a fragment, percent escapes, angle brackets.
fn clean(query: &PathQuery<'_>) -> String {
    let mut text = query.text.trim();
    match query.kind {
        PathKind::Link | PathKind::RootLink => {
            text = text.strip_prefix("mdc:").unwrap_or(text);
            text = text.strip_prefix('<').and_then(|t| t.strip_suffix('>')).unwrap_or(text);
            if !text.contains("://")
                && let Some(at) = text.find(['#', '?'])
                && at > 0
            {
                text = text.get(..at).unwrap_or(text);
            }
            percent_decode(text)
        }
        PathKind::Import => {
            let text = text.strip_prefix('@').unwrap_or(text);
            text.split('#').next().unwrap_or(text).trim_end_matches(['.', ',', ';', ':']).to_owned()
        }
        _ => text.trim_end_matches([',', ';']).to_owned(),
    }
}

fn percent_decode(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits =
            after.get(..2).and_then(|d| std::str::from_utf8(d).ok()).and_then(|d| u8::from_str_radix(d, 16).ok());
        match (first, digits) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::command::tests::project;
    use crate::project::{ScanOptions, Tree};
    use std::path::Path;

    fn sample() -> Project {
        project(&[
            (".gitignore", "dist/\n.env\n"),
            ("README.md", ""),
            ("package.json", "{\"name\": \"@me/sample\"}"),
            ("docs/guide.md", ""),
            ("docs/My Notes/x.md", ""),
            ("src/core/engine.rs", ""),
            ("src/core/[slug]/page.tsx", ""),
            ("packages/app/AGENTS.md", ""),
            ("packages/app/src/start_all.ts", ""),
            ("packages/app-core/x.ts", ""),
            ("packages/app-net/x.ts", ""),
            (".cursor/rules/a.mdc", ""),
            ("api/src/main/java/com/x/service/Thing.java", ""),
        ])
    }

    fn resolve(project: &Project, text: &str, kind: PathKind, folder: &str) -> PathResolution {
        project.resolve_path(&PathQuery { text, kind, folder, named: &[], mood: Mood::Plain })
    }

    fn code(project: &Project, text: &str) -> PathResolution {
        resolve(project, text, PathKind::InlineCode, "packages/app")
    }

    #[track_caller]
    fn certainty(resolution: &PathResolution) -> Certainty {
        match resolution {
            PathResolution::Missing(missing) => missing.certainty,
            other => panic!("not missing: {other:?}"),
        }
    }

    #[test]
    fn found_from_everywhere() {
        let project = sample();
        for (text, path, base) in [
            ("src/core/engine.rs", "src/core/engine.rs", Base::Root),
            ("./src/core/", "src/core", Base::Root),
            ("/docs/guide.md", "docs/guide.md", Base::Root),
            ("src/start_all.ts:12", "packages/app/src/start_all.ts", Base::OwnFolder),
            ("app-core/x.ts", "packages/app-core/x.ts", Base::Parent("packages".into())),
            ("src/core/engine", "src/core/engine.rs", Base::Root),
            ("sample/docs/guide.md", "docs/guide.md", Base::RepositoryName),
            ("src/core/[slug]/page.tsx", "src/core/[slug]/page.tsx", Base::Root),
            ("docs/My Notes/x.md", "docs/My Notes/x.md", Base::Root),
            ("src\\core\\engine.rs", "src/core/engine.rs", Base::Root),
        ] {
            assert_eq!(code(&project, text), PathResolution::Found { path: path.into(), base }, "{text}");
        }
        let named = ["src".to_owned(), "a word".to_owned()];
        let query = PathQuery {
            text: "core/engine.rs",
            kind: PathKind::InlineCode,
            folder: "",
            named: &named,
            mood: Mood::Plain,
        };
        assert_eq!(
            project.resolve_path(&query),
            PathResolution::Found { path: "src/core/engine.rs".into(), base: Base::Named("src".into()) }
        );
    }

    #[test]
    fn ends_of_paths_ignored_outputs_and_case() {
        let project = sample();
        assert!(matches!(code(&project, "engine.rs"), PathResolution::Suffix { shortened: false, .. }));
        assert!(matches!(code(&project, "api/service/Thing.java"), PathResolution::Suffix { shortened: true, .. }));
        assert_eq!(code(&project, "dist/x.js"), PathResolution::Ignored { path: "dist/x.js".into() });
        assert_eq!(code(&project, "docs/Guide.md"), PathResolution::CaseDiffers { actual: "docs/guide.md".into() });
        assert_eq!(code(&project, "src/**/*.rs"), PathResolution::Glob { matches: true });
        assert_eq!(code(&project, "src/**/*.py"), PathResolution::Glob { matches: false });
        assert_eq!(code(&project, "../../../other/x.md"), PathResolution::NotAPath { shape: Shape::Outside });
        assert_eq!(code(&project, "try/catch"), PathResolution::NotAPath { shape: Shape::Words });
    }

    #[test]
    fn missing_paths_are_as_sure_as_their_place() {
        let project = sample();
        assert_eq!(certainty(&code(&project, "docs/gone.md")), Certainty::Likely);
        assert_eq!(certainty(&code(&project, "src/core/gone/")), Certainty::Likely);
        assert_eq!(certainty(&code(&project, "gone.md")), Certainty::Unsure);
        assert_eq!(certainty(&code(&project, "other/gone.md")), Certainty::Unsure);
        assert_eq!(certainty(&code(&project, "packages/app-gui")), Certainty::Likely);
        // The name is there, the folder it is said to be in is not: only from the root.
        assert_eq!(certainty(&resolve(&project, "lib/engine.rs", PathKind::InlineCode, "")), Certainty::Likely);
        assert_eq!(certainty(&code(&project, "lib/engine.rs")), Certainty::Unsure);
        for mood in [Mood::Negative, Mood::Made, Mood::Hedged, Mood::Elsewhere] {
            let query = PathQuery { text: "docs/gone.md", kind: PathKind::InlineCode, folder: "", named: &[], mood };
            assert_eq!(certainty(&project.resolve_path(&query)), Certainty::Unsure, "{mood:?}");
        }
        // A twin outweighs all but a denial.
        let twin = |mood| PathQuery {
            text: "src/startAll.ts",
            kind: PathKind::InlineCode,
            folder: "packages/app",
            named: &[],
            mood,
        };
        assert_eq!(certainty(&project.resolve_path(&twin(Mood::Made))), Certainty::Likely);
        assert_eq!(certainty(&project.resolve_path(&twin(Mood::Negative))), Certainty::Unsure);
    }

    #[test]
    fn links_resolve_from_their_file_and_the_root() {
        let project = sample();
        let link = |text: &str, folder: &str| resolve(&project, text, PathKind::Link, folder);
        assert!(matches!(link("guide.md#part", "docs"), PathResolution::Found { .. }));
        assert!(matches!(link("My%20Notes/x.md", "docs"), PathResolution::Found { .. }));
        assert!(matches!(link("<My Notes/x.md>", "docs"), PathResolution::Found { .. }));
        assert!(matches!(link("/docs/guide.md", "packages/app"), PathResolution::Found { .. }));
        assert!(matches!(link("../README.md", "docs"), PathResolution::Found { .. }));
        assert_eq!(certainty(&link("gone.md", "docs")), Certainty::Certain);
        assert_eq!(certainty(&link("gone/page", "docs")), Certainty::Likely);
        assert_eq!(certainty(&link("link", "docs")), Certainty::Unsure);
        assert_eq!(certainty(&link("/images/x.png", "docs")), Certainty::Unsure);
        for text in ["https://a.b/x.md", "#part", "mailto:x@y.z", "path/to/x.md"] {
            assert!(matches!(link(text, "docs"), PathResolution::NotAPath { .. }), "{text}");
        }
        let rule = |text: &str| resolve(&project, text, PathKind::RootLink, ".cursor/rules");
        assert!(matches!(rule("mdc:docs/guide.md"), PathResolution::Found { .. }));
        // Links of this form count from the root alone.
        assert_eq!(certainty(&rule("mdc:core/engine.rs")), Certainty::Certain);
        let import = |text: &str| resolve(&project, text, PathKind::Import, "packages/app");
        assert!(matches!(import("@../../docs/guide.md"), PathResolution::Found { .. }));
        assert_eq!(certainty(&import("@docs/gone.md")), Certainty::Certain);
        assert_eq!(certainty(&import("@someone")), Certainty::Unsure);
        assert!(matches!(import("@~/x.md"), PathResolution::NotAPath { shape: Shape::Home }));
    }

    #[test]
    fn a_missing_path_says_where_it_could_be() {
        let project = sample();
        let PathResolution::Missing(missing) = code(&project, "src/core/deep/Engine.rs") else { panic!("not missing") };
        assert_eq!(missing.existing_ancestor, "src/core");
        assert_eq!(missing.missing_prefix, "src/core/deep");
        assert_eq!(missing.suggestions, ["src/core/engine.rs"]);
        assert_eq!(missing.removal, None);
        let PathResolution::Missing(missing) = code(&project, "docs/giude.md") else { panic!("not missing") };
        assert_eq!(missing.suggestions, ["docs/guide.md"]);
    }

    #[test]
    fn links_of_the_tree_are_followed_and_loops_end() {
        let tree = Tree::from_paths(["real/x.md", "a.md"])
            .with_link("alias", "real")
            .with_link("loop", "loop")
            .with_link("out", "../../elsewhere")
            .with_link("one", "two")
            .with_link("two", "one/x");
        let project = Project::from_tree(Path::new("/there-is-no-such-folder"), tree, ScanOptions::default());
        assert!(matches!(code(&project, "alias/x.md"), PathResolution::Found { .. }));
        assert!(!project.exists("alias/gone.md"));
        for path in ["loop", "loop/x", "out/x", "one", "one/y"] {
            assert!(!project.exists(path), "{path}");
        }
    }

    #[test]
    fn strange_texts_are_survived() {
        let project = sample();
        for text in [
            "",
            "/",
            "//",
            ".",
            "..",
            "\u{0}",
            "a/\u{202e}b.md",
            "%",
            "%zz/x.md",
            "é/ü.md",
            "\\",
            "a\\",
            "::",
            "/:",
            "[",
            "#",
            "@",
            "@/",
            "~",
            "a//b.md",
            "{",
            "ß%C3",
            "日本/語.md",
            "mdc:",
            "<>",
            "x:1:2:3",
            "-",
        ] {
            for kind in [
                PathKind::Link,
                PathKind::RootLink,
                PathKind::Import,
                PathKind::InlineCode,
                PathKind::TreeEntry,
                PathKind::ChangeDirectory,
                PathKind::Argument,
                PathKind::Prose,
            ] {
                for folder in ["", "packages/app", "../..", "gone"] {
                    let _ = resolve(&project, text, kind, folder);
                }
            }
        }
        let long = "a/".repeat(50_000) + "x.md";
        assert!(!matches!(code(&project, &long), PathResolution::Found { .. }));
    }
}
