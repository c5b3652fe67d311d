//! Runs the steps: sources, folders, files, imports, identity, budgets, touches, assembly.

use super::assemble;
use super::budget::{self, Outcome};
use super::context::{BudgetUse, Context, Cut, Loads, Omission, Piece, Pointer, Reason};
use super::exclusion::Exclusions;
use super::finish;
use super::imports::{self, Importer, Target as ImportTarget};
use super::injection::{self, Finding, Scanner};
use super::launch::Launch;
use super::paths;
use super::pick::{self, Found};
use super::request_limit;
use super::resolve::Resolver;
use super::scope::{self, RuleScope};
use super::sub_agents;
use super::text::{self, Text};
use super::touch::{self, Target};
use super::transform;
use super::walk::{self, Names, Seen};
use crate::filesystem::{FileKind, FileSystem};
use crate::host::Host;
use crate::host::schema::{
    Blank, Budget, BudgetSpan, Choice, Decoding, FileOrder, FileSet, ImportDialect, ImportOnce, ImportPlace, Keep,
    KnownFile, Links, Moment, Obstacle, RulesKind, Sameness, Scope, Source, SubAgents, Unreadable,
};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Says what a host has in front of it for a launch.
pub fn discover(host: &Host, launch: &Launch, files: &dyn FileSystem) -> Context {
    let resolver = Resolver::new(launch, host, files);
    let mut context = Context {
        host: host.id.clone(),
        version: host.verified.version.clone(),
        launch: resolver.place("launch").unwrap_or_else(|| launch.directory.clone()),
        root: resolver.place("root"),
        unknown_arguments: resolver.arguments.unknown.clone(),
        ..Context::default()
    };
    let mut run = Run::new(&resolver);
    run.launch();
    let at_launch = run.items.len();
    run.spend_budgets(0..at_launch);
    run.finish(0..at_launch);
    for touch in &launch.touches {
        resolver.set_touch(Some(touch));
        for target in touch::targets(&resolver, touch) {
            let before = run.items.len();
            run.touched(&touch.tool, &target);
            let after = run.items.len();
            run.spend_budgets(before..after);
            run.finish(before..after);
        }
        run.seen.settle();
        if let (Some(model), "agent") = (&host.touch.sub_agents, touch.tool.as_str()) {
            run.sub_agent(model, &touch.value, at_launch);
        }
    }
    resolver.set_touch(None);
    let Run { items, mut omissions, pointers, notices, budgets, .. } = run;
    context.pieces = items.into_iter().filter(|item| !item.dropped).map(|item| item.piece).collect();
    forget_loaded(&mut omissions, &context.pieces);
    context.omissions = omissions;
    context.pointers = pointers;
    context.notices = notices;
    context.budgets = budgets;
    report_settings(&resolver, &mut context);
    let too_long = || request_limit::refusal(&resolver, host.request_limit.as_ref()?, &context);
    context.refusal = refusal(&resolver).or_else(too_long);
    if context.refusal.is_some() {
        context.pieces.clear();
        context.pointers.clear();
    }
    assemble::assemble(&resolver, &mut context);
    context
}

fn refusal(resolver: &Resolver<'_>) -> Option<String> {
    // Every layer and parameter is looked at once, since a broken one stops the host even if nothing asks for it.
    resolver.host.settings.keys().for_each(|name| drop(resolver.layer(name)));
    resolver.host.parameters.keys().for_each(|name| drop(resolver.parameter(name)));
    let by_condition = resolver.host.refusals.iter().find(|r| resolver.holds(&r.when)).map(|r| r.why.clone());
    resolver.refusals().into_iter().next().or(by_condition)
}

fn report_settings(resolver: &Resolver<'_>, context: &mut Context) {
    for name in resolver.host.parameters.keys() {
        if let Some(origin) = &resolver.parameter(name).origin {
            context.settings.push(format!("{name}: {origin}"));
        }
    }
    for name in resolver.host.settings.keys() {
        for loaded in resolver.layer(name).iter() {
            if let (Some(file), Some(problem)) = (&loaded.file, &loaded.problem) {
                context.problems.push(format!("{} cannot be read: {problem}", file.display()));
            }
        }
    }
}

/// Takes out omissions of files that load after all, by another way or at a later touch, and repeated ones.
fn forget_loaded(omissions: &mut Vec<Omission>, pieces: &[Piece]) {
    let loaded: HashSet<&Path> = pieces.iter().filter_map(|p| p.path.as_deref()).collect();
    let mut seen: HashSet<PathBuf> = HashSet::new();
    omissions.retain(|o| {
        let import =
            matches!(o.reason, Reason::ImportTooDeep { .. } | Reason::ImportRefused { .. } | Reason::Blocked { .. });
        (import || !loaded.contains(o.path.as_path())) && seen.insert(o.path.clone())
    });
}

/// A piece on its way.
struct Item<'a> {
    /// Source, folder, file set: the place in the load order.
    place: (usize, usize, usize),
    piece: Piece,
    set: &'a FileSet,
    /// The file's bytes, where they are no UTF-8.
    raw: Option<Vec<u8>>,
    dropped: bool,
    stand: Stand,
}

/// What an item stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// Its file.
    File,
    /// A file that is not there: its text says so.
    Missing,
    /// A file that the host will have written by then: its text is not known, its length is.
    Written(u64),
}

/// What became of one candidate.
enum Fate {
    /// It is loaded.
    Taken,
    /// It was found, and gives nothing.
    Nothing,
    /// It has text, but the same was loaded before.
    Repeated,
    /// It cannot be read.
    Unreadable,
}

/// Where a file set is looked at.
#[derive(Clone, Copy)]
struct Spot<'a, 's> {
    id: &'a str,
    source: &'a Source,
    set: &'a FileSet,
    folder: &'s Path,
    place: (usize, usize, usize),
    touched: Option<(&'s str, &'s Target)>,
}

struct Run<'a> {
    resolver: &'a Resolver<'a>,
    exclusions: Exclusions,
    items: Vec<Item<'a>>,
    omissions: Vec<Omission>,
    pointers: Vec<Pointer>,
    notices: Vec<String>,
    budgets: Vec<BudgetUse>,
    /// Winners of contests: the file that took it.
    contests: HashMap<&'a str, (&'a str, PathBuf)>,
    seen: Seen,
    scanners: HashMap<&'a str, Rc<Scanner>>,
}

impl<'a> Run<'a> {
    fn new(resolver: &'a Resolver<'a>) -> Self {
        Self {
            resolver,
            exclusions: Exclusions::collect(resolver),
            items: Vec::new(),
            omissions: Vec::new(),
            pointers: Vec::new(),
            notices: Vec::new(),
            budgets: Vec::new(),
            contests: HashMap::new(),
            seen: Seen::default(),
            scanners: HashMap::new(),
        }
    }

    // ------------------------------------------------------------------ sources

    fn launch(&mut self) {
        self.sources(Moment::Launch, None);
        let place = |item: &Item<'_>| item.place;
        self.items.sort_by_key(place);
    }

    fn touched(&mut self, tool: &str, target: &Target) {
        let before = self.items.len();
        self.sources(Moment::Touch, Some((tool, target)));
        self.items[before..].sort_by_key(|item| item.place);
    }

