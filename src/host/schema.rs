//! The vocabulary of `hosts.toml`: every key, its meaning and its unit. `docs/hosts.md` explains it with examples.
//!
//! A host is a list of [`Source`]s. A source walks folders, picks files there, and says when they load. What hosts do
//! differently beyond that (imports, scopes, budgets, trust, …) is a named mechanism with its own table of data.

use indexmap::IndexMap;
use regex_lite::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::OnceLock;

/// One host.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Host {
    /// Its id; filled in from the table's name.
    #[serde(default)]
    pub id: String,
    /// The name people know it by.
    pub name: String,
    /// Other names accepted by `--host`.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The program on PATH that can be asked for its version.
    #[serde(default)]
    pub program: Option<Program>,
    /// With which version the model was checked, when and how.
    pub verified: Verified,
    /// Other versions that were checked in the same way.
    #[serde(default)]
    pub also_verified: Vec<String>,
    /// The host's own pages about instruction files.
    #[serde(default)]
    pub documentation: Vec<String>,
    /// What a reader should know about how the facts are known.
    #[serde(default)]
    pub remarks: Vec<String>,
    /// How the host is brought to read a repository's AGENTS.md where it does not by itself.
    #[serde(default)]
    pub adapter: Option<String>,
    /// How a file is brought to load although another one keeps it out.
    #[serde(default)]
    pub shadow_help: Option<String>,
    /// Files and folders in a repository that show that its team uses this host. A name without `/` counts anywhere, a
    /// path in the root alone.
    #[serde(default)]
    pub signs: Vec<String>,
    /// Keys of the repository's own settings files that have no effect there.
    #[serde(default)]
    pub dead_settings: Vec<DeadSetting>,
    /// How the user tells the host that a folder is to be trusted.
    #[serde(default)]
    pub trust_help: Option<String>,
    /// The mode in which the host works on a repository, where it is not its default.
    #[serde(default)]
    pub repository_mode: Option<String>,
    /// How the host can be started; the first is the default.
    #[serde(default)]
    pub modes: Vec<String>,
    /// Launch flags that are understood.
    #[serde(default)]
    pub flags: IndexMap<String, Flag>,
    /// The host's own configuration files, strongest first.
    #[serde(default)]
    pub settings: IndexMap<String, Layer>,
    /// Named values that settings, variables and flags can change.
    #[serde(default)]
    pub parameters: IndexMap<String, Parameter>,
    /// Named conditions.
    #[serde(default)]
    pub switches: IndexMap<String, Condition>,
    /// Named folders.
    #[serde(default)]
    pub places: IndexMap<String, Vec<Alternative>>,
    /// How the project root is found.
    #[serde(default)]
    pub root: Option<Root>,
    /// How the host decides whether it trusts the launch directory.
    #[serde(default)]
    pub trust: Option<Trust>,
    /// When the host refuses to start.
    #[serde(default)]
    pub refusals: Vec<Refusal>,
    /// What keeps single files out.
    #[serde(default)]
    pub exclusions: Vec<Exclusion>,
    /// By which name a linked rule is held against them; other files are known by the link alone.
    #[serde(default)]
    pub linked_rules_excluded_by: LinkName,
    /// Import dialects.
    #[serde(default)]
    pub imports: IndexMap<String, ImportDialect>,
    /// Dialects of scoped rules.
    #[serde(default)]
    pub scopes: IndexMap<String, ScopeDialect>,
    /// Budgets.
    #[serde(default)]
    pub budgets: IndexMap<String, Budget>,
    /// Phrases for which a text is looked through before it is sent.
    #[serde(default)]
    pub scans: IndexMap<String, Scan>,
    /// What counts as touching a file.
    #[serde(default)]
    pub touch: Touching,
    /// The sources, in the order in which they load.
    pub sources: IndexMap<String, Source>,
    /// What is done to a text after the budgets, by name.
    #[serde(default)]
    pub finishing: IndexMap<String, Finishing>,
    /// Digests that stand between the kept ends of a text, by name.
    #[serde(default)]
    pub digests: IndexMap<String, Digest>,
    /// The agents that the settings list, of which each launch is one.
    #[serde(default)]
    pub roster: Option<Roster>,
    /// When two files are taken for one.
    #[serde(default)]
    pub identity: Vec<Identity>,
    /// How the text is joined.
    #[serde(default)]
    pub assembly: Assembly,
    /// A file of variables that the host adds to its environment.
    #[serde(default)]
    pub environment_file: Option<EnvironmentFile>,
    /// How the host names a folder of its own after a project, for `{short-name:PLACE}`.
    #[serde(default)]
    pub short_names: Option<ShortNames>,
    /// From which size on a request is not sent.
    #[serde(default)]
    pub request_limit: Option<RequestLimit>,
    /// Older versions: what has to be put in place of the above before the version that is the key.
    #[serde(default)]
    pub before: IndexMap<String, Value>,
}

/// A program that answers with its version.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Program {
    /// Its name on PATH.
    pub name: String,
    /// The arguments that make it print its version and do nothing else.
    pub version_arguments: Vec<String>,
}

/// A key that has no effect in the file in which people write it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DeadSetting {
    /// The files, relative to any folder of the repository.
    pub files: Vec<String>,
    /// How they are written.
    #[serde(default)]
    pub format: Format,
    /// The key and those above it, outermost first.
    pub key: Vec<String>,
    /// Why it has no effect, as a clause.
    pub why: String,
    /// What to do instead, in the imperative.
    pub instead: String,
}

/// How the model is known to be true.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Verified {
    /// The host's version.
    pub version: String,
    /// The day, as YYYY-MM-DD.
    pub date: String,
    /// By which means.
    pub how: Known,
}

/// Means of knowing a fact, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Known {
    /// The real program was run and its requests recorded.
    Recorded,
    /// Read in the program's source.
    Source,
    /// Read in its documentation.
    Documentation,
}

/// One launch flag.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Flag {
    /// Other spellings.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Whether a value follows.
    #[serde(default)]
    pub value: bool,
    /// The value is itself a list, parted by this text.
    #[serde(default)]
    pub separator: Option<String>,
    /// The flag takes all arguments up to the next flag.
    #[serde(default)]
    pub many: bool,
}

/// One layer of the host's configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Layer {
    /// Where the file lies, an expression. Several: the first that can be evaluated.
    #[serde(default)]
    pub path: Vec<String>,
    /// Instead of one file: the same file in every folder from one to the other; the nearest to `bottom` is strongest.
    #[serde(default)]
    pub chain: Option<Chain>,
    /// Instead of a file: the values of this flag, each `key=value` with dots in the key and a TOML value.
    #[serde(default)]
    pub assignments: Option<String>,
    /// Instead of a file: the value of this flag is the text, or the path of a file.
    #[serde(default)]
    pub inline: Option<String>,
    /// A folder of files `*.json` that are laid over `path` in the order of their names.
    #[serde(default)]
    pub drop_ins: Option<String>,
    /// How it is written.
    #[serde(default)]
    pub format: Format,
    /// The folder that relative paths and patterns in it count from, an expression.
    #[serde(default)]
    pub base: Option<String>,
    /// The layer counts only then.
    #[serde(default)]
    pub when: Option<Condition>,
    /// A file that cannot be read as its format stops the host.
    #[serde(default)]
    pub broken_refuses: bool,
    /// `$NAME` and `${NAME}` in its strings are replaced from the environment.
    #[serde(default)]
    pub expand_variables: bool,
}

