"""The language server, with a client written here and with Neovim's own."""

import json
import queue
import subprocess
import threading

from common import BINARY, DEAD, FINE, ROOT, Repository, expect, main, need, version

FILES = {
    "AGENTS.md": FINE,
    "docs/guide.md": "# Guide\n",
    "CLAUDE.md": "@docs/guide.md\n\nRead `docs/guide.md` and run `make test`.\n",
    "Makefile": "test:\n\ttrue\n",
}


class Client:
    """Speaks the protocol over pipes."""

    def __init__(self, repository):
        self.repository = repository
        self.process = subprocess.Popen(
            [BINARY, "lsp", "--stdio"],
            cwd=repository.path.parent,
            env=repository.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.received, self.last = queue.Queue(), 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while True:
            length = 0
            while (line := self.process.stdout.readline().strip()):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                return
            self.received.put(json.loads(self.process.stdout.read(length)))

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, **parameters):
        self.send({"method": method, "params": parameters})

    def ask(self, method, **parameters):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": parameters})
        return self.wait(lambda m: m.get("id") == self.last)

    def wait(self, wanted, seconds=120):
        while True:
            message = self.received.get(timeout=seconds)
            if wanted(message):
                return message

    def uri(self, path):
        return (self.repository.path / path).as_uri()

    def diagnostics(self, path):
        """The next diagnostics of a file."""
        uri = self.uri(path)
        wanted = lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri
        return self.wait(wanted)["params"]["diagnostics"]

    def open(self, path, text):
        document = {"uri": self.uri(path), "languageId": "markdown", "version": 1, "text": text}
        self.notify("textDocument/didOpen", textDocument=document)

    def change(self, path, text, version_number=2):
        document = {"uri": self.uri(path), "version": version_number}
        self.notify("textDocument/didChange", textDocument=document, contentChanges=[{"text": text}])

    def at(self, method, path, line, character, **more):
        place = {"line": line, "character": character}
        return self.ask(method, textDocument={"uri": self.uri(path)}, position=place, **more)["result"]


def scripted():
    repository = Repository(FILES)
    client = Client(repository)
    folder = {"uri": repository.path.as_uri(), "name": "repository"}
    answer = client.ask("initialize", processId=None, rootUri=None, workspaceFolders=[folder], capabilities={})["result"]
    expect(answer["serverInfo"]["name"], "agentsctl", "the server's name")
    expect(answer["capabilities"]["positionEncoding"], "utf-16", "the encoding")
    client.notify("initialized")

    client.open("AGENTS.md", FINE)
    expect(client.diagnostics("AGENTS.md"), [], "a good file is told to be good")
    # Unsaved text counts; positions are in UTF-16 units.
    client.change("AGENTS.md", DEAD.replace("Read ", "😀 Read "))
    found = client.diagnostics("AGENTS.md")
    expect([d["code"] for d in found], ["dead-link"], "findings")
    start = found[0]["range"]["start"]
    expect((start, found[0]["severity"]), ({"line": 2, "character": 20}, 1), "the place")
    expect((repository.path / "AGENTS.md").read_text(), FINE, "the file is not touched")
    client.change("AGENTS.md", FINE, 3)
    expect(client.diagnostics("AGENTS.md"), [], "mended")

    hover = client.at("textDocument/hover", "AGENTS.md", 0, 0)["contents"]["value"]
    for part in ("AGENTS.md", "OpenAI Codex CLI", "left of"):
        expect(part in hover, True, f"the hover has {part}: {hover}")
    client.open("CLAUDE.md", FILES["CLAUDE.md"])
    client.diagnostics("CLAUDE.md")
    path = client.at("textDocument/hover", "CLAUDE.md", 2, 8)
    expect("docs/guide.md" in path["contents"]["value"], True, f"the hover of a path: {path}")
    expect(path["range"]["start"]["line"], 2, "the hover's line")
    command = client.at("textDocument/hover", "CLAUDE.md", 2, 32)["contents"]["value"]
    expect("make test" in command and "Makefile" in command, True, f"the hover of a command: {command}")
    for line, character in ((0, 4), (2, 8)):
        definition = client.at("textDocument/definition", "CLAUDE.md", line, character)
        expect(definition and definition["uri"], client.uri("docs/guide.md"), "the definition")
    lens = client.ask("textDocument/codeLens", textDocument={"uri": client.uri("AGENTS.md")})["result"]
    expect("OpenAI Codex CLI: whole" in lens[0]["command"]["title"], True, lens)

    # A fix: a path whose letters differ only in case.
    client.change("AGENTS.md", "# Rules\n\nRead [the guide](docs/GUIDE.md) first.\n", 4)
    found = client.diagnostics("AGENTS.md")
    expect([d["code"] for d in found], ["wrong-case"], "findings")
    context = {"diagnostics": found}
    uri = client.uri("AGENTS.md")
    actions = client.ask("textDocument/codeAction", textDocument={"uri": uri}, range=found[0]["range"], context=context)["result"]
    edits = [edit["newText"] for action in actions for edit in action["edit"]["changes"][uri]]
    expect(any("docs/guide.md" in text for text in edits), True, f"the fix: {actions}")

    # A file that appears on the disk is seen at the next save.
    client.change("AGENTS.md", DEAD, 5)
    expect([d["code"] for d in client.diagnostics("AGENTS.md")], ["dead-link"], "findings")
    repository.write("docs/no-such-guide.md", "")
    client.notify("textDocument/didSave", textDocument={"uri": uri})
    expect(client.diagnostics("AGENTS.md"), [], "the guide is there now")

    # A configuration that is wrong is told once, at its own place, and checking goes on when it is mended.
    client.open("agentsctl.toml", "fail-on = 'never'\n")
    told = client.diagnostics("agentsctl.toml")
    expect((len(told), told[0]["severity"]), (1, 1), "the configuration's problem")
    expect("never" in told[0]["message"] or "fail-on" in told[0]["message"], True, told)
    client.change("agentsctl.toml", "fail-on = 'error'\n")
    expect(client.diagnostics("agentsctl.toml"), [], "the configuration is mended")

    unknown = client.ask("workspace/symbol", query="")
    expect(unknown["error"]["code"], -32601, "what is not supported is said so")
    odd = client.ask("textDocument/hover", textDocument={"uri": "untitled:1"}, position={"line": 0, "character": 0})
    expect("error" in odd or odd["result"] is None, True, odd)
    client.notify("textDocument/didClose", textDocument={"uri": uri})
    expect(client.ask("shutdown")["result"], None, "shutdown")
    client.notify("exit")
    expect(client.process.wait(timeout=30), 0, "the exit code")
    return f"{version([BINARY, '--version'])}, every request of its capabilities"


