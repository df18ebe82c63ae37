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
  try {
    await measureServed(server.url);
  } finally {
    await server.close();
  }
}

async function measureServed(url) {
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    headless: false,
    args: ["--headless=new", "--no-sandbox", "--disable-gpu"],
  });
  try {
    for (const [name, visitor] of Object.entries(VISITORS)) {
      const visits = [];
      for (let i = 0; i < VISITS; i++) visits.push(await visit(browser, url, visitor));
      const median = (pick) => visits.map(pick).sort((a, b) => a - b)[(VISITS - 1) / 2];
      const fastest = Math.min(...visits.map(({ ms }) => ms));
      print(
        `first moving picture: ${name}`,
        `${seconds(median(({ ms }) => ms))} (fastest ${seconds(fastest)})`,
      );
      print("  largest contentful paint until then", seconds(median(({ painted }) => painted)));
      print("  scripts until then (gzip)", kilobytes(median(({ scripts }) => scripts)));
      print("  everything until then (gzip)", kilobytes(median(({ bytes }) => bytes)));
      print(
        "  requests until then",
        median(({ requests }) => requests),
      );
    }
    print("replays, whole set (gzip)", kilobytes(gzippedFolder(join(dist, "replays"))));
  } finally {
    await browser.close();
  }
}

const print = (what, value) => console.log(`${what.padEnd(52)} ${value}`);
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;

const gzippedFolder = (folder) =>
  readdirSync(folder).reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);

/**
 * One first visit, with nothing cached: the time until a picture is drawn and its replay plays, and what was loaded by then.
 * The page itself takes the time; asking it again and again from here would slow it down.
 */
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
    await page.addInitScript(noteFirstPicture);
    await page.goto(url, { waitUntil: "commit" });
    const { result } = await devtools.send("Runtime.evaluate", {
      expression: "firstPicture",
      awaitPromise: true,
      returnByValue: true,
    });
    return result.value;
  } finally {
    await context.close();
  }
}

/** Runs in the page, before its own scripts. */
function noteFirstPicture() {
  const plays = () => {
    const player = document.querySelector("[data-testid=replay-player]");
    return player?.querySelector("canvas") && player.querySelector("[aria-label^=Pause]");
  };
  const sum = (entries) => entries.reduce((total, { encodedBodySize }) => total + encodedBodySize, 0);
  const cost = () => {
    const loaded = performance.getEntriesByType("resource").filter(({ responseEnd }) => responseEnd > 0);
    return {
      ms: performance.now(),
      painted,
      scripts: sum(loaded.filter(({ name }) => name.endsWith(".js"))),
      bytes: sum([...performance.getEntriesByType("navigation"), ...loaded]),
      requests: 1 + loaded.length,
    };
  };
  let painted = 0;
  new PerformanceObserver((list) => {
    painted = list.getEntries().at(-1).startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  globalThis.firstPicture = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!plays()) return;
      observer.disconnect();
      // With the frame that shows it.
      requestAnimationFrame(() => setTimeout(() => resolve(cost())));
    });
    observer.observe(document, { subtree: true, childList: true, attributeFilter: ["aria-label"] });
  });
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
      resolve({
        url: `http://localhost:${server.address().port}/`,
        close: () => {
          // A browser keeps its connections open.
          server.closeAllConnections();
          return new Promise((closed) => server.close(closed));
        },
      }),
    );
  });
}
