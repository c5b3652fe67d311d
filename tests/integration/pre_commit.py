"""The hooks under the real pre-commit: a bad commit is stopped, a good one passes, and what is staged counts."""

import shutil

from common import DEAD, FINE, ROOT, WORK, Repository, Skip, expect, main, version


def program():
    own = WORK / "venv/bin/pre-commit"
    found = str(own) if own.exists() else shutil.which("pre-commit")
    if not found:
        raise Skip("pre-commit cannot be installed from PyPI")
    return found


def hook():
    pre_commit = program()
    # The hooks of this work tree as a repository of their own, as users name it.
    hooks = Repository({".pre-commit-hooks.yaml": (ROOT / ".pre-commit-hooks.yaml").read_text()})
    hooks.commit()
    revision = hooks.run("git", "rev-parse", "HEAD", check=True).stdout.strip()
    config = f"repos:\n- repo: {hooks.path}\n  rev: {revision}\n  hooks:\n  - id: agentsctl-system\n"
    repository = Repository({".pre-commit-config.yaml": config, "AGENTS.md": FINE}, PRE_COMMIT_HOME=str(hooks.path.parent / "cache"))
    repository.run(pre_commit, "validate-manifest", ROOT / ".pre-commit-hooks.yaml", check=True)
    repository.run(pre_commit, "install", check=True)
    repository.run("git", "add", "-A", check=True)

    def commit(*arguments):
        return repository.run("git", "commit", "-m", "commit", *arguments)

    good = commit()
    expect(good.returncode, 0, f"a good commit passes: {good.stdout}{good.stderr}")

    repository.write("AGENTS.md", DEAD)
    repository.run("git", "add", "-A", check=True)
    bad = commit()
    said = bad.stdout + bad.stderr
    expect(bad.returncode != 0, True, "a bad commit is stopped")
    for part in ("AGENTS.md:3:", "error[dead-link]", "docs/no-such-guide.md"):
        expect(part in said, True, f"the message has {part}: {said}")

    # Staged is bad, the work tree is good: stopped.
    repository.write("AGENTS.md", FINE)
    expect(commit().returncode != 0, True, "what is staged is bad")
    # Staged is good, the work tree is bad: passes.
    repository.write("AGENTS.md", FINE + "\nAnd lint.\n")
    repository.run("git", "add", "-A", check=True)
    repository.write("AGENTS.md", DEAD)
    partly = commit()
    expect(partly.returncode, 0, f"what is staged is good: {partly.stdout}{partly.stderr}")
    expect((repository.path / "AGENTS.md").read_text(), DEAD, "the work tree is kept")
    # `git commit -a` and `git commit FILE` work with an index of their own.
    expect(commit("-a").returncode != 0, True, "commit -a is judged by what it commits")
    expect(commit("AGENTS.md").returncode != 0, True, "commit FILE is judged by what it commits")
    repository.write("AGENTS.md", FINE)
    repository.run("git", "add", "-A", check=True)
    expect(commit().returncode, 0, "back to a good state")
    # A file that no host reads does not start the hook.
    repository.write("notes.md", DEAD)
    repository.run("git", "add", "-A", check=True)
    other = commit()
    expect((other.returncode, "no files to check" in other.stdout + other.stderr), (0, True), "notes.md is not checked")
    # Below a folder, with a name that needs care.
    repository.write("a b/CLAUDE.md", DEAD)
    repository.run("git", "add", "-A", check=True)
    nested = commit()
    expect("a b/CLAUDE.md:3:" in nested.stdout + nested.stderr, True, nested.stdout + nested.stderr)
    return version([pre_commit, "--version"])


main("pre_commit", hook)
