// The renderer of SVG reconstruction and the rasteriser of Navigation in the browser: bundled, under the page's security policy, with
// Node's bytes. The studio draws homes in its worker and, for replays, in the page's thread.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, preview } from "vite";
import { expect, test } from "vitest";
import { securityHeaders } from "../scripts/vite/security-policy.ts";
import { wasmBytes } from "../scripts/vite/wasm-bytes.ts";
import homes from "../src/envs/navigation/golden/pictures.json" with { type: "json" };
import { loadRaster } from "../src/envs/svg/raster.ts";
import { drawSample } from "./drawings/sample.ts";
import { studio } from "./lib/studio.ts";

const open = studio();

test("draws the same pixels of icons and homes and measures the same similarities as in Node, bit for bit", async () => {
  const outDir = await mkdtemp(join(tmpdir(), "vagen-drawings-"));
  const root = join(import.meta.dirname, "drawings");
  const plugins = [wasmBytes, securityHeaders];
  const config = { root, configFile: false, logLevel: "error", base: "./", plugins } as const;
  await build({
    ...config,
    worker: { format: "es", plugins: () => [wasmBytes] },
    build: { outDir, target: "es2023", chunkSizeWarningLimit: 1024 },
  });
  const server = await preview({ ...config, build: { outDir }, preview: { host: "localhost", port: 0 } });
  const context = await open.visitor();
  try {
    const page = await context.newPage();
    await page.goto(server.resolvedUrls?.local[0] ?? "");
    const answer = await page.locator("output").textContent({ timeout: 120_000 });
    await loadRaster();
    const inNode = drawSample();
    expect(new Set(inNode.map(({ pixels }) => pixels)).size).toBe(inNode.length);
    expect(JSON.parse(answer ?? "null")).toEqual({ drawings: inNode, workerHomes: homes, pageHomes: homes });
  } finally {
    await context.close();
    await server.close();
    await rm(outDir, { recursive: true });
  }
});
