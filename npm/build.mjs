// Fills the npm packages and packs them, without a network.
//
//   node npm/build.mjs --out DIR --binary linux-x64=PATH [--binary darwin-arm64=PATH …]
//
// Each platform gets a package of its own that holds nothing but the program; npm installs the one whose `os`, `cpu` and
// `libc` fit. The main package names them as optional dependencies of exactly its own version.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const PLATFORMS = {
  "linux-x64": { os: ["linux"], cpu: ["x64"], libc: ["glibc"] },
  "linux-arm64": { os: ["linux"], cpu: ["arm64"], libc: ["glibc"] },
  "linux-x64-musl": { os: ["linux"], cpu: ["x64"], libc: ["musl"] },
  "linux-arm64-musl": { os: ["linux"], cpu: ["arm64"], libc: ["musl"] },
  "darwin-x64": { os: ["darwin"], cpu: ["x64"] },
  "darwin-arm64": { os: ["darwin"], cpu: ["arm64"] },
  "win32-x64": { os: ["win32"], cpu: ["x64"] },
};

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(2);
}

function read() {
  const asked = { out: undefined, binaries: new Map() };
  const words = process.argv.slice(2);
  while (words.length) {
    const [option, value] = [words.shift(), words.shift()];
    if (value === undefined) fail(`${option} needs a value`);
    if (option === "--out") asked.out = resolve(value);
    else if (option === "--binary") {
      const [platform, ...path] = value.split("=");
      if (!PLATFORMS[platform]) fail(`there is no platform ${platform}; there are ${Object.keys(PLATFORMS).join(", ")}`);
      asked.binaries.set(platform, resolve(path.join("=")));
    } else fail(`there is no option ${option}`);
  }
  if (!asked.out || !asked.binaries.size) fail("usage: node npm/build.mjs --out DIR --binary PLATFORM=PATH …");
  return asked;
}

const { out, binaries } = read();
const cargo = readFileSync(join(root, "Cargo.toml"), "utf8");
const version = /^version = "(.+)"$/m.exec(cargo)?.[1] ?? fail("Cargo.toml has no version");
const main = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const licences = ["LICENSE-MIT", "LICENSE-APACHE"];

/** Lays a package out in a folder, and packs it. */
function pack(folder, manifest, fill) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const licence of licences) copyFileSync(join(root, licence), join(folder, licence));
  fill(folder);
  // A command file is run through a shell on Windows; nothing in the arguments comes from elsewhere.
  const shell = process.platform === "win32";
  execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", out], { cwd: folder, stdio: ["ignore", "inherit", "inherit"], shell });
}

mkdirSync(out, { recursive: true });
for (const [platform, binary] of binaries) {
  const manifest = {
    name: `${main.name}-${platform}`,
    version,
    description: `The program of ${main.name} for ${platform}`,
    license: main.license,
    files: ["bin/", ...licences],
    preferUnplugged: true,
    ...PLATFORMS[platform],
  };
  pack(join(out, "packages", manifest.name), manifest, (folder) => {
    const file = join(folder, "bin", platform.startsWith("win32") ? "agentsctl.exe" : "agentsctl");
    copyFileSync(binary, file);
    chmodSync(file, 0o755);
  });
}
const optionalDependencies = Object.fromEntries([...binaries.keys()].map((p) => [`${main.name}-${p}`, version]));
pack(join(out, "packages", main.name), { ...main, version, optionalDependencies }, (folder) => {
  cpSync(join(here, "bin"), join(folder, "bin"), { recursive: true });
  chmodSync(join(folder, "bin/agentsctl.js"), 0o755);
  copyFileSync(join(root, "README.md"), join(folder, "README.md"));
});