/// Formats of configuration files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// TOML.
    Toml,
    /// JSON; comments and trailing commas are an error.
    #[default]
    Json,
    /// JSON with comments; trailing commas are an error.
    JsonWithComments,
    /// JSON with comments, trailing commas, unquoted keys.
    Json5,
    /// YAML.
    Yaml,
}

/// A named value.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Parameter {
    /// What it is for, in a few words.
    #[serde(default)]
    pub about: String,
    /// The value when nothing sets it.
    #[serde(default)]
    pub default: Value,
    /// What a value has to be.
    #[serde(default)]
    pub kind: ParameterKind,
    /// Who sets it, strongest first.
    #[serde(default)]
    pub from: Vec<Provider>,
    /// Whether the strongest value counts, or all together.
    #[serde(default)]
    pub merge: Merge,
    /// What a value of another kind does.
    #[serde(default)]
    pub invalid: Invalid,
    /// Elements that are always in the list, at its end.
    #[serde(default)]
    pub always: Vec<String>,
    /// How each element of a list is put in order before use.
    #[serde(default)]
    pub clean: Vec<Cleaning>,
    /// Values by pattern of another parameter's value (a model's name, say); the first that matches replaces the default.
    #[serde(default)]
    pub by: Option<ByPattern>,
    /// A value that is computed: see [`Formula`].
    #[serde(default)]
    pub formula: Option<Formula>,
    /// Values that are accepted; anything else counts as not set.
    #[serde(default)]
    pub one_of: Option<Vec<Value>>,
    /// Values that are taken for others (older spellings).
    #[serde(default)]
    pub renamed: IndexMap<String, Value>,
}

/// Values by pattern.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ByPattern {
    /// Whose value is matched.
    pub parameter: String,
    /// Pattern (with `*`) to value, in order.
    pub patterns: IndexMap<String, Value>,
}

/// `clamp(truncate_or_round(window × share × characters_per_token), minimum, maximum)`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Formula {
    /// The parameter that holds the window, in tokens.
    pub window: String,
    /// The share of the window.
    pub share: f64,
    /// Characters for one token: a number or the name of a parameter.
    pub characters_per_token: Value,
    /// The least result.
    #[serde(default)]
    pub minimum: Option<u64>,
    /// The greatest result.
    #[serde(default)]
    pub maximum: Option<u64>,
    /// Rounded to the nearest, or cut.
    #[serde(default)]
    pub round: bool,
}

/// What a parameter's value has to be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ParameterKind {
    /// Anything.
    #[default]
    Any,
    /// A whole number of 0 or more.
    Size,
    /// A whole number of 1 or more.
    PositiveSize,
    /// A number above 0; as a limit its fraction is cut off.
    PositiveNumber,
    /// A list of strings.
    List,
    /// A list with at least one string that is not blank.
    FilledList,
    /// A string or a list of strings.
    TextOrList,
    /// A string.
    Text,
    /// True or false.
    Boolean,
}

/// Who sets a parameter.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Provider {
    /// A key of the host's settings; dots lead into tables. `{…}` expressions in it are evaluated.
    #[serde(default)]
    pub setting: Option<String>,
    /// The layers in which the key counts (all, if absent).
    #[serde(default)]
    pub layers: Option<Vec<String>>,
    /// An environment variable.
    #[serde(default)]
    pub variable: Option<String>,
    /// A launch flag.
    #[serde(default)]
    pub flag: Option<String>,
    /// A key of `--session`; dots lead into objects.
    #[serde(default)]
    pub session: Option<String>,
    /// An expression; relative results count from the launch directory.
    #[serde(default)]
    pub expression: Option<String>,
    /// A small file that holds nothing but the value; an expression. White space around it does not count.
    #[serde(default)]
    pub file: Option<String>,
    /// The text is a list parted by this.
    #[serde(default)]
    pub separator: Option<String>,
    /// Words that this one alone uses for values, and the values.
    #[serde(default)]
    pub renamed: IndexMap<String, Value>,
    /// Of a text, only what the first group of this regular expression matches counts; nothing if it does not match.
    #[serde(default)]
    pub pattern: Option<String>,
    /// It counts only then.
    #[serde(default)]
    pub when: Option<Condition>,
}

/// How values of several layers come together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Merge {
    /// The strongest replaces the others.
    #[default]
    Replace,
    /// All are joined, weakest first.
    Append,
}

/// What an invalid value does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Invalid {
    /// It counts as not set.
    #[default]
    Ignored,
    /// The host does not start.
    Refuses,
    /// The default counts, whatever weaker layers and later keys say.
    Default,
}

/// How a list's elements are put in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cleaning {
    /// White space at both ends goes.
    Trim,
    /// Blank elements go.
    DropBlank,
    /// `.`, `..` and names that hold `/` or NUL go.
    DropPaths,
    /// Elements with a `..` part, and absolute ones, go.
    DropOutside,
    /// `./x` becomes `x`, `a//b` becomes `a/b`, a leading slash goes.
    Normalize,
    /// Later doubles go.
    DropDoubles,
    /// A leading `~` becomes the home folder.
    ExpandHome,
    /// Relative paths are taken from the launch directory.
    FromLaunch,
    /// Relative paths are taken from the folder of the file that sets them.
    FromSetting,
    /// Links are resolved.
    ResolveLinks,
}

/// A condition: a switch's name (`"!name"` for its opposite), a list of which all must hold, or one of the tests.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Condition {
    /// A switch, or with `!` its opposite.
    Named(String),
    /// All of them.
    All(Vec<Condition>),
    /// A test.
    Test(Box<Test>),
}

