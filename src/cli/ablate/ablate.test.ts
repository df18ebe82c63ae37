import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RunConfig } from "../../config/run-config.ts";
import { STATE_CRITIC } from "../../config/state-critic.ts";
import type { TrainerEvent } from "../../training/events.ts";
import { drawCurves } from "./chart.ts";
import { type AblationRun, cellsOf, cellsOfValues, nameOfRun, nameOfSft, runsOf } from "./matrix.ts";
import { csvReport, inPaperOrder, markdownReport } from "./report.ts";
import { groupByCell, overSeeds, type RunResult, readResult } from "./results.ts";
import { changesSft, readVariation } from "./variation.ts";

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

  test("has a row and a folder for every value of a setting under every method", () => {
    const runs = runsOf(cellsOfValues(["grpo", "vagen-base"], ["a/b", 1e-4, [1, 5]]), 1);
    expect(runs.map(nameOfRun)).toEqual([
      "grpo-grounding_worldmodeling-a%2Fb-seed0",
      "grpo-grounding_worldmodeling-0.0001-seed0",
      "grpo-grounding_worldmodeling-%5B1%2C5%5D-seed0",
      "vagen-base-grounding_worldmodeling-a%2Fb-seed0",
      "vagen-base-grounding_worldmodeling-0.0001-seed0",
      "vagen-base-grounding_worldmodeling-%5B1%2C5%5D-seed0",
    ]);
  });
});

describe("--vary", () => {
  test("has values as YAML", () => {
    expect(readVariation("actor.lr=1e-4, 3e-4")).toEqual({ path: "actor.lr", values: [1e-4, 3e-4] });
    expect(readVariation("actor.loss_mode=gspo,sapo").values).toEqual(["gspo", "sapo"]);
    expect(readVariation("env.config.min_solution_steps=[1,5],[6,9]").values).toEqual([
      [1, 5],
      [6, 9],
    ]);
  });

  test.each([
    ["actor.lr=1e-4", "--vary actor.lr has fewer than two values: 0.0001."],
    ["actor.lr=", "--vary actor.lr has fewer than two values: none."],
    ["actor.lr=1e-4,0.0001", "--vary actor.lr has a value twice: 0.0001,0.0001."],
    ["actor.lr", "--vary actor.lr has fewer than two values: none."],
    ["actor.rl=1,2", "actor.rl"],
    ["actor.lr=1,[2", "actor.lr=[1,[2]: the value cannot be read"],
  ])("%s is refused", (text, message) => {
    expect(() => readVariation(text)).toThrow(message);
  });

  test.each([
    ["actor.loss_mode", false],
    ["algorithm.lam", false],
    ["critic.lr", false],
    ["reward.turn_cost", false],
    ["sft.lr", true],
    ["model.hidden_size", true],
    ["rollout.max_turns", true],
    ["env.config.size", true],
  ])("%s: SFT for each value? %s", (path, expected) => {
    expect(changesSft(path)).toBe(expected);
  });
});

const grpo: AblationRun = { method: "grpo", format: "grounding_worldmodeling", seed: 0 };

const metricsAt = (update: number, tokens: number, wallMs: number): TrainerEvent => ({
  ...{ type: "metrics", stage: "ppo", update, values: {}, tokens, episodes: 1, wallMs },
});

