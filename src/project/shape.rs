//! Tells what looks like a path from what does not, by its characters alone.
//!
//! Most inline code with a slash or a dot in it is no path of the repository: packages, routes, branches, code. What
//! the tree holds literally is looked up before this is asked, so a folder that is really named `[slug]` is found.

/// What a piece of text looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// A path: cleaned of `./`, line numbers, fragments and test names; `/` only.
    Path {
        /// The path without a final slash.
        path: String,
        /// Whether it is marked as a folder by a final slash.
        directory: bool,
    },
    /// Nothing is left to look up.
    Empty,
    /// `https://…`, `mailto:…`.
    Url,
    /// `#section` of the same file.
    Anchor,
    /// `*`, `?` or `{a,b}`.
    Glob,
    /// `<x>`, `{x}`, `[x]`, `...`, or a stand-in word such as `path/to`, `SomeTest`, `foo`.
    Placeholder,
    /// `@scope/package`.
    ScopedPackage,
    /// `@name`, a person or an import shown as text.
    Handle,
    /// `@/components`, `~/components`, `#internal`: an alias that a bundler resolves.
    ImportAlias,
    /// `$HOME/x`, `$skill`, `%APPDATA%`.
    Variable,
    /// `~/.config`.
    Home,
    /// `/api/users`, `/mnt/data`, `C:\x`.
    Absolute,
    /// `a::b`.
    QualifiedName,
    /// `.so`, `.test.ts`, `.only`.
    Extension,
    /// `process.env`, `System.Text.Json`.
    DottedIdentifier,
    /// Calls, assignments, sentences.
    Code,
    /// `-x`, `--long`.
    Flag,
    /// `a/b` without an extension: words, a repository, a package, an import, a rule name.
    Words,
    /// `origin/main`, `feature/x`.
    Branch,
    /// `text/html`.
    MediaType,
    /// `image:tag`, `registry/image:tag`.
    ContainerImage,
    /// `actions/checkout@v4`, `owner/repo#12`.
    PackageVersion,
    /// `github.com/a/b`, `charm.land/x/v2`.
    Host,
    /// `├─ server/`.
    BoxDrawing,
    /// Leads out of the repository.
    Outside,
    /// A word without slash or extension.
    Word,
}

/// Extensions that files of source, text, data and build systems have.
const EXTENSIONS: &str = " adoc asm astro awk bash bat bazel bib bicep bzl c cc cfg cjs clj cljs cmake cmd conf config cpp cs \
 cshtml csproj css csv cts cu cue cxx d dart db dockerfile ejs el elm env erb erl ex example exs fish fs fsproj fsx \
 gemspec gif go gql gradle graphql groovy h haml hbs hcl hpp hrl hs htm html hxx ico in inc ini ino ipynb j2 jar java jinja jpg \
 jpeg js json json5 jsonc jsonl jsx jl key kt kts less liquid lock log lua m mak md mdc mdown mdx mjs mk ml mli mm mod \
 mts nim nix nu orig out patch pdf php pl plist pm png po pot prisma prompt properties props proto ps1 psd1 psm1 pug py \
 pyi pyx r rake razor rb rego resx rkt rs rst s sass sbt scala scm scss sh slim sln slnx snap sol sql svelte svg swift \
 sv tcl targets templ tera tex tf tfvars tmpl toml tpl ts tsbuildinfo tsv tsx twig txt v vb vbproj vhd vim vue wasm wat wgsl wit \
 webp woff woff2 xaml xcconfig xcodeproj xib xlsx xml xsd xsl yaml yml zig zsh golden fixture ";

/// The extension of a file name in lower case; empty without one.
pub(super) fn extension(path: &str) -> String {
    let name = super::tree::file_name(path);
    match name.rfind('.') {
        Some(at) if at > 0 => name.get(at + 1..).unwrap_or_default().to_ascii_lowercase(),
        _ => String::new(),
    }
}