/// One test. Several keys in one table must all hold.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Test {
    /// One of these holds.
    pub any: Option<Vec<Condition>>,
    /// This does not hold.
    pub not: Option<Condition>,
    /// The flag was given.
    pub flag: Option<String>,
    /// The variable is set (see `is`).
    pub variable: Option<String>,
    /// The parameter has a value (see `is`).
    pub parameter: Option<String>,
    /// The setting has a value (see `is`).
    pub setting: Option<String>,
    /// The session's key has a value (see `is` and `matches`).
    pub session: Option<String>,
    /// The place is known; its path is the value (see `matches`).
    pub place: Option<String>,
    /// A parameter holds a number below this one.
    pub below: Option<(String, f64)>,
    /// What the value must be: a literal, or one of the words `truthy`, `falsy`, `set`, `blank`.
    pub is: Option<Value>,
    /// The value, as text, matches this regular expression.
    pub matches: Option<String>,
    /// The host was started in one of these modes.
    pub mode: Option<Vec<String>>,
    /// The launch directory is trusted so: `trusted`, `untrusted` or `undecided`.
    pub trust: Option<String>,
    /// A place exists.
    pub exists: Option<String>,
    /// Two expressions lead to the same path.
    pub same: Option<(String, String)>,
    /// The first expression's path lies in (or is) the second's.
    pub inside: Option<(String, String)>,
    /// One of the folders of this list parameter is not there.
    pub missing_folder: Option<String>,
    /// One of the names of this list parameter is, in the launch directory, a link that leads in a circle.
    pub link_circle: Option<String>,
    /// A project root was found.
    pub has_root: Option<bool>,
    /// A group of files has something loaded.
    pub loaded: Option<String>,
    /// The tool of the touch that is looked at is one of these (sources on touch only).
    pub tool: Option<Vec<String>>,
    /// The turn of the session is this or a later one.
    pub turn: Option<u32>,
    /// A file (an expression) is there, and its size in bytes is none of these.
    pub size_other_than: Option<(String, Vec<u64>)>,
    /// A list parameter holds this element.
    pub holds: Option<(String, Value)>,
}

/// One way to a place; the first whose condition holds and whose expression can be evaluated is taken.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Alternative {
    /// An expression.
    Plain(String),
    /// An expression with conditions.
    Table(AlternativeTable),
}

/// See [`Alternative`].
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AlternativeTable {
    /// The expression.
    pub path: String,
    /// It counts only then.
    #[serde(default)]
    pub when: Option<Condition>,
    /// It counts only if it leads to a folder.
    #[serde(default)]
    pub must_exist: bool,
    /// Whether links in it are resolved.
    #[serde(default)]
    pub links: PlaceLinks,
}

/// What becomes of links in a place's path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlaceLinks {
    /// The path stays as written.
    #[default]
    Kept,
    /// The real path counts.
    Resolved,
}

/// A file of `NAME=value` lines that count where the environment has no such variable.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EnvironmentFile {
    /// Names tried in each folder from the launch directory up to the top of the file system; the first that exists is
    /// the only one that is read.
    pub names: Vec<String>,
    /// A folder that is tried last, an expression.
    #[serde(default)]
    pub fallback: Option<String>,
    /// It counts only then.
    #[serde(default)]
    pub when: Option<Condition>,
}

/// Short names of projects: the last part of the path in lower case, with a number behind it where two projects would
/// share one.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ShortNames {
    /// A JSON file that maps paths to short names, an expression.
    pub registry: String,
    /// The key in it that holds the table.
    pub key: String,
    /// The folders that hold one folder for each short name, expressions.
    pub folders: Vec<String>,
    /// The file in such a folder that holds the path of the project which owns the name.
    pub owner: String,
}

/// From which size on a request is not sent.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RequestLimit {
    /// The limit in tokens: a number or `$parameter`.
    pub tokens: Value,
    /// How the host guesses the tokens of a text.
    pub estimate: TokenEstimate,
    /// The sources whose texts count.
    pub sources: Vec<String>,
    /// What the host says or does.
    pub why: String,
}

/// How the tokens of a text are guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TokenEstimate {
    /// A quarter for each ASCII character and one and a half for any other; from 100,000 UTF-16 units on a quarter for
    /// each unit.
    QuarterOrWeighted,
}

/// How the project root is found.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Root {
    /// Names that make a folder the root; `$parameter` inserts a list.
    pub markers: Vec<String>,
    /// What a marker has to be.
    #[serde(default)]
    pub test: MarkerTest,
    /// Where the search starts, an expression; the launch directory if absent.
    #[serde(default)]
    pub from: Option<String>,
}

/// What makes a marker count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MarkerTest {
    /// Something of that name is there, links followed.
    #[default]
    Exists,
    /// A file, or a folder that holds `HEAD`, `objects` and `refs`.
    FileOrRepository,
}

/// How trust is decided.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Trust {
    /// Checked first, in order: a condition and the state it gives.
    #[serde(default)]
    pub decided: Vec<Decision>,
    /// A table of paths: see [`TrustTable`].
    #[serde(default)]
    pub table: Option<TrustTable>,
    /// The state when nothing decides: `undecided` if absent.
    #[serde(default)]
    pub otherwise: Option<String>,
}

/// A condition that decides.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Decision {
    /// The condition.
    pub when: Condition,
    /// The state.
    pub state: String,
    /// It does not count where the table says something about the folder.
    #[serde(default)]
    pub unless_listed: bool,
}

/// A table that maps paths to trust.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TrustTable {
    /// A key of the settings that holds the table.
    #[serde(default)]
    pub setting: Option<String>,
    /// Or a JSON file that is the table.
    #[serde(default)]
    pub file: Option<String>,
    /// The key below a path that holds the word; absent if the value is the word itself.
    #[serde(default)]
    pub key: Option<String>,
    /// How a path is found in the table.
    pub lookup: TrustLookup,
    /// Words to states. A word that begins with `parent:` gives its state to the parent folder of the entry's path.
    pub words: IndexMap<String, String>,
}

/// How a path is found in a table of trust.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrustLookup {
    /// The launch directory itself, else the repository's main checkout (or root).
    LaunchThenRepository,
    /// The longest entry, as written, that holds the launch directory.
    LongestPrefix,
}

/// A condition under which the host sends nothing.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Refusal {
    /// The condition.
    pub when: Condition,
    /// What the host says or does.
    pub why: String,
}

/// Something that keeps files out.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Exclusion {
    /// The setting that lists the patterns.
    #[serde(default)]
    pub setting: Option<String>,
    /// The flag that lists them.
    #[serde(default)]
    pub flag: Option<String>,
    /// Layers in which the setting counts.
    #[serde(default)]
    pub layers: Option<Vec<String>>,
    /// Fixed patterns.
    #[serde(default)]
    pub patterns: Vec<String>,
    /// How a pattern is read.
    pub dialect: ExclusionDialect,
    /// Scopes that are never kept out.
    #[serde(default)]
    pub except: Vec<Scope>,
    /// It counts only then.
    #[serde(default)]
    pub when: Option<Condition>,
}

/// Which name of a linked file counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkName {
    /// The link's or its target's.
    #[default]
    Either,
    /// The target's.
    Target,
}

/// How a pattern that keeps files out is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExclusionDialect {
    /// A glob on the absolute path, dot files included.
    AbsoluteGlob,
    /// `Read` or `Read(PATTERN)`: gitignore patterns from the layer's base, `//` absolute, `~/` home; `../` never matches.
    ReadPermission,
    /// A part of the path has this name.
    PathPart,
}

