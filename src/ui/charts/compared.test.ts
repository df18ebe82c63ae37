import { expect, it } from "vitest";
import { wilsonInterval } from "../../core/wilson.ts";
import { applyEvent } from "../store/apply-event.ts";
import { emptyView, type RunView } from "../store/run-view.ts";
import { CHARTS } from "./catalog.ts";
import type { ComparedRun } from "./compared.ts";
import { chartCsv } from "./csv.ts";
import { buildFigure, placesIn, updatesOfFigure } from "./figure.ts";
import { legendOf } from "./legend.ts";
import { columnsOf } from "./numbers.ts";

/** A run of `sft` updates, then `ppo`: update u took u minutes and 100 tokens more than the one before, and its success is `level` + u / 100. */
function run(sft: number, ppo: number, level: number): RunView {
  let view = emptyView();
  if (sft > 0) view = applyEvent(view, { type: "stage", stage: "warmup", firstUpdate: 1, lastUpdate: sft });
  view = applyEvent(view, { type: "stage", stage: "ppo", firstUpdate: sft + 1, lastUpdate: sft + ppo });
  for (let update = 1; update <= sft + ppo; update++) {
    const isSft = update <= sft;
    view = applyEvent(view, {
      type: "metrics",
      stage: isSft ? "warmup" : "ppo",
      update,
      values: isSft
        ? { "sft/loss": 1 / update }
        : { "train/success/frozenlake": level + (update - sft) / 100 },
      tokens: 100 * update,
      episodes: 64 * update,
      wallMs: 60_000 * update,
    });
  }
  return view;
}

function validated(view: RunView, update: number, successes: number): RunView {
  const interval = wilsonInterval(successes, 10);
  const report = { update, temperature: 1, episodes: 10, successes, interval, metrics: {} };
  return applyEvent(view, { type: "validation", report: report as never });
}

const beside = (view: RunView): ComparedRun => ({ label: "B: other", color: "--run-4", dash: "7 3", view });
const success = CHARTS.find(({ id }) => id === "success")!;
const figureOf = (
  shown: RunView,
  others: readonly RunView[],
  {
    chart = success,
    ...more
  }: { chart?: typeof success; x?: "update" | "tokens" | "time"; range?: "run" | "stage" } = {},
) =>
  buildFigure(shown, chart, {
    ...{ x: "update", range: "stage", smoothing: 0, width: 400, ...more },
    compared: others.map(beside),
  });

it("begins PPO of another run where PPO of the run on screen begins", () => {
  const { lines, compared, xDomain } = figureOf(run(4, 6, 0), [run(10, 3, 0.5)]);
  expect([...compared[0]!.updates]).toEqual([5, 6, 7]);
  expect(compared[0]!.rows).toEqual([
    { x: 5, y: expect.closeTo(0.51) },
    { x: 6, y: expect.closeTo(0.52) },
    { x: 7, y: expect.closeTo(0.53) },
  ]);
  expect([...lines[0]!.updates]).toEqual([5, 6, 7, 8, 9, 10]);
  expect(xDomain).toEqual([4, 10]);
});

it.each([
  ["tokens", [500, 600, 700]],
  ["time", [5, 6, 7]],
] as const)("counts %s from the beginning of PPO, too", (x, expected) => {
  expect([...figureOf(run(4, 6, 0), [run(10, 3, 0.5)], { x }).compared[0]!.xs]).toEqual(expected);
});

it("has an axis as long as the longest run", () => {
  expect(figureOf(run(0, 6, 0), [run(0, 20, 0.5)]).xDomain).toEqual([0, 20]);
  expect(figureOf(run(2, 6, 0), [run(0, 20, 0.5)], { x: "time" }).xDomain).toEqual([2, 22]);
  expect(updatesOfFigure(figureOf(run(0, 6, 0), [run(0, 20, 0.5)])).at(-1)).toBe(20);
});

