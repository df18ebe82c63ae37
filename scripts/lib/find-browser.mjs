// Finds a Chromium-based browser (Chrome, Chromium or Edge) for the browser tests. Installs nothing.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { answersVersion } from "./process.mjs";

const onPath = [
  "chromium",
  "google-chrome-stable",
  "google-chrome",
  "chromium-browser",
  "microsoft-edge-stable",
  "microsoft-edge",
];
const macApps = ["Google Chrome", "Chromium", "Microsoft Edge"];
const windowsApps = [
  ["Google", "Chrome", "Application", "chrome.exe"],
  ["Chromium", "Application", "chrome.exe"],
  ["Microsoft", "Edge", "Application", "msedge.exe"],
];

/** Path of a browser that starts, or null. The environment variable VAGEN_BROWSER overrides the search. */
export async function findBrowser() {
  const chosen = process.env.VAGEN_BROWSER;
  if (chosen) return existsSync(chosen) ? chosen : null;
  for (const path of [...installedCandidates(), ...(await downloadedCandidates())]) {
    if (existsSync(path) && starts(path)) return path;
  }
  return null;
}

function installedCandidates() {
  if (process.platform === "darwin") {
    return macApps.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`);
  }
  if (process.platform === "win32") {
    const bases = ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].map((name) => process.env[name]);
    return bases.filter(Boolean).flatMap((base) => windowsApps.map((parts) => join(base, ...parts)));
  }
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return onPath.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/** The browser that `playwright-core install chromium` downloads, if the package is installed. */
async function downloadedCandidates() {
  try {
    const { chromium } = await import("playwright-core");
    return [chromium.executablePath()];
  } catch {
    return [];
  }
}

/** Ubuntu's chromium-browser can be a stub that only prints advice. Elsewhere `--version` may open a window. */
function starts(path) {
  return process.platform !== "linux" || answersVersion(path);
}
