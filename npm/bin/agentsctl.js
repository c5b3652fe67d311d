#!/usr/bin/env node
// Runs the program of the platform package that npm installed beside this one. Nothing is downloaded here.
"use strict";
const { spawnSync } = require("node:child_process");
const { name } = require("../package.json");

function platform() {
  if (process.platform !== "linux") return `${process.platform}-${process.arch}`;
  // Node reports the version of glibc that it runs on; without one the system uses musl.
  const report = process.report && process.report.getReport();
  const glibc = report && report.header && report.header.glibcVersionRuntime;
  return `linux-${process.arch}${glibc ? "" : "-musl"}`;
}

function program() {
  const wanted = platform();
  const file = process.platform === "win32" ? "agentsctl.exe" : "agentsctl";
  try {
    return require.resolve(`${name}-${wanted}/bin/${file}`);
  } catch {
    console.error(`error: there is no ${name} for ${wanted}, or its package ${name}-${wanted} was not installed`);
    console.error("  help: install without --omit=optional; where there is no package, build agentsctl from source with cargo");
    process.exit(2);
  }
}

const result = spawnSync(program(), process.argv.slice(2), { stdio: "inherit", windowsHide: true });
if (result.error) {
  console.error(`error: cannot run agentsctl: ${result.error.message}`);
  process.exit(2);
}
// As a shell tells it: 128 and the number of the signal that ended the program.
process.exit(result.status === null ? 128 + (require("node:os").constants.signals[result.signal] || 0) : result.status);
