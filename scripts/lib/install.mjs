// Installs the npm packages when they are missing or no longer match package-lock.json.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runNpm, ScriptError } from "./process.mjs";

const lockFile = join(root, "package-lock.json");
const stampFile = join(root, "node_modules", ".vagen-install");
const installedFile = join(root, "node_modules", ".package-lock.json");

/** Makes node_modules match package-lock.json; returns at once when it already does. */
export async function ensureDependencies() {
  const wanted = `${lockHash()} ${platform()}\n`;
  const stamp = existsSync(stampFile) ? readFileSync(stampFile, "utf8") : "";
  if (stamp === wanted) return;
  // After an `npm install` by hand the stamp is missing or old; that is no reason to install everything again.
  const otherPlatform = stamp !== "" && !stamp.trim().endsWith(platform());
  if (otherPlatform || !matchesLock()) {
    // Not to stdout: a command may be writing JSON there.
    console.error("Installing packages (first start, or package-lock.json changed) …");
    await install();
  }
  writeFileSync(stampFile, wanted);
}

async function install() {
  // NODE_ENV=production would leave out Vite and the test tools.
  const options = ["--include=dev", "--no-audit", "--no-fund"];
  if ((await runNpm(["ci", ...options])) === 0) return;
  // npm ci refuses a lock file that leaves out another platform's optional package; that is no reason not to start.
  console.log("\n`npm ci` failed; trying `npm install`, which leaves package-lock.json as it is …");
  if ((await runNpm(["install", "--no-save", ...options])) === 0) return;
  throw new ScriptError(
    "The packages could not be installed; npm says why above.\n" +
      "Check the network connection and proxy settings. If you changed package.json, run `npm install` once.",
  );
}

function lockHash() {
  return createHash("sha256").update(readFileSync(lockFile)).digest("hex");
}

/** Native packages depend on these, whatever the lock file says. */
function platform() {
  return `${process.platform}-${process.arch} node${process.versions.node.split(".")[0]}`;
}

/** Whether npm's own record of node_modules agrees with the lock file; optional packages are platform-dependent. */
function matchesLock() {
  if (!existsSync(installedFile)) return false;
  const wanted = JSON.parse(readFileSync(lockFile, "utf8")).packages;
  const installed = JSON.parse(readFileSync(installedFile, "utf8")).packages;
  return Object.entries(wanted).every(
    ([path, entry]) => path === "" || entry.optional || installed[path]?.version === entry.version,
  );
}
