//! Finds what a launch makes of a model: settings, parameters, places, conditions, trust.
//!
//! Everything is found when it is first asked for and kept, so that a launch looks only at the files it needs.

use super::environment_file;
use super::launch::{Arguments, Launch, Touch};
use super::paths;
use super::roster::{self, Member};
use super::settings::{self, Loaded};
use super::short_name;
use super::trust;
use crate::filesystem::{FileKind, FileSystem};
use crate::host::Host;
use crate::host::schema::{
    Alternative, ByPattern, Cleaning, Condition, Formula, Invalid, Layer, MarkerTest, Merge, Parameter, ParameterKind,
    PlaceLinks, Provider, Test,
};
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What is known of one launch of one host.
pub struct Resolver<'a> {
    /// The launch.
    pub launch: &'a Launch,
    /// The host's model.
    pub host: &'a Host,
    /// The files.
    pub files: &'a dyn FileSystem,
    /// The host's flags.
    pub arguments: Arguments,
    layers: RefCell<HashMap<String, Rc<Vec<Loaded>>>>,
    parameters: RefCell<HashMap<String, Rc<Resolved>>>,
    places: RefCell<HashMap<String, Option<PathBuf>>>,
    pending: RefCell<Vec<String>>,
    trust: RefCell<Option<String>>,
    loaded_groups: RefCell<Vec<(String, PathBuf, PathBuf)>>,
    tool: RefCell<Option<String>>,
    touched_value: RefCell<Option<String>>,
    added_variables: RefCell<Option<Rc<BTreeMap<String, String>>>>,
    refusals: RefCell<Vec<String>>,
    roster: RefCell<Option<Rc<Member>>>,
    cut_short: Cell<u32>,
}

/// A parameter's value, and where it comes from.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// The value.
    pub value: Value,
    /// Who set it, for a reader: `project_doc_max_bytes in ~/.codex/config.toml`; `None` for the default.
    pub origin: Option<String>,
    /// For each element of a list that came from settings: the folder that relative ones count from.
    pub bases: Vec<PathBuf>,
}

impl<'a> Resolver<'a> {
    /// Begins with nothing found.
    pub fn new(launch: &'a Launch, host: &'a Host, files: &'a dyn FileSystem) -> Self {
        Self {
            launch,
            host,
            files,
            arguments: Arguments::parse(&launch.arguments, &host.flags),
            layers: RefCell::default(),
            parameters: RefCell::default(),
            places: RefCell::default(),
            pending: RefCell::default(),
            trust: RefCell::default(),
            loaded_groups: RefCell::default(),
            tool: RefCell::default(),
            touched_value: RefCell::default(),
            added_variables: RefCell::default(),
            refusals: RefCell::default(),
            roster: RefCell::default(),
            cut_short: Cell::new(0),
        }
    }

    /// The mode in which the host is started.
    pub fn mode(&self) -> &str {
        self.launch.mode.as_deref().or(self.host.modes.first().map(String::as_str)).unwrap_or_default()
    }

    /// Runs `find` unless `name` is already being looked for, which a cycle in the model's data could cause.
    fn guarded<T>(&self, name: &str, find: impl FnOnce() -> T) -> Option<T> {
        if self.pending.borrow().iter().any(|p| p == name) {
            self.cut_short.set(self.cut_short.get() + 1);
            return None;
        }
        self.pending.borrow_mut().push(name.to_owned());
        let found = find();
        self.pending.borrow_mut().pop();
        Some(found)
    }

    // ------------------------------------------------------------------ settings

    /// The configurations found in a layer, the strongest first.
    pub fn layer(&self, name: &str) -> Rc<Vec<Loaded>> {
        if let Some(found) = self.layers.borrow().get(name) {
            return found.clone();
        }
        let Some(layer) = self.host.settings.get(name) else { return Rc::default() };
        let cuts = self.cut_short.get();
        let found = self.guarded(&format!("layer {name}"), || Rc::new(self.load_layer(name, layer)));
        let Some(found) = found else { return Rc::default() };
        // What was found while a circle was cut is not the whole answer, so it is not kept.
        if self.cut_short.get() == cuts {
            self.layers.borrow_mut().insert(name.to_owned(), found.clone());
        }
        found
    }

