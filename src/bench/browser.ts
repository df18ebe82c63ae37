// Runs the page of the comparison in a headless browser: builds it with Vite, serves it, and drives it.
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { platform, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import type { Plugin } from "vite";
import { UsageError } from "../cli/args.ts";
import type { CaseReport } from "./case-report.ts";
import type { PageRequest } from "./page/main.ts";

/** The folder of package.json: this file is bundled, so its own place says little. */
function projectRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}

export type Adapter = "software" | "hardware";

const quietFlags = ["--no-sandbox", "--disable-background-networking", "--disable-sync", "--no-first-run"];
// Chromium on Linux offers a graphics card to WebGPU only with the first; without the others, and without a display, it falls back to SwiftShader.
const vulkanFlags = ["--enable-features=Vulkan", "--use-angle=vulkan", "--disable-vulkan-surface"];
const adapterFlags: Readonly<Record<Adapter, readonly string[]>> = {
  software: ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"],
  hardware: [
    "--enable-unsafe-webgpu",
    "--ignore-gpu-blocklist",
    ...(platform() === "linux" ? vulkanFlags : []),
  ],
};

async function launch(adapter: Adapter): Promise<Browser> {
  const { chromium } = await import("playwright-core");
  const finder = pathToFileURL(join(projectRoot(), "scripts", "lib", "find-browser.mjs")).href;
  const { findBrowser } = (await import(/* @vite-ignore */ finder)) as {
    findBrowser(): Promise<string | null>;
  };
  const executablePath = await findBrowser();
  if (!executablePath)
    throw new UsageError("No Chrome, Chromium or Edge was found.", "Set VAGEN_BROWSER, or use --node.");
  return chromium.launch({
    executablePath,
    headless: false, // by the flag below: Playwright's own headless mode may choose the old one, which has no GPU
    // A software adapter needs seconds for what a watchdog takes for a hang.
    args: ["--headless=new", "--disable-gpu-watchdog", ...quietFlags, ...adapterFlags[adapter]],
  });
}

/** What the studio's own build imports WebAssembly with. */
async function wasmBytes(): Promise<Plugin> {
  const { runnerImport } = await import("vite");
  const file = join(projectRoot(), "scripts", "vite", "wasm-bytes.ts");
  return (await runnerImport<{ wasmBytes: Plugin }>(file)).module.wasmBytes;
}

async function buildPage(outDir: string): Promise<void> {
  const { build } = await import("vite");
  await build({
    root: join(projectRoot(), "src", "bench", "page"),
    configFile: false,
    // The model's settings know the environments, of which two have WebAssembly.
    plugins: [await wasmBytes()],
    base: "./",
    logLevel: "error",
    build: { outDir, emptyOutDir: true, target: "es2023", chunkSizeWarningLimit: 4096 },
  });
}

async function servePage(outDir: string): Promise<{ url: string; close(): Promise<void> }> {
  const { preview } = await import("vite");
  const server = await preview({
    root: outDir,
    configFile: false,
    logLevel: "error",
    build: { outDir },
    preview: { host: "localhost", port: 0, open: false },
  });
  const address = server.httpServer.address();
  if (typeof address !== "object" || !address) throw new Error("The preview server has no port.");
  return { url: `http://localhost:${address.port}/`, close: () => server.close() };
}

/** The implementations' results for every request, each in a page of its own. */
export async function runInBrowser(
  adapter: Adapter,
  requests: readonly PageRequest[],
  log: (line: string) => void,
): Promise<CaseReport[]> {
  const outDir = await mkdtemp(join(tmpdir(), "vagen-bench-"));
  const closers: (() => Promise<unknown>)[] = [() => rm(outDir, { recursive: true, force: true })];
  try {
    await buildPage(outDir);
    const server = await servePage(outDir);
    closers.unshift(() => server.close());
    const browser = await launch(adapter);
    closers.unshift(() => browser.close());
    const results: CaseReport[] = [];
    for (const request of requests) results.push(await runPage(browser, server.url, request, log));
    return results;
  } finally {
    for (const close of closers) await close();
  }
}

async function runPage(
  browser: Browser,
  url: string,
  request: PageRequest,
  log: (line: string) => void,
): Promise<CaseReport> {
  const page = await browser.newPage();
  page.on("console", (message) => log(message.text()));
  page.on("pageerror", (error) => log(error.stack ?? error.message));
  try {
    await page.goto(url);
    await page.waitForFunction(() => window.runBenchmark !== undefined);
    return await page.evaluate((asked) => window.runBenchmark!(asked), request);
  } finally {
    await page.close();
  }
}
