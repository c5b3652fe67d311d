//! Writes explanations for people: 80 columns, in the order in which the host loads.

use super::wording::{number, unit};
use super::{Explanation, NotLoaded, Shown};
use crate::discover::context::{BudgetUse, Loads, Piece};
use crate::discover::text::count_lines;
use crate::host::schema::{Known, Scope};
use crate::report::escape::inline;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

const WIDTH: usize = 80;
const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GREEN: Style = AnsiColor::Green.on_default();
const YELLOW: Style = AnsiColor::Yellow.on_default();
const CYAN: Style = AnsiColor::Cyan.on_default();

/// Writes the explanations one after the other.
///
/// # Errors
/// What the writer answers.
pub fn write(explanations: &[Explanation], shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    for (i, explanation) in explanations.iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        write_one(explanation, shown, out)?;
    }
    Ok(())
}

fn write_one(explanation: &Explanation, shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let context = &explanation.context;
    let how = match explanation.verified.0 {
        Known::Recorded => "recorded",
        Known::Source => "from source",
        Known::Documentation => "from documentation",
    };
    let title = format!("{} {}", explanation.name, explanation.version);
    let right = format!("{how} {}", explanation.verified.1);
    let gap = WIDTH.saturating_sub(title.width() + right.width());
    writeln!(out, "{BOLD}{}{BOLD:#}{}{DIM}{right}{DIM:#}", inline(&title), " ".repeat(gap.max(1)))?;
    if let Some(note) = &explanation.version_note {
        paragraph(out, "  ", &format!("! {note}"), YELLOW)?;
    }
    if let Some(refusal) = &context.refusal {
        paragraph(out, "  ", &format!("! The host does not start: {refusal}"), YELLOW)?;
        return Ok(());
    }
    if let Some(why) = &explanation.until_trusted {
        paragraph(out, "  ", &format!("! This is what loads once the folder is trusted. Until then: {why}"), YELLOW)?;
    }
    for problem in &context.problems {
        paragraph(out, "  ", &format!("! {}", shown.text(problem)), YELLOW)?;
    }
    if !context.unknown_arguments.is_empty() {
        let flags = context.unknown_arguments.join(" ");
        paragraph(out, "  ", &format!("! Not modelled, and so without effect here: {flags}"), YELLOW)?;
    }
    let at_launch: Vec<&Piece> = context.pieces.iter().filter(|p| p.loads == Loads::AtLaunch).collect();
    let budgets = context.budgets.iter().filter(|b| b.path.is_none() && b.used > 0);
    let usage = budgets.map(budget).collect::<Vec<_>>().join(" · ");
    section(out, "at launch", &usage)?;
    if at_launch.is_empty() {
        writeln!(out, "    {DIM}nothing{DIM:#}")?;
    }
    pieces(out, &at_launch, shown)?;
    let mut touched: Vec<(&str, String, Vec<&Piece>)> = Vec::new();
    for piece in &context.pieces {
        if let Loads::OnTouch { tool, path } = &piece.loads {
            let path = shown.path(path);
            match touched.iter_mut().find(|(t, p, _)| t == tool && *p == path) {
                Some((_, _, group)) => group.push(piece),
                None => touched.push((tool, path, vec![piece])),
            }
        }
    }
    for (tool, path, group) in touched {
        section(out, &format!("when {path} is {}", participle(tool)), "")?;
        pieces(out, &group, shown)?;
    }
    if !context.pointers.is_empty() {
        section(out, "named to the agent, without text", "")?;
        for pointer in &context.pointers {
            let what = match (&pointer.description, pointer.patterns.as_slice()) {
                (Some(description), _) => description.clone(),
                (None, patterns) => patterns.join(", "),
            };
            entry(out, '·', &shown.path(&pointer.path), &what, DIM)?;
        }
    }
    if !explanation.not_loaded.is_empty() {
        section(out, "not loaded", "")?;
        for not_loaded in &explanation.not_loaded {
            write_not_loaded(out, not_loaded, shown)?;
        }
    }
    for notice in &context.notices {
        paragraph(out, "  ", &format!("the host says: {}", shown.text(notice)), DIM)?;
    }
    Ok(())
}

fn budget(used: &BudgetUse) -> String {
    let left = used.limit.saturating_sub(used.used);
    format!("{} of {} {}, {} left", number(used.used), number(used.limit), unit(used.unit), number(left))
}

fn participle(tool: &str) -> &str {
    match tool {
        "read" => "read",
        "write" => "written",
        "edit" | "patch" => "edited",
        "list" => "listed",
        "mention" => "named in the prompt",
        _ => "touched",
    }
}

fn section(out: &mut dyn Write, title: &str, right: &str) -> io::Result<()> {
    let title = inline(title);
    let gap = WIDTH.saturating_sub(2 + title.width() + right.width());
    writeln!(
        out,
        "  {CYAN}{title}{CYAN:#}{}{DIM}{right}{DIM:#}",
        if right.is_empty() { String::new() } else { " ".repeat(gap.max(2)) }
    )
}