    fn load_layer(&self, name: &str, layer: &Layer) -> Vec<Loaded> {
        if layer.when.as_ref().is_some_and(|when| !self.holds(when)) {
            return Vec::new();
        }
        let base = layer.base.as_ref().and_then(|b| self.path(b));
        let loaded = |file: Option<PathBuf>, result: Result<Value, String>| {
            let (mut value, problem) = match result {
                Ok(value) => (value, None),
                Err(problem) => (Value::Null, Some(problem)),
            };
            if layer.expand_variables {
                settings::expand_variables(&mut value, &self.launch.variables);
            }
            if let (true, Some(problem), Some(file)) = (layer.broken_refuses, &problem, &file) {
                self.refuse(format!("{} cannot be read: {problem}", file.display()));
            }
            let base = base.clone().or_else(|| file.as_ref().and_then(|f| f.parent()).map(Path::to_path_buf));
            Loaded { layer: name.to_owned(), file, base: base.unwrap_or_else(|| self.base_folder()), value, problem }
        };
        if let Some(flag) = &layer.assignments {
            return match self.arguments.has(flag) {
                true => vec![loaded(None, Ok(settings::read_assignments(&self.arguments, flag)))],
                false => Vec::new(),
            };
        }
        if let Some(flag) = &layer.inline {
            let Some(text) = self.arguments.value(flag) else { return Vec::new() };
            if text.trim_start().starts_with('{') {
                return vec![loaded(None, settings::parse(text, layer.format))];
            }
            let file = paths::join(&self.launch.directory, text);
            let result = settings::read_file(self.files, &file, layer.format);
            return vec![loaded(Some(file), result.unwrap_or_else(|| Err("not found".to_owned())))];
        }
        let files: Vec<PathBuf> = match &layer.chain {
            Some(chain) => {
                let file = chain.file.as_deref().unwrap_or_default();
                super::walk::folders(self, chain, None).iter().rev().map(|folder| folder.join(file)).collect()
            }
            None => layer.path.iter().find_map(|p| self.path(p)).into_iter().collect(),
        };
        let mut found: Vec<Loaded> = files
            .into_iter()
            .filter_map(|file| {
                let result = settings::read_file(self.files, &file, layer.format)?;
                Some(loaded(Some(file), result))
            })
            .collect();
        if let Some(folder) = layer.drop_ins.as_ref().and_then(|f| self.path(f)) {
            let mut entries = self.files.entries(&folder).unwrap_or_default();
            entries.retain(|e| e.name.ends_with(".json") && !e.name.starts_with('.'));
            entries.sort_by(|a, b| a.name.cmp(&b.name));
            for entry in entries {
                if let Some(Ok(value)) = settings::read_file(self.files, &entry.path, layer.format) {
                    match found.first_mut() {
                        Some(first) => settings::lay_over(&mut first.value, value),
                        None => found.push(loaded(Some(entry.path), Ok(value))),
                    }
                }
            }
        }
        found
    }

