"""The problem matchers read every concise line, plain and coloured, as VS Code's engine (JavaScript) does."""

import json
import re

from common import ROOT, expect, findings, hostile_repository, main, need, version

SCRIPT = """
const fs = require('fs');
const { patterns, lines } = JSON.parse(fs.readFileSync(0, 'utf8'));
const read = (pattern, line) => {
  const match = new RegExp(pattern.regexp).exec(line);
  if (!match) return null;
  const part = (name) => match[pattern[name]];
  return [part('file'), +part('line'), +part('column'), part('severity'), part('code'), part('message')];
};
console.log(JSON.stringify(patterns.map((pattern) => lines.map((line) => read(pattern, line)))));
"""


def pattern(path, *keys):
    text = (ROOT / path).read_text()
    # VS Code's own files may hold comments.
    value = json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.M))
    for key in keys:
        value = value[key]
    return value


def matchers():
    node = need("node", "nodejs")
    repository = hostile_repository()
    expected = findings(repository)
    if len(expected) < 15:
        raise AssertionError(f"the hostile repository has only {len(expected)} findings")
    patterns = [
        pattern("editors/vscode/tasks.json", "tasks", 0, "problemMatcher", "pattern"),
        pattern("docs/problem-matcher.json", "problemMatcher", 0, "pattern", 0),
    ]
    plain = repository.lint("--format", "concise").stdout.splitlines()
    expect(len(plain), len(expected), "lines")
    place = re.compile(r"^(.+?:\d+:\d+: )((?:error|warning|info|hint)\[[a-z0-9-]+\])")
    coloured = [place.sub("\x1b[1m\\1\x1b[31m\\2\x1b[0m", line) for line in plain]
    for lines in (plain, coloured):
        question = json.dumps({"patterns": patterns, "lines": lines})
        answer = json.loads(repository.run(node, "-e", SCRIPT, input=question, check=True).stdout)
        for read in answer:
            for line, parts, finding in zip(lines, read, expected):
                if not parts:
                    raise AssertionError(f"not matched: {line!r}")
                start = finding["location"]["start"]
                expect(parts[1:5], [start["line"], start["column"], finding["severity"], finding["rule"]], line)
                unescaped = re.sub(r"\\u\{([0-9a-f]+)\}", lambda m: chr(int(m[1], 16)), parts[0])
                expect(unescaped, finding["location"]["path"], line)
    return f"node {version([node, '--version'])}, {len(plain)} of {len(plain)} lines, plain and coloured"


main("vscode", matchers)
