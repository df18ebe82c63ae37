// The steps of `npm test`. Type check, lint and build count as one test each; the Vitest projects count each of their tests.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countReport, oneTest, sum, totals } from "./counts.mjs";
import { ensureBrowser } from "./ensure-browser.mjs";
import { ensureDependencies } from "./install.mjs";
import { root, run, runNpm, ScriptError } from "./process.mjs";

/**
 * Two lanes run at the same time, each in this order, which finds cheap mistakes first. A software adapter compiles kernels
 * on one core per process, and most of the time goes there: one lane compiles in Node while the other does in the browser. Each
 * adapter also waits by spinning, so the GPU tests begin late, when the browser tests are half done.
 */
const lanes = [
  [
    { id: "types", title: "Type check", run: (context) => npmScript("typecheck", context) },
    { id: "lint", title: "Lint", run: (context) => npmScript("lint", context) },
    { id: "build", title: "Production build", run: (context) => npmScript("build", context) },
    {
      id: "e2e",
      title: "Browser tests",
      run: (context) => vitest("e2e", context),
      needsBrowser: true,
    },
  ],
  [
    { id: "unit", title: "Unit tests", run: (context) => vitest("unit", context) },
    {
      id: "gpu",
      title: "GPU tests (WebGPU in Node)",
      run: (context) => vitest("gpu", context),
      needsBrowser: true,
    },
  ],
];

/** Runs the chosen steps (all unless `--only a,b` is given), prints the totals last and resolves to the exit code. */
export async function testAll(args) {
  let results;
  try {
    const { only, help } = parseOptions(args);
    if (help) {
      console.log(usage);
      return 0;
    }
    results = await runLanes(chooseSteps(only));
  } catch (error) {
    console.error(error instanceof ScriptError ? `\n${error.message}` : error);
    results = [{ title: "Preparation", seconds: 0, counts: oneTest(false) }];
  }
  const all = sum(results.map((result) => result.counts));
  printSummary(results);
  console.log(totals(all));
  return all.failed > 0 ? 1 : 0;
}

const ids = lanes.flat().map((step) => step.id);
const usage = `npm test -- [--only ${ids.join(",")}]

  --only <steps>   run these, instead of all
  --help           this text`;

function chooseSteps(only) {
  const wanted = only?.split(",").map((id) => id.trim()) ?? ids;
  const unknown = wanted.filter((id) => !ids.includes(id));
  if (unknown.length) throw new ScriptError(`--only ${unknown}: no such step. Steps: ${ids.join(", ")}`);
  const chosen = lanes.map((lane) => lane.filter((step) => wanted.includes(step.id)));
  return chosen.filter((lane) => lane.length);
}

function parseOptions(args) {
  try {
    const options = { only: { type: "string" }, help: { type: "boolean", short: "h" } };
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new ScriptError(`${error.message}\n\n${usage}`);
  }
}

async function runLanes(chosen) {
  heading("Preparation");
  await ensureDependencies();
  const browser = chosen.flat().some((step) => step.needsBrowser) ? await ensureBrowser() : null;
  console.log(`Node ${process.versions.node}${browser ? `, browser ${browser}` : ""}: ready.`);
  const results = await Promise.all(chosen.map((lane) => runLane(lane, browser, chosen.length > 1)));
  return results.flat();
}

async function runLane(lane, browser, besideAnother) {
  const results = [];
  for (const step of lane) {
    heading(step.title);
    const started = performance.now();
    const context = { browser, label: besideAnother ? step.id.padEnd(7) : "" };
    const counts = await step.run(context).catch((error) => {
      console.error(`${step.title} could not run:`, error);
      return oneTest(false);
    });
    results.push({ title: step.title, seconds: (performance.now() - started) / 1000, counts });
  }
  return results;
}

async function npmScript(name, { label }) {
  return oneTest((await runNpm(["run", "--silent", name], { label })) === 0);
}

async function vitest(project, { browser, label }) {
  const folder = mkdtempSync(join(tmpdir(), "vagen-test-"));
  const report = join(folder, "report.json");
  const cli = join(root, "node_modules", "vitest", "vitest.mjs");
  const args = [cli, "run", "--project", project, "--reporter=default", "--reporter=json"];
  const env = browser ? { VAGEN_BROWSER: browser } : {};
  const code = await run(process.execPath, [...args, `--outputFile.json=${report}`], { env, label });
  const counts = countReport(readReport(report), code);
  rmSync(folder, { recursive: true, force: true });
  return counts;
}

/** Null when Vitest died before it could write its report. */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

function heading(title) {
  console.log(`\n━━━ ${title} ${"━".repeat(Math.max(0, 70 - title.length))}\n`);
}

function printSummary(results) {
  heading("Summary");
  for (const { title, seconds, counts } of results) {
    const mark = counts.failed > 0 ? "FAILED" : "ok";
    console.log(`${mark.padEnd(8)}${title.padEnd(30)}${totals(counts)}, ${seconds.toFixed(1)} s`);
    // Here too, because a log is often kept from its end only.
    const list = (lines, before = "") => {
      for (const line of lines) console.log(`        ${before}${line.replace(`${root}/`, "")}`);
    };
    list(counts.problems);
    // Only in CI are tests tried again (vite.config.ts); each of these is a test to mend.
    list(counts.retried, "passed on a second try: ");
  }
  console.log("");
}