/// Whether a path ends in an extension that files commonly have.
pub(super) fn has_file_extension(path: &str) -> bool {
    let extension = extension(path);
    !extension.is_empty() && EXTENSIONS.contains(&format!(" {extension} "))
}

/// Names of files that commonly have no extension.
pub(super) fn is_plain_file_name(name: &str) -> bool {
    matches!(
        name,
        "Makefile"
            | "GNUmakefile"
            | "Dockerfile"
            | "Containerfile"
            | "Justfile"
            | "justfile"
            | "Rakefile"
            | "Gemfile"
            | "Procfile"
            | "Brewfile"
            | "Vagrantfile"
            | "Jenkinsfile"
            | "Tiltfile"
            | "CODEOWNERS"
            | "LICENSE"
            | "NOTICE"
            | "BUILD"
            | "WORKSPACE"
    )
}

const HOST_ENDINGS: [&str; 24] = [
    "com", "org", "net", "io", "dev", "land", "sh", "ai", "app", "co", "in", "cloud", "me", "de", "cn", "xyz", "us",
    "eu", "uk", "so", "gg", "tech", "tools", "local",
];

const STAND_INS: [&str; 30] = [
    "foo",
    "bar",
    "baz",
    "qux",
    "xxx",
    "yyy",
    "zzz",
    "my",
    "your",
    "some",
    "example",
    "placeholder",
    "somefile",
    "somefolder",
    "somedir",
    "filename",
    "dirname",
    "foldername",
    "myfile",
    "yourfile",
    "name",
    "username",
    "whatever",
    "blah",
    "mycomponent",
    "componentname",
    "myfeature",
    "acme",
    "lorem",
    "dummy",
];

/// Whether a component stands for something else: `SomeTest.php`, `foo_tools.go`, `MyComponent.tsx`, `kebab-case.ts`.
fn is_stand_in(component: &str) -> bool {
    let stem = component.split('.').next().unwrap_or(component);
    let lower = stem.to_ascii_lowercase();
    if matches!(
        lower.as_str(),
        "kebab-case"
            | "snake_case"
            | "camelcase"
            | "pascalcase"
            | "file-name"
            | "file_name"
            | "feature-name"
            | "feature_name"
    ) {
        return true;
    }
    // Words by separators and by capitals: `foo_tools` -> foo, tools; `SomeTest` -> some, test.
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    for character in stem.chars() {
        if !character.is_alphanumeric() {
            words.push(std::mem::take(&mut word));
        } else {
            if character.is_uppercase() && before.is_lowercase() {
                words.push(std::mem::take(&mut word));
            }
            word.extend(character.to_lowercase());
        }
        before = character;
    }
    words.push(word);
    words.retain(|w| !w.is_empty());
    let first = words.first().map_or("", String::as_str);
    let last = words.last().map_or("", String::as_str);
    let several = words.len() > 1;
    STAND_INS.contains(&lower.as_str())
        || (several && matches!(first, "foo" | "bar" | "baz" | "some" | "my" | "your" | "xxx" | "sample" | "new"))
        || (several && last == "name" && stem.chars().next().is_some_and(char::is_uppercase))
        || lower.contains("xxx")
        || matches!(stem, "X" | "Y" | "Z" | "XX" | "YY" | "NN" | "N" | "NNN" | "NNNN" | "YYYY" | "MM" | "DD" | "X.Y")
        || stem.contains("YYYY")
        || stem.contains("NNN")
        || (stem.len() > 1
            && stem.contains('_')
            && component.contains('.')
            && matches!(stem, "FILE_NAME" | "PROJECT_NAME" | "MODULE_NAME"))
}

/// Whether any component of a path is a stand-in, or the path begins with `path/to`.
pub(super) fn has_stand_in(path: &str) -> bool {
    let path = path.trim_matches('/');
    let parts: Vec<&str> = path.split('/').collect();
    parts.windows(2).any(|w| matches!(w, ["path" | "dir", "to"]))
        || parts.as_slice() == ["path"]
        || parts.iter().any(|p| is_stand_in(p) || is_stand_in_project(p))
}

