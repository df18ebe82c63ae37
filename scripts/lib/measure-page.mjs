// Measures the front page of `dist/`: bytes by kind, and how soon the first replay plays on two kinds of visitors' machines.

import { createReadStream, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { createGzip, gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { findBrowser } from "./find-browser.mjs";
import { root } from "./process.mjs";

const dist = join(root, "dist");
const VISITS = 5;

/** Bandwidth in bytes a second, latency in ms, and how many times slower the processor is than this one. */
const VISITORS = {
  "cable, this processor": { download: 5e6 / 8, upload: 1e6 / 8, latency: 28, cpu: 1 },
  "slow 4G, 4 × slower processor": { download: 1.6e6 / 8, upload: 0.75e6 / 8, latency: 150, cpu: 4 },
};

/** Prints a table of sizes and times. */
export async function measurePage() {
  const server = await serveCompressed();
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    headless: false,
    args: ["--headless=new", "--no-sandbox", "--disable-gpu"],
  });
  try {
    for (const [name, visitor] of Object.entries(VISITORS)) {
      const visits = [];
      for (let i = 0; i < VISITS; i++) visits.push(await visit(browser, server.url, visitor));
      const median = (pick) => visits.map(pick).sort((a, b) => a - b)[(VISITS - 1) / 2];
      print(`first moving picture: ${name}`, `${(median(({ ms }) => ms) / 1000).toFixed(2)} s`);
      print(`  scripts until then (gzip)`, kilobytes(median(({ scripts }) => scripts)));
    }
    print("replays, whole set (gzip)", kilobytes(gzippedFolder(join(dist, "replays"))));
  } finally {
    await browser.close();
    server.close();
  }
}

const print = (what, value) => console.log(`${what.padEnd(52)} ${value}`);
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;

const gzippedFolder = (folder) =>
  readdirSync(folder).reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);

/** One first visit, with nothing cached: the time until a picture is drawn and its replay plays, and the scripts loaded by then. */
async function visit(browser, url, { download, upload, latency, cpu }) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    serviceWorkers: "block",
  });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", {
      offline: false,
      latency,
      downloadThroughput: download,
      uploadThroughput: upload,
    });
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: cpu });
    await page.goto(url, { waitUntil: "commit" });
    const player = page.getByTestId("replay-player").first();
    await player.locator("canvas").first().waitFor();
    await player.getByRole("button", { name: /^Pause/ }).waitFor();
    return await page.evaluate(() => ({
      ms: performance.now(),
      scripts: performance
        .getEntriesByType("resource")
        .filter(({ name }) => name.endsWith(".js"))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    }));
  } finally {
    await context.close();
  }
}

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/** Serves `dist/` compressed, as hosts do. */
function serveCompressed() {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname);
    const file = join(dist, path.endsWith("/") ? join(path, "index.html") : path);
    if (!file.startsWith(dist) || !statSync(file, { throwIfNoEntry: false })?.isFile())
      return response.writeHead(404).end();
    response.writeHead(200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "content-encoding": "gzip",
    });
    createReadStream(file).pipe(createGzip()).pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(0, "localhost", () =>
      resolve({ url: `http://localhost:${server.address().port}/`, close: () => server.close() }),
    );
  });
}