/// How much of the world a file speaks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// Set by an administrator for the machine.
    Managed,
    /// The user's own, for all projects.
    User,
    /// Checked into the project.
    Project,
    /// The user's own, for this project.
    Local,
    /// A rule with a scope of its own.
    Rule,
    /// Written by the host itself.
    Memory,
    /// From an extension or plugin.
    Extension,
    /// A folder that was added at launch.
    Added,
}

/// Where files are looked for, which, and when they load.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Source {
    /// What it is, in a few words.
    #[serde(default)]
    pub about: String,
    /// How this is known; the host's `verified.how` if absent.
    #[serde(default)]
    pub known: Option<Known>,
    /// The scope of its files.
    pub scope: Scope,
    /// When it loads.
    #[serde(default)]
    pub on: Moment,
    /// One folder, an expression.
    #[serde(default)]
    pub folder: Option<String>,
    /// Each folder of this list parameter.
    #[serde(default)]
    pub each: Option<String>,
    /// A chain of folders. With `each`, it is walked for each of them as `{each}`.
    #[serde(default)]
    pub chain: Option<Chain>,
    /// The files picked in each folder, in this order.
    pub files: Vec<FileSet>,
    /// It counts only then.
    #[serde(default)]
    pub when: Option<Condition>,
    /// Of the sources with the same contest, only the first that has text is used.
    #[serde(default)]
    pub contest: Option<String>,
    /// The order of all its files, once they are found.
    #[serde(default)]
    pub order: Option<FileOrder>,
    /// Instead of the folder itself: the packages (extensions, plugins) in it.
    #[serde(default)]
    pub packages: Option<Packages>,
    /// A text that stands in the settings instead of a file: the parameter that holds it.
    #[serde(default)]
    pub text: Option<String>,
}

/// Packages: folders that say in a manifest who they are.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Packages {
    /// The JSON file that makes a folder a package.
    pub manifest: String,
    /// The keys that it must have.
    #[serde(default)]
    pub required: Vec<String>,
    /// The key of the package's name.
    pub name: String,
    /// A flag that lists the only packages in force, letter case ignored.
    #[serde(default)]
    pub picked_by: Option<String>,
    /// The one word that, alone in that flag, means no package at all.
    #[serde(default)]
    pub none_word: Option<String>,
    /// A JSON file that switches packages on and off by launch directory: `{ NAME: { "overrides": ["!/path/*"] } }`. The
    /// last rule that matches counts; an expression.
    #[serde(default)]
    pub enablement: Option<String>,
    /// A JSON file in the package that may name, under `source`, the folder where it really lies, if its `type` is `link`.
    #[serde(default)]
    pub redirect: Option<String>,
}

/// When a source loads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moment {
    /// At launch.
    #[default]
    Launch,
    /// When a file is touched.
    Touch,
}

/// A chain of folders, each the parent of the next.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Chain {
    /// The outermost folder, an expression. `{disk}` is the top of the file system. Without a value (no root was found)
    /// the chain is `bottom` alone, unless `required`.
    pub top: String,
    /// The innermost folder, an expression.
    pub bottom: String,
    /// Without `top`, there is no chain at all.
    #[serde(default)]
    pub required: bool,
    /// Folders that are left out, expressions.
    #[serde(default)]
    pub without: Vec<String>,
    /// This folder, an expression, is left out, and so is every folder that holds it.
    #[serde(default)]
    pub without_above: Option<String>,
    /// From the outermost to the innermost, or the other way.
    #[serde(default)]
    pub order: ChainOrder,
    /// At most so many folders, counted from `bottom`.
    #[serde(default)]
    pub limit: Option<usize>,
    /// The chain ends, going up, at a folder that was looked at before in this session.
    #[serde(default)]
    pub stop_at_seen: bool,
    /// Folders that were looked at before in this session are passed over.
    #[serde(default)]
    pub skip_seen: bool,
    /// The chain ends, going up, before one of these folders, expressions.
    #[serde(default)]
    pub ends_before: Vec<String>,
    /// The first folder that has one of the files is the only one.
    #[serde(default)]
    pub first_hit: bool,
    /// The first folder in which one of the names is a file is the only one, even if that file gives nothing.
    #[serde(default)]
    pub first_existing: bool,
    /// The folder's file, for a layer of settings.
    #[serde(default)]
    pub file: Option<String>,
}

/// Direction of a chain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChainOrder {
    /// Outermost first.
    #[default]
    Down,
    /// Innermost first.
    Up,
}

