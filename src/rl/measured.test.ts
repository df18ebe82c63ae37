import { expect, test } from "vitest";
import type { Trajectory } from "../core/types.ts";
import { measuredMetrics } from "./measured.ts";

const ended = (facts?: Record<string, number>) =>
  ({ turns: [{ after: { facts } }] }) as unknown as Trajectory;
const episodes = [ended({ similarity: 0.4 }), ended({ similarity: 0.8 }), ended()];

test("measures of last states are means, 0 where a state has none", () => {
  expect(measuredMetrics(episodes, ["similarity"])["train/measured/similarity"]).toBeCloseTo(0.4);
});

test("a further environment of a mixture has its own name", () => {
  expect(Object.keys(measuredMetrics(episodes, ["similarity"], "icons"))).toEqual([
    "train/measured/icons/similarity",
  ]);
});

test("without episodes there is nothing", () => {
  expect(measuredMetrics([], ["similarity"])).toEqual({});
});