/// `ProjectName.Tests.csproj`, `Foo.Tests`: a stand-in before a dot.
fn is_stand_in_project(component: &str) -> bool {
    let Some((first, _)) = component.split_once('.') else { return false };
    first == "Project"
        || matches!(
            first,
            "ProjectName"
                | "TestProject"
                | "TestName"
                | "ClassName"
                | "ModuleName"
                | "PackageName"
                | "FileName"
                | "FeatureName"
                | "ComponentName"
                | "ServiceName"
                | "EntityName"
                | "ControllerName"
        )
}

/// Takes a line number, a test name and a fragment off the end of a path.
pub(super) fn strip_position(text: &str) -> &str {
    let mut text = text;
    if let Some((file, _)) = text.split_once("::")
        && (has_file_extension(file))
    {
        text = file;
    }
    if let Some((file, fragment)) = text.split_once('#')
        && !file.is_empty()
        && (has_file_extension(file) || fragment.starts_with('L'))
    {
        text = file;
    }
    while let Some((before, digits)) = text.rsplit_once(':') {
        let position = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == '-' || c == 'L');
        let member = has_file_extension(before) && digits.chars().all(|c| c.is_alphanumeric() || "_.-()".contains(c));
        if before.is_empty() || !(position || member) {
            break;
        }
        text = before;
    }
    text
}

