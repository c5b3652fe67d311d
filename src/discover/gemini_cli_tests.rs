//! Rules of Gemini CLI 0.61.0, each seen with the real program, and the mechanisms that the model uses for them.

use super::test_world::World;

/// A repository with a file at its root and one in `a/b`, in a trusted folder.
fn world() -> World {
    let world = World::new("gemini-cli");
    world.variable("GEMINI_CLI_TRUST_WORKSPACE", "true");
    world.file("repo/.git/HEAD", "ref: refs/heads/main\n");
    world.file("repo/GEMINI.md", "root");
    world.file("repo/a/b/GEMINI.md", "leaf");
    world.file("repo/a/b/f.txt", "f");
    world
}

fn settings(world: &World, text: &str) {
    world.file("home/.gemini/settings.json", text);
}

#[test]
fn names_are_cleaned_and_may_lead_into_folders() {
    let world = world();
    settings(&world, r#"{"context": {"fileName": ["./AGENTS.md", "  ", "/ABS.md", "docs//ai/RULES.md", "*.txt"]}}"#);
    world.file("repo/AGENTS.md", "agents");
    world.file("repo/ABS.md", "abs");
    world.file("repo/docs/ai/RULES.md", "rules");
    world.file("repo/x.txt", "x");
    world.file("home/.gemini/docs/ai/RULES.md", "global");
    let loaded =
        ["home/.gemini/docs/ai/RULES.md", "repo/ABS.md", "repo/AGENTS.md", "repo/GEMINI.md", "repo/docs/ai/RULES.md"];
    assert_eq!(world.at_launch("repo"), loaded);
}

#[test]
fn project_files_are_sorted_by_the_whole_path_as_text() {
    let world = world();
    world.arguments(&["--include-directories", "lib,lib-x"]);
    world.file("repo/lib/GEMINI.md", "lib");
    world.file("repo/lib-x/GEMINI.md", "lib-x");
    world.file("repo/.z/GEMINI.md", "dot");
    assert_eq!(world.at_launch("repo"), ["repo/GEMINI.md", "repo/lib-x/GEMINI.md", "repo/lib/GEMINI.md"]);
    world.arguments(&[]);
    assert_eq!(world.at_launch("repo/.z"), ["repo/.z/GEMINI.md", "repo/GEMINI.md"]);
}

#[test]
fn included_folders_add_up_over_scopes_and_have_to_be_there() {
    let world = world();
    settings(&world, r#"{"context": {"includeDirectories": ["../one"]}}"#);
    world.file("repo/.gemini/settings.json", r#"{"context": {"includeDirectories": ["../two"]}}"#);
    world.file("one/GEMINI.md", "one");
    world.file("two/GEMINI.md", "two");
    world.file("GEMINI.md", "above both");
    assert_eq!(world.at_launch("repo"), ["one/GEMINI.md", "repo/GEMINI.md", "two/GEMINI.md"]);
    world.arguments(&["--include-directories=../three"]);
    assert!(world.context("repo", &[]).refusal.is_some_and(|why| why.contains("exit code 1")));
    // Folders of an editor that are not there are passed over, and so is a folder for plans.
    world.arguments(&[]);
    world.variable("GEMINI_CLI_IDE_WORKSPACE_PATH", &format!("{}:{}", world.path("repo"), world.path("three")));
    assert_eq!(world.at_launch("repo").len(), 3);
}

#[test]
fn the_folder_for_plans_is_walked_if_it_exists() {
    let world = world();
    settings(&world, r#"{"general": {"plan": {"directory": "plans"}}}"#);
    assert_eq!(world.at_launch("repo/a"), ["repo/GEMINI.md"]);
    world.file("repo/a/plans/GEMINI.md", "plans");
    assert_eq!(world.at_launch("repo/a"), ["repo/GEMINI.md", "repo/a/plans/GEMINI.md"]);
}

#[test]
fn an_extension_loads_what_its_manifest_names_where_it_is_enabled() {
    let world = world();
    settings(&world, r#"{"context": {"fileName": "AGENTS.md"}}"#);
    let extensions = "home/.gemini/extensions";
    world.file(&format!("{extensions}/z/gemini-extension.json"), r#"{"name": "Zed", "version": "1"}"#);
    world.file(&format!("{extensions}/z/GEMINI.md"), "z");
    world.file(&format!("{extensions}/z/AGENTS.md"), "not named");
    let named =
        r#"{"name": "a", "version": "1", "contextFileName": ["two.md", "one.md", "gone.md", "../z/AGENTS.md"]}"#;
    world.file(&format!("{extensions}/a/gemini-extension.json"), named);
    world.file(&format!("{extensions}/a/one.md"), "one");
    world.file(&format!("{extensions}/a/two.md"), "two");
    world.file(&format!("{extensions}/plain/GEMINI.md"), "no manifest");
    world.file("repo/.gemini/extensions/p/gemini-extension.json", r#"{"name": "p", "version": "1"}"#);
    world.file("repo/.gemini/extensions/p/GEMINI.md", "in the project");
    let of_extensions = |world: &World| {
        let loaded = world.at_launch("repo").into_iter();
        loaded.filter_map(|p| p.strip_prefix("home/.gemini/extensions/").map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(of_extensions(&world), ["a/one.md", "a/two.md", "z/GEMINI.md"]);
    world.arguments(&["-e", "ZED"]);
    assert_eq!(of_extensions(&world), ["z/GEMINI.md"]);
    world.arguments(&[]);
    let switches = format!(
        r#"{{"a": {{"overrides": ["!{0}/*"]}}, "Zed": {{"overrides": ["!/*", "{0}/repo/*"]}}}}"#,
        world.path("")
    );
    world.file(&format!("{extensions}/extension-enablement.json"), &switches);
    assert_eq!(of_extensions(&world), ["z/GEMINI.md"]);
}

#[test]
fn private_memory_belongs_to_the_launch_directory_under_a_name_of_its_own() {
    let world = world();
    world.file("home/.gemini/tmp/repo/memory/MEMORY.md", "of the root");
    world.file("home/.gemini/tmp/b/memory/MEMORY.md", "of the folder b");
    assert!(world.at_launch("repo").contains(&"home/.gemini/tmp/repo/memory/MEMORY.md".to_owned()));
    assert!(world.at_launch("repo/a/b").contains(&"home/.gemini/tmp/b/memory/MEMORY.md".to_owned()));
    // The name belongs to another project, so this one gets a number.
    world.file("home/.gemini/tmp/repo/.project_root", "/elsewhere/repo");
    world.file("home/.gemini/tmp/repo-1/memory/MEMORY.md", "of the root");
    assert!(world.at_launch("repo").contains(&"home/.gemini/tmp/repo-1/memory/MEMORY.md".to_owned()));
    // A folder that says it belongs to this project is taken, whatever it is called.
    world.file("home/.gemini/tmp/old/.project_root", &world.path("repo"));
    world.file("home/.gemini/tmp/old/memory/MEMORY.md", "of the root");
    assert!(world.at_launch("repo").contains(&"home/.gemini/tmp/old/memory/MEMORY.md".to_owned()));
    // An index without text keeps the other names out all the same.
    world.file("home/.gemini/tmp/old/memory/MEMORY.md", " \n");
    world.file("home/.gemini/tmp/old/memory/GEMINI.md", "older form");
    assert_eq!(world.at_launch("repo"), ["repo/GEMINI.md"]);
}

#[test]
fn one_file_loads_once_where_it_is_found_first() {
    let world = world();
    settings(&world, r#"{"context": {"fileName": ["B.md", "A.md"]}}"#);
    world.file("home/.gemini/GEMINI.md", "global");
    world.remove("repo/GEMINI.md");
    world.link("repo/GEMINI.md", "../home/.gemini/GEMINI.md");
    world.file("repo/B.md", "b");
    world.link("repo/A.md", "B.md");
    assert_eq!(world.at_launch("repo"), ["home/.gemini/GEMINI.md", "repo/B.md"]);
}

#[test]
fn imports_stand_in_the_text_and_failures_leave_notes() {
    let world = world();
    world.file("repo/GEMINI.md", "\u{feff}@a.md\n@./b.md @no.md, @docs @../out.md @https://x.org/y @c d.md\n");
    world.file("repo/a.md", "not seen behind a byte order mark");
    world.file("repo/b.md", "B @b.md @GEMINI.md\n");
    world.file("repo/docs/x.md", "x");
    world.file("out.md", "out");
    let root = world.path("repo");
    let inner = concat!(
        "<!-- Imported from: ./b.md -->\nB <!-- File already processed: b.md --> <!-- Imported from: GEMINI.md -->\n",
        "\u{feff}@a.md\n<!-- File already processed: ./b.md -->"
    );
    let text = world.context("repo", &[]).launch_text;
    assert!(text.contains(inner), "{text}");
    let block = format!("--- Context from: {root}/GEMINI.md ---\n@a.md\n<!-- Imported from: ./b.md -->");
    assert!(text.contains(&block), "{text}");
    for note in [
        format!("no.md, - ENOENT: no such file or directory, access '{root}/no.md,'"),
        "docs - EISDIR: illegal operation on a directory, read".to_owned(),
        "../out.md - Path traversal attempt".to_owned(),
        "https://x.org/y - Path traversal attempt".to_owned(),
        format!("c - ENOENT: no such file or directory, access '{root}/c'"),
    ] {
        assert!(text.contains(&format!("<!-- Import failed: {note} -->")), "{note}\n{text}");
    }
    assert!(text.contains("--> d.md"), "{text}");
}

#[test]
fn an_import_counts_from_the_link_and_ends_at_the_root_of_the_importing_file() {
    let world = world();
    world.remove("repo/GEMINI.md");
    world.file("other/real.md", "real @near.md");
    world.file("other/near.md", "beside the target");
    world.link("repo/GEMINI.md", "../other/real.md");
    world.file("repo/near.md", "beside the link");
    world.file("repo/sub/.git", "");
    world.file("repo/sub/GEMINI.md", "sub @../near.md");
    let text = world.context("repo", &[]).launch_text;
    assert!(text.contains("beside the link") && !text.contains("beside the target"), "{text}");
    assert!(world.context("repo/sub", &[]).launch_text.contains("../near.md - Path traversal attempt"));
}

#[test]
fn flat_imports_stand_behind_the_file_last_first_and_each_once() {
    let world = world();
    settings(&world, r#"{"context": {"importFormat": "flat"}}"#);
    world.file("repo/GEMINI.md", "G @a.md @no.md @b.md");
    world.file("repo/a.md", "A @b.md");
    let deep = |i: usize| format!("D{i} @d{}.md", i + 1);
    world.file("repo/b.md", "B @d1.md");
    (1..8).for_each(|i| world.file(&format!("repo/d{i}.md"), &deep(i)));
    world.file("repo/d8.md", "D8");
    let root = world.path("repo");
    let file = |path: &str, text: &str| format!("--- File: {path} ---\n{text}\n--- End of File: {path} ---");
    let mut files = vec![file(&root, "G @a.md @no.md @b.md"), file(&format!("{root}/b.md"), "B @d1.md")];
    files.extend((1..8).map(|i| file(&format!("{root}/d{i}.md"), &deep(i))));
    files.extend([file(&format!("{root}/d8.md"), "D8"), file(&format!("{root}/a.md"), "A @b.md")]);
    let text = world.context("repo", &[]).launch_text;
    assert!(text.contains(&files.join("\n\n")), "{text}");
}

#[test]
fn tools_that_name_a_file_load_the_folders_above_it() {
    let world = world();
    let on_touch = |touch: &str| world.on_touch("repo", &[touch]);
    let leaf = ["repo/a/b/GEMINI.md"];
    for touch in
        ["read:a/b/f.txt", "write:a/b/new/x.txt", "edit:a/b/f.txt", "list:a/b", "mention:a/b/f.txt", "mention:a/b"]
    {
        assert_eq!(on_touch(touch), leaf, "{touch}");
    }
    for touch in
        ["read:a/b/none.txt", "read:a/b", "grep:a/b", "glob:a/b", "shell:cat a/b/f.txt", "list:a", "agent:helper"]
    {
        assert_eq!(on_touch(touch), [""; 0], "{touch}");
    }
}

#[test]
fn touches_keep_to_the_workspace_and_walk_to_its_root() {
    let world = world();
    world.file("repo/a/GEMINI.md", "middle");
    world.file("repo/a/b/.git/HEAD", "a nested repository");
    assert_eq!(world.on_touch("repo", &["read:a/b/f.txt"]), ["repo/a/GEMINI.md", "repo/a/b/GEMINI.md"]);
    // Beside the launch directory, in the same repository.
    world.file("repo/z/GEMINI.md", "z");
    world.file("repo/z/f.txt", "f");
    assert_eq!(world.on_touch("repo/a", &["read:../z/f.txt"]), [""; 0]);
    world.file("repo/Node_Modules/p/GEMINI.md", "p");
    world.file("repo/Node_Modules/p/f.txt", "f");
    assert_eq!(world.on_touch("repo", &["read:Node_Modules/p/f.txt"]), [""; 0]);
    // A write through a linked folder lands in the real one.
    world.link("repo/l", "z");
    assert_eq!(world.on_touch("repo", &["write:l/new.txt"]), ["repo/z/GEMINI.md"]);
}

#[test]
fn files_that_git_ignores_are_not_read_but_may_be_written_beside() {
    let world = world();
    world.file("repo/.gitignore", "*.log\n!keep.log\n");
    world.file("repo/a/.gitignore", "/b/*.txt\n");
    world.file("repo/a/b/x.log", "x");
    world.file("repo/a/b/keep.log", "x");
    assert_eq!(world.on_touch("repo", &["read:a/b/x.log"]), [""; 0]);
    assert_eq!(world.on_touch("repo", &["read:a/b/f.txt"]), [""; 0]);
    assert_eq!(world.on_touch("repo", &["read:a/b/keep.log"]), ["repo/a/b/GEMINI.md"]);
    assert_eq!(world.on_touch("repo", &["edit:a/b/f.txt"]), ["repo/a/b/GEMINI.md"]);
}

#[test]
fn a_folder_that_is_not_trusted_gives_no_project_files() {
    let world = world();
    world.variable("GEMINI_CLI_TRUST_WORKSPACE", "");
    world.file("home/.gemini/GEMINI.md", "global");
    world.file("home/.gemini/extensions/e/gemini-extension.json", r#"{"name": "e", "version": "1"}"#);
    world.file("home/.gemini/extensions/e/GEMINI.md", "extension");
    world.file("repo/.gemini/settings.json", r#"{"security": {"folderTrust": {"enabled": false}}}"#);
    assert!(world.context("repo", &[]).refusal.is_some_and(|why| why.contains("55")));
    world.mode("acp");
    let loaded = ["home/.gemini/GEMINI.md", "home/.gemini/extensions/e/GEMINI.md"];
    assert_eq!(world.at_launch("repo"), loaded);
    assert_eq!(world.on_touch("repo", &["read:a/b/f.txt"]), [""; 0]);
    settings(&world, r#"{"security": {"folderTrust": {"enabled": false}}} // off"#);
    assert_eq!(world.at_launch("repo").len(), 3);
    world.variable("GEMINI_RESTRICTED_MODE", "true");
    world.arguments(&["--skip-trust"]);
    assert_eq!(world.at_launch("repo"), loaded);
}

#[test]
fn the_longest_entry_of_the_trust_file_decides() {
    let world = world();
    world.variable("GEMINI_CLI_TRUST_WORKSPACE", "");
    let table = |entries: &[(&str, &str)]| {
        let entries: Vec<String> =
            entries.iter().map(|(p, word)| format!("\"{}\": \"{word}\"", world.path(p))).collect();
        world.file("home/.gemini/trustedFolders.json", &format!("{{{}}}", entries.join(",")));
        world.context("repo/a", &[]).refusal.is_none()
    };
    assert!(table(&[("repo", "TRUST_FOLDER")]));
    assert!(!table(&[("repo/a", "DO_NOT_TRUST"), ("repo", "TRUST_FOLDER")]));
    // The entry's own length counts, not that of the folder it speaks for.
    assert!(table(&[("repo/a", "DO_NOT_TRUST"), ("repo/zzz", "TRUST_PARENT")]));
    assert!(!table(&[("repo/a/b", "TRUST_FOLDER")]));
}

#[test]
fn settings_come_from_the_launch_directory_and_have_to_be_json() {
    let world = world();
    world.file("repo/AGENTS.md", "agents");
    world.file("repo/.gemini/settings.json", "{\"context\": {\"fileName\": \"AGENTS.md\"} /* why */}");
    assert_eq!(world.at_launch("repo"), ["repo/AGENTS.md", "repo/GEMINI.md"]);
    assert_eq!(world.at_launch("repo/a"), ["repo/GEMINI.md"]);
    world.file("repo/.gemini/settings.json", "{\"context\": {\"fileName\": \"AGENTS.md\",}}");
    assert!(world.context("repo", &[]).refusal.is_some());
}

#[test]
fn a_file_of_variables_can_name_a_system_prompt() {
    let world = world();
    world.file("repo/a/.gemini/.env", "export GEMINI_SYSTEM_MD=\"true\" # on\n");
    world.file("repo/a/b/.gemini/system.md", "own @prompt.md");
    world.file("repo/.env", "GEMINI_SYSTEM_MD=0\n");
    assert_eq!(world.at_launch("repo"), ["repo/GEMINI.md"]);
    assert_eq!(world.at_launch("repo/a/b")[0], "repo/a/b/.gemini/system.md");
    assert!(world.context("repo/a/b", &[]).launch_text.starts_with("own @prompt.md"));
    assert!(world.context("repo/a", &[]).refusal.is_some(), "the file is not there");
    world.variable("GEMINI_SYSTEM_MD", "False");
    assert_eq!(world.at_launch("repo/a/b"), ["repo/GEMINI.md", "repo/a/b/GEMINI.md"]);
}

#[test]
fn only_project_text_counts_against_the_window() {
    let world = world();
    world.file("home/.gemini/GEMINI.md", &"x".repeat(4_300_000));
    assert!(world.context("repo", &[]).refusal.is_none());
    world.file("repo/GEMINI.md", &"x".repeat(4_190_000));
    assert!(world.context("repo", &[]).refusal.is_none());
    world.file("repo/GEMINI.md", &"x".repeat(4_195_000));
    let context = world.context("repo", &[]);
    assert!(context.refusal.is_some_and(|why| why.contains("1048576")) && context.launch_text.is_empty());
}

#[test]
fn odd_files_are_passed_over_with_the_reason() {
    let world = world();
    world.remove("repo/GEMINI.md");
    world.file("repo/GEMINI.md/x", "a folder of that name");
    world.bytes("repo/a/GEMINI.md", b"latin\xe9\0");
    world.file("repo/a/b/GEMINI.md", " \n");
    assert_eq!(world.at_launch("repo/a/b"), ["repo/a/GEMINI.md"]);
    assert!(world.context("repo/a/b", &[]).launch_text.contains("latin\u{fffd}\0"));
    assert_eq!(world.reason("repo/a/b", "repo/GEMINI.md"), "not-a-file");
    assert_eq!(world.reason("repo/a/b", "repo/a/b/GEMINI.md"), "blank");
}

#[test]
fn the_walk_needs_a_marker_to_go_up() {
    let world = world();
    world.remove("repo/.git/HEAD");
    assert_eq!(world.at_launch("repo/a/b"), ["repo/GEMINI.md", "repo/a/b/GEMINI.md"], "the folder alone is enough");
    settings(&world, r#"{"context": {"memoryBoundaryMarkers": ["/etc", "../repo"]}}"#);
    assert_eq!(world.at_launch("repo/a/b"), ["repo/a/b/GEMINI.md"]);
    settings(&world, "");
    world.link("linked", "repo/a/b");
    assert_eq!(world.at_launch("linked"), ["repo/GEMINI.md", "repo/a/b/GEMINI.md"]);
    world.file("home/GEMINI.md", "home");
    assert_eq!(world.at_launch("home"), ["home/GEMINI.md"]);
}

#[test]
fn before_0_44_a_configured_name_took_the_place_of_the_default() {
    let world = World::new("gemini-cli@0.43.0");
    world.variable("GEMINI_CLI_TRUST_WORKSPACE", "true");
    world.file("repo/GEMINI.md", "root");
    world.file("repo/AGENTS.md", "agents");
    assert_eq!(world.at_launch("repo"), ["repo/GEMINI.md"]);
    settings(&world, r#"{"context": {"fileName": "AGENTS.md"}}"#);
    assert_eq!(world.at_launch("repo"), ["repo/AGENTS.md"]);
}
