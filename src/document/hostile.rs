//! Inputs made to hurt a reader: none may make it panic or take more than linear time.

use super::{Context, Document};
use std::time::{Duration, Instant};

const MEGABYTE: usize = 1 << 20;

/// Texts that repeat one thing for `length` bytes.
fn repeated(length: usize) -> Vec<(String, String)> {
    let pieces = [
        "[",
        "]",
        "`",
        "``a`",
        "*",
        "_",
        "**a",
        "<",
        "<!--",
        "<!-- a -->",
        "<a ",
        "(",
        "](",
        "![",
        "[a](",
        "[a][b]",
        "[a]: b\n",
        "|",
        "|a",
        "\\",
        "&",
        "@a ",
        "@",
        "'",
        "\"a ",
        "$(",
        "~",
        "> ",
        ">",
        "- ",
        "* ",
        "1. ",
        "#",
        "# a\n",
        "---\n",
        "a: b\n",
        "```\n",
        "~~~\n",
        "    a\n",
        "\t",
        "\n",
        "\r",
        "\r\n",
        "\u{feff}",
        "`a/b` ",
        "`a/b.ts` not ",
        "a/b.ts ",
        "`make a` ",
        "See `a.md`. ",
        "If a, b. ",
        "- `cd a`\n",
        "a. ",
        "must ",
        "漢字、",
        "あ。",
        "é",
        "\0",
        "- a:\n  - b\n",
        "| a | b |\n|---|---|\n",
        "<details>\n",
        "https://a.b ",
        "...",
        "{a}",
        "<x>",
        "(a",
        "a, ",
        "when ",
        "a: ",
        " — ",
        "=> ",
        "[x](y \"z\") ",
        "![a](b)[c](d)",
        "<a@b.c>",
    ];
    let mut texts: Vec<(String, String)> =
        pieces.iter().map(|piece| (format!("{piece:?}"), piece.repeat(length / piece.len()))).collect();
    // The same things in a code block of commands, in a tree, in a header, behind a bullet and in a table.
    for (name, open, close) in [
        ("sh", "```sh\n", "\n```\n"),
        ("block", "```\n", "\n```\n"),
        ("tree", "```\na/\n├── ", "\n```\n"),
        ("header", "---\nglobs: ", "\n---\n"),
        ("item", "Do:\n\n- ", "\n"),
        ("row", "| a | b |\n|---|---|\n| ", " |\n"),
        ("code", "`", "`"),
        ("heading", "## ", "\n\n- Use it\n"),
    ] {
        for piece in [
            "cd a && ",
            "<",
            "<a",
            "'",
            "\"",
            "(",
            "\\\n",
            "$ a\n",
            "│   ",
            "├── a\n",
            "  ",
            "[",
            ",",
            "{",
            "- a\n",
            "a: b\n",
            "`",
            "# a\n",
            "<<A\n",
            "a b ",
            "|",
            "A=1 ",
            "/",
            "a/",
            "..",
            "cd ..\n",
            "make a / b / ",
        ] {
            texts.push((
                format!("{name} {piece:?}"),
                format!("{open}{}{close}", piece.repeat(length / 4 / piece.len())),
            ));
        }
    }
    let steps = (length as f64 * 2.0).sqrt() as usize;
    texts.push(("staircase".into(), (0..steps / 2).map(|i| format!("{}- a\n", "  ".repeat(i))).collect()));
    texts.push((
        "tree staircase".into(),
        format!("```\n{}```\n", (0..steps / 2).map(|i| format!("{}├── a\n", "│   ".repeat(i / 4))).collect::<String>()),
    ));
    texts.push(("headings".into(), (0..length / 8).map(|i| format!("{} a\n", "#".repeat(i % 6 + 1))).collect()));
    texts.push(("undefined".into(), (0..length / 16).map(|i| format!("[a{i}][b{i}] ")).collect()));
    texts.push(("ticks".into(), (0..steps).map(|i| format!("{}a", "`".repeat(i % 2000))).collect()));
    texts
}

