"""Emacs' compilation mode takes every concise line for a message with file, line, column and kind."""

import json

from common import ROOT, expect, findings, hostile_repository, main, need, version

SCRIPT = r"""
(load (getenv "PLUGIN") nil t)
(require 'json)
(let (found)
  (with-temp-buffer
    (insert-file-contents (getenv "LINES"))
    (setq default-directory (file-name-as-directory (getenv "FOLDER")))
    (compilation-mode)
    ;; Only ours: the rules of other programs could take a line for theirs.
    (setq-local compilation-error-regexp-alist '(agentsctl))
    (compilation--ensure-parse (point-max))
    (goto-char (point-min))
    (while (not (eobp))
      (let ((message (get-text-property (point) 'compilation-message)))
        (push (if message
                  (let* ((place (compilation--message->loc message))
                         (file (car (compilation--file-struct->file-spec (compilation--loc->file-struct place)))))
                    (list file (compilation--loc->line place) (compilation--loc->col place) (compilation--message->type message)))
                (list nil nil nil nil))
              found))
      (forward-line 1)))
  (with-temp-file (getenv "ANSWER")
    (set-buffer-file-coding-system 'utf-8)
    (insert (json-encode (vconcat (nreverse found))))))
"""


def emacs():
    program = need("emacs", "emacs-nox")
    repository = hostile_repository()
    expected = findings(repository)
    folder = repository.path.parent
    script, lines, answer = folder / "script.el", folder / "lines", folder / "answer"
    script.write_text(SCRIPT)
    lines.write_text(repository.lint("--format", "concise").stdout)
    repository.environment.update(
        PLUGIN=str(ROOT / "editors/emacs/agentsctl.el"),
        LINES=str(lines),
        ANSWER=str(answer),
        FOLDER=str(repository.path),
        LC_ALL="C.UTF-8",
    )
    result = repository.run(program, "-Q", "--batch", "-l", script, timeout=120)
    if not answer.exists():
        raise AssertionError(f"no answer: {result.stdout}{result.stderr}")
    read = json.loads(answer.read_text())
    expect(len(read), len(expected), "lines")
    kinds = {"error": 2, "warning": 1, "info": 0, "hint": 0}
    for (file, line, column, kind), finding in zip(read, expected):
        start = finding["location"]["start"]
        expect((line, kind), (start["line"], kinds[finding["severity"]]), file)
        # Emacs keeps columns from 0 or from 1, by a variable that is the user's.
        expect(column in (start["column"], start["column"] - 1), True, f"the column of {file}")
    names = [entry[0] for entry in read]
    for name in ("AGENTS.md", "with space/AGENTS.md", "col:on/AGENTS.md", "ünïcödé 漢字/AGENTS.md"):
        expect(name in names, True, name)
    return f"{version([program, '--version'])}, {len(read)} of {len(expected)} lines"


main("emacs", emacs)