it("compares SFT with SFT", () => {
  const loss = CHARTS.find(({ id }) => id === "imitation")!;
  const { compared } = figureOf(run(4, 6, 0), [run(8, 3, 0.5)], { chart: loss });
  expect([...compared[0]!.updates]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

it("draws no run that has not reached what the chart shows", () => {
  expect(figureOf(run(0, 6, 0), [run(8, 0, 0)]).compared).toEqual([]);
});

const throughput = CHARTS.find(({ id }) => id === "perf/throughput")!;
function withThroughput(view: RunView, until: number): RunView {
  for (let update = 1; update <= until; update++) view.series.set("perf/throughput", update, update);
  return view;
}

it("compares the stage that the run on screen is in, where a metric is logged in both", () => {
  const chart = throughput;
  const inSft = withThroughput(run(10, 20, 0), 6);
  const finished = withThroughput(run(8, 20, 0), 28);
  const sft = figureOf(inSft, [finished], { chart });
  expect([...sft.compared[0]!.updates]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  // The other way round: what was stopped in SFT has nothing of PPO.
  const stopped = withThroughput(run(150, 20, 0), 100);
  const ppo = figureOf(withThroughput(run(4, 6, 0), 10), [stopped], { chart });
  expect([ppo.compared, ppo.xDomain]).toEqual([[], [4, 10]]);
});

it("reads the environment of the run on screen, where the other run has several", () => {
  const log = (rates: Record<string, number>, ...environments: string[]) => {
    let view = applyEvent(emptyView(), { type: "stage", stage: "ppo", firstUpdate: 1, lastUpdate: 1 });
    for (const name of environments) view.series.set(`train/success/${name}`, 1, rates[name]!);
    const interval = wilsonInterval(9, 10);
    const metrics = Object.fromEntries(environments.map((name) => [`val/success/${name}`, rates[name]!]));
    const report = { update: 1, temperature: 1, episodes: 10, successes: 9, interval, metrics };
    view = applyEvent(view, { type: "validation", report: report as never });
    view.axes.wallMs.set(1, 1);
    return { ...view, update: 1 };
  };
  const rates = { frozenlake: 0.9, sokoban: 0.1 };
  const { compared, points } = figureOf(log(rates, "sokoban"), [log(rates, "frozenlake", "sokoban")]);
  expect([...compared[0]!.raw]).toEqual([expect.closeTo(0.1)]);
  expect(points.filter(({ label }) => label === "B: other").map(({ y }) => y)).toEqual([0.1]);
  // A run of another task alone is compared by what it has.
  const other = figureOf(log(rates, "sokoban"), [log(rates, "frozenlake")]);
  expect([...other.compared[0]!.raw]).toEqual([expect.closeTo(0.9)]);
});

it("compares policies that were only validated, with names for their points", () => {
  const measured = (successes: number) => {
    const view = applyEvent(emptyView(), { type: "stage", stage: "ppo", firstUpdate: 1, lastUpdate: 0 });
    return validated(view, 0, successes);
  };
  const untrained = { ...success, lines: [] };
  for (const chart of [untrained, success]) {
    const figure = figureOf(measured(5), [measured(7)], { chart });
    expect(figure.points.map(({ label, y }) => [label, y])).toEqual([
      ["This run", 0.5],
      ["B: other", 0.7],
    ]);
    expect(legendOf(chart, figure).map(({ mark, label }) => [mark, label])).toEqual([
      ["dot", "This run"],
      ["dot", "B: other"],
      ["dot", "Validation, 95 % interval"],
      ["diamond", "Greedy"],
    ]);
  }
});

it("keeps the newest validation of each of many", () => {
  const many = (first: number) => {
    let view = run(0, 800, 0);
    for (let update = first; update <= 800; update += 20) view = validated(view, update, 5);
    return view;
  };
  const { points } = figureOf(many(20), [many(10)]);
  expect(points.filter(({ compared }) => !compared)).toHaveLength(40);
  expect(points.filter(({ compared }) => !compared).at(-1)!.update).toBe(800);
  expect(points.at(-1)).toMatchObject({ compared: true, update: 790 });
});

it("finds updates that only another run has along every axis", () => {
  const shown = run(0, 6, 0);
  const figure = figureOf(shown, [run(0, 20, 0.5)], { x: "tokens" });
  const place = placesIn(figure, shown.axes, "tokens");
  expect([6, 7, 20].map(place)).toEqual([600, 700, 2000]);
});

it("marks where a line of another run leaves an axis of fixed ends", () => {
  const explained = (...values: number[]) => {
    const view = run(0, values.length, 0);
    for (const [i, value] of values.entries()) view.series.set("critic/vf_explained_var", i + 1, value);
    return view;
  };
  const chart = CHARTS.find(({ id }) => id === "critic/vf_explained_var")!;
  const { beyond, yDomain } = figureOf(explained(0.1, -7, 0.2), [explained(-134, 0.1, 0.2)], { chart });
  expect(yDomain).toEqual([-1, 1]);
  expect(beyond).toEqual([
    { x: 2, side: "below", color: "--run-1" },
    { x: 1, side: "below", color: "--run-4" },
  ]);
});

it("leaves charts of several lines, and of parts, as they are", () => {
  const several = CHARTS.find(({ id }) => id === "values")!;
  const parts = CHARTS.find(({ id }) => id === "return")!;
  for (const chart of [several, parts]) {
    const view = run(0, 3, 0);
    for (const { key } of chart.lines) view.series.set(key, 3, 1);
    const { lines, compared } = figureOf(view, [view], { chart });
    expect(compared).toEqual([]);
    expect(lines.map(({ label }) => label)).toEqual(chart.lines.map(({ label }) => label));
  }
});

it("draws validations of both in the colours of their lines, that before the first update too", () => {
  const shown = validated(validated(run(4, 6, 0), 4, 2), 10, 5);
  const other = validated(validated(run(10, 3, 0.5), 10, 1), 13, 9);
  const { lines, points } = figureOf(shown, [other]);
  expect(lines[0]).toMatchObject({ label: "This run", color: "--run-1" });
  expect(points.map(({ label, color, update, x, y }) => [label, color, update, x, y])).toEqual([
    ["This run", "--run-1", 4, 4, 0.2],
    ["This run", "--run-1", 10, 10, 0.5],
    ["B: other", "--run-4", 4, 4, 0.1],
    ["B: other", "--run-4", 7, 7, 0.9],
  ]);
});

it("exports the numbers of both, by the updates of the run on screen", () => {
  const { lines, compared, validations, share } = figureOf(validated(run(1, 1, 0), 2, 5), [run(0, 2, 0.5)]);
  const csv = chartCsv(columnsOf({ lines, compared, validations, share })).split("\n");
  expect(csv[0]).toBe(
    'update,"This run, training (0–1)","B: other, training (0–1)","This run, validation (0–1)",' +
      '"This run, validation, 95 % from (0–1)","This run, validation, 95 % to (0–1)"',
  );
  expect(csv[1]).toMatch(/^2,0\.01,0\.51,0\.5,/);
  expect(csv[2]).toMatch(/^3,,0\.52,,/);
});

it("changes nothing where no run is compared", () => {
  const shown = validated(run(4, 6, 0), 10, 5);
  const { lines, points } = figureOf(shown, []);
  expect(lines[0]!.label).toBe("Success rate");
  expect(points[0]!.color).toBe("--run-2");
});
