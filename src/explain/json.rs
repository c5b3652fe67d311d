//! Explanations and contexts as JSON, schema 1: `docs/schema/explain.schema.json`.

use super::Explanation;
use crate::discover::context::{Context, Loads, Piece};
use crate::discover::text::count_lines;
use serde_json::{Value, json};

/// The version of the shape.
pub const SCHEMA: u32 = 1;

/// Explanations as one object.
pub fn explanations(explanations: &[Explanation]) -> Value {
    json!({ "schema": SCHEMA, "hosts": explanations.iter().map(explanation).collect::<Vec<_>>() })
}

fn explanation(explanation: &Explanation) -> Value {
    let context = &explanation.context;
    let not_loaded = explanation
        .not_loaded
        .iter()
        .map(|n| json!({ "path": n.path.to_string_lossy(), "code": n.code, "reason": n.reason, "remedy": n.remedy }));
    let mut value = pieces(context);
    if let Value::Object(map) = &mut value {
        map.insert("id".into(), json!(explanation.id));
        map.insert("name".into(), json!(explanation.name));
        map.insert("version".into(), json!(explanation.version));
        map.insert("version_note".into(), json!(explanation.version_note));
        map.insert("until_trusted".into(), json!(explanation.until_trusted));
        map.insert("verified".into(), json!({ "how": explanation.verified.0, "date": explanation.verified.1 }));
        map.insert("not_loaded".into(), not_loaded.collect());
    }
    value
}

/// What a context holds, without the assembled text.
pub fn pieces(context: &Context) -> Value {
    json!({
        "launch_directory": context.launch.to_string_lossy(),
        "root": context.root.as_ref().map(|r| r.to_string_lossy()),
        "pieces": context.pieces.iter().map(piece).collect::<Vec<_>>(),
        "pointers": context.pointers.iter().map(|p| json!({
            "path": p.path.to_string_lossy(), "patterns": p.patterns, "description": p.description,
        })).collect::<Vec<_>>(),
        "budgets": context.budgets.iter().map(|b| json!({
            "budget": b.budget, "about": b.about, "path": b.path.as_ref().map(|p| p.to_string_lossy()),
            "limit": b.limit, "used": b.used, "left": b.limit.saturating_sub(b.used), "unit": b.unit, "set_by": b.set_by,
        })).collect::<Vec<_>>(),
        "notices": context.notices,
        "settings": context.settings,
        "problems": context.problems,
        "unknown_arguments": context.unknown_arguments,
        "refusal": context.refusal,
    })
}

fn piece(piece: &Piece) -> Value {
    let (when, tool, touched) = match &piece.loads {
        Loads::AtLaunch => ("at-launch", None, None),
        Loads::OnTouch { tool, path } => ("on-touch", Some(tool), Some(path.to_string_lossy())),
    };
    json!({
        "source": piece.source,
        "scope": piece.scope,
        "path": piece.path.as_ref().map(|p| p.to_string_lossy()),
        "real_path": piece.real.as_ref().map(|p| p.to_string_lossy()),
        "label": piece.label,
        "when": when,
        "tool": tool,
        "touched": touched,
        "imported_by": piece.imported_by.as_ref().map(|p| p.to_string_lossy()),
        "inline": piece.inline,
        "patterns": piece.patterns,
        "matched": piece.matched,
        "kept_lines": piece.text.kept_lines(),
        "lines": count_lines(piece.text.source()),
        "kept_bytes": piece.text.len(),
        "bytes": piece.bytes,
        "cut": piece.cut,
    })
}
