"""Completions load and answer in the shells, and the manual pages are readable."""

import re

from common import BINARY, Repository, expect, main, need, version


def script(shell):
    repository = Repository()
    path = repository.path.parent / f"completions.{shell}"
    path.write_text(repository.run(BINARY, "completions", shell, check=True).stdout)
    return repository, path


def bash():
    program = need("bash")
    repository, path = script("bash")
    ask = f'source {path}; COMP_WORDS=(agentsctl lint --sta); COMP_CWORD=2; _agentsctl agentsctl --sta lint; echo "${{COMPREPLY[@]}}"'
    answer = repository.run(program, "--norc", "-c", ask, check=True).stdout.split()
    expect(sorted(answer), ["--staged", "--statistics"], "completions of --sta")
    return version([program, "--version"])


def zsh():
    program = need("zsh")
    repository, path = script("zsh")
    result = repository.run(program, "-f", "-c", f"autoload -U compinit && compinit -u -D && source {path} && whence -w _agentsctl", check=True)
    expect("function" in result.stdout, True, result.stdout + result.stderr)
    return version([program, "--version"])


def fish():
    program = need("fish")
    repository, path = script("fish")
    answer = repository.run(program, "--no-config", "-c", f"source {path}; complete -C 'agentsctl lint --sta'", check=True).stdout
    expect(sorted(line.split()[0] for line in answer.splitlines()), ["--staged", "--statistics"], "completions of --sta")
    return version([program, "--version"])


def man():
    program = need("man", "man-db")
    repository = Repository()
    folder = repository.path / "man1"
    repository.run(BINARY, "man", "--directory", folder, check=True)
    pages = sorted(p.name for p in folder.iterdir())
    commands = re.findall(r"^  ([a-z]+)  ", repository.run(BINARY, "--help", check=True).stdout, flags=re.M)
    expect(pages, sorted(["agentsctl.1", *(f"agentsctl-{c}.1" for c in commands if c != "help")]), "pages")
    shown = repository.run(program, "-l", folder / "agentsctl-lint.1", check=True, env={**repository.environment, "MANPAGER": "cat", "MANWIDTH": "100"}).stdout
    plain = re.sub(".\b", "", shown)
    for part in ("--staged", "--since", "SYNOPSIS"):
        expect(part in plain, True, f"the page has {part}")
    expect(repository.run(BINARY, "man", "lint", check=True).stdout, (folder / "agentsctl-lint.1").read_text(), "the page")
    return f"{version([program, '--version'])}, {len(pages)} pages"


main("shells", bash, zsh, fish, man)