/// Which files are picked in one folder.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct FileSet {
    /// Names, which may lead into folders; `$parameter` inserts a list, `{…}` an expression.
    pub names: Vec<String>,
    /// Instead of names: a manifest in the folder that lists them.
    pub names_in: Option<ManifestNames>,
    /// Instead of names: a folder whose files are all taken.
    pub folder: Option<String>,
    /// Endings that such files must have.
    pub suffixes: Vec<String>,
    /// Endings that people give such files although the host takes none of them; they are told as left out.
    pub idle_suffixes: Vec<String>,
    /// Names in such a folder that are not taken.
    pub ignored_names: Vec<String>,
    /// Subfolders of such a folder that are not entered.
    pub ignored_folders: Vec<String>,
    /// Whether subfolders are entered.
    pub recursive: bool,
    /// Whether subfolders that are links are entered too.
    pub enter_linked_folders: bool,
    /// Whether files and folders whose names begin with a dot are passed over.
    pub skip_hidden: bool,
    /// Whether subfolders whose names begin with a dot are passed over, though such files are not.
    pub skip_hidden_folders: bool,
    /// At most so many entries of such a folder are looked at: those of a folder before those of its subfolders, of which
    /// the last is entered first.
    pub entry_limit: Option<usize>,
    /// The files are no larger than so many bytes; larger ones are passed over.
    pub file_limit: Option<u64>,
    /// All files together are no larger than so many bytes; those that would exceed it are passed over.
    pub total_limit: Option<u64>,
    /// The order in which the files of such a folder are taken.
    pub order: FileOrder,
    /// Which of the names is taken.
    pub choice: Choice,
    /// Whether letter case matters in names.
    pub any_letter_case: bool,
    /// What is done about links.
    pub links: Links,
    /// The folder that `links = "inside"` and imports mean, an expression.
    pub boundary: Option<String>,
    /// A condition that lifts the boundary.
    pub boundary_lifted: Option<Condition>,
    /// What an unreadable file does.
    pub unreadable: Unreadable,
    /// What a file with no text does.
    pub blank: Blank,
    /// How bytes that are not UTF-8 are read.
    pub decoding: Decoding,
    /// What is done to the text before it counts.
    pub text: Vec<TextStep>,
    /// What is done to the text once imported texts stand in it.
    pub text_with_imports: Vec<TextStep>,
    /// The scope, where it is not the source's.
    pub scope: Option<Scope>,
    /// The group, for conditions with `loaded`.
    pub group: Option<String>,
    /// It counts only then.
    pub when: Option<Condition>,
    /// It counts only if none of these groups has anything loaded; `NAME:here` asks for the same folder alone. Such a
    /// set is looked at after all others, but keeps its place in the order.
    pub unless_loaded: Vec<String>,
    /// `unless_loaded` counts only then.
    pub unless_loaded_when: Option<Condition>,
    /// A dialect of scoped rules: the file counts as one.
    pub rules: Option<String>,
    /// Which of the rules are meant.
    pub rules_kind: RulesKind,
    /// Such a file is meant to say where it applies; one that does not is worth a word.
    pub scope_expected: bool,
    /// The folder that the rules' patterns count from, where it is not the dialect's.
    pub rules_base: Option<String>,
    /// An import dialect, or `$parameter` for the dialect that a parameter names.
    pub imports: Option<String>,
    /// Budgets that the text is held to, in order.
    pub budgets: Vec<String>,
    /// Folders of a linked worktree's main checkout that the worktree does not hold are passed over.
    pub skip_main_checkout: bool,
    /// Folders with one of these parts below the launch directory are passed over.
    pub ignored_parts: Vec<String>,
    /// What a missing file puts into the text: a template.
    pub missing_text: Option<String>,
    /// `missing_text` counts only then.
    pub missing_when: Option<Condition>,
    /// `missing_text` counts against budgets, but is not sent.
    pub missing_hidden: bool,
    /// A missing file is written by the host, from a template of this length in the budget's unit.
    pub written_length: Option<u64>,
    /// `written_length` counts only then.
    pub written_when: Option<Condition>,
    /// The text counts against budgets, but is not sent, then.
    pub hidden_when: Option<Condition>,
    /// With `unreadable = "noted"`: what takes the place of the text, a template by the cause.
    pub unreadable_notes: IndexMap<Obstacle, String>,
    /// Names that hold `*`, `?`, `{` or `[` are patterns: `*` within one folder, `**` over folders, hidden names left out.
    pub globs: bool,
    /// Only files with one of these base names are taken; `$parameter` inserts a list. Empty: all.
    pub base_names: Vec<String>,
    /// Names that lead out of the folder are not taken.
    pub stays_inside: bool,
    /// What is done to the text after the budgets: names of `finishing`, in order.
    pub finish: Vec<String>,
    /// What the host says about a file that it only names: a template with `{folder}`.
    pub description: Option<String>,
    /// The host does not read these files, though it reads the same names elsewhere: why, in words.
    pub never: Option<String>,
    /// The heading's name for it, where it is not the path: a template with `{name}` and `{from-launch}`.
    pub label: Option<String>,
    /// The name that notices about budgets use, where it is not the label.
    pub notice_name: Option<String>,
    /// What stands around the text and counts for budgets: a template with `{label}`, `{name}`, `{from-launch}`, `{text}`.
    pub wrap: Option<String>,
    /// A scan; a text in which it finds something is replaced.
    pub scan: Option<String>,
    /// The scan only gives a notice, and the text is sent.
    pub scan_only_warns: bool,
    /// The text is a list of entries, and the scan looks at each by itself.
    pub entries: Option<Entries>,
    /// The files are named to the model without their text.
    pub named_only: bool,
}

/// A text that is a list.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Entries {
    /// What stands between two entries. White space around an entry goes, and empty entries go.
    pub separator: String,
    /// An entry that stood there before goes.
    #[serde(default)]
    pub drop_doubles: bool,
}

/// Phrases for which a text is looked through.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Scan {
    /// What it is, in a few words.
    #[serde(default)]
    pub about: String,
    /// So many characters of a text are looked through, all if absent.
    #[serde(default)]
    pub limit: Option<usize>,
    /// Compatibility forms (full-width letters and the like) count as the plain ones (NFKC).
    #[serde(default)]
    pub fold_compatibility: bool,
    /// Characters that are found by themselves.
    #[serde(default)]
    pub characters: String,
    /// The finding for such a character: a template with `{code}`, its number in hexadecimal.
    #[serde(default)]
    pub character_finding: String,
    /// Scans whose characters and phrases are looked for too, before its own.
    #[serde(default)]
    pub includes: Vec<String>,
    /// The phrases by the host's names for them, in the order in which findings are told.
    ///
    /// Letter case does not matter. A blank stands for white space, line ends included; `~` for up to eight words, each
    /// with the white space behind it (`~3`: up to three); `…` for up to 2,048 characters of the same line (`…512`: up to
    /// 512). Otherwise a phrase is read as a regular expression of `(a|b)`, `[…]`, `[^…]`, `?`, `*`, `+`, `{m,n}`, `\w`,
    /// `\s`, `\b` and `\` before a character. It has to begin with fixed text.
    #[serde(default)]
    pub phrases: IndexMap<String, String>,
    /// What takes the place of the text: a template with `{label}`, `{name}` and `{findings}`.
    #[serde(default)]
    pub replacement: String,
    /// An entry that begins so is not looked through.
    #[serde(default)]
    pub passes: Option<String>,
}

/// Names that a manifest lists.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ManifestNames {
    /// The JSON file in the folder.
    pub manifest: String,
    /// Its key: a string or a list of strings.
    pub key: String,
    /// The names where the key is not there or empty.
    pub default: Vec<String>,
    /// How the names are put in order.
    #[serde(default)]
    pub clean: Vec<Cleaning>,
}

/// Order of files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileOrder {
    /// As found: the order of names, or the disk's.
    #[default]
    Found,
    /// By path, bytewise.
    Path,
    /// By name, by code point.
    Name,
}

/// Which of several names in a folder is taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// Each.
    #[default]
    All,
    /// The first that exists, whatever it holds.
    FirstExisting,
    /// The first that has text.
    FirstWithText,
}

/// What is done about symbolic links.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Links {
    /// They are followed wherever they lead.
    #[default]
    Followed,
    /// Only if they lead to a place inside the boundary.
    Inside,
    /// A link, or a file with several hard links, is refused.
    Refused,
}

/// What an unreadable file does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unreadable {
    /// It is passed over, and the next name is tried.
    #[default]
    Skipped,
    /// It is passed over, but keeps its place: no other name is tried.
    Claims,
    /// Every file of the source is lost.
    LosesSource,
    /// A note takes the place of the text.
    Noted,
}

/// Why a file gives no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Obstacle {
    /// It is a link.
    Link,
    /// It has several hard links.
    HardLink,
    /// It is a folder, a pipe or a device.
    NotAFile,
    /// It may not be read, or reading failed.
    Denied,
    /// It is larger than the host reads.
    TooLarge,
}

/// What a file without text does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Blank {
    /// It adds nothing.
    #[default]
    Skipped,
    /// It is sent as it is.
    Sent,
}

/// How bytes become text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decoding {
    /// Bytes that are not UTF-8 become U+FFFD.
    #[default]
    Lossy,
    /// A file that is not UTF-8 counts as unreadable.
    Strict,
}