/// What `text` looks like. Nothing is looked up.
pub fn shape(text: &str) -> Shape {
    let text = text.trim();
    if text.is_empty() || text.chars().all(|c| c == '.' || c == '/') {
        return if text.contains("..") && !text.starts_with("...") { Shape::Code } else { Shape::Empty };
    }
    if text.contains("://") || text.starts_with("mailto:") || text.starts_with("data:") || text.starts_with("tel:") {
        return Shape::Url;
    }
    if text.chars().any(|c| ('\u{2500}'..='\u{257f}').contains(&c)) {
        return Shape::BoxDrawing;
    }
    if text.starts_with('#') {
        return if text.contains('/') { Shape::ImportAlias } else { Shape::Anchor };
    }
    if text.starts_with('-') {
        return Shape::Flag;
    }
    if text.contains('$') || (text.matches('%').count() >= 2) {
        return Shape::Variable;
    }
    if let Some(rest) = text.strip_prefix('~') {
        return if rest.starts_with('/') || rest.is_empty() { Shape::Home } else { Shape::Code };
    }
    if let Some(rest) = text.strip_prefix('@') {
        return match rest.split_once('/') {
            Some(("", _)) => Shape::ImportAlias,
            Some(_) if has_file_extension(rest) => Shape::Handle,
            Some(_) => Shape::ScopedPackage,
            None => Shape::Handle,
        };
    }
    if text.contains("...") || text.contains('…') {
        return Shape::Placeholder;
    }
    if text.contains(['(', ')', '=', ';', '|', '"', '\'', '`', '!', '^', '&', ',', '+']) && !text.contains('{') {
        return Shape::Code;
    }
    if text.contains(['<', '>']) {
        return if text.contains('<') && text.contains('>') { Shape::Placeholder } else { Shape::Code };
    }
    if text.contains('{') || text.contains('}') {
        let listed = text.contains('{') && text.contains('}') && (text.contains(',') || text.contains('*'));
        let plain = !text.contains(['(', ')', '=', ';', '|', '"', '\'', ' ']);
        return if listed && plain {
            Shape::Glob
        } else if plain {
            Shape::Placeholder
        } else {
            Shape::Code
        };
    }
    if text.contains(['*', '?']) {
        return if text.contains(' ') { Shape::Code } else { Shape::Glob };
    }
    if text.contains(['[', ']']) {
        return Shape::Placeholder;
    }
    let text = strip_position(text);
    if text.contains("::") {
        return Shape::QualifiedName;
    }
    if text.as_bytes().get(1) == Some(&b':') && text.chars().next().is_some_and(|c| c.is_ascii_alphabetic()) {
        return Shape::Absolute;
    }
    let slashed;
    let text = if text.contains('\\') {
        let windows = text.split('\\').all(|part| {
            part.is_empty()
                || part.chars().all(|c| c.is_alphanumeric() || "._- /".contains(c)) && part.len() > 1
                || part == "."
        });
        if !windows || text.starts_with("\\\\") {
            return Shape::Code;
        }
        slashed = text.replace('\\', "/");
        slashed.as_str()
    } else {
        text
    };
    if text.starts_with('/') {
        return Shape::Absolute;
    }
    let directory = text.ends_with('/');
    let mut path = text.trim_end_matches('/');
    while let Some(rest) = path.strip_prefix("./") {
        path = rest.trim_start_matches('/');
    }
    let path = path.trim_end_matches(['.', ':']);
    if path.is_empty() {
        return Shape::Empty;
    }
    if path.contains(char::is_whitespace) {
        // Names with a space exist, but commands and sentences are far more common.
        let words = path.split_whitespace().count();
        let sane = path.split('/').all(|part| !part.trim().is_empty() && part.trim() == part && !part.contains(" -"));
        let marked = path.contains('/') && (directory || has_file_extension(path));
        let second = path.split_whitespace().nth(1).unwrap_or("");
        return if words <= 4
            && sane
            && marked
            && !second.starts_with(['.', '-'])
            && !path.split_whitespace().next().is_some_and(|w| w.chars().all(|c| c.is_ascii_lowercase()))
        {
            Shape::Path { path: path.to_owned(), directory }
        } else {
            Shape::Code
        };
    }
    let Some((first, rest)) = path.split_once('/') else {
        return bare(path, directory);
    };
    if path.contains('@') || (path.contains('#') && !has_file_extension(path)) {
        return Shape::PackageVersion;
    }
    if path.contains(':') {
        return Shape::ContainerImage;
    }
    let marked = directory || has_file_extension(path) || is_plain_file_name(super::tree::file_name(path));
    if let Some((stem, ending)) = first.rsplit_once('.')
        && !stem.is_empty()
        && HOST_ENDINGS.contains(&ending)
        && first.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || ".-".contains(c))
    {
        return Shape::Host;
    }
    if !marked
        && matches!(
            first,
            "origin"
                | "upstream"
                | "release"
                | "releases"
                | "feature"
                | "feat"
                | "fix"
                | "hotfix"
                | "bugfix"
                | "chore"
                | "refs"
                | "heads"
        )
    {
        return Shape::Branch;
    }
    if !marked
        && !rest.contains('/')
        && matches!(first, "text" | "application" | "image" | "audio" | "video" | "multipart" | "font")
    {
        return Shape::MediaType;
    }
    if has_stand_in(path) {
        return Shape::Placeholder;
    }
    let last = super::tree::file_name(path);
    if let Some((stem, ending)) = last.rsplit_once('.')
        && !stem.is_empty()
        && ending.chars().any(char::is_uppercase)
        && !has_file_extension(path)
    {
        return Shape::DottedIdentifier;
    }
    if !marked && !rest.contains('/') {
        return Shape::Words;
    }
    Shape::Path { path: path.to_owned(), directory }
}