    /// What a sub-agent gets: the launch text again or not, and the text that defines it.
    fn sub_agent(&mut self, model: &'a SubAgents, name: &str, at_launch: usize) {
        let kind = sub_agents::kind(self.resolver, model, name);
        let loads = Loads::OnTouch { tool: "agent".to_owned(), path: PathBuf::from(name) };
        if kind.with_launch_text {
            let launched = self.items.get(..at_launch).unwrap_or_default().iter().filter(|item| !item.dropped);
            let again: Vec<Item<'a>> = launched
                .map(|item| Item {
                    place: item.place,
                    piece: Piece { loads: loads.clone(), ..item.piece.clone() },
                    set: item.set,
                    raw: None,
                    dropped: false,
                    stand: item.stand,
                })
                .collect();
            self.items.extend(again);
        }
        let set = &model.definition;
        let Some(path) = kind.definition else { return };
        let Ok((read, _)) = self.read(&path, set.decoding) else { return };
        let bytes = read.len() as u64;
        let mut text = Text::new(read);
        transform::apply(&mut text, &set.text);
        let piece = Piece {
            source: "sub-agents".to_owned(),
            scope: set.scope.unwrap_or(Scope::Project),
            label: paths::file_name(&path),
            loads,
            imported_by: None,
            inline: false,
            patterns: Vec::new(),
            matched: None,
            text,
            bytes,
            cut: None,
            real: self.resolver.files.canonicalize(&path).ok(),
            path: Some(path),
        };
        self.items.push(Item { place: (usize::MAX, 0, 0), piece, set, raw: None, dropped: false, stand: Stand::File });
    }

    fn sources(&mut self, moment: Moment, touched: Option<(&str, &Target)>) {
        let host = self.resolver.host;
        let path = |p: &Path| p.to_string_lossy().into_owned();
        let mut found: Vec<(&str, String)> = Vec::new();
        if let Some((_, target)) = touched {
            found.extend([("touched", path(&target.path)), ("touched-folder", path(&target.folder))]);
            if let Some(reach) = &target.reach {
                let root = self.resolver.root_above(reach).unwrap_or_else(|| reach.clone());
                found.extend([("reach", path(reach)), ("reach-root", path(&root))]);
            }
        }
        let names: Vec<(&str, &str)> = found.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let names = names.as_slice();
        for deferred in [false, true] {
            for (index, (id, source)) in host.sources.iter().enumerate() {
                if source.on == moment && source.files.iter().any(|set| set.unless_loaded.is_empty() != deferred) {
                    self.source(index, id, source, names, touched, deferred);
                }
            }
        }
        for (id, source) in host.sources.iter().filter(|(_, s)| s.on == moment && touched.is_some()) {
            let mut folders = walk::source_folders(self.resolver, id, source, names, &self.seen);
            // Where nothing is looked for, nothing was seen.
            folders.retain(|folder| {
                self.resolver.files.is_directory(folder) && !source.files.iter().all(|s| self.is_passed_over(s, folder))
            });
            self.seen.note(id, folders);
        }
    }