/// One thing that is done to a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextStep {
    /// A byte order mark at the start goes.
    StripByteOrderMark,
    /// A block between `---` lines at the very start goes.
    StripFrontmatter,
    /// Everything from a leading `---` to the next line that begins with `---`, and the line ends behind it, goes, unless
    /// nothing would be left.
    StripLeadingDashes,
    /// HTML comments that begin a block go.
    StripBlockComments,
    /// White space at both ends goes.
    Trim,
    /// White space at the end goes, as JavaScript means it: with U+FEFF, without U+0085.
    TrimEndOfScript,
    /// White space at the end goes.
    TrimEnd,
    /// Three or more line ends in a row become two.
    SqueezeBlankLines,
    /// Line ends of other systems (`\r\n`, `\r`) become `\n`.
    PlainLineEnds,
}

/// Which rules of a folder a file set means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RulesKind {
    /// Those without a scope.
    #[default]
    Always,
    /// Those whose scope matches the touched file.
    Matching,
    /// Both, together.
    AlwaysOrMatching,
    /// Those with a scope, named in a table without their text.
    Listed,
    /// Those that the agent decides on, named without their text.
    Offered,
    /// Those without a scope; those with one are named in a table without their text.
    AlwaysOrListed,
}

/// How imports are written and what they do.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ImportDialect {
    /// Which parts of the text can hold one.
    pub scanner: ImportScanner,
    /// Characters that may stand before the `@`, beside the start of the text; white space is written ` `.
    #[serde(default)]
    pub after: String,
    /// What the first character of the path has to be: a regular expression for one character.
    pub first: String,
    /// What the path may go on with: a regular expression for one character (`\S` if absent).
    #[serde(default)]
    pub rest: Option<String>,
    /// The two, built.
    #[serde(skip)]
    pub forms: Forms,
    /// `\ ` stands for a blank within the path.
    #[serde(default)]
    pub escaped_blanks: bool,
    /// Everything from this character on is dropped.
    #[serde(default)]
    pub fragment: Option<char>,
    /// Characters that are cut off the path's end.
    #[serde(default)]
    pub trailing: String,
    /// Endings that a file may have, without dot, in any letter case; a name without ending is fine. Absent: all.
    #[serde(default)]
    pub endings: Option<Vec<String>>,
    /// Whether `~/x` is the home folder.
    #[serde(default)]
    pub home: bool,
    /// Whether absolute paths are tried.
    #[serde(default)]
    pub absolute: bool,
    /// How many levels of imported files there are.
    #[serde(default)]
    pub depth: Option<usize>,
    /// Where the imported text goes.
    pub place: ImportPlace,
    /// How often one file is imported.
    pub once: ImportOnce,
    /// What counts as white space around a path.
    #[serde(default)]
    pub white_space: WhiteSpace,
    /// What is done to an imported text; the same as to the importing one if absent.
    #[serde(default)]
    pub text: Option<Vec<TextStep>>,
    /// What an imported file without text does.
    #[serde(default)]
    pub blank: Blank,
    /// How many files one top-level file can import.
    #[serde(default)]
    pub file_limit: Option<usize>,
    /// How many bytes one top-level file can import.
    #[serde(default)]
    pub byte_limit: Option<u64>,
    /// A line put before the imported text: a template.
    #[serde(default)]
    pub open: String,
    /// A line put after it.
    #[serde(default)]
    pub close: String,
    /// What takes the place of a file that was imported before: a template.
    #[serde(default)]
    pub repeated: Option<String>,
    /// What takes the place of an import that fails: a template.
    #[serde(default)]
    pub failed: Option<String>,
    /// The words for `{reason}` in it, themselves templates: for `missing`, `outside`, `folder`, `refused`.
    #[serde(default)]
    pub failures: IndexMap<String, String>,
    /// The folder that an imported file must lie in, an expression; `{importer}` is the folder of the top-level file.
    #[serde(default)]
    pub boundary: Option<String>,
    /// Markers that widen the boundary to the nearest folder above the top-level file that holds one.
    #[serde(default)]
    pub boundary_markers: Vec<String>,
    /// Scopes whose files may import from anywhere.
    #[serde(default)]
    pub boundary_exempt: Vec<Scope>,
    /// A condition that lifts the boundary (not for files loaded on touch).
    #[serde(default)]
    pub boundary_lifted: Option<Condition>,
    /// A scoped rule that is imported by a rule is left out.
    #[serde(default)]
    pub drops_scoped: bool,
    /// What a scoped rule imports loads at launch, though the rule itself waits.
    #[serde(default)]
    pub of_waiting_rules: bool,
    /// The boundary is held against the path as named, links in it not resolved.
    #[serde(default)]
    pub boundary_by_name: bool,
    /// How bytes that are not UTF-8 are read.
    #[serde(default)]
    pub decoding: Decoding,
}

/// What counts as white space.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhiteSpace {
    /// Every character that Unicode calls so.
    #[default]
    Unicode,
    /// Blank, tab, carriage return and line feed.
    Basic,
}

/// Regular expressions of a dialect, built when they are first asked for.
#[derive(Debug, Clone, Default)]
pub struct Forms {
    first: OnceLock<Option<Regex>>,
    rest: OnceLock<Option<Regex>>,
}

impl Forms {
    fn one<'f>(cell: &'f OnceLock<Option<Regex>>, written: &str) -> Option<&'f Regex> {
        cell.get_or_init(|| Regex::new(&format!("^(?:{written})")).ok()).as_ref()
    }

    /// What the first character of a path has to be.
    pub fn first(&self, written: &str) -> Option<&Regex> {
        Self::one(&self.first, written)
    }

    /// What the path may go on with.
    pub fn rest(&self, written: &str) -> Option<&Regex> {
        Self::one(&self.rest, written)
    }
}

/// Which parts of a text can hold an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImportScanner {
    /// Text of a Markdown document: not code, not HTML, not images.
    MarkdownText,
    /// Everything but code spans and fences.
    OutsideCode,
    /// Everything but what begins between equal runs of back quotes. A run may be a part of a longer one, as a regular
    /// expression that gives back what it took would have it.
    OutsideBackQuotes,
}

/// Where imported text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImportPlace {
    /// A file of its own, right after the importing one.
    AfterFile,
    /// In the text, at its end, the last import first; the importing text stands between `open` and `close` too, under
    /// the name of its folder.
    AtEndReversed,
    /// In the text, after the `@path`.
    AfterMention,
    /// In the text, in place of the `@path`.
    InsteadOfMention,
}

/// How often a file is imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImportOnce {
    /// Once in the session; it does not load by other ways either.
    Session,
    /// Once for each top-level file.
    TopLevelFile,
    /// Once on each chain of imports.
    Chain,
}

