// Runs src/cli/index.ts in Node: installs packages, bundles TypeScript and shaders into one file, and drops repeated signals.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureDependencies } from "./install.mjs";
import { root, run, ScriptError } from "./process.mjs";

const outDir = join(root, "dist-cli");
const bundle = join(outDir, "cli.js");
const stampFile = join(outDir, ".sources");

/** Runs the command line `args` (sub-command first). It ends when the command does. */
export async function runCli(args) {
  await ensureDependencies();
  await ensureBundle();
  process.setSourceMapsEnabled(true);
  process.argv = [process.execPath, bundle, ...args];
  deliverSignalsOnce();
  await import(pathToFileURL(bundle).href);
}

/** One file for the command line: a later rebuild cannot remove a chunk that a running process still needs. */
export async function ensureBundle() {
  const wanted = sourcesFingerprint();
  if (existsSync(bundle) && existsSync(stampFile) && readFileSync(stampFile, "utf8") === wanted) return;
  // In a process of its own, so that the bundler's memory is gone before training starts.
  const script = join(root, "scripts", "lib", "bundle-cli.mjs");
  if ((await run(process.execPath, [script])) !== 0) {
    throw new ScriptError("The command line could not be bundled; the reason is above.");
  }
  writeFileSync(stampFile, wanted);
}

function sourcesFingerprint() {
  const hash = createHash("sha256");
  const roots = [
    "src",
    "shaders",
    "public/presets",
    "scripts/vite",
    "scripts/lib/bundle-cli.mjs",
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "tsconfig.json",
  ];
  for (const path of roots.flatMap((name) => filesUnder(join(root, name))).sort()) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

function filesUnder(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const child = join(path, entry.name);
    if (entry.isDirectory()) return filesUnder(child);
    return /\.test\.tsx?$/.test(entry.name) ? [] : [child];
  });
}

/**
 * One Ctrl+C can arrive twice: the terminal sends it to every process in the foreground, and npm, being one of them,
 * passes its own on to us. The command line takes a second one as "do not even save", so the echo is dropped.
 */
function deliverSignalsOnce() {
  const echoMs = 300;
  const lastSeen = new Map();
  const emit = process.emit;
  process.emit = function (name, ...args) {
    if (name !== "SIGINT" && name !== "SIGTERM") return emit.call(this, name, ...args);
    const now = performance.now();
    const isEcho = now - (lastSeen.get(name) ?? Number.NEGATIVE_INFINITY) < echoMs;
    lastSeen.set(name, now);
    return isEcho || emit.call(this, name, ...args);
  };
}
