import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { drawCurves } from "./chart.ts";
import { type AblationRun, cellsOf, nameOfRun, nameOfSft, runsOf } from "./matrix.ts";
import { csvReport, inPaperOrder, markdownReport } from "./report.ts";
import { groupByCell, overSeeds, type RunResult, readResult } from "./results.ts";

describe("the matrix", () => {
  test("has the row that both tables share once", () => {
    const cells = cellsOf(["grpo", "vagen-base"], ["no_think", "grounding_worldmodeling"]);
    expect(cells.map(({ method, format }) => `${method} ${format}`)).toEqual([
      "grpo grounding_worldmodeling",
      "vagen-base grounding_worldmodeling",
      "vagen-base no_think",
    ]);
  });

  test("finishes one seed before the next", () => {
    const runs = runsOf(cellsOf(["grpo", "vagen-base"], []), 2);
    expect(runs.map(({ method, seed }) => `${method}${seed}`)).toEqual([
      "grpo0",
      "vagen-base0",
      "grpo1",
      "vagen-base1",
    ]);
  });

  test("lets the methods of a seed start from one SFT run", () => {
    const [a, b] = runsOf(cellsOf(["grpo", "vagen-base"], []), 1) as [AblationRun, AblationRun];
    expect(nameOfSft(a)).toBe(nameOfSft(b));
    expect(nameOfRun(a)).not.toBe(nameOfRun(b));
  });
});

const grpo: AblationRun = { method: "grpo", format: "grounding_worldmodeling", seed: 0 };

/** A run's folder as `train` leaves it: sampled and greedy validations, of 10 levels. */
function runFolder(
  successes: readonly (readonly [update: number, sampled: number, greedy: number])[],
): string {
  const folder = mkdtempSync(join(tmpdir(), "ablate-"));
  const path = join(folder, nameOfRun(grpo));
  mkdirSync(path);
  const report = (update: number, temperature: number, n: number) => ({
    update,
    temperature,
    episodes: 10,
    successes: n,
    metrics: { "val/format_correct": 0.9 },
  });
  const reports = successes.flatMap(([update, sampled, greedy]) => [
    report(update, 1, sampled),
    report(update, 0, greedy),
  ]);
  writeFileSync(join(path, "validation.json"), JSON.stringify(reports));
  const lines = successes.map(([update], i) =>
    JSON.stringify({ stage: "ppo", update, tokens: 5 * i, wallMs: i }),
  );
  writeFileSync(join(path, "metrics.jsonl"), lines.map((line) => `${line}\n`).join(""));
  return folder;
}

describe("a run's result", () => {
  test("is what its validations and its last metrics say", () => {
    const folder = runFolder([
      [0, 2, 4],
      [20, 8, 9],
      [40, 6, 7],
    ]);
    expect(readResult(folder, grpo, 40)).toEqual({
      ...grpo,
      before: 0.2,
      after: 0.6,
      best: 0.8,
      greedy: 0.7,
      metrics: { "val/format_correct": 0.9 },
      curve: [
        { update: 0, success: 0.2 },
        { update: 20, success: 0.8 },
        { update: 40, success: 0.6 },
      ],
      levels: 10,
      tokens: 10,
      wallMs: 2,
      complete: true,
      diverged: false,
    });
  });

  test("is that of the update that is asked for when the run has gone on since", () => {
    const begun = [
      [0, 2, 4],
      [20, 8, 9],
      [40, 6, 7],
    ] as const;
    const longer = runFolder([...begun, [60, 9, 10], [80, 10, 10]]);
    expect(readResult(longer, grpo, 40)).toEqual(readResult(runFolder(begun), grpo, 40));
    expect(readResult(longer, grpo, 80)).toMatchObject({ after: 1, best: 1, tokens: 20, complete: true });
    expect(readResult(longer, grpo, 50)).toMatchObject({ after: 0.6, complete: false });
  });

  test("is refused when its validations cannot be read", () => {
    const folder = runFolder([[0, 2, 4]]);
    const file = join(folder, nameOfRun(grpo), "validation.json");
    for (const text of [readFileSync(file, "utf8").slice(0, -20), "null", '[{"update":"20"}]']) {
      writeFileSync(file, text);
      expect(() => readResult(folder, grpo, 0)).toThrow(
        expect.objectContaining({
          name: "ConfigError",
          message: expect.stringContaining(`${file} cannot be read as the validations of a run`),
          hint: expect.stringContaining("Move the file away"),
        }),
      );
    }
  });

  test("does without a line of metrics that was cut off", () => {
    const folder = runFolder([
      [0, 2, 4],
      [20, 8, 9],
    ]);
    const path = join(folder, nameOfRun(grpo), "metrics.jsonl");
    const cut = JSON.stringify({ stage: "ppo", update: 20, tokens: 9, wallMs: 9 }).slice(0, -12);
    appendFileSync(path, `${cut}\n`);
    expect(readResult(folder, grpo, 20)).toMatchObject({ after: 0.8, tokens: 5, wallMs: 1 });
    // The newest line, still being written.
    appendFileSync(path, cut);
    expect(readResult(folder, grpo, 20)).toMatchObject({ after: 0.8, tokens: 5, wallMs: 1 });
  });

  test("has diverged when its last session ended so", () => {
    const folder = runFolder([[0, 2, 2]]);
    const events = (...reasons: string[]) =>
      writeFileSync(
        join(folder, nameOfRun(grpo), "events.jsonl"),
        reasons
          .map(
            (reason) => `{"type":"run_started"}\n{"type":"run_finished","update":3,"reason":"${reason}"}\n`,
          )
          .join(""),
      );
    const diverged = () => readResult(folder, grpo, 40)?.diverged;
    expect(diverged()).toBe(false);
    events("stopped", "diverged");
    expect(diverged()).toBe(true);
    events("diverged", "stopped");
    expect(diverged()).toBe(false);
  });

  test("is incomplete when updates are missing, and none at all without a validation", () => {
    expect(readResult(runFolder([[0, 2, 2]]), grpo, 40)?.complete).toBe(false);
    expect(readResult(runFolder([]), grpo, 40)).toBeNull();
    expect(readResult(join(tmpdir(), "no-such-folder"), grpo, 40)).toBeNull();
  });
});

