// Gets a browser for the browser tests when the machine has none. On Linux it also brings SwiftShader, the software
// Vulkan driver that the GPU tests use on machines without a graphics card.

import { join } from "node:path";
import { findBrowser } from "./find-browser.mjs";
import { answersVersion, root, run, ScriptError } from "./process.mjs";

/** Path of a browser; installs one if there is none. */
export async function ensureBrowser() {
  const present = await findBrowser();
  if (present) return present;
  if (process.env.VAGEN_BROWSER) {
    throw new ScriptError(`VAGEN_BROWSER names ${process.env.VAGEN_BROWSER}, and there is no such file.`);
  }
  console.log("No Chrome, Chromium or Edge found; installing Chromium for the tests …");
  if (isDebianRoot()) await aptInstall("chromium", "fonts-liberation");
  const installed = (await findBrowser()) ?? (await downloadBrowser());
  if (installed) return installed;
  throw new ScriptError(
    "The browser tests need a Chromium-based browser and none could be installed.\n" +
      "Install Chrome, Chromium or Edge, or set VAGEN_BROWSER to the path of one.",
  );
}

function isDebianRoot() {
  return process.platform === "linux" && process.getuid() === 0 && answersVersion("apt-get");
}

async function aptInstall(...packages) {
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-qq"], { env });
  await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], { env });
}

async function downloadBrowser() {
  const cli = join(root, "node_modules", "playwright-core", "cli.js");
  // Only root may add the system libraries that a bare Linux lacks.
  const withLibraries = isDebianRoot() ? ["--with-deps"] : [];
  await run(process.execPath, [cli, "install", ...withLibraries, "chromium"]);
  return findBrowser();
}
