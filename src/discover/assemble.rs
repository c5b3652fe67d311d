//! Joins the pieces to the text that the host sends.

use super::context::{Context, Loads, Piece};
use super::paths;
use super::resolve::Resolver;
use crate::host::schema::{Assembly, AssemblyPart};
use std::path::Path;

/// Fills the texts of the context from its pieces.
pub fn assemble(resolver: &Resolver<'_>, context: &mut Context) {
    let assembly = &resolver.host.assembly;
    let at_launch: Vec<&Piece> = context.pieces.iter().filter(|p| !p.inline && first_request(&p.loads)).collect();
    let mut blocks: Vec<String> = Vec::new();
    let mut placed: Vec<&str> = Vec::new();
    for part in &assembly.parts {
        let pieces: Vec<&Piece> =
            at_launch.iter().filter(|p| part.sources.is_empty() || part.sources.contains(&p.source)).copied().collect();
        placed.extend(part.sources.iter().map(String::as_str));
        blocks.extend(join(resolver, assembly, part, pieces, context));
    }
    let every = assembly.parts.iter().any(|p| p.sources.is_empty());
    let rest: Vec<&Piece> =
        at_launch.iter().filter(|p| !every && !placed.contains(&p.source.as_str())).copied().collect();
    let plain = AssemblyPart { separator: "\n\n".to_owned(), ..AssemblyPart::default() };
    blocks.extend(join(resolver, assembly, &plain, rest, context));
    if !blocks.is_empty() {
        let names = |template: &str| fill(resolver, template, None, context);
        context.launch_text =
            format!("{}{}{}", names(&assembly.open), blocks.join(&assembly.between), names(&assembly.close));
    }
    let touched = if assembly.touched.is_empty() { "{text}\n" } else { &assembly.touched };
    context.on_touch_text = context
        .pieces
        .iter()
        .filter(|p| !p.inline && !first_request(&p.loads))
        .map(|piece| fill(resolver, touched, Some(piece), context))
        .collect();
}

/// A file named in the prompt comes with the first request.
fn first_request(loads: &Loads) -> bool {
    match loads {
        Loads::AtLaunch => true,
        Loads::OnTouch { tool, .. } => tool == "mention",
    }
}

fn join(
    resolver: &Resolver<'_>,
    assembly: &Assembly,
    part: &AssemblyPart,
    mut pieces: Vec<&Piece>,
    context: &Context,
) -> Option<String> {
    if pieces.is_empty() {
        return None;
    }
    if part.by_weight {
        let weight = |piece: &Piece| {
            let name = piece.path.as_deref().map(paths::file_name).unwrap_or_default().to_lowercase();
            assembly.order.get(&name).copied().unwrap_or(u32::MAX)
        };
        pieces.sort_by(|a, b| weight(a).cmp(&weight(b)).then_with(|| a.path.cmp(&b.path)));
    }
    let template = if part.piece.is_empty() { "{text}" } else { &part.piece };
    let body = pieces.iter().map(|p| fill(resolver, template, Some(p), context)).collect::<Vec<_>>();
    let names = |template: &str| fill(resolver, template, None, context);
    Some(format!("{}{}{}", names(&part.open), body.join(&part.separator), names(&part.close)))
}

/// Fills a template: `{text}`, `{path}`, `{relative}` (to the root), `{from-launch}`, `{name}`, `{label}`, `{scope}` of the piece, and
/// `{launch}`. `{if-loaded SOURCE:TEXT}` stands for the text if the source has a piece at launch.
fn fill(resolver: &Resolver<'_>, template: &str, piece: Option<&Piece>, context: &Context) -> String {
    let mut result = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        result.push_str(&rest[..at]);
        let Some(end) = rest[at..].find('}').map(|e| at + e) else { break };
        let name = &rest[at + 1..end];
        match value(resolver, name, piece, context) {
            Some(value) => result.push_str(&value),
            None => result.push_str(&rest[at..=end]),
        }
        rest = &rest[end + 1..];
    }
    result.push_str(rest);
    result
}

fn value(resolver: &Resolver<'_>, name: &str, piece: Option<&Piece>, context: &Context) -> Option<String> {
    if let Some((source, text)) = name.strip_prefix("if-loaded ").and_then(|n| n.split_once(':')) {
        let loaded = context.pieces.iter().any(|p| p.source == source && p.loads == Loads::AtLaunch);
        let text = text.replace("<launch>", &context.launch.to_string_lossy());
        return Some(if loaded { text } else { String::new() });
    }
    if name == "launch" {
        return Some(context.launch.to_string_lossy().into_owned());
    }
    let piece = piece?;
    let path = || piece.path.as_deref().unwrap_or(Path::new(&piece.label));
    Some(match name {
        "text" => piece.text.flatten(),
        "path" => path().to_string_lossy().into_owned(),
        "relative" => {
            let base = context.root.as_ref().unwrap_or(&context.launch);
            paths::relative(path(), base).unwrap_or_else(|| path().to_string_lossy().into_owned())
        }
        "from-launch" => paths::relative_with_parents(path(), &context.launch),
        "name" => paths::file_name(path()),
        "label" => piece.label.clone(),
        "scope" => {
            let key = serde_json::to_value(piece.scope).ok()?;
            resolver.host.assembly.labels.get(key.as_str()?).cloned().unwrap_or_default()
        }
        _ => return None,
    })
}
