"""The Python wheel: built by maturin, installed from the built file into a new environment, run."""

import os
import pathlib
import shutil
import subprocess
import sys

from common import BINARY, DEAD, ROOT, WORK, Repository, Skip, expect, main, version


def wheel():
    own = WORK / "venv/bin/maturin"
    maturin = str(own) if own.exists() else shutil.which("maturin")
    if not maturin:
        raise Skip("maturin cannot be installed from PyPI")
    repository = Repository({"AGENTS.md": DEAD})
    base = repository.path.parent
    # The profile of development, so that what the tests have compiled is used again.
    target = os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))
    command = [maturin, "build", "--locked", "--profile", "dev", "--out", str(base / "wheels"), "--target-dir", target]
    built = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=800)
    expect(built.returncode, 0, built.stdout[-3000:])
    (file,) = (base / "wheels").glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", str(base / "venv")], check=True, timeout=120)
    python = base / "venv/bin/python"
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", str(file)], check=True, timeout=120)
    program = base / "venv/bin/agentsctl"
    expect(version([str(program), "--version"]), version([BINARY, "--version"]), "the version")
    lint = repository.run(program, "lint", "--format", "concise")
    expect((lint.returncode, "no-such-guide" in lint.stdout), (1, True), f"{lint.stdout}{lint.stderr}")
    licences = subprocess.run([python, "-m", "pip", "show", "-f", "agentsctl"], stdout=subprocess.PIPE, text=True, check=True).stdout
    expect("LICENSE-MIT" in licences, True, "the licences are in the wheel")
    return f"{version([maturin, '--version'])}, {pathlib.Path(file).name}"


main("wheel", wheel)