LUA = """
local function fail(what) print('FAILED ' .. what) vim.cmd('cquit 1') end
local client = vim.lsp.start_client({
  name = 'agentsctl', cmd = { vim.env.BINARY, 'lsp' }, root_dir = vim.env.FOLDER,
})
vim.cmd('edit ' .. vim.env.FOLDER .. '/AGENTS.md')
local buffer = vim.api.nvim_get_current_buf()
vim.lsp.buf_attach_client(buffer, client)
if not vim.wait(60000, function() return vim.lsp.buf_is_attached(buffer, client) end) then fail('attach') end
local function wait_for(count, what)
  if not vim.wait(60000, function() return #vim.diagnostic.get(buffer) == count end, 20) then
    fail(what .. ': ' .. vim.inspect(vim.diagnostic.get(buffer)))
  end
end
wait_for(0, 'a good file')
vim.api.nvim_buf_set_lines(buffer, 2, 3, false, { 'Read [the guide](docs/no-such-guide.md) first.' })
wait_for(1, 'unsaved text')
local found = vim.diagnostic.get(buffer)[1]
if found.lnum ~= 2 or found.col ~= 17 or found.code ~= 'dead-link' and found.source ~= 'agentsctl' then
  fail(vim.inspect(found))
end
local function ask(method, line, character)
  local parameters = { textDocument = vim.lsp.util.make_text_document_params(buffer), position = { line = line, character = character } }
  local answers = vim.lsp.buf_request_sync(buffer, method, parameters, 60000)
  return answers and answers[client] and answers[client].result
end
local hover = ask('textDocument/hover', 0, 0)
if not hover or not hover.contents.value:find('Codex') then fail('hover: ' .. vim.inspect(hover)) end
local lens = ask('textDocument/codeLens', 0, 0)
if not lens or not lens[1].command.title:find('whole') then fail('lens: ' .. vim.inspect(lens)) end
vim.api.nvim_buf_set_lines(buffer, 2, 3, false, {
  'Run the tests before you push. The layout is in [the guide](docs/guide.md).', '',
  '- Keep functions short.', '- Name things after what they are.', '- Write a test for every defect.',
  '- Ask before you add a dependency.', '- Never edit generated files.', '- Keep lines below 100 characters.',
})
wait_for(0, 'mended')
local definition = ask('textDocument/definition', 2, 65)
if not definition or not definition.uri:find('docs/guide.md') then fail('definition: ' .. vim.inspect(definition)) end
print('DONE')
vim.cmd('qall!')
"""


def neovim():
    program = need("nvim", "neovim")
    repository = Repository(FILES)
    script = repository.path.parent / "script.lua"
    script.write_text(LUA)
    repository.environment.update(BINARY=BINARY, FOLDER=str(repository.path))
    result = repository.run(program, "-u", "NONE", "--headless", "-c", f"luafile {script}", "-c", "cquit 2", timeout=400)
    said = result.stdout + result.stderr
    expect((result.returncode, "DONE" in said), (0, True), said)
    return version([program, "--version"])


assert ROOT
main("lsp", scripted, neovim)