fn bare(path: &str, directory: bool) -> Shape {
    if directory {
        return if has_stand_in(path) { Shape::Placeholder } else { Shape::Path { path: path.to_owned(), directory } };
    }
    if path.contains(':') || path.contains('@') {
        return Shape::ContainerImage;
    }
    if let Some(rest) = path.strip_prefix('.') {
        // `.gitignore` and `.env.local` are looked up in the tree before; what is left is an ending or a member.
        return if rest.contains('.') && !has_file_extension(path) {
            Shape::DottedIdentifier
        } else {
            Shape::Extension
        };
    }
    if is_plain_file_name(path) {
        return Shape::Path { path: path.to_owned(), directory };
    }
    let Some((stem, ending)) = path.rsplit_once('.') else { return Shape::Word };
    if !has_file_extension(path) || ending.chars().any(char::is_uppercase) {
        return Shape::DottedIdentifier;
    }
    if stem.contains('.')
        && stem.chars().any(char::is_uppercase)
        && matches!(ending, "json" | "net" | "log" | "lock" | "env")
    {
        return Shape::DottedIdentifier;
    }
    if matches!(path, "console.log" | "process.env" | "import.meta.env" | "math.log") {
        return Shape::DottedIdentifier;
    }
    if is_stand_in(path) || is_stand_in_project(path) {
        return Shape::Placeholder;
    }
    Shape::Path { path: path.to_owned(), directory }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_cleaned() {
        for (text, path, directory) in [
            ("./src/a.rs", "src/a.rs", false),
            ("src/tools/", "src/tools", true),
            ("tests/test_a.py::test_b", "tests/test_a.py", false),
            ("src/lib.rs:12", "src/lib.rs", false),
            ("src/lib.rs:12-20", "src/lib.rs", false),
            ("docs/x.md#part", "docs/x.md", false),
            ("scripts\\startAll.bat", "scripts/startAll.bat", false),
            ("El Frontend/package.json", "El Frontend/package.json", false),
            ("README.md", "README.md", false),
            ("a/b/c", "a/b/c", false),
        ] {
            assert_eq!(shape(text), Shape::Path { path: path.to_owned(), directory }, "{text}");
        }
    }

    #[test]
    fn everything_else_is_named() {
        for (text, expected) in [
            ("@a/b", Shape::ScopedPackage),
            ("@octocat", Shape::Handle),
            ("@AGENTS.md", Shape::Handle),
            ("@/components/x.tsx", Shape::ImportAlias),
            ("https://a.b/c.md", Shape::Url),
            ("#part", Shape::Anchor),
            ("src/<name>/x.rs", Shape::Placeholder),
            ("src/{name}/x.rs", Shape::Placeholder),
            ("src/[id]/x.tsx", Shape::Placeholder),
            ("src/.../x.rs", Shape::Placeholder),
            ("ComponentName.tsx", Shape::Placeholder),
            ("tests/Feature/SomeTest.php", Shape::Placeholder),
            ("foo_tools.go", Shape::Placeholder),
            ("path/to/file.rs", Shape::Placeholder),
            ("src/**/*.ts", Shape::Glob),
            ("src/{a,b}.ts", Shape::Glob),
            ("/api/users", Shape::Absolute),
            ("C:\\x\\y", Shape::Absolute),
            ("a::b", Shape::QualifiedName),
            ("crate::x::y", Shape::QualifiedName),
            (".so", Shape::Extension),
            (".test-d.ts", Shape::Extension),
            ("$code-change", Shape::Variable),
            ("$HOME/x", Shape::Variable),
            ("~/.config/x", Shape::Home),
            ("try/catch", Shape::Words),
            ("agents/vite", Shape::Words),
            ("owner/repo", Shape::Words),
            ("origin/main", Shape::Branch),
            ("release/3.x", Shape::Branch),
            ("text/html", Shape::MediaType),
            ("mumblevoip/mumble-server:latest", Shape::ContainerImage),
            ("owner/repo#123", Shape::PackageVersion),
            ("actions/checkout@v4", Shape::PackageVersion),
            ("charm.land/bubbletea/v2", Shape::Host),
            ("System.Text.Json", Shape::DottedIdentifier),
            ("process.env", Shape::DottedIdentifier),
            ("threading.Lock", Shape::DottedIdentifier),
            ("config.Service", Shape::DottedIdentifier),
            ("console.log", Shape::DottedIdentifier),
            ("├─server/", Shape::BoxDrawing),
            ("glob([\"tests/*.py\"])", Shape::Code),
            ("--flag", Shape::Flag),
            ("../../", Shape::Code),
            ("", Shape::Empty),
            ("main", Shape::Word),
        ] {
            assert_eq!(shape(text), expected, "{text}");
        }
    }
}