/// How scoped rules say where they apply.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ScopeDialect {
    /// The frontmatter's keys that hold patterns; the first present counts.
    pub keys: Vec<String>,
    /// How patterns match.
    pub globs: GlobDialect,
    /// How the frontmatter is found and read.
    #[serde(default)]
    pub frontmatter: FrontmatterReading,
    /// A rule that has no other patterns than these is always on.
    #[serde(default)]
    pub always_patterns: Vec<String>,
    /// A key that, when true, makes the rule always-on whatever its patterns.
    #[serde(default)]
    pub always_key: Option<String>,
    /// A rule without patterns is offered to the agent if it has this key, else it is only loaded by mention.
    #[serde(default)]
    pub offered_key: Option<String>,
    /// A rule without patterns is always on (the usual case) unless this is set.
    #[serde(default)]
    pub without_patterns: WithoutPatterns,
    /// Elements of a YAML list are split at commas too.
    #[serde(default)]
    pub split_list_items: bool,
    /// The folder that paths count from, an expression; `{rules-base}` is the folder that holds the rules' folder.
    pub base: String,
    /// The touched file has to lie in one of these, expressions (or `$parameter` lists); elsewhere no rule matches.
    #[serde(default)]
    pub reach: Vec<String>,
    /// A key whose value, one of `excluded_by`, drops the rule.
    #[serde(default)]
    pub exclusion_key: Option<String>,
    /// See `exclusion_key`.
    #[serde(default)]
    pub excluded_by: Vec<String>,
}

/// What a rule without patterns is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WithoutPatterns {
    /// Always on.
    #[default]
    Always,
    /// Offered with a description, else loaded by mention only.
    OfferedOrManual,
}

/// How patterns match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GlobDialect {
    /// Gitignore patterns, letter case ignored, braces expanded before.
    Gitignore,
    /// A plain glob from the base, `**` spans folders.
    Plain,
    /// The same, held against the path from the base and against the file's name alone; one of the two has to match. With a
    /// leading `!`, one of the two has to fail.
    PathOrName,
}

/// How frontmatter is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FrontmatterReading {
    /// YAML; a plain value that begins with `*` or `{` is taken as a string. Broken YAML: no keys.
    #[default]
    RepairedYaml,
    /// Line by line `key: value`, as an editor writes it.
    Lines,
    /// Like `repaired-yaml`, but the first of equal keys counts, and what is broken even so is read line by line.
    LenientYaml,
}

/// A limit on text.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Budget {
    /// What it is, in a few words.
    #[serde(default)]
    pub about: String,
    /// The limit: a number or `$parameter`.
    pub limit: Value,
    /// What is counted.
    pub unit: Unit,
    /// For what the limit is.
    #[serde(default)]
    pub spans: BudgetSpan,
    /// What is kept of a text that is too long.
    pub keep: Keep,
    /// A note that is put where the text was cut: a template.
    #[serde(default)]
    pub notice: Option<String>,
    /// Another limit below the first that holds for some base names.
    #[serde(default)]
    pub by_name: IndexMap<String, u64>,
    /// Fewer units left than this: the file and all after it are dropped (budgets over several files).
    #[serde(default)]
    pub floor: u64,
    /// What is measured and cut is the heading and the text.
    #[serde(default)]
    pub with_heading: bool,
    /// A notice that the host shows or logs when it cuts: a template.
    #[serde(default)]
    pub told: Option<String>,
    /// A notice that the host shows or logs for the first file that is dropped: a template.
    #[serde(default)]
    pub told_skipped: Option<String>,
    /// No file gets more of a budget over several files than this: a number or `$parameter`.
    #[serde(default)]
    pub each: Option<Value>,
    /// What is kept of files with some base names, where it is not `keep`.
    #[serde(default)]
    pub keep_by_name: IndexMap<String, Keep>,
    /// How `head-and-tail-within` divides a text.
    #[serde(default)]
    pub split: Option<Split>,
    /// The digest that `head-digest-tail` makes.
    #[serde(default)]
    pub digest: Option<String>,
    /// A limit of 0 means that nothing of it is read at all, without notice.
    #[serde(default)]
    pub zero_is_off: bool,
    /// The share of the limit that is kept of the start (`keep = "head-and-tail"`).
    #[serde(default)]
    pub head_share: f64,
    /// The share of the limit that is kept of the end. A share that comes to nothing keeps the whole text as the end.
    #[serde(default)]
    pub tail_share: f64,
    /// The headings of the part that was cut out, for `{omitted-headings}` in the notice.
    #[serde(default)]
    pub omitted_headings: Option<OmittedHeadings>,
    /// `{name}` in notices, where it is not the file's.
    #[serde(default)]
    pub name: Option<String>,
    /// What is put between the texts of a source before they are measured as one (`spans = "joined"`).
    #[serde(default)]
    pub separator: String,
    /// A single text of a source is not held to it (`spans = "joined"`).
    #[serde(default)]
    pub only_several: bool,
}

/// How a notice names the headings of the part that was cut out.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OmittedHeadings {
    /// At most so many.
    pub limit: usize,
    /// Before the first.
    pub open: String,
    /// Between two.
    pub between: String,
    /// In the place of those beyond the limit.
    pub more: String,
    /// After the last.
    pub close: String,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Bytes of the file.
    Bytes,
    /// Unicode code points.
    Characters,
    /// UTF-16 code units.
    Utf16Units,
    /// Lines.
    Lines,
}

/// For what a limit is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BudgetSpan {
    /// Each file.
    #[default]
    File,
    /// All files that name the budget, in load order.
    Chain,
    /// All files of one source that name it, as one text.
    Joined,
}

/// What is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// The start, cut at the exact byte (then lossily decoded).
    HeadExact,
    /// The start, cut at the last line end within the limit, or inside the first line if that alone is too long.
    HeadLines,
    /// The start, cut at the exact unit.
    Head,
    /// The start and the end, with a note between them, all within the limit: see [`Split`].
    HeadAndTailWithin,
    /// The start, a digest of the lines that look like rules, and the end, all within the limit: see [`Digest`].
    HeadDigestTail,
    /// Nothing: a file that is too long is dropped.
    Nothing,
    /// The start and the end, cut at the exact unit, with the notice between them.
    HeadAndTail,
}

/// How a text is cut to its start and its end.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Split {
    /// The start's share of what the note leaves.
    pub head: f64,
    /// The end's share.
    pub tail: f64,
    /// The note: a template of `{name}`, `{head}`, `{tail}`, `{length}`. It stands on lines of its own.
    pub note: String,
    /// With less than this left for the text, the short note is used.
    #[serde(default)]
    pub least: u64,
    /// A note that stands within the line.
    pub short_note: String,
}

