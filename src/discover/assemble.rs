//! Joins the pieces to the text that the host sends.

use super::collate;
use super::context::{Context, Loads, Piece};
use super::paths;
use super::resolve::Resolver;
use crate::host::schema::AssemblyPart;
use std::cmp::Ordering;
use std::path::Path;

/// Fills the texts of the context from its pieces.
pub fn assemble(resolver: &Resolver<'_>, context: &mut Context) {
    let assembly = &resolver.host.assembly;
    let top = AssemblyPart {
        open: assembly.open.clone(),
        close: assembly.close.clone(),
        between: assembly.between.clone(),
        parts: assembly.parts.clone(),
        ..AssemblyPart::default()
    };
    order_by_parts(&top, &mut context.pieces);
    let at_launch: Vec<&Piece> = context.pieces.iter().filter(|p| !p.inline && first_request(&p.loads)).collect();
    let mut named = Vec::new();
    let every = name_sources(&top, &mut named);
    let rest: Vec<&Piece> = at_launch.iter().filter(|p| !every && !named.contains(&p.source)).copied().collect();
    let plain = AssemblyPart { separator: "\n\n".to_owned(), ..AssemblyPart::default() };
    let launch = join(resolver, &top, &at_launch, context);
    let rest = join(resolver, &plain, &rest, context);
    context.launch_text = launch.into_iter().chain(rest).collect::<Vec<_>>().join("\n\n");
    let touched = if assembly.touched.is_empty() { "{text}\n" } else { &assembly.touched };
    context.on_touch_text = context
        .pieces
        .iter()
        .filter(|p| !p.inline && !first_request(&p.loads))
        .map(|piece| fill(resolver, touched, Some(piece), context))
        .collect();
}

/// Puts the pieces of the first request into the order of the parts that name their sources.
fn order_by_parts(top: &AssemblyPart, pieces: &mut [Piece]) {
    let mut named = Vec::new();
    if name_sources(top, &mut named) {
        return;
    }
    let end = pieces.iter().position(|p| !first_request(&p.loads)).unwrap_or(pieces.len());
    pieces[..end].sort_by_key(|p| named.iter().position(|n| *n == p.source).unwrap_or(usize::MAX));
}

/// A file named in the prompt comes with the first request.
fn first_request(loads: &Loads) -> bool {
    match loads {
        Loads::AtLaunch => true,
        Loads::OnTouch { tool, .. } => tool == "mention",
    }
}

/// Collects the sources that parts name; true if a part takes every source.
fn name_sources(part: &AssemblyPart, named: &mut Vec<String>) -> bool {
    named.extend(part.sources.iter().cloned());
    match part.parts.as_slice() {
        [] => part.sources.is_empty(),
        parts => {
            let every: Vec<bool> = parts.iter().map(|part| name_sources(part, named)).collect();
            every.contains(&true)
        }
    }
}

fn join(resolver: &Resolver<'_>, part: &AssemblyPart, at_launch: &[&Piece], context: &Context) -> Option<String> {
    let body = if part.parts.is_empty() {
        join_pieces(resolver, part, at_launch, context)?
    } else {
        let blocks: Vec<String> = part.parts.iter().filter_map(|p| join(resolver, p, at_launch, context)).collect();
        if blocks.is_empty() {
            return None;
        }
        blocks.join(&part.between)
    };
    let names = |template: &str| fill(resolver, template, None, context);
    Some(format!("{}{body}{}", names(&part.open), names(&part.close)))
}

fn join_pieces(
    resolver: &Resolver<'_>,
    part: &AssemblyPart,
    at_launch: &[&Piece],
    context: &Context,
) -> Option<String> {
    let concerned = |piece: &&&Piece| part.sources.is_empty() || part.sources.contains(&piece.source);
    let mut pieces: Vec<&Piece> = at_launch.iter().filter(concerned).copied().collect();
    if pieces.is_empty() {
        return None;
    }
    if part.by_weight {
        let shown = |piece: &Piece| piece.path.clone().unwrap_or_else(|| Path::new(&piece.label).to_path_buf());
        let keyed = |piece: &Piece| {
            let path = shown(piece);
            let name = paths::file_name(&path).to_lowercase();
            let weight = resolver.host.assembly.order.get(&name).copied().unwrap_or(u32::MAX);
            (weight, name, path.to_string_lossy().into_owned())
        };
        pieces.sort_by(|a, b| {
            let (a, b) = (keyed(a), keyed(b));
            let by_path = || match part.load_order.contains(&a.1) {
                true => Ordering::Equal,
                false => collate::compare(&a.2, &b.2),
            };
            a.0.cmp(&b.0).then_with(|| collate::compare(&a.1, &b.1)).then_with(by_path)
        });
    }
    let template = if part.piece.is_empty() { "{text}" } else { &part.piece };
    let body: Vec<String> = pieces.iter().map(|p| fill(resolver, template, Some(p), context)).collect();
    Some(body.join(&part.separator))
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
    if let Some(label) = resolver.host.assembly.labels.get(name) {
        return Some(fill(resolver, label, None, context));
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