    /// All values of a dotted key, strongest layer first.
    pub fn settings(&self, key: &str, layers: Option<&[String]>) -> Vec<(Loaded, Value)> {
        let Some(key) = self.fill(key) else { return Vec::new() };
        let names = self.host.settings.keys().filter(|n| layers.is_none_or(|l| l.contains(n)));
        names
            .flat_map(|name| {
                let layer = self.layer(name);
                layer
                    .iter()
                    .filter_map(|loaded| Some((loaded.clone(), settings::lookup(&loaded.value, &key)?.clone())))
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    /// An environment variable, or the same from the file that the host adds to its environment.
    pub fn variable(&self, name: &str) -> Option<String> {
        self.launch.variables.get(name).cloned().or_else(|| self.added_variables()?.get(name).cloned())
    }

    fn added_variables(&self) -> Option<Rc<BTreeMap<String, String>>> {
        let model = self.host.environment_file.as_ref()?;
        if let Some(found) = self.added_variables.borrow().as_ref() {
            return Some(found.clone());
        }
        let cuts = self.cut_short.get();
        let found = self.guarded("environment file", || Rc::new(environment_file::read(self, model)))?;
        if self.cut_short.get() == cuts {
            *self.added_variables.borrow_mut() = Some(found.clone());
        }
        Some(found)
    }

    // ------------------------------------------------------------------ parameters

    /// A parameter with its origin. A name that the model does not have is null.
    pub fn parameter(&self, name: &str) -> Rc<Resolved> {
        if let Some(found) = self.parameters.borrow().get(name) {
            return found.clone();
        }
        let nothing = || Rc::new(Resolved { value: Value::Null, origin: None, bases: Vec::new() });
        let Some(parameter) = self.host.parameters.get(name) else { return nothing() };
        let cuts = self.cut_short.get();
        let found = self.guarded(&format!("parameter {name}"), || Rc::new(self.find_parameter(name, parameter)));
        let Some(found) = found else { return nothing() };
        if self.cut_short.get() == cuts {
            self.parameters.borrow_mut().insert(name.to_owned(), found.clone());
        }
        found
    }

    /// The elements of a list parameter; a string is a list of one.
    pub fn list(&self, name: &str) -> Vec<String> {
        strings(&self.parameter(name).value)
    }

    fn find_parameter(&self, name: &str, parameter: &Parameter) -> Resolved {
        let mut candidates: Vec<(Value, String, PathBuf)> = Vec::new();
        for provider in &parameter.from {
            if provider.when.as_ref().is_some_and(|when| !self.holds(when)) {
                continue;
            }
            let provided = self.provided(provider);
            candidates.extend(provided.into_iter().filter_map(|(value, origin, base)| {
                let value = part_of(value, provider.pattern.as_deref())?;
                let renamed = value.as_str().and_then(|text| provider.renamed.get(text)).cloned();
                Some((renamed.unwrap_or(value), origin, base))
            }));
        }
        for (value, _, _) in &mut candidates {
            if let Some(renamed) = value.as_str().and_then(|text| parameter.renamed.get(text)) {
                *value = renamed.clone();
            }
        }
        let allowed = |value: &Value| parameter.one_of.as_ref().is_none_or(|allowed| allowed.contains(value));
        if parameter.invalid == Invalid::Default
            && let Some(at) = candidates.iter().position(|(v, _, _)| !allowed(v) || !fits(v, parameter.kind))
        {
            candidates.truncate(at);
        }
        candidates.retain(|(value, origin, _)| {
            if !allowed(value) {
                return false;
            }
            let fits = fits(value, parameter.kind);
            if !fits && parameter.invalid == Invalid::Refuses {
                self.refuse(format!("{origin} is not a valid value for {name}"));
            }
            fits
        });
        let mut resolved = match parameter.merge {
            Merge::Replace => match candidates.into_iter().next() {
                Some((value, origin, base)) => {
                    let bases = vec![base; strings(&value).len()];
                    Resolved { value, origin: Some(origin), bases }
                }
                None => Resolved { value: self.default(parameter), origin: None, bases: Vec::new() },
            },
            Merge::Append => {
                candidates.reverse();
                let (mut items, mut bases, mut origins) = (Vec::new(), Vec::new(), Vec::new());
                for (value, origin, base) in candidates {
                    let more = strings(&value);
                    bases.extend(vec![base; more.len()]);
                    items.extend(more);
                    origins.push(origin);
                }
                let origin = (!origins.is_empty()).then(|| origins.join(", "));
                if items.is_empty() {
                    items = strings(&parameter.default);
                }
                Resolved { value: Value::from(items), origin, bases }
            }
        };
        if !parameter.clean.is_empty() || !parameter.always.is_empty() {
            let mut items = strings(&resolved.value);
            items.extend(parameter.always.iter().cloned());
            for cleaning in &parameter.clean {
                if *cleaning == Cleaning::FromSetting {
                    let bases = resolved.bases.iter().map(Some).chain(std::iter::repeat(None));
                    items = items.iter().zip(bases).map(|(item, base)| self.beside_setting(item, base)).collect();
                    continue;
                }
                items = self.clean(items, *cleaning);
            }
            resolved.value = Value::from(items);
        }
        resolved
    }

    fn provided(&self, provider: &Provider) -> Vec<(Value, String, PathBuf)> {
        let launch = || self.base_folder();
        let text = |text: String, origin: String| {
            let value = match &provider.separator {
                Some(separator) => text.split(separator.as_str()).map(|p| Value::String(p.to_owned())).collect(),
                None => Value::String(text),
            };
            vec![(value, origin, launch())]
        };
        if let Some(key) = &provider.setting {
            let found = self.settings(key, provider.layers.as_deref());
            return found
                .into_iter()
                .map(|(loaded, value)| {
                    let origin = match &loaded.file {
                        Some(file) => format!("{key} in {}", file.display()),
                        None => format!("{key} on the command line"),
                    };
                    (value, origin, loaded.base)
                })
                .collect();
        }
        if let Some(name) = &provider.variable {
            return match self.variable(name) {
                Some(value) if !value.is_empty() => text(value, format!("the variable {name}")),
                _ => Vec::new(),
            };
        }
        if let Some(flag) = &provider.flag {
            let known = self.host.flags.get(flag);
            return match (self.arguments.values(flag), known.is_some_and(|f| f.value)) {
                (_, false) if self.arguments.has(flag) => vec![(Value::Bool(true), flag.clone(), launch())],
                (values @ [_, ..], _) => {
                    vec![(Value::from(values.to_vec()), flag.clone(), self.launch.directory.clone())]
                        .into_iter()
                        .map(|(value, origin, base)| match values {
                            [one] if provider.separator.is_none() => (Value::String(one.clone()), origin, base),
                            _ => (value, origin, base),
                        })
                        .collect()
                }
                _ => Vec::new(),
            };
        }
        if let Some(key) = &provider.session {
            return settings::lookup(&self.launch.session, key)
                .map(|value| (value.clone(), format!("{key} of the session"), launch()))
                .into_iter()
                .collect();
        }
        if let Some(file) = &provider.file {
            let path = self.path(file);
            let read = path.and_then(|path| Some((self.files.read(&path, SMALL_FILE).ok()?, path)));
            return match read.and_then(|(bytes, path)| Some((String::from_utf8(bytes).ok()?, path))) {
                Some((value, path)) if !value.trim().is_empty() => {
                    text(value.trim_start_matches('\u{feff}').trim().to_owned(), path.display().to_string())
                }
                _ => Vec::new(),
            };
        }
        match provider.expression.as_ref().and_then(|e| self.fill(e)) {
            Some(filled) => text(filled, provider.expression.clone().unwrap_or_default()),
            None => Vec::new(),
        }
    }

    fn default(&self, parameter: &Parameter) -> Value {
        if let Some(by) = &parameter.by
            && let Some(value) = self.by_pattern(by)
        {
            return value;
        }
        if let Some(formula) = &parameter.formula {
            return Value::from(self.compute(formula));
        }
        parameter.default.clone()
    }

    fn by_pattern(&self, by: &ByPattern) -> Option<Value> {
        let subject = self.parameter(&by.parameter);
        let subject = subject.value.as_str()?;
        by.patterns.iter().find(|(pattern, _)| matches_stars(pattern, subject)).map(|(_, value)| value.clone())
    }

    fn compute(&self, formula: &Formula) -> u64 {
        let number = |value: &Value| match value {
            Value::String(name) => self.parameter(name).value.as_f64().unwrap_or(0.0),
            other => other.as_f64().unwrap_or(0.0),
        };
        let window = self.parameter(&formula.window).value.as_f64().unwrap_or(0.0);
        let exact = window * number(&formula.characters_per_token) * formula.share;
        let whole = if formula.round { exact.round() } else { exact.trunc() };
        // A float as large as u64::MAX saturates, which is what a limit without end should do.
        (whole.max(0.0) as u64).clamp(formula.minimum.unwrap_or(0), formula.maximum.unwrap_or(u64::MAX))
    }

    /// A list's elements put in order.
    pub fn clean(&self, items: Vec<String>, cleaning: Cleaning) -> Vec<String> {
        match cleaning {
            Cleaning::Trim => items.into_iter().map(|i| i.trim().to_owned()).collect(),
            Cleaning::DropBlank => items.into_iter().filter(|i| !i.trim().is_empty()).collect(),
            Cleaning::DropPaths => {
                items.into_iter().filter(|i| ![".", ".."].contains(&i.as_str()) && !i.contains(['/', '\0'])).collect()
            }
            Cleaning::DropOutside => {
                items.into_iter().filter(|i| !i.starts_with('/') && i.split('/').all(|p| p != "..")).collect()
            }
            Cleaning::Normalize => items.into_iter().map(|i| normalize_name(&i)).collect(),
            Cleaning::DropDoubles => {
                let mut seen = Vec::new();
                items.into_iter().for_each(|i| {
                    if !seen.contains(&i) {
                        seen.push(i);
                    }
                });
                seen
            }
            Cleaning::ExpandHome => items.into_iter().map(|i| self.expand_home(&i)).collect(),
            Cleaning::FromSetting => items,
            Cleaning::ResolveLinks => {
                let real = |item: String| match self.files.canonicalize(Path::new(&item)) {
                    Ok(real) => real.to_string_lossy().into_owned(),
                    Err(_) => item,
                };
                items.into_iter().map(real).collect()
            }
            Cleaning::FromLaunch => {
                let launch = self.place("launch").unwrap_or_else(|| self.launch.directory.clone());
                items.into_iter().map(|i| paths::join(&launch, &i).to_string_lossy().into_owned()).collect()
            }
        }
    }

    fn beside_setting(&self, item: &str, base: Option<&PathBuf>) -> String {
        let base = base.cloned().unwrap_or_else(|| self.launch.directory.clone());
        paths::join(&base, self.expand_home(item)).to_string_lossy().into_owned()
    }

    /// The text with a leading `~` replaced by the home folder.
    pub fn expand_home(&self, text: &str) -> String {
        // While the home folder itself is looked for, `~` is the user's.
        let is_looked_for = self.pending.borrow().iter().any(|p| p == "place home");
        let home = match text.starts_with('~') && self.host.places.contains_key("home") && !is_looked_for {
            true => self.place("home"),
            false => self.launch.home.clone(),
        };
        match (text.strip_prefix('~'), home) {
            (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
                format!("{}{rest}", home.to_string_lossy())
            }
            _ => text.to_owned(),
        }
    }

    // ------------------------------------------------------------------ expressions and places

    /// Fills `{place}`, `{flag:--x}`, `{session:x}`, `{parameter:x}`, `{roster:x}` and `${VARIABLE}`; `None` if one of them has no value.
    pub fn fill(&self, expression: &str) -> Option<String> {
        self.fill_with(expression, &[])
    }

    /// The same, with more names.
    pub fn fill_with(&self, expression: &str, more: &[(&str, &str)]) -> Option<String> {
        let mut result = String::with_capacity(expression.len());
        let mut rest = expression;
        while let Some(at) = rest.find('{') {
            let end = at + rest[at..].find('}')?;
            let name = &rest[at + 1..end];
            let variable = at > 0 && rest.as_bytes()[at - 1] == b'$';
            result.push_str(&rest[..at - usize::from(variable)]);
            result.push_str(&match more.iter().find(|(n, _)| *n == name) {
                Some((_, value)) => (*value).to_owned(),
                None if variable => self.variable(name).filter(|v| !v.is_empty())?,
                None => self.named(name)?,
            });
            rest = &rest[end + 1..];
        }
        result.push_str(rest);
        Some(result)
    }

    fn named(&self, name: &str) -> Option<String> {
        if name == "touched-value" {
            return self.touched_value.borrow().clone();
        }
        if let Some((kind, key)) = name.split_once(':') {
            return match kind {
                "flag" => self.arguments.value(key).map(str::to_owned),
                "session" => settings::lookup(&self.launch.session, key)?.as_str().map(str::to_owned),
                "parameter" => match &self.parameter(key).value {
                    Value::String(text) => Some(text.clone()),
                    Value::Number(number) => Some(number.to_string()),
                    Value::Array(items) => items.first()?.as_str().map(str::to_owned),
                    _ => None,
                },
                "real" => self.files.canonicalize(&self.place(key)?).ok().map(|p| p.to_string_lossy().into_owned()),
                "slug" => Some(slug(&self.place(key)?)),
                "short-name" => {
                    let names = self.host.short_names.as_ref()?;
                    short_name::find(self, names, &self.place(key)?)
                }
                "roster" => {
                    let member = self.roster()?;
                    match key {
                        "id" => Some(member.id.clone()),
                        "entry" => member.entry.clone(),
                        "count" => Some(member.count.to_string()),
                        "marked" => Some(member.marked.to_string()),
                        _ => None,
                    }
                }
                _ => None,
            };
        }
        self.place(name).map(|p| p.to_string_lossy().into_owned())
    }

    /// The agent in force, if the host has a roster of them.
    fn roster(&self) -> Option<Rc<Member>> {
        if let Some(found) = self.roster.borrow().as_ref() {
            return Some(found.clone());
        }
        let roster = self.host.roster.as_ref()?;
        let cuts = self.cut_short.get();
        let found = Rc::new(self.guarded("roster", || roster::find(self, roster))?);
        if self.cut_short.get() == cuts {
            *self.roster.borrow_mut() = Some(found.clone());
        }
        Some(found)
    }

    /// An expression as an absolute path without `.` and `..`; a leading `~` is the home folder, a relative path counts
    /// from the launch directory.
    pub fn path(&self, expression: &str) -> Option<PathBuf> {
        self.path_with(expression, &[])
    }

    /// The same, with more names.
    pub fn path_with(&self, expression: &str, more: &[(&str, &str)]) -> Option<PathBuf> {
        let filled = self.expand_home(&self.fill_with(expression, more)?);
        if Path::new(&filled).is_absolute() {
            return Some(paths::normalize(Path::new(&filled)));
        }
        Some(paths::join(&self.base_folder(), filled))
    }

    /// The folder that relative paths count from: the launch directory, or while that is being looked for, the given one.
    fn base_folder(&self) -> PathBuf {
        match self.pending.borrow().iter().any(|p| p == "place launch") {
            // A program knows its working folder without the links that led there.
            true => self.files.canonicalize(&self.launch.directory).unwrap_or_else(|_| self.launch.directory.clone()),
            false => self.place("launch").unwrap_or_else(|| self.launch.directory.clone()),
        }
    }

    /// A named folder: one of the built-in names, or one that the model defines.
    pub fn place(&self, name: &str) -> Option<PathBuf> {
        match name {
            "cwd" => return Some(paths::normalize(&self.launch.directory)),
            "home" if !self.host.places.contains_key("home") => return self.launch.home.clone(),
            "system" => {
                // Written before a path that begins with a slash.
                let root = self.launch.system_root.to_string_lossy();
                return Some(PathBuf::from(root.trim_end_matches('/')));
            }
            "disk" => return Some(PathBuf::from("/")),
            _ => {}
        }
        if let Some(found) = self.places.borrow().get(name) {
            return found.clone();
        }
        let cuts = self.cut_short.get();
        let found = self.guarded(&format!("place {name}"), || self.find_place(name)).flatten();
        if self.cut_short.get() == cuts {
            self.places.borrow_mut().insert(name.to_owned(), found.clone());
        }
        found
    }

    fn find_place(&self, name: &str) -> Option<PathBuf> {
        if let Some(alternatives) = self.host.places.get(name) {
            return alternatives.iter().find_map(|alternative| self.alternative(alternative));
        }
        let launch = || self.place("launch");
        match name {
            "launch" => {
                let cwd = paths::normalize(&self.launch.directory);
                Some(self.files.canonicalize(&cwd).unwrap_or(cwd))
            }
            "root" => self.root_above(&launch()?),
            "git-root" => self.marker_above(&launch()?, &[".git".to_owned()], MarkerTest::Exists),
            "main-checkout" => {
                let root = self.place("git-root")?;
                Some(self.main_checkout(&root).unwrap_or(root))
            }
            _ => None,
        }
    }

    fn alternative(&self, alternative: &Alternative) -> Option<PathBuf> {
        match alternative {
            Alternative::Plain(expression) => self.path(expression),
            Alternative::Table(table) => {
                if table.when.as_ref().is_some_and(|when| !self.holds(when)) {
                    return None;
                }
                let path = self.path(&table.path)?;
                if table.must_exist && !self.files.is_directory(&path) {
                    return None;
                }
                match table.links {
                    PlaceLinks::Kept => Some(path),
                    PlaceLinks::Resolved => Some(self.files.canonicalize(&path).unwrap_or(path)),
                }
            }
        }
    }

    /// The project root for a folder, by the host's own rule.
    pub fn root_above(&self, folder: &Path) -> Option<PathBuf> {
        let root = self.host.root.as_ref()?;
        let markers = self.expand_names(&root.markers);
        let from = match &root.from {
            Some(expression) => self.path(expression)?,
            None => folder.to_path_buf(),
        };
        self.marker_above(&from, &markers, root.test)
    }

    /// The nearest folder, from `folder` upwards, that holds one of the markers.
    pub fn marker_above(&self, folder: &Path, markers: &[String], test: MarkerTest) -> Option<PathBuf> {
        let counts = |path: &Path| match (test, self.files.metadata(path)) {
            (_, Err(_)) => false,
            (MarkerTest::Exists, Ok(_)) => true,
            (MarkerTest::FileOrRepository, Ok(metadata)) => match metadata.kind {
                FileKind::Directory => ["HEAD", "objects", "refs"].iter().all(|n| self.files.exists(&path.join(n))),
                _ => true,
            },
        };
        folder.ancestors().find(|a| markers.iter().any(|m| counts(&a.join(m)))).map(Path::to_path_buf)
    }

    /// The main checkout of a linked worktree, told by its `.git` file.
    pub fn main_checkout(&self, root: &Path) -> Option<PathBuf> {
        let dot_git = root.join(".git");
        if !self.files.is_file(&dot_git) {
            return None;
        }
        let text = String::from_utf8_lossy(&self.files.read(&dot_git, 4096).ok()?).into_owned();
        let git_dir = paths::join(root, text.trim().strip_prefix("gitdir:")?.trim());
        // .../main/.git/worktrees/name
        let common = git_dir.parent().filter(|p| p.ends_with("worktrees"))?.parent()?;
        let main = common.parent().filter(|_| common.ends_with(".git"))?;
        Some(main.to_path_buf())
    }

    /// Names with `$parameter` elements replaced by the parameter's list and `{…}` filled.
    pub fn expand_names(&self, names: &[String]) -> Vec<String> {
        let mut result: Vec<String> = Vec::new();
        for name in names {
            let more = match name.strip_prefix('$').filter(|n| !n.starts_with('{')) {
                Some(parameter) => self.list(parameter),
                None => self.fill(name).into_iter().collect(),
            };
            for name in more {
                if !result.contains(&name) {
                    result.push(name);
                }
            }
        }
        result
    }

    // ------------------------------------------------------------------ conditions

    /// Whether a condition holds.
    pub fn holds(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Named(name) => match name.strip_prefix('!') {
                Some(name) => !self.switch(name),
                None => self.switch(name),
            },
            Condition::All(conditions) => conditions.iter().all(|c| self.holds(c)),
            Condition::Test(test) => self.passes(test),
        }
    }

    fn switch(&self, name: &str) -> bool {
        let Some(condition) = self.host.switches.get(name) else { return false };
        self.guarded(&format!("switch {name}"), || self.holds(condition)).unwrap_or(false)
    }

    fn passes(&self, test: &Test) -> bool {
        let path = |expression: &str| self.path(expression);
        let value = self.tested_value(test);
        let value_passes = match &value {
            None => true,
            Some(value) => is(value, test.is.as_ref()) && matches(value, test.matches.as_deref()),
        };
        value_passes
            && test.any.as_ref().is_none_or(|any| any.iter().any(|c| self.holds(c)))
            && test.not.as_ref().is_none_or(|not| !self.holds(not))
            && test.mode.as_ref().is_none_or(|modes| modes.iter().any(|m| m == self.mode()))
            && test.trust.as_ref().is_none_or(|state| self.trust() == *state)
            && test.exists.as_ref().is_none_or(|e| path(e).is_some_and(|p| self.files.exists(&p)))
            && test.same.as_ref().is_none_or(|(a, b)| path(a).is_some() && path(a) == path(b))
            && test.inside.as_ref().is_none_or(|(a, b)| match (path(a), path(b)) {
                (Some(a), Some(b)) => a.starts_with(b),
                _ => false,
            })
            && test.missing_folder.as_ref().is_none_or(|parameter| {
                super::walk::each(self, parameter).iter().any(|folder| !self.files.is_directory(Path::new(folder)))
            })
            && test.link_circle.as_ref().is_none_or(|parameter| self.list(parameter).iter().any(|n| self.is_circle(n)))
            && test.has_root.is_none_or(|has| self.place("root").is_some() == has)
            && test.loaded.as_ref().is_none_or(|group| self.group_loaded(group, None).is_some())
            && test.tool.as_ref().is_none_or(|tools| self.tool.borrow().as_ref().is_some_and(|t| tools.contains(t)))
            && test.size_other_than.as_ref().is_none_or(|(file, sizes)| {
                let metadata = path(file).and_then(|p| self.files.metadata(&p).ok());
                metadata.is_some_and(|m| m.kind == FileKind::File && !sizes.contains(&m.size))
            })
            && test.turn.is_none_or(|turn| self.launch.turn >= turn)
            && test
                .below
                .as_ref()
                .is_none_or(|(name, bound)| self.parameter(name).value.as_f64().is_some_and(|value| value < *bound))
            && test.holds.as_ref().is_none_or(|(name, element)| match &self.parameter(name).value {
                Value::Array(items) => items.contains(element),
                other => other == element,
            })
    }

    /// The value that a test looks at, or `None` if it looks at none.
    fn tested_value(&self, test: &Test) -> Option<Value> {
        if let Some(flag) = &test.flag {
            return Some(match self.arguments.value(flag) {
                Some(value) => Value::from(value),
                None if self.arguments.has(flag) => Value::Bool(true),
                None => Value::Null,
            });
        }
        if let Some(name) = &test.variable {
            return Some(self.variable(name).map_or(Value::Null, Value::from));
        }
        if let Some(name) = &test.parameter {
            return Some(self.parameter(name).value.clone());
        }
        if let Some(key) = &test.setting {
            return Some(self.settings(key, None).into_iter().next().map_or(Value::Null, |(_, value)| value));
        }
        if let Some(name) = &test.place {
            let place = self.place(name);
            return Some(place.map_or(Value::Null, |p| Value::from(p.to_string_lossy().into_owned())));
        }
        if let Some(key) = &test.session {
            return Some(settings::lookup(&self.launch.session, key).cloned().unwrap_or(Value::Null));
        }
        None
    }

    /// Whether a name in the launch directory is a link that leads in a circle.
    fn is_circle(&self, name: &str) -> bool {
        use std::io::ErrorKind;
        let launch = self.place("launch").unwrap_or_else(|| self.launch.directory.clone());
        let path = paths::join(&launch, name);
        let is_link = self.files.link_metadata(&path).is_ok_and(|m| m.kind == FileKind::Link);
        // The kind of error for circles has no stable name; a link can only fail in these ways.
        let other = [ErrorKind::NotFound, ErrorKind::NotADirectory, ErrorKind::PermissionDenied];
        is_link && self.files.canonicalize(&path).is_err_and(|error| !other.contains(&error.kind()))
    }

    /// The state of trust: `trusted`, `untrusted` or `undecided`.
    pub fn trust(&self) -> String {
        if let Some(found) = self.trust.borrow().as_ref() {
            return found.clone();
        }
        let model = self.host.trust.as_ref().filter(|_| !self.launch.trusted);
        let Some(model) = model else { return "trusted".to_owned() };
        match self.guarded("trust", || trust::decide(self, model)) {
            Some(state) => {
                *self.trust.borrow_mut() = Some(state.clone());
                state
            }
            None => "undecided".to_owned(),
        }
    }

    /// What a condition asks for, in words, where it can be said: a flag, a variable, a setting.
    pub fn describe(&self, condition: &Condition) -> Option<String> {
        match condition {
            Condition::Named(name) => {
                let plain = name.trim_start_matches('!');
                let inner = self.host.switches.get(plain).and_then(|c| self.describe(c));
                inner.or_else(|| Some(plain.replace('-', " ")))
            }
            Condition::All(all) => all.iter().filter(|c| !self.holds(c)).find_map(|c| self.describe(c)),
            Condition::Test(test) => {
                let key = test.flag.as_ref().or(test.setting.as_ref());
                let variable = test.variable.as_ref().map(|v| format!("the variable {v}"));
                let origin = test.parameter.as_ref().and_then(|p| self.parameter(p).origin.clone());
                key.cloned()
                    .or(variable)
                    .or(origin)
                    .or_else(|| test.not.as_ref().and_then(|n| self.describe(n)))
                    .or_else(|| {
                        test.any
                            .as_ref()
                            .and_then(|any| any.iter().find(|c| self.holds(c)).and_then(|c| self.describe(c)))
                    })
            }
        }
    }

    // ------------------------------------------------------------------ what happens on the way

    /// Notes that a file of a group was loaded from a folder.
    pub fn note_loaded(&self, group: &str, folder: &Path, file: &Path) {
        self.loaded_groups.borrow_mut().push((group.to_owned(), folder.to_path_buf(), file.to_path_buf()));
    }

    /// The first file of the group that was loaded (from that folder).
    pub fn group_loaded(&self, group: &str, folder: Option<&Path>) -> Option<PathBuf> {
        let groups = self.loaded_groups.borrow();
        groups.iter().find(|(g, f, _)| g == group && folder.is_none_or(|folder| f == folder)).map(|(_, _, p)| p.clone())
    }

    /// Sets the touch that is looked at.
    pub fn set_touch(&self, touch: Option<&Touch>) {
        *self.tool.borrow_mut() = touch.map(|t| t.tool.clone());
        *self.touched_value.borrow_mut() = touch.map(|t| t.value.clone());
    }

    /// Notes that the host does not start.
    pub fn refuse(&self, why: String) {
        let mut refusals = self.refusals.borrow_mut();
        if !refusals.contains(&why) {
            refusals.push(why);
        }
    }

    /// Why the host does not start, if it does not.
    pub fn refusals(&self) -> Vec<String> {
        self.refusals.borrow().clone()
    }
}

/// The strings of a value: a list's, or the one that it is.
pub fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().filter_map(|v| v.as_str().map(str::to_owned)).collect(),
        _ => Vec::new(),
    }
}

