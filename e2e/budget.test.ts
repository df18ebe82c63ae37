// What a first visit downloads before it can do anything, held to its budget.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const dist = join(import.meta.dirname, "..", "dist");
const assets = join(dist, "assets");
const KB = 1000;

const gzipped = (file: string, folder = assets): number => gzipSync(readFileSync(join(folder, file))).length;

/** The modules of a first visit: the entry, the front page, and all that they import statically. */
function initialScripts(): string[] {
  const html = readFileSync(join(dist, "index.html"), "utf8");
  const home = readdirSync(assets).filter((file) => /^home-[\w-]+\.js$/.test(file));
  const waiting = [...[...html.matchAll(/assets\/([\w-]+\.js)/g)].map((found) => found[1]!), ...home];
  const seen = new Set<string>();
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const code = readFileSync(join(assets, file), "utf8");
    for (const found of code.matchAll(/(?:from|import)\s*["']\.\/([\w-]+\.js)["']/g)) waiting.push(found[1]!);
  }
  return [...seen];
}

it("shows the front page with at most 180 KB of script and 25 KB of styles, without charts, ONNX and runs", () => {
  const scripts = initialScripts();
  expect(scripts.filter((file) => file.startsWith("home-"))).toHaveLength(1);
  for (const later of ["chart-panel", "yaml", "session", "ort", "case-grid", "case-studies"])
    expect(scripts.join(" ")).not.toContain(later);
  // `npm run page-speed` counts what a browser loads, and so the script before the first paint too.
  const beforePaint = gzipped("before-paint.js", dist);
  expect(scripts.reduce((sum, file) => sum + gzipped(file), beforePaint)).toBeLessThanOrEqual(180 * KB);
  const styles = readdirSync(assets).filter((file) => file.endsWith(".css"));
  expect(styles.reduce((sum, file) => sum + gzipped(file), 0)).toBeLessThanOrEqual(25 * KB);
});

it("contains no development tool", () => {
  const scripts = readdirSync(assets).filter((file) => file.endsWith(".js"));
  for (const file of scripts)
    expect(readFileSync(join(assets, file), "utf8"), file).not.toContain("dev/gallery");
});

it("loads at most 130 KB for the charts, when they are first needed", () => {
  const charts = readdirSync(assets).find((file) => /^chart-panel-.*\.js$/.test(file))!;
  expect(gzipped(charts)).toBeLessThanOrEqual(130 * KB);
});
