import { describe, expect, it } from "vitest";
import type { Turn, Verdict } from "../core/types.ts";
import { frozenlake } from "../envs/frozenlake/index.ts";
import { sokoban } from "../envs/sokoban/index.ts";
import { addSurroundings, judgeSurroundings } from "./surroundings.ts";

const lake = frozenlake.surroundings!;
const room = sokoban.surroundings!;

/** The player in the top row: edge above, a hole below, ice on the left, the goal on the right. */
const scene = {
  rows: 4,
  cols: 4,
  player: [0, 1] as const,
  entities: { goal: [[0, 2]] as const, hole: [[1, 1]] as const },
};
const RIGHT = "goal is same row 1 right ; up edge, down hole, left free, right goal ; so move Right";

const told = (text: string) => judgeSurroundings(text, scene, lake);

describe("the neighbours that a reply states", () => {
  it("match when all four are right", () => {
    expect(told(RIGHT)).toEqual({
      status: "match",
      score: 1,
      judge: "rule",
      reason: "4 of 4 right",
      fields: [
        { name: "up", predicted: "edge", truth: "edge", ok: true },
        { name: "down", predicted: "hole", truth: "hole", ok: true },
        { name: "left", predicted: "free", truth: "free", ok: true },
        { name: "right", predicted: "goal", truth: "goal", ok: true },
      ],
    });
  });

  it("score the share that is right, and name what is wrong", () => {
    const verdict = told(RIGHT.replace("down hole", "down free"));
    expect(verdict).toMatchObject({ status: "partial", score: 0.75, reason: "3 of 4 right" });
    expect(verdict.fields[1]).toEqual({ name: "down", predicted: "free", truth: "hole", ok: false });
  });

  it("are wrong where they are missing", () => {
    const verdict = told(RIGHT.replace("left free, ", ""));
    expect(verdict).toMatchObject({ status: "partial", score: 0.75 });
    expect(verdict.fields[2]).toEqual({ name: "left", predicted: "not stated", truth: "free", ok: false });
  });

  it("may be repeated, but of two different statements about a direction none counts", () => {
    expect(told(`${RIGHT} ; up edge`)).toMatchObject({ score: 1 });
    for (const text of [`${RIGHT} ; up hole`, `up hole, ${RIGHT}`, `${RIGHT} ; not up edge`])
      expect(told(text)).toMatchObject({ score: 0.75, fields: [{ predicted: "not stated" }, {}, {}, {}] });
    expect(told(`${RIGHT} ; not up hole`)).toMatchObject({ score: 1 });
  });

  it.each([
    "not up edge",
    "it isn't up edge",
    "up edge is not there",
    "neither up edge nor up goal",
    "up edge or free",
    "up edge, or free",
    "up edge or up free",
    "up edge / free",
    "maybe up edge",
    "up edge?",
    "if up edge",
  ])("are not stated where they are denied or left open: %s", (text) => {
    expect(told(RIGHT.replace("up edge", text))).toMatchObject({
      score: 0.75,
      fields: [{ name: "up", predicted: "not stated" }, {}, {}, {}],
    });
  });

  it.each([
    "Up edge, Down hole, Left free, Right goal",
    "UP EDGE, DOWN HOLE, LEFT FREE, RIGHT GOAL",
    "up: edge, down: hole, left: free, right: goal",
    "Up : edge; Down :hole; Left:free; Right: goal.",
    "up edge and down hole, but left free and right goal",
    "up edge\ndown hole\nleft free\nright goal\n",
  ])("may be written in other ways: %s", (text) => {
    expect(told(text)).toMatchObject({ status: "match", score: 1 });
  });

  it("mismatch when all four are wrong", () => {
    expect(told("up free, down free, left hole, right hole")).toMatchObject({ status: "mismatch", score: 0 });
  });

  it("are unreadable when none is stated; the fields still have the truth", () => {
    for (const text of ["", "goal is 2 down 1 right ; so move Down, Right", "there is a hole below"]) {
      const verdict = told(text);
      expect(verdict).toMatchObject({ status: "unreadable", score: 0 });
      expect(verdict.fields.map(({ truth }) => truth)).toEqual(["edge", "hole", "free", "goal"]);
      expect(verdict.fields.every(({ ok, predicted }) => !ok && predicted === "not stated")).toBe(true);
    }
  });
});

it("boxes of Sokoban can be pushed or are stuck", () => {
  // A wall above, a box with a wall behind it below, a box with room on the left, floor on the right.
  const state = {
    rows: 6,
    cols: 6,
    player: [1, 3] as const,
    entities: {
      box: [
        [2, 3],
        [1, 2],
      ] as const,
      target: [[4, 4]] as const,
      wall: [[3, 3]] as const,
    },
  };
  const verdict = judgeSurroundings("up wall, down stuck box, left box, right free", state, room);
  expect(verdict).toMatchObject({ status: "match", score: 1 });
  expect(judgeSurroundings("down box, left stuck box", state, room)).toMatchObject({ status: "mismatch" });
});

describe("the verdicts of turns", () => {
  const turn = (parsed: Partial<Turn["parsed"]>): Turn =>
    ({
      parsed: { formatOk: true, reason: "", reasoning: RIGHT, ...parsed },
      actionIsValid: true,
      before: scene,
    }) as unknown as Turn;
  const price = (verdict: Verdict) => ({ ...verdict, paid: verdict.score / 2 });
  const rules = { surroundings: lake, isOn: true, price };
  const observation = { status: "match" } as Verdict;

  it("stay beside those of the claims and are priced", () => {
    const [record] = addSurroundings([{ observation }], [turn({})], rules);
    expect(record).toMatchObject({ observation, surroundings: { status: "match", score: 1, paid: 0.5 } });
  });

  it("are not judged where the turn does not earn the format", () => {
    const [record] = addSurroundings([{}], [turn({ formatOk: false, reason: "missing <think>" })], rules);
    expect(record!.surroundings).toMatchObject({
      status: "format",
      score: 0,
      reason: "Not judged: missing <think>.",
    });
  });

  it("are off without a judge", () => {
    const [record] = addSurroundings([{}], [turn({})], { ...rules, isOn: false });
    expect(record!.surroundings).toMatchObject({ status: "off", judge: "off" });
  });

  it("are absent where no figure moves on a board", () => {
    const still = { ...turn({}), before: { rows: 1, cols: 1, entities: {} } };
    expect(addSurroundings([{}], [still], rules)).toEqual([{}]);
  });
});