/// A file that holds one value is read up to this size, in bytes.
const SMALL_FILE: u64 = 4096;

fn fits(value: &Value, kind: ParameterKind) -> bool {
    match kind {
        ParameterKind::Any => !value.is_null(),
        ParameterKind::Size => value.is_u64(),
        ParameterKind::PositiveSize => value.as_u64().is_some_and(|n| n > 0),
        ParameterKind::PositiveNumber => value.as_f64().is_some_and(|n| n > 0.0),
        ParameterKind::List => value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
        ParameterKind::TextOrList => {
            value.is_string() || value.as_array().is_some_and(|items| items.iter().all(Value::is_string))
        }
        ParameterKind::FilledList => strings(value).iter().any(|text| !text.trim().is_empty()) && value.is_array(),
        ParameterKind::Text => value.is_string(),
        ParameterKind::Boolean => value.is_boolean(),
    }
}

/// What a pattern's first group matches of a text; without a pattern the value itself.
fn part_of(value: Value, pattern: Option<&str>) -> Option<Value> {
    let Some(pattern) = pattern else { return Some(value) };
    let captures = regex_lite::Regex::new(pattern).ok()?.captures(value.as_str()?)?.get(1)?.as_str().to_owned();
    Some(Value::String(captures))
}

fn is(value: &Value, wanted: Option<&Value>) -> bool {
    match wanted {
        None => !value.is_null() && *value != Value::Bool(false),
        Some(Value::String(word)) => match word.as_str() {
            "truthy" => truthy(value),
            "falsy" => {
                matches!(value, Value::Bool(false))
                    || value
                        .as_str()
                        .is_some_and(|v| ["0", "false", "no", "off"].contains(&v.trim().to_ascii_lowercase().as_str()))
            }
            "set" => !value.is_null() && value.as_str() != Some(""),
            "blank" => value.is_null() || value.as_str().is_some_and(|v| v.trim().is_empty()),
            literal => value.as_str() == Some(literal),
        },
        Some(Value::Array(any)) => any.contains(value),
        Some(literal) => value == literal,
    }
}

fn truthy(value: &Value) -> bool {
    match value {
        Value::Bool(b) => *b,
        Value::String(text) => ["1", "true", "yes", "on"].contains(&text.trim().to_ascii_lowercase().as_str()),
        _ => false,
    }
}

fn matches(value: &Value, pattern: Option<&str>) -> bool {
    let Some(pattern) = pattern else { return true };
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Null => return false,
        other => other.to_string(),
    };
    regex_lite::Regex::new(pattern).is_ok_and(|r| r.is_match(&text))
}

fn matches_stars(pattern: &str, subject: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = subject.strip_prefix(first) else { return false };
    let mut last = None;
    for part in parts {
        if let Some(part) = last.replace(part) {
            match rest.find(part) {
                Some(at) => rest = &rest[at + part.len()..],
                None => return false,
            }
        }
    }
    last.map_or(rest.is_empty(), |last| rest.ends_with(last))
}

fn normalize_name(name: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|p| *p != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// A path as one name: each character that is no ASCII letter or digit becomes `-`.
fn slug(path: &Path) -> String {
    path.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}