/** A run's folder as `train` leaves it: sampled and greedy validations, of 10 levels. */
function runFolder(
  successes: readonly (readonly [update: number, sampled: number, greedy: number])[],
): string {
  const folder = mkdtempSync(join(tmpdir(), "ablate-"));
  const path = join(folder, nameOfRun(grpo));
  mkdirSync(path);
  const validation = (update: number, temperature: number, n: number): TrainerEvent => ({
    type: "validation",
    report: {
      ...{ update, stage: "ppo", temperature, episodes: 10, successes: n, interval: [0, 1] },
      metrics: { "val/format_correct": 0.9 },
    },
  });
  const events = successes.flatMap(([update, sampled, greedy], i) => [
    metricsAt(update, 5 * i, i),
    validation(update, 1, sampled),
    validation(update, 0, greedy),
  ]);
  writeFileSync(join(path, "events.jsonl"), events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  return folder;
}

describe("a run's result", () => {
  test("is what its validations and its last metrics say", async () => {
    const folder = runFolder([
      [0, 2, 4],
      [20, 8, 9],
      [40, 6, 7],
    ]);
    expect(await readResult(folder, grpo, 40)).toEqual({
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
      stateCritic: false,
    });
  });

  test("is that of the update that is asked for when the run has gone on since", async () => {
    const begun = [
      [0, 2, 4],
      [20, 8, 9],
      [40, 6, 7],
    ] as const;
    const longer = runFolder([...begun, [60, 9, 10], [80, 10, 10]]);
    expect(await readResult(longer, grpo, 40)).toEqual(await readResult(runFolder(begun), grpo, 40));
    expect(await readResult(longer, grpo, 80)).toMatchObject({
      ...{ after: 1, best: 1, tokens: 20, complete: true },
    });
    expect(await readResult(longer, grpo, 50)).toMatchObject({ after: 0.6, complete: false });
  });

  test.each([
    ["masked_gae", true, true],
    ["masked_gae", false, false],
    ["grpo", true, false],
  ])(
    "has a critic that reads the state if it has a critic and that is on: %s, %s",
    async (estimator, asymmetric, expected) => {
      const folder = runFolder([[0, 2, 4]]);
      const config = RunConfig.parse({ algorithm: { adv_estimator: estimator }, critic: { asymmetric } });
      const started = {
        ...{ type: "run_started", runId: "r", config, update: 0, totalUpdates: 40, time: 0 },
        device: { vendor: "", architecture: "", description: "", software: true, features: [] },
        memory: { total: 0, parts: {}, parameters: 0, largestBuffer: 0, limit: 0 },
      };
      appendFileSync(join(folder, nameOfRun(grpo), "events.jsonl"), `${JSON.stringify(started)}\n`);
      expect((await readResult(folder, grpo, 40))?.stateCritic).toBe(expected);
    },
  );

  test("does without lines that are damaged or cut off", async () => {
    const folder = runFolder([
      [0, 2, 4],
      [20, 8, 9],
    ]);
    const path = join(folder, nameOfRun(grpo), "events.jsonl");
    const cut = JSON.stringify(metricsAt(20, 9, 9)).slice(0, -12);
    appendFileSync(path, `${cut}\nnull\n{"type":"validation","report":{"update":"20"}}\n`);
    expect(await readResult(folder, grpo, 20)).toMatchObject({ after: 0.8, tokens: 5, wallMs: 1 });
    // The newest line, still being written.
    appendFileSync(path, cut);
    expect(await readResult(folder, grpo, 20)).toMatchObject({ after: 0.8, tokens: 5, wallMs: 1 });
  });

  test("has diverged when its last session ended so", async () => {
    const folder = runFolder([[0, 2, 2]]);
    const end = (reason: string) =>
      appendFileSync(
        join(folder, nameOfRun(grpo), "events.jsonl"),
        `{"type":"run_finished","update":3,"reason":"${reason}"}\n`,
      );
    const diverged = async () => (await readResult(folder, grpo, 40))?.diverged;
    expect(await diverged()).toBe(false);
    end("stopped");
    expect(await diverged()).toBe(false);
    end("diverged");
    expect(await diverged()).toBe(true);
    end("stopped");
    expect(await diverged()).toBe(false);
  });

  test("is incomplete when updates are missing, and none at all without a validation", async () => {
    expect((await readResult(runFolder([[0, 2, 2]]), grpo, 40))?.complete).toBe(false);
    expect(await readResult(runFolder([]), grpo, 40)).toBeNull();
    expect(await readResult(join(tmpdir(), "no-such-folder"), grpo, 40)).toBeNull();
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
  stateCritic: false,
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
  from: null,
  varied: null,
};

describe("the report", () => {
  const report = markdownReport(info, cells);

  test("has mean, interval and seeds of every row, beside the paper's figure", () => {
    // 12.706 · 0.1414 / √2
    expect(report).toContain(
      "| GRPO with mask | 0.100 | **0.600** ± 1.271 (0.50, 0.70) | – | 0.600 | 1.000 | – | – | – | 0.57 |",
    );
  });

  test("gives no interval for a single seed, and announces none if no row has several", () => {
    const alone = groupByCell(cells, [result("grpo", "grounding_worldmodeling", 0, 0.5)]);
    expect(report).toContain(
      "Success on 256 validation levels, sampled at temperature 1: the mean over the seeds ±",
    );
    const text = markdownReport({ ...info, seeds: 1 }, alone);
    expect(text).toContain("sampled at temperature 1: a single seed, so without an interval.");
    expect(text).not.toContain("±");
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
    const lines = csvReport(info, cells).trimEnd().split("\n");
    expect(lines).toHaveLength(1 + 4 * 2);
    expect(lines[2]).toBe("grpo,grounding_worldmodeling,0,40,256,0.5");
  });

  test("names the rows whose critic read the state, and no others", () => {
    const stateful = { ...cells[1]!, runs: cells[1]!.runs.map((run) => ({ ...run, stateCritic: true })) };
    const named = markdownReport(info, [cells[0]!, stateful]);
    expect(named.split("\n").filter((line) => line.includes(STATE_CRITIC))).toEqual([
      `- VAGEN-Base: ${STATE_CRITIC}`,
    ]);
    expect(report).not.toContain(STATE_CRITIC);
    const lines = csvReport(info, [cells[0]!, stateful]).split("\n");
    expect(lines[0]).toBe("method,format,seed,update,levels,success,asymmetric_critic");
    expect(lines[2]).toBe("grpo,grounding_worldmodeling,0,40,256,0.5,false");
    expect(lines[6]).toBe("vagen-base,grounding_worldmodeling,0,40,256,0.8,true");
  });
});

describe("the report on values of a setting", () => {
  const varied = { ...info, varied: "env.config.min_solution_steps" };
  const withValue = (run: RunResult, value: unknown): RunResult => ({ ...run, value });
  const rows = (...methods: string[]) =>
    groupByCell(
      cellsOfValues(methods, [
        [1, 5],
        [6, 9],
      ]),
      methods.flatMap((method) => [
        withValue(result(method, "grounding_worldmodeling", 0, 0.5), [1, 5]),
        withValue(result(method, "grounding_worldmodeling", 0, 0.8), [6, 9]),
      ]),
    );

  test("has a row for each value, and no figure of the paper's", () => {
    const report = markdownReport(varied, rows("grpo"));
    expect(report).toContain("## Values of `env.config.min_solution_steps`\n\nGRPO with mask, format");
    expect(report).toContain("| `[1,5]` | 0.100 | **0.500** | – | 0.500 | 1.000 | – | – | – |\n");
    expect(report).toContain("| `[6,9]` | 0.100 | **0.800** |");
    expect(report).not.toMatch(/paper|## Methods|## Reasoning/);
  });

  test("says what runs start from", () => {
    const from = (varied: string) => markdownReport({ ...info, varied }, rows("grpo"));
    expect(from("actor.lr")).toContain("Rows of one format and seed start from the same SFT policy.");
    expect(from("sft.lr")).toContain("Every run starts from an SFT policy of its own.");
  });

  test("names the method, too, where there are several", () => {
    const report = markdownReport(varied, rows("grpo", "vagen-base"));
    expect(report).toContain("GRPO with mask and VAGEN-Base, format");
    expect(report).toContain("| VAGEN-Base, `[6,9]` | 0.100 | **0.800** |");
  });

  test("as CSV has a column for the setting", () => {
    const lines = csvReport(varied, rows("grpo")).split("\n");
    expect(lines[0]).toBe("method,format,env.config.min_solution_steps,seed,update,levels,success");
    expect(lines[2]).toBe('grpo,grounding_worldmodeling,"[1,5]",0,40,256,0.5');
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
