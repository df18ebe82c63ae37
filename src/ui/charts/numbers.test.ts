import { expect, it } from "vitest";
import type { ValidationReport } from "../../training/events.ts";
import { applyEvent } from "../store/apply-event.ts";
import { emptyView, type RunView } from "../store/run-view.ts";
import type { XRange } from "../store/view-options.ts";
import { CHARTS } from "./catalog.ts";
import { chartCsv } from "./csv.ts";
import { buildFigure } from "./figure.ts";
import { columnsOf, updatesOf } from "./numbers.ts";

const report = (update: number, successes: number, temperature: number): ValidationReport => ({
  update,
  stage: "ppo",
  episodes: 4,
  successes,
  interval: [0.25, 0.75],
  temperature,
  metrics: {
    "val/format_correct": 1,
    "val/surroundings_miss/hole": 0.25,
    "val/surroundings_miss/free": 0.125,
  },
});

/** Two updates after one of SFT, validated before the first and after the last. */
function run(): RunView {
  let view = emptyView();
  view = applyEvent(view, { type: "stage", stage: "warmup", firstUpdate: 1, lastUpdate: 1 });
  view = applyEvent(view, { type: "validation", report: report(1, 1, 1) });
  view = applyEvent(view, { type: "stage", stage: "ppo", firstUpdate: 2, lastUpdate: 3 });
  for (const update of [2, 3]) {
    const values = {
      "train/success/sokoban": update / 8,
      "train/format_correct/sokoban": 0.5,
      "train/action_is_valid": 1,
      "surroundings_miss/hole": 0.5,
    };
    const totals = { tokens: update, episodes: update, wallMs: update };
    view = applyEvent(view, { type: "metrics", stage: "ppo", update, values, ...totals });
  }
  view = applyEvent(view, { type: "validation", report: report(3, 2, 1) });
  return applyEvent(view, { type: "validation", report: report(3, 3, 0) });
}

function columns(id: string, range: XRange = "stage") {
  const chart = CHARTS.find((known) => known.id === id)!;
  const figure = buildFigure(run(), chart, { x: "update", range, smoothing: null, width: 300 });
  return columnsOf(figure);
}

it("hold the validations of the whole run beside the training, with their intervals", () => {
  const success = columns("success");
  expect(success.map(({ label }) => label)).toEqual([
    "Success rate, training",
    "Success rate, validation",
    "Success rate, greedy validation",
  ]);
  expect(updatesOf(success)).toEqual([1, 2, 3]);
  expect([...success[1]!.values]).toEqual([
    [1, 0.25],
    [3, 0.5],
  ]);
  expect(success[2]!.intervals!.get(3)).toEqual([0.25, 0.75]);
});

it("are a file with units, a cell empty where there is no number", () => {
  const [training, validation] = columns("success");
  expect(chartCsv([training!, validation!])).toBe(
    `update,"Success rate, training (0–1)","Success rate, validation (0–1)",\
"Success rate, validation, 95 % from (0–1)","Success rate, validation, 95 % to (0–1)"
1,,0.25,0.25,0.75
2,0.25,,,
3,0.375,0.5,0.25,0.75
`,
  );
});

it("say of several lines which one was validated, without an interval where none is known", () => {
  const form = columns("form");
  expect(form.map(({ label }) => label)).toEqual([
    "Format",
    "Action exists",
    "Format, validation",
    "Format, greedy validation",
  ]);
  expect(form[2]).not.toHaveProperty("intervals");
});

it("hold the validations of every line that was validated", () => {
  const missed = columns("surroundings_miss");
  expect(missed.map(({ label, values }) => [label, values.get(3)])).toEqual([
    ["Hole, training", 0.5],
    ["Hole, validation", 0.25],
    ["Hole, greedy validation", 0.25],
    ["Free, validation", 0.125],
    ["Free, greedy validation", 0.125],
  ]);
});

it("put a name with a comma or a quote into quotes", () => {
  const values = new Map([[1, 2]]);
  expect(chartCsv([{ label: 'Best, "top"', unit: "", values }])).toBe('update,"Best, ""top"""\n1,2\n');
});
