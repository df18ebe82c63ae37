import { describe, expect, test } from "vitest";
import type { Trajectory } from "../core/types.ts";
import { sampleMetrics, turnCounts } from "./samples-per-level.ts";

/** An episode of a level that earned one reward, with an answer for questions. */
const episode = (groupId: string, reward: number, answer?: string): Trajectory =>
  ({
    groupId,
    success: reward === 1,
    turns: [
      {
        reward,
        parsed: { answer: answer ?? "" },
        before: answer === undefined ? {} : { facts: { answer: "7" } },
      },
    ],
  }) as unknown as Trajectory;

describe("one episode of each level", () => {
  test("gives mean@1 only", () => {
    const found = sampleMetrics([episode("a", 1), episode("b", 0)], "sokoban");
    expect(found).toEqual({
      "val-core/sokoban/reward/mean@1": 0.5,
      "val-aux/sokoban/traj_success/mean@1": 0.5,
    });
  });
  test("gives nothing without episodes", () => expect(sampleMetrics([], "x")).toEqual({}));
});

describe("four episodes of each level", () => {
  const found = sampleMetrics(
    [0, 0, 0.5, 1].map((reward) => episode("a", reward)).concat([1, 1, 1, 1].map((r) => episode("b", r))),
    "lake",
  );

  test("are averaged by level, then over levels", () => {
    expect(found["val-core/lake/reward/mean@4"]).toBeCloseTo((0.375 + 1) / 2, 12);
    // Level a: √((2·0.375² + 0.125² + 0.625²) / 4); level b has none.
    expect(found["val-aux/lake/reward/std@4"]).toBeCloseTo(Math.sqrt(0.171875) / 2, 12);
    expect(found["val-aux/lake/traj_success/mean@4"]).toBe((0.25 + 1) / 2);
  });

  test("give the expected best and worst of 2 and of 4", () => {
    // Of 2 from 0, 0, ½, 1: both 0 with 4/16, at most ½ with 9/16.
    expect(found["val-aux/lake/reward/best@2/mean"]).toBeCloseTo(((0.5 * 5) / 16 + 7 / 16 + 1) / 2, 12);
    expect(found["val-core/lake/reward/best@4/mean"]).toBeCloseTo(
      ((0.5 * (81 - 16)) / 256 + (256 - 81) / 256 + 1) / 2,
      12,
    );
    expect(found["val-aux/lake/reward/worst@2/mean"]).toBeCloseTo(((0.5 * 3) / 16 + 1 / 16 + 1) / 2, 12);
    // Success of level a: 1 with 7/16, so its variance is 7/16 · 9/16.
    expect(found["val-aux/lake/traj_success/best@2/std"]).toBeCloseTo(Math.sqrt(63 / 256) / 2, 12);
  });

  test("have no vote without answers", () => {
    expect(Object.keys(found).filter((name) => name.includes("maj"))).toEqual([]);
  });
});

describe("the vote of several answers", () => {
  test("takes the value of the most frequent one", () => {
    const found = sampleMetrics(
      ["7", "7", "7", "7", "7", "7", "7", "3"].map((answer) => episode("a", answer === "7" ? 1 : 0, answer)),
      "count",
    );
    // A draw of 8 has more 3s than 7s with less than one in a thousand.
    expect(found["val-core/count/reward/maj@8/mean"]).toBeGreaterThan(0.99);
    // Of two, the first drawn decides where they differ: wrong with 1/8.
    expect(found["val-aux/count/reward/maj@2/mean"]).toBeGreaterThan(0.84);
    expect(found["val-aux/count/reward/maj@2/mean"]).toBeLessThan(0.91);
  });
});

test("turns are counted over all episodes", () => {
  const short = episode("a", 1);
  const long = { ...short, turns: [...short.turns, ...short.turns, ...short.turns] };
  expect(turnCounts([short, long])).toEqual({
    "val-aux/num_turns/min": 1,
    "val-aux/num_turns/max": 3,
    "val-aux/num_turns/mean": 2,
  });
});
