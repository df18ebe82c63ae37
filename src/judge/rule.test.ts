import { expect, test } from "vitest";
import type { GroundTruth } from "../core/types.ts";
import { judges } from "./index.ts";
import { judgeByRule } from "./rule.ts";

const truth: GroundTruth = {
  rows: 6,
  cols: 6,
  player: [2, 1],
  entities: {
    goal: [[0, 3]],
    box: [
      [1, 1],
      [4, 4],
    ],
    hole: [],
  },
};
const judge = (text: string, names = ["player", "goal"]) =>
  judgeByRule({ claim: "observation", text, truth, names });

test.each([
  "player at row 2 col 1 ; goal at row 0 col 3",
  "The player is in row 2, column 1. The goal is at row 0, column 3.",
  "The agent stands at (2, 1) and the gift at (0,3)",
  '{"player": [2, 1], "goal": (0, 3)}',
  "You are in row 2 and column 1; GOAL: row 0 col 3",
  "I see the goal at row=0, col=3 while the player is at row: 2 column: 1",
  "player at row 2 col 1, still at row 2 col 1; the hole at row 5 col 5; goal at row 0 col 3",
])("%j is right", (text) => {
  expect(judge(text)).toMatchObject({ status: "match", score: 1, judge: "rule" });
});

test("the verdict lists, field by field, the claim and the truth", () => {
  expect(judge("player at row 2 col 1 ; goal at row 3 col 0")).toEqual({
    status: "partial",
    score: 0.5,
    judge: "rule",
    reason: "1 of 2 right",
    fields: [
      { name: "player", predicted: "row 2 col 1", truth: "row 2 col 1", ok: true, cells: [[2, 1]] },
      { name: "goal", predicted: "row 3 col 0", truth: "row 0 col 3", ok: false, cells: [[3, 0]] },
    ],
  });
});

test("what is not stated is wrong", () => {
  const verdict = judge("player at row 2 col 1");
  expect(verdict).toMatchObject({ status: "partial", score: 0.5 });
  expect(verdict.fields[1]).toMatchObject({ name: "goal", predicted: "not stated", ok: false });
});

test("all wrong is a mismatch, no place at all cannot be read", () => {
  expect(judge("player at row 1 col 2 ; goal at row 3 col 0")).toMatchObject({
    status: "mismatch",
    score: 0,
  });
  for (const text of ["", "the goal is above the player", "row 2 col 1", "wall at (2, 1)"])
    expect(judge(text)).toMatchObject({ status: "unreadable", score: 0, fields: [] });
});

test("naming several places for one thing does not pay", () => {
  expect(judge("player at row 2 col 1 ; player at row 2 col 2 ; goal at row 0 col 3").score).toBe(0.5);
});

test("all boxes have to be named, in any order", () => {
  expect(judge("box at row 4 col 4 ; box at row 1 col 1", ["box"]).score).toBe(1);
  expect(judge("boxes at (1, 1) and (4, 4)", ["box"]).score).toBe(1);
  expect(judge("box at row 1 col 1", ["box"]).score).toBe(0);
});

test("the off judge scores nothing", async () => {
  const [verdict] = await judges
    .get("off")
    .judge([{ claim: "prediction", text: "", truth, names: ["player"] }]);
  expect(verdict).toMatchObject({ status: "off", score: 0 });
});