/// A digest: the lines of a text that look like rules, put between its start and its end. Everything is joined by line
/// ends; where it does not fit, first the end gets shorter, then the start, then the digest.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Digest {
    /// The share of the limit that the start gets.
    pub head: f64,
    /// The share that the digest gets at most.
    pub share: f64,
    /// The share that the end gets.
    pub tail: f64,
    /// Lines with one of these words count, in any letter case and with ASCII word boundaries; so do headings and items.
    pub words: Vec<String>,
    /// Of them, those whose lines are taken first.
    pub first_words: Vec<String>,
    /// Texts that make a line count wherever they stand in it.
    #[serde(default)]
    pub signs: Vec<String>,
    /// Of them, those whose lines are taken first.
    #[serde(default)]
    pub first_signs: Vec<String>,
    /// Longer lines are cut to this length, the last character being `…`.
    pub line_limit: u64,
    /// A line brings the line before it along, if that does not count itself and is neither blank nor a fence.
    #[serde(default)]
    pub with_line_before: bool,
    /// The line after the start.
    pub note: String,
    /// The line before the digest.
    pub heading: String,
    /// The line for what does not fit in: a template of `{omitted}`.
    pub omitted: String,
    /// The line before the end: a template of `{head}`, `{digest}`, `{tail}`, `{length}`.
    pub summary: String,
}

/// What is done to a text after the budgets.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Finishing {
    /// Only files with one of these base names, in lower case, are meant; all if empty.
    pub base_names: Vec<String>,
    /// Entries (items that begin with `- `, and headings, with what follows) that hold a comment `<!-- KEY: VALUE -->` of
    /// this key go, unless each value (parted by `;`) is an element of `active`.
    pub annotation: Option<String>,
    /// The list parameter for `annotation`.
    pub active: Option<String>,
    /// What these regular expressions match goes.
    pub remove: Vec<String>,
    /// Then these steps follow.
    pub text: Vec<TextStep>,
}

/// Agents that the settings list, each with settings of its own. Expressions can use `{roster:id}` (the agent in force),
/// `{roster:entry}` (the key of its settings), `{roster:count}` and `{roster:marked}` (how many are marked as default).
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Roster {
    /// Keys of the settings that hold a table by id or a list of tables with `id`; the first present counts.
    pub settings: Vec<String>,
    /// The parameter that names the agent.
    pub chosen: String,
    /// The key that marks the agent in force where none is named; without a mark it is the first.
    pub default_key: String,
    /// The id of the one agent where none is listed.
    pub fallback: String,
}

/// What counts as touching a file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Touching {
    /// Tools whose path counts as a file: its folder is looked at.
    pub tools: Vec<String>,
    /// Tools whose path may be a folder, which is then looked at itself.
    pub folder_tools: Vec<String>,
    /// Tools whose path need not exist.
    pub missing_tools: Vec<String>,
    /// Tools that count only if their target is a regular file.
    pub file_only: bool,
    /// How shell commands are read.
    pub shell: Option<ShellReading>,
    /// The target has to lie in one of these, expressions or `$parameter` lists.
    pub reach: Vec<String>,
    /// Links in the target are resolved first.
    pub resolve_links: bool,
    /// Links on the way to a target that is not there are resolved too.
    pub resolve_missing: bool,
    /// Targets with one of these parts (below the reach) are refused by the tool.
    pub refused_parts: Vec<String>,
    /// Targets that these ignore files name, from the launch directory down to the target, are refused by the tool;
    /// `.gitignore` counts only in a repository.
    pub ignore_files: Vec<String>,
    /// The same, in the launch directory alone.
    pub top_ignore_files: Vec<String>,
    /// The tools that mind ignore files; all if empty.
    pub ignoring_tools: Vec<String>,
    /// It counts only then.
    pub when: Option<Condition>,
    /// A path counts as a file if it has a suffix, even if it is a folder, or if it is one; any other as a folder.
    pub suffix_means_file: bool,
    /// The folder that relative paths in commands count from.
    pub shell_base: Option<String>,
    /// What sub-agents get of the launch text.
    pub sub_agents: Option<SubAgents>,
}

/// What sub-agents get: the whole launch text or nothing of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SubAgents {
    /// Kinds of sub-agent that get it.
    #[serde(default)]
    pub with_launch_text: Vec<String>,
    /// Files that define further kinds, expressions with `{kind}`; the first that exists counts.
    #[serde(default)]
    pub definitions: Vec<String>,
    /// What is done to the text of such a file, which its sub-agent gets.
    #[serde(default)]
    pub definition: FileSet,
    /// A key of such a file's frontmatter that, when true, gives its kind the launch text.
    #[serde(default)]
    pub wanted_by: Option<String>,
}

/// How a shell command names files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShellReading {
    /// A simple command that prints one file: `cat`, `nl`, `head -n`, `tail`, `sed -n`, `grep`.
    OneFilePrinted,
    /// Every word that holds `/` or `.`.
    PathWords,
    /// The same, and the operand of a `cd` or `pushd` that begins a command.
    PathWordsAndFolderChanges,
}

/// When two files are taken for one.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Identity {
    /// What is compared.
    pub by: Sameness,
    /// The sources (or groups) among which it holds; all if empty.
    #[serde(default)]
    pub among: Vec<String>,
    /// Only these are dropped when the same as any in `among`.
    #[serde(default)]
    pub drops: Vec<String>,
    /// A file that counts as loaded for this, whether it is or not.
    #[serde(default)]
    pub known: Option<KnownFile>,
    /// Imported files are not looked at.
    #[serde(default)]
    pub without_imports: bool,
}

/// A file that a host knows without having loaded it: the first of the names that can be read.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct KnownFile {
    /// Its folder, an expression.
    pub folder: String,
    /// Its names.
    pub names: Vec<String>,
}

/// What makes two files the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sameness {
    /// The path, links resolved.
    RealPath,
    /// The path under which the file was found.
    Path,
    /// Device and inode.
    File,
    /// The text as it would be sent.
    Text,
    /// The text without white space at its ends.
    TrimmedText,
    /// The text of the file as it lies on the disk, without byte order mark and white space at its ends.
    FileText,
}

/// How pieces become the text of the request.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Assembly {
    /// The parts of the launch text, in order. A source that no part names is put at the end.
    pub parts: Vec<AssemblyPart>,
    /// Put before the launch text, if there is any.
    pub open: String,
    /// Put after it.
    pub close: String,
    /// What stands between two parts that have text.
    pub between: String,
    /// How a piece that comes on touch is written.
    pub touched: String,
    /// How pieces of one part are ordered before they are joined.
    pub order: IndexMap<String, u32>,
    /// `{label}` by scope.
    pub labels: IndexMap<String, String>,
}

/// One part of the launch text.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct AssemblyPart {
    /// The sources whose pieces it holds; empty for all.
    pub sources: Vec<String>,
    /// Put before it, if it has text.
    pub open: String,
    /// Put after it.
    pub close: String,
    /// How a piece is written; `{text}` if empty.
    pub piece: String,
    /// What stands between pieces.
    pub separator: String,
    /// Instead of pieces: parts of its own.
    pub parts: Vec<AssemblyPart>,
    /// What stands between two of its own parts that have text.
    pub between: String,
    /// Base names, in lower case, whose pieces stay in load order among each other.
    pub load_order: Vec<String>,
    /// Pieces are sorted by the weight of their base name (`order`), then by that name, then by path in the order of a
    /// locale.
    pub by_weight: bool,
}