fn read(text: &str) {
    let document = Document::parse(text);
    let references = document.references();
    let rules = document.rules(&Context::at("packages/a/AGENTS.md"));
    for span in references.iter().map(|r| &r.span).chain(rules.iter().map(|r| &r.span)) {
        assert!(text.get(span.clone()).is_some(), "{span:?} is no range of {text:?}");
    }
    for span in document.fences.iter().flat_map(|f| &f.lines).chain(document.codes.iter().map(|c| &c.span)) {
        assert!(text.get(span.clone()).is_some(), "{span:?} is no range of {text:?}");
    }
    for block in &document.blocks {
        assert!(text.get(block.span.clone()).is_some(), "{:?} of a block is no range of {text:?}", block.span);
    }
}

#[test]
fn repetition_is_read_in_linear_time() {
    // Eight times the text takes eight times as long; quadratic reading would take 64 times. Room for a busy machine.
    for ((name, small), (_, large)) in repeated(MEGABYTE / 256).into_iter().zip(repeated(MEGABYTE / 32)) {
        let time = |text: &str| {
            let start = Instant::now();
            read(text);
            start.elapsed()
        };
        let short = time(&small).max(Duration::from_millis(8));
        let limit = short * 8 * 4;
        // Several tries, since other programs may have had the processor; quadratic reading is too slow in each.
        let mut tries = (0..6).map(|_| time(&large));
        let long = tries.find(|long| *long < limit).unwrap_or_else(|| time(&large));
        assert!(long < limit, "{name}: {short:?} for 4 KiB, {long:?} for 32 KiB");
    }
}

/// A small generator of numbers, the same on every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below.max(1)
    }
}

#[test]
fn mutations_never_panic() {
    const SEED: &str = "\u{feff}---\nglobs: **/*.ts, \"a\"\npaths:\n  - 'x'\n---\n# Täst `a/b`\n\nRun from `backend/`:\n\n```bash\n$ cd a && make x # c\n(cd b; A=1 y <z> 2>&1)\ncat <<'E'\nE\n```\n\n- If **a**: use `c/d.ts:12` (if present), e.g. [x](y.md \"t\") ![i](<a b>) [r][s]\n  1. 不要 `e\\f.bat` @g/h.md\n     ```\n     src/\n     ├── a b/ # n\n     │   └── c.rs\n     ```\n\n> quote <!-- c -->\n\n| a | b |\n|--|--|\n| `make x / y` | `z` |\n\n[s]: ./t.md\n";
    let parts: Vec<char> = "`*_[]()<>!|#-+:@$&;'\"\\/\n\r\t .,{}~^é漢\u{0}├─│".chars().collect();
    let mut numbers = Numbers(7);
    for _ in 0..300 {
        let mut text: Vec<char> = SEED.chars().collect();
        for _ in 0..=numbers.next(12) {
            if text.is_empty() {
                break;
            }
            let at = numbers.next(text.len());
            match numbers.next(5) {
                0 => {
                    text.remove(at);
                }
                1 => text.insert(at, parts[numbers.next(parts.len())]),
                2 => text[at] = parts[numbers.next(parts.len())],
                3 => text.truncate(at.max(1)),
                _ => {
                    let end = (at + numbers.next(40)).min(text.len());
                    let piece: Vec<char> = text[at..end].to_vec();
                    let to = numbers.next(text.len());
                    text.splice(to..to, piece);
                }
            }
        }
        read(&text.into_iter().collect::<String>());
    }
}

#[test]
fn what_is_not_read_is_said() {
    let long = "- Use `a/b.ts`\n".repeat(2 * MEGABYTE / 15);
    let document = Document::parse(long.as_str());
    let unread = document.unread.expect("over the limit");
    assert!(unread <= super::READ_LIMIT && long[..unread].ends_with('\n'));
    assert_eq!(document.lines.count(), long.lines().count(), "lines are known all the same");
    let deep = format!("# A\n\n{}\n", "> ".repeat(1000));
    assert_eq!(Document::parse(deep).unread, Some(5));
    assert_eq!(Document::parse("# A\n").unread, None);
}