    fn source(
        &mut self,
        index: usize,
        id: &'a str,
        source: &'a Source,
        names: Names<'_>,
        touched: Option<(&str, &Target)>,
        deferred: bool,
    ) {
        let folders = walk::source_folders(self.resolver, id, source, names, &self.seen);
        let off = source.when.as_ref().filter(|when| !self.resolver.holds(when));
        if let Some(when) = off {
            let reason = self.switched_off(when);
            for (set, folder) in source.files.iter().flat_map(|set| folders.iter().map(move |f| (set, f))) {
                self.omit_all(id, set, folder, &reason);
            }
            return;
        }
        let first = self.items.len();
        if let Some(parameter) = &source.text {
            self.setting_text(index, id, source, parameter);
        }
        let mut lost = None;
        'folders: for (f, folder) in folders.iter().enumerate() {
            let before = self.items.len();
            for (s, set) in source.files.iter().enumerate() {
                if set.unless_loaded.is_empty() == deferred {
                    continue;
                }
                let spot = Spot { id, source, set, folder, place: (index, f, s), touched };
                if let Some(file) = self.file_set(spot) {
                    lost = Some(file);
                    break 'folders;
                }
            }
            if source.chain.as_ref().is_some_and(|c| c.first_hit) && self.items.len() > before {
                break;
            }
            if source.chain.as_ref().is_some_and(|c| c.first_existing) && self.has_a_file(source, folder) {
                break;
            }
        }
        if let Some(file) = lost {
            for item in self.items.drain(first..) {
                if let Some(path) = item.piece.path {
                    let reason = Reason::LostWith { file: file.clone() };
                    self.omissions.push(Omission { source: id.to_owned(), path, reason });
                }
            }
        }
        if source.order.unwrap_or_default() != FileOrder::Found {
            let written = |item: &Item<'_>| item.piece.path.clone().unwrap_or_default().into_os_string();
            self.items[first..].sort_by_cached_key(written);
            self.items[first..].iter_mut().for_each(|item| item.place = (index, 0, 0));
        }
        if let (Some(contest), Some(item)) = (&source.contest, self.items.get(first)) {
            let path = item.piece.path.clone().unwrap_or_default();
            self.contests.entry(contest).or_insert((id, path));
        }
    }

    /// Whether one of the names of a source is a file in a folder.
    fn has_a_file(&self, source: &Source, folder: &Path) -> bool {
        let candidates = source.files.iter().flat_map(|set| pick::candidates(self.resolver, set, folder));
        candidates.into_iter().any(|found| matches!(found, Found::File(_)))
    }

    fn switched_off(&self, when: &crate::host::schema::Condition) -> Reason {
        if let (Some(_), "untrusted" | "undecided") = (&self.resolver.host.trust, self.resolver.trust().as_str()) {
            return Reason::NotTrusted;
        }
        Reason::SwitchedOff { by: self.resolver.describe(when).unwrap_or_else(|| "the way it was started".to_owned()) }
    }

    fn omit_all(&mut self, id: &str, set: &FileSet, folder: &Path, reason: &Reason) {
        for found in pick::candidates(self.resolver, set, folder) {
            if let Found::File(path) = found {
                self.omissions.push(Omission { source: id.to_owned(), path, reason: reason.clone() });
            }
        }
    }

    fn setting_text(&mut self, index: usize, id: &'a str, source: &'a Source, parameter: &str) {
        let found = self.resolver.parameter(parameter);
        let (Some(written), Some(set)) = (found.value.as_str(), source.files.first()) else { return };
        let mut text = Text::new(written.to_owned());
        transform::apply(&mut text, &set.text);
        if text.is_blank() {
            return;
        }
        let label = set.label.clone().unwrap_or_else(|| found.origin.clone().unwrap_or_default());
        let piece = Piece {
            source: id.to_owned(),
            scope: source.scope,
            path: None,
            real: None,
            label,
            loads: Loads::AtLaunch,
            imported_by: None,
            inline: false,
            patterns: Vec::new(),
            matched: None,
            bytes: written.len() as u64,
            text,
            cut: None,
        };
        self.items.push(Item {
            place: (index, 0, usize::MAX),
            piece,
            set,
            raw: None,
            dropped: false,
            stand: Stand::File,
        });
    }

    // ------------------------------------------------------------------ the files of one folder

    /// Takes the files of a set in a folder. Answers with the file that makes the whole source be lost, if one does.
    fn file_set(&mut self, spot: Spot<'a, '_>) -> Option<PathBuf> {
        let Spot { id, set, folder, .. } = spot;
        if let Some(when) = set.when.as_ref().filter(|when| !self.resolver.holds(when)) {
            let reason = self.switched_off(when);
            self.omit_all(id, set, folder, &reason);
            return None;
        }
        if self.is_passed_over(set, folder) {
            return None;
        }
        if let Some(why) = &set.never {
            self.omit_all(id, set, folder, &Reason::NeverRead { why: why.clone() });
            return None;
        }
        let shadow = self.shadow(spot);
        if let Some(by) = shadow {
            self.omit_all(id, set, folder, &Reason::Shadowed { by });
            return None;
        }
        for path in pick::idle(self.resolver, set, folder) {
            self.omit(spot, path, Reason::NameNotTaken { wanted: set.suffixes.clone() });
        }
        let mut winner: Option<PathBuf> = None;
        let candidates = pick::candidates(self.resolver, set, folder);
        if candidates.is_empty() {
            self.missing(spot);
        }
        for found in candidates {
            let path = found.path().to_path_buf();
            if let Some(by) = &winner {
                let reason = Reason::Shadowed { by: by.clone() };
                self.omissions.push(Omission { source: id.to_owned(), path, reason });
                continue;
            }
            let fate = self.candidate(spot, found);
            match (&fate, set.choice, set.unreadable) {
                (Fate::Unreadable, _, Unreadable::LosesSource) => return Some(path),
                (Fate::Unreadable, Choice::FirstExisting | Choice::FirstWithText, Unreadable::Claims) => {
                    winner = Some(path);
                }
                (Fate::Taken | Fate::Repeated, Choice::FirstExisting | Choice::FirstWithText, _) => winner = Some(path),
                (Fate::Nothing, Choice::FirstExisting, _) if self.resolver.files.is_file(&path) => winner = Some(path),
                _ => {}
            }
        }
        None
    }

    fn is_passed_over(&self, set: &FileSet, folder: &Path) -> bool {
        if set.skip_main_checkout
            && let Some(root) = self.resolver.place("git-root")
            && let Some(main) = self.resolver.main_checkout(&root)
            && root.starts_with(&main)
            && folder.starts_with(&main)
            && !folder.starts_with(&root)
        {
            return true;
        }
        let launch = self.resolver.place("launch").unwrap_or_default();
        folder.strip_prefix(&launch).is_ok_and(|below| {
            below.components().any(|c| set.ignored_parts.iter().any(|part| c.as_os_str() == part.as_str()))
        })
    }

    /// The file that keeps a set out, if one does.
    fn shadow(&self, spot: Spot<'_, '_>) -> Option<PathBuf> {
        if let Some((winner, path)) = spot.source.contest.as_deref().and_then(|c| self.contests.get(c))
            && *winner != spot.id
        {
            return Some(path.clone());
        }
        if spot.set.unless_loaded_when.as_ref().is_some_and(|when| !self.resolver.holds(when)) {
            return None;
        }
        spot.set.unless_loaded.iter().find_map(|group| match group.strip_suffix(":here") {
            Some(group) => self.resolver.group_loaded(group, Some(spot.folder)),
            None => self.resolver.group_loaded(group, None),
        })
    }

    fn candidate(&mut self, spot: Spot<'a, '_>, found: Found) -> Fate {
        let reason = match found {
            Found::File(path) => return self.file(spot, path),
            Found::NotAFile(path) => (path, Reason::NotAFile, Fate::Nothing),
            Found::BrokenLink(path) => (path, Reason::BrokenLink, Fate::Nothing),
            Found::Unreadable(path, error) => (path, Reason::Unreadable { error }, Fate::Unreadable),
            Found::TooLarge(path, limit) => (path, Reason::TooLarge { limit }, Fate::Nothing),
            Found::Refused(path, pattern) => {
                (path, Reason::Excluded { by: "the host".to_owned(), pattern }, Fate::Nothing)
            }
        };
        let (path, reason, fate) = reason;
        self.without_text(spot, path, reason);
        fate
    }

    /// Notes that a file gives no text, and what the host puts in its place.
    fn without_text(&mut self, spot: Spot<'a, '_>, path: PathBuf, reason: Reason) {
        let linked = || match self.resolver.files.link_metadata(&path) {
            Ok(metadata) if metadata.kind != FileKind::Link => Obstacle::HardLink,
            _ => Obstacle::Link,
        };
        let obstacle = match &reason {
            Reason::BrokenLink => Some(Obstacle::Link),
            Reason::LinkRefused { .. } => Some(linked()),
            Reason::NotAFile => Some(Obstacle::NotAFile),
            Reason::Unreadable { .. } => Some(Obstacle::Denied),
            Reason::TooLarge { .. } => Some(Obstacle::TooLarge),
            _ => None,
        };
        let note = obstacle
            .filter(|_| spot.set.unreadable == Unreadable::Noted)
            .and_then(|obstacle| spot.set.unreadable_notes.get(&obstacle))
            .map(|template| template.replace("{path}", &path.to_string_lossy()));
        if let Some(note) = note {
            self.stand_in(spot, &path, note, Stand::File);
        }
        self.omit(spot, path, reason);
    }

    /// What the host does about a file that is not there.
    fn missing(&mut self, spot: Spot<'a, '_>) {
        let set = spot.set;
        let names = self.resolver.expand_names(&set.names);
        let Some(path) = names.first().map(|name| paths::join(spot.folder, name)) else { return };
        let holds =
            |when: &Option<crate::host::schema::Condition>| when.as_ref().is_none_or(|w| self.resolver.holds(w));
        if let Some(length) = set.written_length.filter(|_| holds(&set.written_when)) {
            let told = format!("{} is not there: the host writes it from its template", path.display());
            self.notices.push(told);
            self.stand_in(spot, &path, String::new(), Stand::Written(length));
        } else if let Some(template) = set.missing_text.as_ref().filter(|_| holds(&set.missing_when)) {
            let note = template.replace("{path}", &path.to_string_lossy());
            self.stand_in(spot, &path, note, Stand::Missing);
        }
    }

    /// Puts the host's own words in the place of a file's text.
    fn stand_in(&mut self, spot: Spot<'a, '_>, path: &Path, note: String, stand: Stand) {
        let mut text = Text::new(String::new());
        text.replace(0..0, &note);
        let piece = Piece {
            source: spot.id.to_owned(),
            scope: spot.set.scope.unwrap_or(spot.source.scope),
            path: None,
            real: None,
            label: path.to_string_lossy().into_owned(),
            loads: match spot.touched {
                Some((tool, target)) => Loads::OnTouch { tool: tool.to_owned(), path: target.path.clone() },
                None => Loads::AtLaunch,
            },
            imported_by: None,
            inline: false,
            patterns: Vec::new(),
            matched: None,
            text,
            bytes: 0,
            cut: None,
        };
        self.items.push(Item { place: spot.place, piece, set: spot.set, raw: None, dropped: false, stand });
    }

    /// Does what comes after the budgets.
    fn finish(&mut self, range: std::ops::Range<usize>) {
        for item in self.items.get_mut(range).into_iter().flatten().filter(|item| !item.dropped) {
            let set = item.set;
            if item.stand != Stand::File && (set.missing_hidden || item.stand != Stand::Missing) {
                item.dropped = true;
                continue;
            }
            if let Some(when) = set.hidden_when.as_ref().filter(|when| self.resolver.holds(when)) {
                item.dropped = true;
                if let Some(path) = item.piece.path.clone() {
                    let by = self.resolver.describe(when).unwrap_or_else(|| "the kind of session".to_owned());
                    let reason = Reason::SwitchedOff { by };
                    self.omissions.push(Omission { source: item.piece.source.clone(), path, reason });
                }
                continue;
            }
            for name in &set.finish {
                let base_name = item.piece.path.as_deref().map(paths::file_name).unwrap_or_default().to_lowercase();
                if let Some(finishing) = self.resolver.host.finishing.get(name)
                    && (finishing.base_names.is_empty() || finishing.base_names.contains(&base_name))
                {
                    finish::apply(self.resolver, &mut item.piece.text, finishing);
                }
            }
        }
    }

    fn omit(&mut self, spot: Spot<'_, '_>, path: PathBuf, reason: Reason) {
        self.omissions.push(Omission { source: spot.id.to_owned(), path, reason });
    }

    fn file(&mut self, spot: Spot<'a, '_>, path: PathBuf) -> Fate {
        let Spot { id, source, set, .. } = spot;
        let scope = set.scope.unwrap_or(source.scope);
        let real = self.resolver.files.canonicalize(&path).unwrap_or_else(|_| path.clone());
        if let Some(reason) = self.refused_link(set, &path, &real) {
            self.without_text(spot, path, reason);
            return Fate::Nothing;
        }
        if let Some((by, pattern)) = self.exclusions.reason(&path, &real, scope, set.rules.is_some()) {
            self.omit(spot, path, Reason::Excluded { by, pattern });
            return Fate::Nothing;
        }
        if let Some(limit) = set.file_limit
            && self.resolver.files.metadata(&path).is_ok_and(|m| m.size > limit)
        {
            self.without_text(spot, path, Reason::TooLarge { limit });
            return Fate::Nothing;
        }
        let (read, raw) = match self.read(&path, set.decoding) {
            Ok(read) => read,
            Err(error) => {
                self.without_text(spot, path, Reason::Unreadable { error });
                return Fate::Unreadable;
            }
        };
        let read_bytes = raw.as_ref().map_or(read.len(), Vec::len) as u64;
        let bytes = match read_bytes < pick::READ_LIMIT {
            true => read_bytes,
            false => self.resolver.files.metadata(&path).map_or(read_bytes, |m| m.size),
        };
        let heading = match self.rule(spot, &path, &read) {
            Ok(heading) => heading,
            Err(reason) => {
                self.imports_of_waiting_rule(spot, &path, &real, &read, &reason);
                self.omit(spot, path, reason);
                return Fate::Nothing;
            }
        };
        let mut text = Text::new(read);
        transform::apply(&mut text, &set.text);
        if text.is_blank() && set.blank == Blank::Skipped {
            self.omit(spot, path, Reason::Blank);
            return Fate::Nothing;
        }
        if set.named_only {
            self.name_only(spot, path);
            return Fate::Nothing;
        }
        let (patterns, matched) = heading;
        let label = set.label.as_ref().map(|label| self.described(label, &path));
        let piece = Piece {
            source: id.to_owned(),
            scope,
            label: label.unwrap_or_else(|| paths::file_name(&path)),
            loads: match spot.touched {
                Some((tool, target)) => Loads::OnTouch { tool: tool.to_owned(), path: target.path.clone() },
                None => Loads::AtLaunch,
            },
            imported_by: None,
            inline: false,
            patterns,
            matched,
            text,
            bytes,
            cut: None,
            path: Some(path.clone()),
            real: Some(real),
        };
        self.load(spot, piece, raw)
    }

    /// Loads what a scoped rule imports, where the host does so although the rule itself waits.
    fn imports_of_waiting_rule(&mut self, spot: Spot<'a, '_>, path: &Path, real: &Path, read: &str, reason: &Reason) {
        let Some(dialect) = self.dialect(spot.set).filter(|d| d.of_waiting_rules) else { return };
        if spot.touched.is_some() || !matches!(reason, Reason::WaitsForMatch { .. }) {
            return;
        }
        let mut text = Text::new(read.to_owned());
        transform::apply(&mut text, &spot.set.text);
        self.import_files(spot, dialect, path, real, &text.flatten());
    }

    fn refused_link(&self, set: &FileSet, path: &Path, real: &Path) -> Option<Reason> {
        let refused = || Some(Reason::LinkRefused { target: Some(real.to_path_buf()) });
        match set.links {
            Links::Followed => None,
            Links::Refused => match self.resolver.files.link_metadata(path) {
                Ok(metadata) if metadata.kind == FileKind::Link || metadata.names > 1 => refused(),
                _ => None,
            },
            Links::Inside => {
                if set.boundary_lifted.as_ref().is_some_and(|lifted| self.resolver.holds(lifted)) || path == real {
                    return None;
                }
                let boundary = set.boundary.as_ref().and_then(|b| self.resolver.path(b))?;
                let boundary = self.resolver.files.canonicalize(&boundary).unwrap_or(boundary);
                if real.starts_with(boundary) { None } else { refused() }
            }
        }
    }

    /// A file's text, and its bytes where they are no UTF-8.
    fn read(&self, path: &Path, decoding: Decoding) -> Result<(String, Option<Vec<u8>>), String> {
        let bytes = self.resolver.files.read(path, pick::READ_LIMIT).map_err(|error| error.to_string())?;
        match (String::from_utf8(bytes), decoding) {
            (Ok(text), _) => Ok((text, None)),
            (Err(_), Decoding::Strict) => Err("it is not UTF-8".to_owned()),
            (Err(error), Decoding::Lossy) => {
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                Ok((text, Some(error.into_bytes())))
            }
        }
    }

    /// The patterns of a scoped rule, and the one that matched; or why the rule does not load now.
    fn rule(&mut self, spot: Spot<'_, '_>, path: &Path, text: &str) -> Result<(Vec<String>, Option<String>), Reason> {
        let Some(dialect) = spot.set.rules.as_ref().and_then(|r| self.resolver.host.scopes.get(r)) else {
            return Ok((Vec::new(), None));
        };
        let heading = scope::read(text, dialect);
        let kind = spot.set.rules_kind;
        match heading.scope {
            RuleScope::Excluded => Err(Reason::ExcludesHost),
            RuleScope::Always => match kind {
                RulesKind::Always | RulesKind::AlwaysOrMatching | RulesKind::AlwaysOrListed => Ok((Vec::new(), None)),
                _ => Err(Reason::SwitchedOff { by: "it loads at launch".to_owned() }),
            },
            // Who names the rule's own file gets it.
            RuleScope::Offered | RuleScope::ByMention
                if kind == RulesKind::Matching
                    && spot.touched.is_some_and(|(tool, t)| tool == "mention" && t.path == path) =>
            {
                Ok((Vec::new(), None))
            }
            RuleScope::Offered => {
                if kind == RulesKind::Offered {
                    let description = heading.description;
                    self.pointers.push(Pointer { path: path.to_path_buf(), patterns: Vec::new(), description });
                }
                Err(Reason::AgentDecides)
            }
            RuleScope::ByMention => Err(Reason::ByMentionOnly),
            RuleScope::Patterns(patterns) => match (kind, spot.touched) {
                (RulesKind::Matching | RulesKind::AlwaysOrMatching, Some((_, target))) => {
                    let base = spot.set.rules_base.as_ref().unwrap_or(&dialect.base);
                    let folder = spot.folder.to_string_lossy();
                    let base = self.resolver.path_with(base, &[("rules-base", &folder)]).unwrap_or_default();
                    let reach = touch::reach(self.resolver, &dialect.reach);
                    let within = dialect.reach.is_empty() || reach.iter().any(|r| target.path.starts_with(r));
                    match scope::matching(&patterns, dialect.globs, &base, &target.path).filter(|_| within) {
                        Some(matched) => {
                            let matched = matched.to_owned();
                            Ok((patterns, Some(matched)))
                        }
                        None => Err(Reason::WaitsForMatch { patterns }),
                    }
                }
                (RulesKind::Listed | RulesKind::AlwaysOrListed, _) => {
                    let path = self.resolver.files.canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
                    let description = heading.description;
                    self.pointers.push(Pointer { path, patterns: patterns.clone(), description });
                    Err(Reason::WaitsForMatch { patterns })
                }
                _ => Err(Reason::WaitsForMatch { patterns }),
            },
        }
    }

    // ------------------------------------------------------------------ loading and imports

    fn load(&mut self, spot: Spot<'a, '_>, mut piece: Piece, raw: Option<Vec<u8>>) -> Fate {
        let dialect = self.dialect(spot.set);
        let inline = dialect.filter(|d| d.place != ImportPlace::AfterFile);
        let mut imported = Vec::new();
        match inline {
            Some(dialect) if dialect.place == ImportPlace::AtEndReversed => {
                self.append(spot, dialect, &mut piece, &mut imported);
            }
            Some(dialect) => self.expand(spot, dialect, &mut piece, &mut imported),
            None => {}
        }
        transform::apply(&mut piece.text, &spot.set.text_with_imports);
        if piece.text.is_blank() && spot.set.blank == Blank::Skipped {
            let path = piece.path.unwrap_or_default();
            self.omit(spot, path, Reason::Blank);
            return Fate::Nothing;
        }
        if let Some(reason) = self.same_as(spot, &piece) {
            if let Some(path) = piece.path {
                self.omit(spot, path, reason);
            }
            return Fate::Repeated;
        }
        self.look_through(spot, &mut piece);
        let path = piece.path.clone().unwrap_or_default();
        if spot.set.entries.is_some() && piece.text.is_blank() {
            self.omit(spot, path, Reason::Blank);
            return Fate::Nothing;
        }
        if let Some(wrap) = &spot.set.wrap {
            let wrap = self.described(wrap, &path).replace("{label}", &piece.label);
            let (open, close) = wrap.split_once("{text}").unwrap_or((wrap.as_str(), ""));
            let end = piece.text.len();
            piece.text.replace(end..end, close);
            piece.text.replace(0..0, open);
        }
        if let Some(group) = &spot.set.group {
            self.resolver.note_loaded(group, spot.folder, &path);
        }
        let set = spot.set;
        let separate = dialect.filter(|_| inline.is_none());
        let separate = separate.map(|d| (d, piece.text.flatten(), piece.real.clone().unwrap_or_default()));
        self.items.push(Item { place: spot.place, piece, set, raw, dropped: false, stand: Stand::File });
        self.items.extend(imported.into_iter().map(|piece| Item {
            place: spot.place,
            piece,
            set,
            raw: None,
            dropped: false,
            stand: Stand::File,
        }));
        if let Some((dialect, text, real)) = separate {
            self.import_files(spot, dialect, &path, &real, &text);
        }
        Fate::Taken
    }

    /// Looks a piece through for what the host holds back.
    fn look_through(&mut self, spot: Spot<'a, '_>, piece: &mut Piece) {
        let set = spot.set;
        if set.scan.is_none() && set.entries.is_none() {
            return;
        }
        let path = piece.path.clone().unwrap_or_default();
        let name = paths::file_name(&path);
        let scanner = set.scan.as_ref().and_then(|scan| self.scanner(scan));
        let found = match (&set.entries, &scanner) {
            (Some(entries), scanner) => {
                injection::sift(&mut piece.text, entries, scanner.as_deref(), &piece.label, &name)
            }
            (None, Some(scanner)) => scanner.apply(&mut piece.text, &piece.label, &name, !set.scan_only_warns),
            (None, None) => Vec::new(),
        };
        let Some(Finding { phrase, line, .. }) = found.first().cloned() else { return };
        let findings: Vec<String> = found.into_iter().map(|f| f.id).collect();
        if set.scan_only_warns {
            let ids = findings.join(", ");
            self.notices.push(format!("{}: `{phrase}` in line {line} is suspect ({ids}); it is sent", piece.label));
        } else {
            self.omit(spot, path, Reason::Blocked { findings, phrase, line });
        }
    }

    fn scanner(&mut self, name: &'a str) -> Option<Rc<Scanner>> {
        if let Some(known) = self.scanners.get(name) {
            return Some(known.clone());
        }
        match Scanner::new(name, &self.resolver.host.scans) {
            Ok(scanner) => Some(self.scanners.entry(name).or_insert(Rc::new(scanner)).clone()),
            Err(problem) => {
                let problem = format!("hosts.toml: {problem}");
                if !self.notices.contains(&problem) {
                    self.notices.push(problem);
                }
                None
            }
        }
    }

    /// Fills `{name}`, `{from-launch}` and `{launch}` in a template.
    fn described(&self, template: &str, path: &Path) -> String {
        if !template.contains('{') {
            return template.to_owned();
        }
        let launch = self.resolver.place("launch").unwrap_or_default();
        template
            .replace("{name}", &paths::file_name(path))
            .replace("{from-launch}", &paths::relative_with_parents(path, &launch))
            .replace("{launch}", &launch.to_string_lossy())
    }

    /// Notes a file that is named to the model, unless its text is there.
    fn name_only(&mut self, spot: Spot<'_, '_>, path: PathBuf) {
        if self.items.iter().any(|item| item.piece.path.as_ref() == Some(&path)) {
            return;
        }
        let description = spot.set.description.as_ref().map(|description| {
            let root = self.resolver.place("root").or_else(|| self.resolver.place("launch")).unwrap_or_default();
            let folder = paths::relative(spot.folder, &root);
            description.replace("{folder}", &folder.unwrap_or_else(|| spot.folder.to_string_lossy().into_owned()))
        });
        self.pointers.push(Pointer { path: path.clone(), patterns: Vec::new(), description });
        self.omit(spot, path, Reason::NamedOnly);
    }

    /// The import dialect of a file set.
    fn dialect(&self, set: &FileSet) -> Option<&'a ImportDialect> {
        let name = set.imports.as_ref()?;
        match name.strip_prefix('$') {
            Some(parameter) => self.resolver.host.imports.get(self.resolver.parameter(parameter).value.as_str()?),
            None => self.resolver.host.imports.get(name),
        }
    }

    /// The file that a piece is the same as, by the host's own idea of sameness.
    fn same_as(&self, spot: Spot<'_, '_>, piece: &Piece) -> Option<Reason> {
        let group = spot.set.group.as_deref();
        let among = |list: &[String], source: &str, group: Option<&str>| {
            list.is_empty() || list.iter().any(|name| name == source || Some(name.as_str()) == group)
        };
        self.resolver.host.identity.iter().find_map(|identity| {
            let concerned = if identity.drops.is_empty() { &identity.among } else { &identity.drops };
            if !among(concerned, spot.id, group) {
                return None;
            }
            let known = identity.known.as_ref().and_then(|known| self.known_file(known));
            if let Some((path, _)) = known.filter(|(_, text)| !text.is_empty() && *text == file_text(&piece.text)) {
                return Some(Reason::SameAs { path, by: "text".to_owned() });
            }
            let same = self
                .items
                .iter()
                .filter(|item| {
                    among(&identity.among, &item.piece.source, item.set.group.as_deref())
                        && !item.piece.inline
                        && !(identity.without_imports && item.piece.imported_by.is_some())
                })
                .find(|item| self.is_same(identity.by, &item.piece, piece))?;
            let by = match identity.by {
                Sameness::RealPath | Sameness::Path | Sameness::File => "file",
                Sameness::Text | Sameness::TrimmedText | Sameness::FileText => "text",
            };
            Some(Reason::SameAs { path: same.piece.path.clone().unwrap_or_default(), by: by.to_owned() })
        })
    }

    fn is_same(&self, by: Sameness, a: &Piece, b: &Piece) -> bool {
        match by {
            Sameness::RealPath => a.real.is_some() && a.real == b.real,
            Sameness::Path => a.path.is_some() && a.path == b.path,
            Sameness::File => {
                let number = |piece: &Piece| self.resolver.files.metadata(piece.real.as_deref()?).ok()?.identity;
                a.real.is_some() && (a.real == b.real || number(a).is_some_and(|n| Some(n) == number(b)))
            }
            Sameness::Text => a.text.flatten() == b.text.flatten(),
            Sameness::TrimmedText => a.text.flatten().trim() == b.text.flatten().trim(),
            Sameness::FileText => file_text(&a.text) == file_text(&b.text),
        }
    }

    /// The file that the host knows without loading it, and its text.
    fn known_file(&self, known: &KnownFile) -> Option<(PathBuf, String)> {
        let folder = self.resolver.path(&known.folder)?;
        let real = self.resolver.files.canonicalize(&folder).unwrap_or_else(|_| folder.clone());
        known.names.iter().map(|name| folder.join(name)).find_map(|path| {
            let inside = self.resolver.files.canonicalize(&path).is_ok_and(|target| target.starts_with(&real));
            let (text, _) =
                (inside && self.resolver.files.is_file(&path)).then(|| self.read(&path, Decoding::Strict).ok())??;
            Some((path, file_text(&Text::new(text)).to_owned()))
        })
    }

    /// Imports that become files of their own, each followed by what it imports itself.
    fn import_files(&mut self, spot: Spot<'a, '_>, dialect: &'a ImportDialect, top: &Path, real: &Path, text: &str) {
        let mut once: HashSet<PathBuf> = HashSet::from([real.to_path_buf()]);
        // What was loaded before is looked up once: one file may import thousands.
        let loaded: HashSet<PathBuf> = self.items.iter().filter_map(|item| item.piece.real.clone()).collect();
        let mut open: Vec<(PathBuf, String, usize)> = Vec::new();
        let push = |open: &mut Vec<(PathBuf, String, usize)>, file: &Path, text: &str, depth: usize| {
            let mentions = imports::find(text, dialect);
            // The last of the open ones is taken next.
            open.extend(mentions.into_iter().rev().map(|m| (file.to_path_buf(), m.path, depth)));
        };
        push(&mut open, top, text, 1);
        while let Some((file, mention, depth)) = open.pop() {
            let Some((named, real)) = self.import_target(spot, dialect, &file, top, &mention, depth) else {
                continue;
            };
            let repeated = match dialect.once {
                ImportOnce::Session => loaded.contains(&real),
                ImportOnce::TopLevelFile | ImportOnce::Chain => false,
            };
            if repeated || !once.insert(real.clone()) {
                continue;
            }
            let Some(piece) = self.imported_piece(spot, dialect, &file, named.clone(), real) else { continue };
            push(&mut open, &named, &piece.text.flatten(), depth + 1);
            self.items.push(Item {
                place: spot.place,
                piece,
                set: spot.set,
                raw: None,
                dropped: false,
                stand: Stand::File,
            });
        }
    }

    /// The file that a mention leads to, or `None` with the reason noted.
    fn import_target(
        &mut self,
        spot: Spot<'_, '_>,
        dialect: &ImportDialect,
        file: &Path,
        top: &Path,
        mention: &str,
        depth: usize,
    ) -> Option<(PathBuf, PathBuf)> {
        let by = file.to_path_buf();
        let scope = spot.set.scope.unwrap_or(spot.source.scope);
        let boundary = spot.set.boundary.as_deref();
        let importer = Importer { file, top, scope, on_touch: spot.touched.is_some(), boundary };
        let (path, reason) = match imports::resolve(self.resolver, dialect, &importer, mention) {
            ImportTarget::File(named, real) => match dialect.depth.filter(|max| depth > *max) {
                None => match self.exclusions.reason(&named, &real, scope, false) {
                    None => return Some((named, real)),
                    Some((excluded_by, pattern)) => (named, Reason::Excluded { by: excluded_by, pattern }),
                },
                Some(max) => (named, Reason::ImportTooDeep { by, depth: max }),
            },
            ImportTarget::Missing(path) => (path, Reason::ImportMissing { by }),
            ImportTarget::Outside(path, boundary) => (path, Reason::ImportOutside { by, boundary }),
            ImportTarget::Refused(path, why) => (path, Reason::ImportRefused { by, why: why.to_owned() }),
        };
        self.omit(spot, path, reason);
        None
    }

    fn imported_piece(
        &mut self,
        spot: Spot<'_, '_>,
        dialect: &ImportDialect,
        by: &Path,
        named: PathBuf,
        real: PathBuf,
    ) -> Option<Piece> {
        if let Some(limit) = spot.set.file_limit
            && self.resolver.files.metadata(&real).is_ok_and(|m| m.size > limit)
        {
            self.omit(spot, named, Reason::TooLarge { limit });
            return None;
        }
        let read = match self.read(&real, dialect.decoding) {
            Ok((read, _)) => read,
            Err(error) => {
                self.omit(spot, named, Reason::Unreadable { error });
                return None;
            }
        };
        // Whether an imported file that is itself a scoped rule counts is the host's choice.
        if dialect.drops_scoped
            && let Some(rules) = spot.set.rules.as_ref().and_then(|r| self.resolver.host.scopes.get(r))
            && let RuleScope::Patterns(patterns) = scope::read(&read, rules).scope
        {
            self.omit(spot, named, Reason::WaitsForMatch { patterns });
            return None;
        }
        let bytes = read.len() as u64;
        let mut text = Text::new(read);
        transform::apply(&mut text, dialect.text.as_ref().unwrap_or(&spot.set.text));
        if text.is_blank() && dialect.blank == Blank::Skipped {
            self.omit(spot, named, Reason::Blank);
            return None;
        }
        Some(Piece {
            source: spot.id.to_owned(),
            scope: spot.set.scope.unwrap_or(spot.source.scope),
            label: paths::file_name(&named),
            loads: match spot.touched {
                Some((tool, target)) => Loads::OnTouch { tool: tool.to_owned(), path: target.path.clone() },
                None => Loads::AtLaunch,
            },
            imported_by: Some(by.to_path_buf()),
            inline: false,
            patterns: Vec::new(),
            matched: None,
            text,
            bytes,
            cut: None,
            path: Some(named),
            real: Some(real),
        })
    }

    /// Puts imported texts behind the importing one, the last import first, each file once by its path.
    fn append(&mut self, spot: Spot<'a, '_>, dialect: &'a ImportDialect, piece: &mut Piece, imported: &mut Vec<Piece>) {
        let top = piece.path.clone().unwrap_or_default();
        let wrap = |text: &mut Text, name: &Path| {
            text.trim();
            let name = name.to_string_lossy();
            let end = text.len();
            text.replace(end..end, &dialect.close.replace("{path}", &name));
            text.replace(0..0, &dialect.open.replace("{path}", &name));
        };
        let mut once: HashSet<PathBuf> = HashSet::new();
        let mut open: Vec<(PathBuf, String)> = Vec::new();
        let push = |open: &mut Vec<(PathBuf, String)>, file: &Path, text: &str| {
            open.extend(imports::find(text, dialect).into_iter().map(|m| (file.to_path_buf(), m.path)));
        };
        push(&mut open, &top, &piece.text.flatten());
        wrap(&mut piece.text, top.parent().unwrap_or(Path::new("/")));
        while let Some((file, mention)) = open.pop() {
            let Some((named, real)) = self.import_target(spot, dialect, &file, &top, &mention, 1) else { continue };
            if !once.insert(named.clone()) {
                continue;
            }
            let Some(mut child) = self.imported_piece(spot, dialect, &file, named.clone(), real) else { continue };
            push(&mut open, &named, &child.text.flatten());
            let mut added = child.text.clone();
            wrap(&mut added, &named);
            let end = piece.text.len();
            piece.text.replace(end..end, &format!("\n\n{}", added.flatten()));
            child.inline = true;
            imported.push(child);
        }
    }

    /// Puts imported texts into the importing one.
    fn expand(&mut self, spot: Spot<'a, '_>, dialect: &ImportDialect, piece: &mut Piece, imported: &mut Vec<Piece>) {
        let top = piece.path.clone().unwrap_or_default();
        let mut state = Expansion {
            chain: if dialect.once == ImportOnce::Chain { Vec::new() } else { piece.real.iter().cloned().collect() },
            files: 0,
            bytes: 0,
        };
        let file = top.clone();
        self.expand_text(spot, dialect, &mut piece.text, &file, &top, 1, &mut state, imported);
    }

    #[allow(clippy::too_many_arguments)]
    fn expand_text(
        &mut self,
        spot: Spot<'a, '_>,
        dialect: &ImportDialect,
        text: &mut Text,
        file: &Path,
        top: &Path,
        depth: usize,
        state: &mut Expansion,
        imported: &mut Vec<Piece>,
    ) {
        let mut replacements = Vec::new();
        for mention in imports::find(&text.flatten(), dialect) {
            if let Some(added) = self.expansion(spot, dialect, &mention.path, file, top, depth, state, imported) {
                replacements.push((mention.range, added));
            }
        }
        for (range, added) in replacements.into_iter().rev() {
            match dialect.place {
                ImportPlace::AfterMention => text.replace(range.end..range.end, &added),
                _ => text.replace(range, &added),
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn expansion(
        &mut self,
        spot: Spot<'a, '_>,
        dialect: &ImportDialect,
        mention: &str,
        file: &Path,
        top: &Path,
        depth: usize,
        state: &mut Expansion,
        imported: &mut Vec<Piece>,
    ) -> Option<String> {
        let noted = self.omissions.len();
        let names = |template: &str, path: &Path, why: &str| {
            template.replace("{mention}", mention).replace("{path}", &path.to_string_lossy()).replace("{reason}", why)
        };
        if dialect.depth.is_some_and(|max| depth > max) {
            self.import_target(spot, dialect, file, top, mention, depth);
            return None;
        }
        let Some((named, real)) = self.import_target(spot, dialect, file, top, mention, depth) else {
            let why = self.omissions.get(noted).map(|o| {
                let word = failure(&o.reason, self.resolver.files.is_directory(&o.path));
                let words = dialect.failures.get(word).map_or(word, String::as_str);
                words.replace("{path}", &o.path.to_string_lossy())
            });
            let why = why.unwrap_or_default();
            return dialect.failed.as_ref().map(|template| names(template, Path::new(mention), &why));
        };
        if state.chain.contains(&real) {
            return dialect.repeated.as_ref().map(|template| names(template, &named, ""));
        }
        let size = self.resolver.files.metadata(&real).map_or(0, |m| m.size);
        let over_files = dialect.file_limit.is_some_and(|limit| state.files >= limit);
        let over_bytes = dialect.byte_limit.is_some_and(|limit| state.bytes + size > limit);
        if over_files || over_bytes {
            let why = if over_files { "too many files are imported" } else { "too many bytes are imported" };
            self.omit(spot, named, Reason::ImportRefused { by: file.to_path_buf(), why: why.to_owned() });
            return None;
        }
        let mut child = self.imported_piece(spot, dialect, file, named.clone(), real.clone())?;
        state.files += 1;
        state.bytes += size;
        state.chain.push(real);
        let at = imported.len();
        self.expand_text(spot, dialect, &mut child.text, &named, top, depth + 1, state, imported);
        if dialect.once == ImportOnce::Chain {
            state.chain.pop();
        }
        let text = format!(
            "{}{}{}",
            names(&dialect.open, &named, ""),
            child.text.flatten(),
            names(&dialect.close, &named, "")
        );
        child.inline = true;
        imported.insert(at, child);
        Some(text)
    }

    // ------------------------------------------------------------------ budgets

    fn spend_budgets(&mut self, range: std::ops::Range<usize>) {
        let host = self.resolver.host;
        for (name, budget) in &host.budgets {
            let Some((limit, set_by)) = self.limit(budget) else { continue };
            let concerned: Vec<usize> = range
                .clone()
                .filter(|i| {
                    let item = &self.items[*i];
                    item.set.budgets.contains(name) && !item.dropped && !item.piece.inline
                })
                .collect();
            match budget.spans {
                BudgetSpan::File => {
                    concerned.iter().for_each(|i| self.spend_on_file(*i, name, budget, limit, set_by.clone()));
                }
                BudgetSpan::Joined if budget.keep == Keep::HeadAndTail => {
                    self.spend_on_joined(&concerned, name, budget, limit, set_by);
                }
                BudgetSpan::Chain | BudgetSpan::Joined => self.spend_on_chain(&concerned, name, budget, limit, set_by),
            }
        }
    }

    fn limit(&self, budget: &Budget) -> Option<(u64, Option<String>)> {
        self.amount(&budget.limit)
    }

    /// A number, or a parameter's value with its origin.
    fn amount(&self, value: &Value) -> Option<(u64, Option<String>)> {
        match value {
            Value::String(parameter) => {
                let found = self.resolver.parameter(parameter.trim_start_matches('$'));
                let value = &found.value;
                // A limit with a fraction is cut; one beyond all numbers is none.
                let whole =
                    value.as_u64().or_else(|| value.as_f64().filter(|f| *f >= 0.0).map(|f| f.trunc() as u64))?;
                Some((whole, found.origin.clone()))
            }
            other => Some((other.as_u64()?, None)),
        }
    }

    fn spend_on_file(&mut self, index: usize, name: &str, budget: &Budget, limit: u64, set_by: Option<String>) {
        let path = self.items[index].piece.path.clone().unwrap_or_default();
        let notice = budget.notice.as_ref().map(|notice| self.notice(notice, &path));
        let item = &mut self.items[index];
        let base_name = paths::file_name(&path);
        let limit = budget::by_name(&budget.by_name, &base_name).map_or(limit, |own| limit.min(own));
        let length = text::measure(&item.piece.text.flatten(), budget.unit);
        let shown = path.to_string_lossy();
        let label = budget.name.as_ref().or(item.set.notice_name.as_ref()).unwrap_or(&item.piece.label).clone();
        let names = budget::Names { name: &label, path: &shown };
        let digests = &self.resolver.host.digests;
        let outcome = budget::cut_by(&mut item.piece.text, limit, budget, notice.as_deref(), digests, &names);
        let used = length.min(limit);
        self.budgets.push(BudgetUse {
            budget: name.to_owned(),
            about: budget.about.clone(),
            path: Some(path.clone()),
            limit,
            used,
            unit: budget.unit,
            set_by,
        });
        match outcome {
            Outcome::Whole => {}
            Outcome::Cut => {
                item.piece.cut = Some(Cut { budget: name.to_owned(), limit, length, unit: budget.unit });
                self.tell(budget, &label, &path, limit, limit, length);
            }
            Outcome::Dropped => {
                item.dropped = true;
                let reason = Reason::OverBudget { budget: name.to_owned(), limit, unit: budget.unit };
                let source = item.piece.source.clone();
                self.omissions.push(Omission { source, path: path.clone(), reason });
                self.tell(budget, &label, &path, limit, limit, length);
            }
        }
    }

    /// A notice in the text, but for what only the cut knows.
    fn notice(&self, notice: &str, path: &Path) -> String {
        let launch = self.resolver.place("launch").unwrap_or_default();
        notice
            .replace("{from-launch}", &paths::relative_with_parents(path, &launch))
            .replace("{launch}", &launch.to_string_lossy())
    }

    /// One limit for the texts of a source, as if they were one text.
    fn spend_on_joined(&mut self, items: &[usize], name: &str, budget: &Budget, limit: u64, set_by: Option<String>) {
        let Some((last, others)) = items.split_last() else { return };
        if budget.only_several && others.is_empty() {
            return;
        }
        for index in others {
            let text = &mut self.items[*index].piece.text;
            let end = text.len();
            text.replace(end..end, &budget.separator);
        }
        let path = self.items[*last].piece.path.clone().unwrap_or_default();
        let label = budget.name.as_ref().unwrap_or(&self.items[*last].piece.label).clone();
        let notice = budget.notice.as_ref().map(|notice| self.notice(notice, &path));
        let lengths: Vec<u64> =
            items.iter().map(|i| text::measure(&self.items[*i].piece.text.flatten(), budget.unit)).collect();
        let total: u64 = lengths.iter().sum();
        let shown = path.to_string_lossy();
        let names = budget::Names { name: &label, path: &shown };
        let mut texts: Vec<Text> = items.iter().map(|i| self.items[*i].piece.text.clone()).collect();
        let outcomes =
            budget::cut_joined(&mut texts.iter_mut().collect::<Vec<_>>(), limit, budget, notice.as_deref(), &names);
        for (((index, text), outcome), length) in items.iter().zip(texts).zip(outcomes).zip(lengths) {
            let item = &mut self.items[*index];
            item.piece.text = text;
            match outcome {
                Outcome::Whole => {}
                Outcome::Cut => {
                    item.piece.cut = Some(Cut { budget: name.to_owned(), limit, length, unit: budget.unit });
                }
                Outcome::Dropped => {
                    item.dropped = true;
                    let reason = Reason::OverBudget { budget: name.to_owned(), limit, unit: budget.unit };
                    let (source, path) = (item.piece.source.clone(), item.piece.path.clone().unwrap_or_default());
                    self.omissions.push(Omission { source, path, reason });
                }
            }
        }
        if total > limit {
            self.tell(budget, &label, &path, limit, limit, total);
        }
        let about = budget.about.clone();
        let (budget, unit, used) = (name.to_owned(), budget.unit, total.min(limit));
        self.budgets.push(BudgetUse { budget, about, path: None, limit, used, unit, set_by });
    }

    fn tell(&mut self, budget: &Budget, name: &str, path: &Path, limit: u64, kept: u64, length: u64) {
        if let Some(told) = &budget.told {
            self.notices.push(
                told.replace("{path}", &path.to_string_lossy())
                    .replace("{name}", name)
                    .replace("{limit}", &limit.to_string())
                    .replace("{kept}", &kept.to_string())
                    .replace("{length}", &length.to_string()),
            );
        }
    }

    /// One limit for several files, spent in load order.
    fn spend_on_chain(&mut self, items: &[usize], name: &str, budget: &Budget, limit: u64, set_by: Option<String>) {
        let each = budget.each.as_ref().and_then(|each| self.amount(each)).map(|(amount, _)| amount);
        let mut left = limit;
        let mut exhausted = limit == 0 && budget.zero_is_off;
        for index in items {
            let item = &mut self.items[*index];
            let path = item.piece.path.clone().unwrap_or_else(|| PathBuf::from(&item.piece.label));
            let length = match (&item.raw, item.stand, budget.unit) {
                (_, Stand::Written(length), _) => length,
                (Some(raw), _, crate::host::schema::Unit::Bytes) => raw.len() as u64,
                _ => text::measure(&item.piece.text.flatten(), budget.unit),
            };
            // What is said of a missing file needs no more room than there is.
            let floor = if item.stand == Stand::Missing { 0 } else { budget.floor };
            if exhausted || left == 0 || left < floor {
                // With a floor, running out exactly is not told.
                if !exhausted
                    && (left > 0 || budget.floor == 0)
                    && let Some(skipped) = &budget.told_skipped
                {
                    self.notices.push(
                        skipped
                            .replace("{path}", &path.to_string_lossy())
                            .replace("{limit}", &limit.to_string())
                            .replace("{left}", &left.to_string()),
                    );
                }
                exhausted = true;
                item.dropped = true;
                if item.stand == Stand::File {
                    let reason = Reason::OverBudget { budget: name.to_owned(), limit, unit: budget.unit };
                    let source = item.piece.source.clone();
                    self.omissions.push(Omission { source, path, reason });
                }
                continue;
            }
            if item.stand == Stand::Missing {
                left -= shorten(&mut item.piece.text, left, budget.unit);
                continue;
            }
            let base_name = paths::file_name(&path);
            let own = budget::by_name(&budget.by_name, &base_name).unwrap_or(u64::MAX);
            let most = left.min(each.unwrap_or(u64::MAX)).min(own);
            if length <= most || item.stand != Stand::File {
                left -= length.min(most);
                continue;
            }
            let label = if item.piece.path.is_some() { item.piece.label.clone() } else { base_name };
            match item.raw.take() {
                Some(raw) if budget.unit == crate::host::schema::Unit::Bytes => {
                    let end = usize::try_from(most).unwrap_or(usize::MAX).min(raw.len());
                    item.piece.text = Text::new(String::from_utf8_lossy(&raw[..end]).into_owned());
                }
                _ => {
                    let shown = path.to_string_lossy();
                    let names = budget::Names { name: &label, path: &shown };
                    let (notice, digests) = (budget.notice.as_deref(), &self.resolver.host.digests);
                    if budget::cut_by(&mut item.piece.text, most, budget, notice, digests, &names) == Outcome::Dropped {
                        item.dropped = true;
                    }
                }
            }
            item.piece.cut = Some(Cut { budget: name.to_owned(), limit: most, length, unit: budget.unit });
            if item.piece.text.is_blank() {
                item.dropped = true;
                let reason = Reason::OverBudget { budget: name.to_owned(), limit, unit: budget.unit };
                let source = item.piece.source.clone();
                self.omissions.push(Omission { source, path: path.clone(), reason });
                self.tell(budget, &label, &path, limit, most, length);
            } else {
                // A text that was cut for want of room has used it up; one that was too long by itself has not.
                let used = text::measure(&item.piece.text.flatten(), budget.unit);
                left = if each.is_some() { left.saturating_sub(used) } else { 0 };
                self.tell(budget, &label, &path, limit, most, length);
            }
        }
        self.budgets.push(BudgetUse {
            budget: name.to_owned(),
            about: budget.about.clone(),
            path: None,
            limit,
            used: limit - left,
            unit: budget.unit,
            set_by,
        });
    }
}

/// The file's own text as some hosts compare it.
fn file_text(text: &Text) -> &str {
    text.source().trim_start_matches('\u{feff}').trim()
}

/// Cuts a note to what is left, an ellipsis for its end where that fits, and answers with its length then.
fn shorten(text: &mut Text, left: u64, unit: crate::host::schema::Unit) -> u64 {
    const ROOM_FOR_ELLIPSIS: u64 = 4;
    let flat = text.flatten();
    if text::measure(&flat, unit) > left {
        let ellipsis = if left < ROOM_FOR_ELLIPSIS { "" } else { "…" };
        let end = text::offset_of(&flat, left - text::measure(ellipsis, unit).min(left), unit);
        text.replace(end..flat.len(), ellipsis);
    }
    text::measure(&text.flatten(), unit)
}

struct Expansion {
    chain: Vec<PathBuf>,
    files: usize,
    bytes: u64,
}

fn failure(reason: &Reason, is_folder: bool) -> &'static str {
    match reason {
        Reason::ImportMissing { .. } if is_folder => "folder",
        Reason::ImportOutside { .. } => "outside",
        Reason::ImportMissing { .. } => "missing",
        _ => "refused",
    }
}
