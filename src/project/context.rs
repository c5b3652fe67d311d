//! What the words around a mention say about whether the thing ought to exist.

/// How a line speaks of what it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mood {
    /// As of something that is there.
    #[default]
    Plain,
    /// As of something that is not, no longer, or must not be there.
    Negative,
    /// As of something that is made, or is still to be made.
    Made,
    /// As of an example, or of something that may be there.
    Hedged,
    /// As of something in another repository or outside.
    Elsewhere,
}

const NEGATIVE: &[&str] = &[
    "not",
    "don't",
    "dont",
    "never",
    "no",
    "nor",
    "cannot",
    "can't",
    "without",
    "avoid",
    "removed",
    "deleted",
    "deprecated",
    "legacy",
    "formerly",
    "previously",
    "obsolete",
    "missing",
    "absent",
    "gone",
    "isn't",
    "doesn't",
    "won't",
    "wrong",
    "incorrect",
    "forbidden",
    "prohibited",
    "instead of",
    "rather than",
    "used to",
    "old",
    "kein",
    "keine",
    "keinen",
    "nicht",
    "nie",
    "niemals",
    "wrong:",
    "bad",
    "moved",
    "renamed",
    "superseded",
    "replaces",
    "replaced",
    "anti-pattern",
    "reintroduce",
];
const NEGATIVE_INSIDE: &[&str] =
    &["不要", "禁止", "不再", "没有", "请勿", "勿", "しない", "禁じ", "ない", "❌", "✗", "🚫"];
const MADE: &[&str] = &[
    "create",
    "creates",
    "created",
    "creating",
    "add a",
    "add new",
    "add your",
    "new file",
    "new folder",
    "will be",
    "to be",
    "generate",
    "generates",
    "generated",
    "generating",
    "output",
    "outputs",
    "written to",
    "writes",
    "write to",
    "produce",
    "produces",
    "produced",
    "emits",
    "emitted",
    "save",
    "saved",
    "saves",
    "stored in",
    "stores",
    "built",
    "compiled",
    "compiles",
    "planned",
    "plan",
    "todo",
    "artifact",
    "artifacts",
    "artefacts",
    "build outputs",
    "log to",
    "logs to",
    "download",
    "downloaded",
    "cache",
    "cached",
    "scaffold",
    "scaffolds",
    "at runtime",
    "at run time",
    "erstellt",
    "erzeugt",
    "erstellen",
    "copy to",
    "copied to",
    "populated",
    "name it",
    "speichern",
    "ablegen",
    "managed",
    "named",
];
const MADE_INSIDE: &[&str] = &["生成", "创建", "新建", "作成", "出力", "输出"];
const HEDGED: &[&str] = &[
    "e.g",
    "eg",
    "e.g.",
    "example",
    "examples",
    "for instance",
    "such as",
    "if present",
    "if it exists",
    "if they exist",
    "if exists",
    "if available",
    "if any",
    "optional",
    "optionally",
    "may",
    "might",
    "could",
    "would",
    "when present",
    "where present",
    "like",
    "z.b",
    "beispiel",
    "etc",
    "hypothetical",
    "suppose",
    "imagine",
    "say,",
    "assume",
    "pattern",
    "convention",
    "naming",
    "typically",
    "usually",
    "unless",
    "if that",
    "or similar",
];
const HEDGED_INSIDE: &[&str] = &["例如", "例:", "例：", "比如", "如果", "可选", "の場合", "たとえば"];
const ELSEWHERE: &[&str] = &[
    "upstream",
    "repo",
    "repository",
    "sibling",
    "external",
    "checkout of",
    "outside this",
    "another project",
    "other project",
    "submodule",
    "container",
    "in the image",
    "installed",
    "node_modules",
    "home directory",
    "user's",
    "users'",
    "consumer",
    "consuming",
    "downstream",
    "target project",
    "their project",
    "your project",
];

/// How a line speaks of the things it names. Words are found whole, in any case.
pub fn mood(line: &str) -> Mood {
    let lower = line.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| contains_word(&lower, word));
    let inside = |parts: &[&str]| parts.iter().any(|part| lower.contains(part));
    if has(NEGATIVE) || inside(NEGATIVE_INSIDE) {
        Mood::Negative
    } else if has(MADE) || inside(MADE_INSIDE) {
        Mood::Made
    } else if has(HEDGED) || inside(HEDGED_INSIDE) {
        Mood::Hedged
    } else if has(ELSEWHERE) {
        Mood::Elsewhere
    } else {
        Mood::Plain
    }
}

/// Whether `word` stands in `text` with no letter, digit, slash, hyphen or underscore beside it.
fn contains_word(text: &str, word: &str) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() || matches!(c, '/' | '-' | '_');
    text.match_indices(word).any(|(at, found)| {
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let after = text.get(at + found.len()..).and_then(|t| t.chars().next());
        !before.is_some_and(|c| part_of_word(c) || c == '.') && !after.is_some_and(part_of_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moods_are_told_apart() {
        for (line, expected) in [
            ("See `docs/a.md` for the rules.", Mood::Plain),
            ("Do not reintroduce `package-lock.json`", Mood::Negative),
            ("it no longer lives under `src/x/`", Mood::Negative),
            ("keine relativen `../../` Pfade", Mood::Negative),
            ("不要使用 `src/x.ts`", Mood::Negative),
            ("This command generates: `out/a.html`", Mood::Made),
            ("Create a new file `src/a.ts`", Mood::Made),
            ("(e.g., `src/file.ts`)", Mood::Hedged),
            ("`config.yml` (if present)", Mood::Hedged),
            ("the `src/content/` folder of the docs repo", Mood::Elsewhere),
            ("`src/notes/not-here.md` is the guide", Mood::Plain),
        ] {
            assert_eq!(mood(line), expected, "{line}");
        }
    }
}
