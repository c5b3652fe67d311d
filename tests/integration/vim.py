"""The compiler plugin fills the quickfix list of Vim and of Neovim with every concise line."""

import json

from common import BINARY, ROOT, expect, findings, hostile_repository, main, need, version

SCRIPT = """
set nocompatible
let &runtimepath = $PLUGIN . ',' . &runtimepath
compiler agentsctl
silent cgetfile $LINES
let entries = map(getqflist(), {_, e -> [e.valid, bufname(e.bufnr), e.lnum, e.col, e.type, e.text]})
call writefile([json_encode(entries)], $ANSWER)
silent make! AGENTS.md
call writefile([len(filter(getqflist(), {_, e -> e.valid}))], $ANSWER . '.make')
qall!
"""


def check(command):
    repository = hostile_repository()
    expected = findings(repository)
    plugin = repository.path.parent / "plugin"
    (plugin / "compiler").mkdir(parents=True)
    (plugin / "compiler/agentsctl.vim").write_bytes((ROOT / "editors/vim/agentsctl.vim").read_bytes())
    script, lines, answer = plugin / "script.vim", plugin / "lines", plugin / "answer"
    script.write_text(SCRIPT)
    lines.write_text(repository.lint("--format", "concise").stdout)
    repository.environment.update(PLUGIN=str(plugin), LINES=str(lines), ANSWER=str(answer), LC_ALL="C.UTF-8")
    result = repository.run(*command, "-S", script, timeout=60)
    if not answer.exists():
        raise AssertionError(f"no answer: {result.stdout}{result.stderr}")
    entries = json.loads(answer.read_text())
    expect(len(entries), len(expected), "entries")
    for (valid, _, line, column, kind, text), finding in zip(entries, expected):
        start = finding["location"]["start"]
        expect((valid, line, column, kind), (1, start["line"], start["column"], finding["severity"][0]), text)
        expect(text.startswith(f"[{finding['rule']}] "), True, text)
    names = [entry[1] for entry in entries]
    for name in ("AGENTS.md", "with space/AGENTS.md", "col:on/AGENTS.md", "ünïcödé 漢字/AGENTS.md"):
        expect(name in names, True, name)
    made = int((answer.parent / "answer.make").read_text())
    expect(made, len(findings(repository, "AGENTS.md")), "entries of :make")
    return f"{len(entries)} of {len(expected)} lines"


def vim():
    program = need("vim")
    return f"{version([program, '--version'])}, " + check([program, "-u", "NONE", "-es", "-N"])


def neovim():
    program = need("nvim", "neovim")
    return f"{version([program, '--version'])}, " + check([program, "-u", "NONE", "--headless"])


assert BINARY
main("vim", vim, neovim)
