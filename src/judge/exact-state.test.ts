import { describe, expect, it } from "vitest";
import type { GroundTruth } from "../core/types.ts";
import { judgeClauses, readClauses } from "./exact-state.ts";
import { ruleJudgeWith } from "./index.ts";
import { aboveBase, payingAboveBase } from "./score-base.ts";

/** The box is above left of the player, the target straight below. */
const room: GroundTruth = {
  rows: 6,
  cols: 6,
  player: [3, 3],
  entities: { box: [[2, 2]], target: [[5, 3]], wall: [[1, 1]] },
};
const ask = (text: string) => ({ claim: "observation" as const, text, truth: room, names: [] });
const score = (text: string) => judgeClauses(ask(text)).score;
const RIGHT = "box is above and left of the player, target is below and same column of the player";

describe("the exact scorer", () => {
  it("reads one relation on each axis for each thing", () => {
    expect(readClauses(RIGHT, ["box", "target"])).toEqual([
      { name: "box", vertical: "above", horizontal: "left" },
      { name: "target", vertical: "below", horizontal: "same" },
    ]);
    expect(readClauses("the box is above", ["box"])).toBeNull();
    expect(readClauses("the box is above or below, left", ["box"])).toBeNull();
    expect(readClauses("nothing", ["box"])).toEqual([]);
  });

  it("gives half a point for an axis, and half of the score to each kind", () => {
    expect(score(RIGHT)).toBe(1);
    // The box's side is wrong: 0.5 · ½ + 0.5.
    expect(score(RIGHT.replace("left", "right"))).toBeCloseTo(0.75);
    // No target: 0.5 · 1 + 0.5 · 0.
    expect(score("box is above and left of the player")).toBeCloseTo(0.5);
    // A second box that is not there: F1 = 2 · 1 / 3.
    expect(score(`${RIGHT}, box is below and right of the player`)).toBeCloseTo(0.5 * (2 / 3) + 0.5);
    for (const text of ["", "a room", "box is above, target is below and left"]) expect(score(text)).toBe(0);
  });
});

it("counts the things of a user's own environment, each by its whole name", () => {
  const cave: GroundTruth = {
    rows: 6,
    cols: 6,
    player: [3, 3],
    entities: { key: [[2, 2]], key2: [[5, 3]], Door: [[3, 5]], wall: [[1, 1]] },
  };
  const inCave = (text: string) =>
    judgeClauses({ claim: "observation", text, truth: cave, names: ["key", "key2", "Door"] }).score;
  const right =
    "key is above and left, key2 is below and same column, the door is in the same row on the right";
  expect(inCave(right)).toBe(1);
  // One of three kinds is left out.
  expect(inCave("key is above and left, key2 is below and same column")).toBeCloseTo(2 / 3);
  // One axis of the key is wrong.
  expect(inCave(right.replace("above", "below"))).toBeCloseTo(5 / 6);
  const empty = { ...cave, entities: {} };
  expect(judgeClauses({ claim: "observation", text: right, truth: empty, names: [] })).toMatchObject({
    status: "unreadable",
    score: 0,
  });
});

describe("the base of a score", () => {
  it("is what guessing earns, and pays nothing", () => {
    expect(aboveBase(0.8, 0.625)).toBeCloseTo(0.466667, 6);
    expect(aboveBase(0.5, 0.334)).toBeCloseTo(0.249249, 6);
    expect(aboveBase(0.5, 0.625)).toBe(0);
    expect(aboveBase(1, 0.625)).toBe(1);
  });

  it("changes what a claim is paid, not its score", async () => {
    const judge = payingAboveBase(ruleJudgeWith("clauses", 0), 0.625);
    const [verdict] = await judge.judge([ask(RIGHT.replace("left", "right"))]);
    expect([verdict!.score, verdict!.paid]).toEqual([0.75, expect.closeTo(1 / 3)]);
    const [unread] = await judge.judge([ask("a room")]);
    expect(unread!.paid ?? 0).toBe(0);
    const plain = ruleJudgeWith("clauses", 0);
    expect(payingAboveBase(plain, 0)).toBe(plain);
  });
});