const result = (method: string, format: string, seed: number, success: number): RunResult => ({
  method,
  format: format as RunResult["format"],
  seed,
  before: 0.1,
  after: success,
  best: success,
  greedy: null,
  metrics: { "val/format_correct": 1 },
  curve: [
    { update: 0, success: 0.1 },
    { update: 40, success },
  ],
  levels: 256,
  tokens: 1,
  wallMs: 1,
  complete: seed === 0,
  diverged: seed === 2,
});

const cells = groupByCell(cellsOf(["grpo", "vagen-base"], ["no_think"]), [
  result("grpo", "grounding_worldmodeling", 0, 0.5),
  result("grpo", "grounding_worldmodeling", 1, 0.7),
  result("vagen-base", "grounding_worldmodeling", 0, 0.8),
  result("vagen-base", "no_think", 0, 0.3),
]);

const info = {
  envId: "frozenlake",
  preset: "frozenlake-nano",
  seeds: 2,
  updates: 40,
  command: "npm run ablate --",
};

describe("the report", () => {
  const report = markdownReport(info, cells);

  test("has mean, interval and seeds of every row, beside the paper's figure", () => {
    // 12.706 · 0.1414 / √2
    expect(report).toContain(
      "| GRPO with mask | 0.100 | **0.600** ± 1.271 (0.50, 0.70) | – | 0.600 | 1.000 | – | – | 0.57 |",
    );
  });

  test("gives no interval for a single seed", () => {
    expect(report).toContain("| VAGEN-Base | 0.100 | **0.800** | – | 0.800 |");
    expect(overSeeds(cells[1]!, ({ after }) => after)?.halfWidth).toBeNull();
  });

  test("names runs that ended early", () => {
    expect(report).toContain("- GRPO with mask, seed 1: ended early, last validated after update 40 of 40.");
    const diverged = groupByCell(cells, [result("grpo", "grounding_worldmodeling", 2, 0.5)]);
    expect(markdownReport(info, diverged)).toContain("- GRPO with mask, seed 2: diverged, last validated");
  });

  test("has the formats under the paper's names, in its order, the shared row among them", () => {
    const [, strategies] = report.split("## Reasoning strategies");
    expect(strategies).toMatch(
      /NoThink \(`no_think`\).*0\.09 \|\n\| WorldModeling \(`grounding_worldmodeling`\)/s,
    );
    expect(inPaperOrder(cells.slice(1)).map(({ format }) => format)).toEqual([
      "no_think",
      "grounding_worldmodeling",
    ]);
  });

  test("leaves a table out whose only row is the shared one of the other", () => {
    expect(markdownReport(info, cells.slice(0, 2))).not.toContain("## Reasoning strategies");
    expect(markdownReport(info, cells.slice(1))).not.toContain("## Methods");
    expect(markdownReport(info, cells.slice(1, 2))).toContain("## Methods");
  });

  test("as CSV has one line per validation", () => {
    const lines = csvReport(cells).trimEnd().split("\n");
    expect(lines).toHaveLength(1 + 4 * 2);
    expect(lines[2]).toBe("grpo,grounding_worldmodeling,0,40,256,0.5");
  });
});

test("the chart is an SVG with a line and a name for every row", () => {
  const rows = cells.slice(0, 2).map((cell) => ({ name: `row ${cell.method}`, cell }));
  const svg = drawCurves("Curves", rows);
  expect(svg).toMatch(/^<svg/);
  expect(svg).toContain("row grpo");
  expect(svg).toContain("row vagen-base");
  expect(svg.match(/<polyline/g)?.length).toBe(2);
  expect(svg).not.toMatch(/NaN|undefined/);
});
