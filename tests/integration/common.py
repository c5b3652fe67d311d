"""What the integration tests share: the program, repositories to try it on, and how a result is told."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("AGENTSCTL_BIN", str(ROOT / "target/debug/agentsctl"))
WORK = pathlib.Path(os.environ.get("AGENTSCTL_WORK", ROOT / "target/integration"))

DEAD = "# Rules\n\nRead [the guide](docs/no-such-guide.md) first.\n"
FINE = "# Rules\n\nRun the tests before you push.\n"


class Skip(Exception):
    """Something is missing; the text says what."""


def need(program, package=None):
    """The path of a program, or a skip that names it."""
    found = shutil.which(program)
    if not found:
        raise Skip(f"{program} is not installed (apt-get install {package or program})")
    return found


def version(command, line=0):
    """A line of what a program says about its version."""
    output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    return output.strip().splitlines()[line].strip()


def environment(home, **more):
    """An environment in which only the test's own files count."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "GITHUB_", "AGENTSCTL_", "CODEX_", "CLAUDE_"))}
    inherited.pop("XDG_CONFIG_HOME", None)
    own = {"HOME": str(home), "GIT_CONFIG_GLOBAL": os.devnull, "PATH": f"{pathlib.Path(BINARY).parent}:{os.environ['PATH']}"}
    for who in ("AUTHOR", "COMMITTER"):
        own[f"GIT_{who}_NAME"], own[f"GIT_{who}_EMAIL"] = "t", "t@example.invalid"
    return {**inherited, **own, **more}


class Repository:
    """A repository in a temporary folder."""

    def __init__(self, files=(), **more):
        self._folder = tempfile.TemporaryDirectory(prefix="agentsctl-")
        base = pathlib.Path(self._folder.name).resolve()
        self.path, home = base / "repository", base / "home"
        self.path.mkdir()
        home.mkdir()
        self.environment = environment(home, **more)
        self.run("git", "init", "-q", "-b", "main", check=True)
        for path, text in dict(files).items():
            self.write(path, text)

    def write(self, path, text):
        target = self.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def run(self, *command, check=False, **options):
        options = {"cwd": self.path, "env": self.environment, "text": True, "timeout": 600, **options}
        result = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        if check and result.returncode:
            raise AssertionError(f"{command} ended with {result.returncode}: {result.stdout}{result.stderr}")
        return result

    def lint(self, *arguments, **options):
        return self.run(BINARY, "lint", *arguments, **options)

    def commit(self):
        self.run("git", "add", "-A", check=True)
        self.run("git", "commit", "-qm", "commit", check=True)


# Folder names that try to look like something else to whoever reads a line of output.
HOSTILE = [
    "plain",
    "with space",
    "col:on",
    "a:12:3: error[x] y",
    "::error file=x::y",
    "##[group]x",
    "bell\x07 and \x1b[31mcolour",
    "line\nbreak",
    "tab\tand\rreturn",
    "\u202eright to left",
    "quote\"'`$(true)",
    "back\\u{41}slash",
    "percent %f %25",
    "ünïcödé 漢字",
    "-dash",
    "end:",
    "[bracket] (paren)",
]


def hostile_repository():
    """A repository with a finding below every hostile folder name."""
    repository = Repository({"AGENTS.md": DEAD})
    for name in HOSTILE:
        repository.write(f"{name}/AGENTS.md", DEAD)
    return repository


def findings(repository, *arguments):
    """The findings as JSON, in the order of the other formats."""
    output = repository.lint("--format", "json", *arguments).stdout
    return [f for f in json.loads(output)["findings"] if not f.get("suppression")]


def expect(actual, expected, what):
    if actual != expected:
        raise AssertionError(f"{what}: expected {expected!r}, got {actual!r}")


def main(name, *tests):
    """Runs tests; each answers with the counterpart's version."""
    failed = False
    for test in tests:
        label = name if len(tests) == 1 else f"{name}/{test.__name__}"
        try:
            print(f"PASS {label}: {test()}", flush=True)
        except Skip as missing:
            print(f"SKIP {label}: {missing}", flush=True)
        except Exception as error:  # every failure is told, whatever it is
            traceback.print_exc()
            print(f"FAIL {label}: {str(error).splitlines()[0] if str(error) else type(error).__name__}", flush=True)
            failed = True
    sys.exit(failed)
