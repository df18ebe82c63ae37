// A headless browser with WebGPU on the software adapter, and a watch over what a page must not do.

import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { findBrowser } from "../../scripts/lib/find-browser.mjs";

/** Options of {@link launchBrowser}. */
export interface LaunchOptions {
  /** A browser that offers no WebGPU adapter, in pages and in workers. */
  readonly withoutWebgpu?: boolean;
  /** Further command-line flags. */
  readonly args?: readonly string[];
}

const quietFlags = [
  "--no-sandbox", // containers run as root
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  // WebAssembly of tests runs for seconds: to optimise its code takes longer than it saves (a quarter of a visit that plays a policy).
  "--js-flags=--liftoff-only",
];
/**
 * Features that Chromium goes without. Each window would load the list below its address bar as two pages, and each context an idle
 * renderer in advance: of the CPU time of a visit they take nearly a third. Chromium reads only the last list, so that of Playwright
 * is repeated.
 */
const disabledFeatures = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess"],
  ...["AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"],
  ...["DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay"],
  ...["MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"],
  ...["TcpPortRandomizationWin", "ThirdPartyStoragePartitioning", "msForceBrowserSignIn"],
  "msEdgeUpdateLaunchServicesPreferredVersion",
];
const webgpuFlags = [
  "--enable-unsafe-webgpu",
  "--use-webgpu-adapter=swiftshader",
  // As in Node (src/gpu/node-device.ts): the driver then compiles kernels with much workgroup memory in half the time.
  "--disable-dawn-features=use_vulkan_zero_initialize_workgroup_memory_extension",
];
// On a machine without a graphics card plain headless Chromium offers no adapter anyway; the flag says so elsewhere.
const noWebgpuFlags = ["--disable-gpu"];

/** Starts the installed browser; `npm test` installs one where there is none. */
export async function launchBrowser(options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch(await launchOptions(options));
}

/** A browser whose graphics process may end often: by default, Chromium offers no graphics after a third crash. */
export function launchSturdy(): Promise<Browser> {
  return launchBrowser({
    args: ["--disable-gpu-process-crash-limit", "--disable-domain-blocking-for-3d-apis"],
  });
}

let shared: Promise<Browser> | undefined;

/** The browser of all test files, which run in one process: a browser server would relay every message once more. */
export function launchShared(): Promise<Browser> {
  shared ??= launchChecked();
  return shared;
}

/** @throws Error if Playwright disables features that are not in our list. */
async function launchChecked(): Promise<Browser> {
  const browser = await launchBrowser();
  const page = await browser.newPage();
  await page.goto("chrome://version");
  const missing = featuresLeftOn((await page.locator("#command_line").innerText()).split(" "));
  await page.context().close();
  if (missing.length === 0) return browser;
  await browser.close();
  throw new Error(`Playwright disables ${missing}; add them to disabledFeatures in e2e/lib/browser.ts.`);
}

/** Features of earlier lists on a command line that its last one, the only one that Chromium reads, does not disable. */
function featuresLeftOn(args: readonly string[]): string[] {
  const flag = "--disable-features=";
  const lists = args.filter((arg) => arg.startsWith(flag)).map((arg) => arg.slice(flag.length).split(","));
  const last = new Set(lists.at(-1));
  return lists.flat().filter((feature) => !last.has(feature));
}

/** A visitor whose browser blocks all site data: storage, locks, files and service workers throw when they are named. */
export async function visitWithoutSiteData(): Promise<BrowserContext> {
  const profile = await mkdtemp(join(tmpdir(), "vagen-studio-"));
  const preferences = { profile: { default_content_setting_values: { cookies: 2 } } };
  await mkdir(join(profile, "Default"));
  await writeFile(join(profile, "Default", "Preferences"), JSON.stringify(preferences));
  return chromium.launchPersistentContext(profile, await launchOptions({}));
}

async function launchOptions({ withoutWebgpu, args = [] }: LaunchOptions) {
  const executablePath = await findBrowser();
  if (!executablePath) {
    throw new Error(
      "No Chrome, Chromium or Edge found. Run `npm test`, which installs one, or set VAGEN_BROWSER.",
    );
  }
  const webgpu = withoutWebgpu ? noWebgpuFlags : webgpuFlags;
  return {
    executablePath,
    headless: false, // by the flag below: Playwright's own headless mode may choose the old one, which has no GPU
    args: ["--headless=new", ...quietFlags, `--disable-features=${disabledFeatures}`, ...webgpu, ...args],
  };
}

/** What went wrong on a page so far. All lists stay empty on a healthy page. */
export interface PageWatch {
  /** `console.error` of the page and its workers, and failed loads. */
  readonly consoleErrors: string[];
  /** Uncaught exceptions. */
  readonly pageErrors: string[];
  /** Requests to any origin but the page's own: nothing may leave the machine. */
  readonly foreignRequests: string[];
  /** All of the above as sentences, for `expect(watch.problems()).toEqual([])`. */
  problems(): string[];
}

/** Starts watching; call it before `page.goto`. `origin` is where the page is served. */
export function watchPage(page: Page, origin: string): PageWatch {
  const watch: PageWatch = {
    consoleErrors: [],
    pageErrors: [],
    foreignRequests: [],
    problems: () => [
      ...watch.consoleErrors.map((text) => `console error: ${text}`),
      ...watch.pageErrors.map((text) => `uncaught error: ${text}`),
      ...watch.foreignRequests.map((url) => `foreign request: ${url}`),
    ],
  };
  page.on("console", (message) => {
    if (message.type() === "error") watch.consoleErrors.push(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => watch.pageErrors.push(error.stack ?? error.message));
  const noteForeign = (url: string) => {
    if (isForeign(url, origin)) watch.foreignRequests.push(url);
  };
  page.on("request", (request) => noteForeign(request.url()));
  page.on("websocket", (socket) => noteForeign(socket.url()));
  return watch;
}

/** data:, blob: and about: addresses stay in the browser. */
function isForeign(address: string, origin: string): boolean {
  const url = new URL(address);
  return /^(https?|wss?):$/.test(url.protocol) && url.host !== new URL(origin).host;
}
