import { expect, it } from "vitest";
import type { Validation } from "../store/run-view.ts";
import { SeriesTable } from "../store/series.ts";
import { chartsToShow } from "./catalog.ts";
import { validationPoints } from "./points.ts";

const table = (rates: Record<string, number>) => {
  const series = new SeriesTable();
  for (const [key, rate] of Object.entries(rates)) series.set(key, 3, rate);
  return series;
};
const rates = { "val/success/frozenlake": 0.5, "val/success/boxes": 0.25, "val/success/hard": 0.75 };
const report: Validation = {
  ...{ update: 3, stage: "ppo", temperature: 1 },
  ...{ episodes: 4, successes: 2, interval: [0.15, 0.85] },
};
const further: NonNullable<Validation["further"]> = {
  boxes: { episodes: 8, successes: 2, interval: [0.07, 0.59] },
  hard: { episodes: 16, successes: 12, interval: [0.5, 0.9] },
};

const pointsOf = (validation: Validation) => {
  const series = table(rates);
  const { charts } = chartsToShow(series, "ppo", 0, ["frozenlake", "boxes"], undefined, ["hard"])[0]!;
  const view = { validations: [validation], series, greedy: table({}) };
  return charts.flatMap((chart) =>
    validationPoints(view, chart, (update) => update).map(({ y, n, successes, error }) => [
      y,
      n,
      successes,
      error,
    ]),
  );
};

it("gives each environment and validation set its own count and interval", () => {
  expect(pointsOf({ ...report, further })).toEqual([
    [0.5, 4, 2, [expect.closeTo(0.35), expect.closeTo(0.35)]],
    [0.25, 8, 2, [expect.closeTo(0.18), expect.closeTo(0.34)]],
    [0.75, 16, 12, [expect.closeTo(0.25), expect.closeTo(0.15)]],
  ]);
});

it("has no interval for runs of earlier versions, which counted the first environment only", () => {
  expect(pointsOf(report).map(([, , successes, error]) => [successes, error])).toEqual([
    [null, [0, 0]],
    [null, [0, 0]],
    [null, [0, 0]],
  ]);
});
