import { Area, Bar } from "recharts";
import { expect, it } from "vitest";
import { applyEvent } from "../store/apply-event.ts";
import { emptyView, type RunView } from "../store/run-view.ts";
import { CHARTS } from "./catalog.ts";
import { buildFigure } from "./figure.ts";
import { StackedParts } from "./plot.tsx";

const returnByPart = CHARTS.find(({ id }) => id === "return")!;

function run(updates: number): RunView {
  let view = emptyView();
  for (let update = 1; update <= updates; update++)
    view = applyEvent(view, {
      ...{ type: "metrics", stage: "ppo", update, tokens: update, episodes: update, wallMs: update },
      values: { "reward/task": 0.5, "reward/format": 0.2 },
    });
  return view;
}

/** What the parts of a return are drawn as. */
const drawnAs = (updates: number) => {
  const options = { x: "update", range: "run", smoothing: null, width: 400 } as const;
  const figure = buildFigure(run(updates), returnByPart, options);
  return StackedParts({ figure }).map(({ type, props }) => [type, props.stackId]);
};

it("draws the parts of a single update as one column, which needs no second update, and of more as areas", () => {
  expect(drawnAs(1)).toEqual([
    [Bar, "parts"],
    [Bar, "parts"],
  ]);
  expect(drawnAs(2)).toEqual([
    [Area, "parts"],
    [Area, "parts"],
  ]);
});