fn pieces(out: &mut dyn Write, pieces: &[&Piece], shown: &Shown) -> io::Result<()> {
    let names: Vec<String> = pieces
        .iter()
        .map(|piece| {
            let name = piece.path.as_ref().map_or_else(|| piece.label.clone(), |p| shown.path(p));
            inline(&if piece.imported_by.is_some() { format!("↳ {name}") } else { name }).into_owned()
        })
        .collect();
    let widest = names.iter().map(|n| n.width()).max().unwrap_or(0).min(40);
    for (i, (piece, name)) in pieces.iter().zip(&names).enumerate() {
        let kept = kept(piece);
        let size = format!("{} B", number(piece.text.len() as u64));
        let style = if piece.cut.is_some() { YELLOW } else { GREEN };
        let pad = widest.saturating_sub(name.width());
        let mark = if piece.cut.is_some() { "✂" } else { "✓" };
        let scope = scope(piece);
        let line = format!("{:>3} {mark} {name}{}  {scope:<8}  {kept}", i + 1, " ".repeat(pad));
        if line.width() + size.len() + 2 <= WIDTH {
            let gap = WIDTH - line.width() - size.len();
            writeln!(
                out,
                "{:>3} {style}{mark}{style:#} {name}{}  {DIM}{scope:<8}{DIM:#}  {kept}{}{DIM}{size}{DIM:#}",
                i + 1,
                " ".repeat(pad),
                " ".repeat(gap)
            )?;
        } else {
            writeln!(out, "{:>3} {style}{mark}{style:#} {name}", i + 1)?;
            writeln!(out, "      {DIM}{scope}{DIM:#}  {kept}  {DIM}{size}{DIM:#}")?;
        }
        if let Some(by) = &piece.imported_by {
            writeln!(out, "      {DIM}imported by {}{DIM:#}", inline(&shown.path(by)))?;
        }
        if let Some(matched) = &piece.matched {
            writeln!(out, "      {DIM}matches {}{DIM:#}", inline(matched))?;
        }
        if let Some(cut) = &piece.cut {
            let lost = cut.length.saturating_sub(cut.limit);
            paragraph(
                out,
                "      ",
                &format!(
                    "cut: {} of {} {} were left for it, {} are lost",
                    number(cut.limit),
                    number(cut.length),
                    unit(cut.unit),
                    number(lost)
                ),
                YELLOW,
            )?;
        }
    }
    Ok(())
}

fn scope(piece: &Piece) -> &'static str {
    match piece.scope {
        Scope::Managed => "managed",
        Scope::User => "user",
        Scope::Project if !piece.patterns.is_empty() => "rule",
        Scope::Project => "project",
        Scope::Local => "local",
        Scope::Rule => "rule",
        Scope::Memory => "memory",
        Scope::Extension => "extension",
        Scope::Added => "added",
    }
}

/// Which lines are kept, as `all 12 lines` or `lines 1-328 of 400`.
pub fn kept(piece: &Piece) -> String {
    let total = count_lines(piece.text.source());
    let runs = piece.text.kept_lines();
    match runs.as_slice() {
        [(1, last)] if *last >= total && piece.cut.is_none() => {
            if total == 1 {
                "1 line".to_owned()
            } else {
                format!("all {total} lines")
            }
        }
        [] => format!("none of {total} lines"),
        runs => {
            let runs = runs.iter().map(|(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") });
            let shown: Vec<String> = runs.take(3).collect();
            format!("lines {}{} of {total}", shown.join(","), if piece.text.kept_lines().len() > 3 { ",…" } else { "" })
        }
    }
}

fn write_not_loaded(out: &mut dyn Write, not_loaded: &NotLoaded, shown: &Shown) -> io::Result<()> {
    entry(out, '✗', &shown.path(&not_loaded.path), &not_loaded.reason, Style::new())?;
    if let Some(remedy) = &not_loaded.remedy {
        paragraph(out, "        ", &format!("→ {remedy}"), DIM)?;
    }
    Ok(())
}

fn entry(out: &mut dyn Write, mark: char, path: &str, what: &str, style: Style) -> io::Result<()> {
    let path = inline(path);
    let what = inline(what);
    let line = format!("    {DIM}{mark}{DIM:#} {path}");
    if 6 + path.width() + 2 + what.width() <= WIDTH {
        writeln!(out, "{line}  {style}{what}{style:#}")
    } else {
        writeln!(out, "{line}")?;
        paragraph(out, "        ", &what, style)
    }
}

/// Text broken at blanks to fit the width; escaped.
pub fn paragraph(out: &mut dyn Write, indent: &str, text: &str, style: Style) -> io::Result<()> {
    let mut line = String::new();
    let text = inline(text);
    let mut first = true;
    let mut flush = |line: &mut String, first: &mut bool| {
        let hang = if *first { "" } else { "  " };
        *first = false;
        let result = writeln!(out, "{indent}{hang}{style}{line}{style:#}");
        line.clear();
        result
    };
    for word in text.split(' ') {
        if !line.is_empty() && indent.width() + 2 + line.width() + 1 + word.width() > WIDTH {
            flush(&mut line, &mut first)?;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    flush(&mut line, &mut first)
}
