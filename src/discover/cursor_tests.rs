//! Rules of Cursor as its documentation states them.

use super::test_world::World;

fn world() -> World {
    let world = World::new("cursor");
    world.file("repo/src/a.py", "a");
    world
}

fn rule(world: &World, name: &str, frontmatter: &str) {
    world.file(&format!("repo/.cursor/rules/{name}"), &format!("---\n{frontmatter}\n---\ntext of {name}\n"));
}

#[test]
fn the_frontmatter_decides_between_four_kinds() {
    let world = world();
    rule(&world, "deep/always.mdc", "description: d\nglobs: none/**\nalwaysApply: true");
    rule(&world, "word.mdc", "alwaysApply: \"true\"");
    rule(&world, "offered.mdc", "description: About calls\nglobs:\nalwaysApply: false");
    rule(&world, "python.mdc", "description:\nglobs: **/*.py,docs/**\nalwaysApply: false");
    rule(&world, "manual.mdc", "description: \"\"\nglobs: \"\"");
    rule(&world, "other.mdc", "paths: **/*.py");
    let context = world.context("repo", &[]);
    assert_eq!(world.at_launch("repo"), ["repo/.cursor/rules/deep/always.mdc"]);
    let offered: Vec<_> = context.pointers.iter().map(|p| p.description.as_deref().unwrap_or_default()).collect();
    assert_eq!(offered, ["About calls"]);
    for (name, reason) in [
        ("word", "by-mention-only"),
        ("offered", "agent-decides"),
        ("python", "waits-for-match"),
        ("manual", "by-mention-only"),
        ("other", "by-mention-only"),
    ] {
        assert_eq!(world.reason("repo", &format!("repo/.cursor/rules/{name}.mdc")), reason, "{name}");
    }
    assert_eq!(world.on_touch("repo", &["read:src/a.py"]), ["repo/.cursor/rules/python.mdc"]);
    assert!(!world.context("repo", &["read:src/a.py"]).on_touch_text.contains("globs:"));
}

#[test]
fn a_rule_that_is_named_loads() {
    let world = world();
    rule(&world, "manual.mdc", "alwaysApply: false");
    rule(&world, "other.mdc", "alwaysApply: false");
    let named = world.on_touch("repo", &["mention:.cursor/rules/manual.mdc"]);
    assert_eq!(named, ["repo/.cursor/rules/manual.mdc"]);
}

#[test]
fn other_endings_are_told_as_left_out() {
    let world = world();
    rule(&world, "style.md", "alwaysApply: true");
    rule(&world, "folder/RULE.md", "alwaysApply: true");
    assert_eq!(world.at_launch("repo"), [""; 0]);
    assert_eq!(world.reason("repo", "repo/.cursor/rules/style.md"), "name-not-taken");
    assert_eq!(world.reason("repo", "repo/.cursor/rules/folder/RULE.md"), "name-not-taken");
}

#[test]
fn nested_files_come_with_a_file_below_them_unless_that_is_ignored() {
    let world = world();
    world.file("repo/AGENTS.md", "root");
    world.file("repo/.cursorrules", "legacy");
    world.file("repo/src/AGENTS.md", "src");
    world.file("repo/src/CLAUDE.md", "not read there");
    assert_eq!(world.at_launch("repo"), ["repo/AGENTS.md", "repo/.cursorrules"]);
    assert_eq!(world.on_touch("repo", &["edit:src/a.py"]), ["repo/src/AGENTS.md"]);
    world.file("repo/.cursorignore", "src/*.py\n");
    assert_eq!(world.on_touch("repo", &["edit:src/a.py"]), [""; 0]);
    world.arguments(&["--workspace", &world.path("repo")]);
    assert_eq!(world.at_launch("repo/src"), ["repo/AGENTS.md", "repo/.cursorrules"]);
}
