"""The npm packages, built from the program at hand, installed from the built files without a network, run by npx."""

import platform
import shutil
import sys

from common import BINARY, DEAD, ROOT, Repository, Skip, expect, main, need, version


def npx():
    node, npm, runner = need("node", "nodejs"), need("npm"), need("npx", "npm")
    arch = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine())
    if not sys.platform.startswith("linux") or not arch or platform.libc_ver()[0] != "glibc":
        raise Skip(f"this test fills packages for Linux with glibc, and this is {sys.platform} {platform.machine()}")
    project = Repository({"package.json": '{ "name": "project", "private": true }\n', "AGENTS.md": DEAD})
    built = project.path.parent / "built"
    project.run(node, ROOT / "npm/build.mjs", "--out", built, "--binary", f"linux-{arch}={BINARY}", check=True)
    packages = sorted(built.glob("*.tgz"))
    expect(len(packages), 2, "packages")
    offline = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--cache", project.path.parent / "cache"]
    project.run(npm, "install", *offline, *packages, check=True)
    number = project.run(runner, "--no-install", "agentsctl", "--version", check=True).stdout.strip()
    expect(number, version([BINARY, "--version"]), "the version")
    lint = project.run(runner, "--no-install", "agentsctl", "lint", "--format", "concise")
    expect((lint.returncode, "no-such-guide" in lint.stdout), (1, True), f"exit code and output: {lint.stdout}{lint.stderr}")
    usage = project.run(runner, "--no-install", "agentsctl", "lint", "--no-such-option")
    expect(usage.returncode, 2, "the exit code of a usage error")

    # Without the platform's package it says what is missing.
    shutil.rmtree(project.path / f"node_modules/agentsctl-linux-{arch}")
    lost = project.run(runner, "--no-install", "agentsctl", "--version")
    expect((lost.returncode, f"agentsctl-linux-{arch}" in lost.stderr), (2, True), lost.stderr)
    return f"npm {version([npm, '--version'])}, node {version([node, '--version'])}"


main("npm", npx)
