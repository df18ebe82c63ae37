import { expect, test } from "vitest";
import type { ClaimRules, Statement } from "../core/scene.ts";
import type { WorldTruth } from "../core/types.ts";
import { judgeStatements } from "./statements.ts";

const scene: WorldTruth = {
  frame: "floor",
  things: [
    { name: "lamp", at: [1, 2] },
    { name: "sofa", at: [3, 0] },
  ],
};

/** "lamp 1 2": a thing and its place, right within 1 along each axis. */
const rules: ClaimRules = {
  expected: ({ things }) => things.map(({ name, at }) => ({ name, value: at.join(" "), at })),
  read: (text) =>
    [...text.matchAll(/([a-z]+) (\d+) (\d+)/g)].map(([, name, x, z]): Statement => {
      const at = [Number(x), Number(z)];
      return { name: name!, value: at.join(" "), at };
    }),
  agrees: (said, expected) => said.at!.every((value, axis) => Math.abs(value - expected.at![axis]!) <= 1),
  outline: ({ at }) => (at![0] === 9 ? null : { x: at![0]! / 10, y: 0, width: 0.1, height: 0.1 }),
};

const judged = (text: string) => judgeStatements(text, "observation", scene, rules);

test("a claim is right within the tolerance of its world", () => {
  expect(judged("lamp 1 2 ; sofa 3 1")).toMatchObject({ status: "match", score: 1, judge: "rule" });
  expect(judged("lamp 1 2 ; sofa 3 2")).toMatchObject({ status: "partial", score: 1 / 2 });
});

test("what is left out counts as wrong, and so does what is not there", () => {
  expect(judged("lamp 1 2")).toMatchObject({
    status: "partial",
    score: 1 / 2,
    fields: [
      { name: "lamp", ok: true },
      { name: "sofa", predicted: "not stated", truth: "3 0", ok: false },
    ],
  });
  expect(judged("lamp 1 2 ; sofa 3 0 ; bed 1 1")).toMatchObject({
    score: 2 / 3,
    fields: [{}, {}, { name: "bed", predicted: "1 1", truth: "not there", ok: false }],
  });
});

test("of several statements about one thing the first counts, and others say that there are more", () => {
  expect(judged("lamp 5 5 ; lamp 1 2 ; sofa 3 0")).toMatchObject({ score: 1 / 3 });
  expect(judged("lamp 1 2 ; lamp 9 9 ; sofa 3 0")).toMatchObject({ status: "partial", score: 2 / 3 });
  expect(judged("lamp 1 2 ; sofa 3 0 ; lamp 1 2")).toMatchObject({ status: "match" });
});

test("matches several things of one kind by position, in any order", () => {
  const lamps: WorldTruth = {
    frame: "floor",
    things: [
      { name: "lamp", at: [1, 2] },
      { name: "lamp", at: [2, 3] },
      { name: "lamp", at: [8, 8] },
    ],
  };
  const score = (text: string) => judgeStatements(text, "observation", lamps, rules).score;
  expect(score("lamp 1 2 ; lamp 2 3 ; lamp 8 8")).toBe(1);
  expect(score("lamp 8 8 ; lamp 2 3 ; lamp 1 2")).toBe(1);
  expect(score("lamp 8 8 ; lamp 5 5 ; lamp 1 2")).toBe(2 / 3);
  expect(score("lamp 8 8")).toBe(1 / 3);
  expect(score("lamp 1 2 ; lamp 2 3 ; lamp 8 8 ; lamp 5 5")).toBe(3 / 4);
});

test("a claim that says nothing is unreadable, with all that it leaves out", () => {
  const { status, score, fields } = judged("nothing to see");
  expect([status, score, fields.length]).toEqual(["unreadable", 0, 2]);
});

test("a stated place has an outline where it shows", () => {
  const { fields } = judged("lamp 1 2 ; sofa 9 0");
  expect(fields[0]!.outline).toEqual({ x: 0.1, y: 0, width: 0.1, height: 0.1 });
  expect(fields[1]).not.toHaveProperty("outline");
});
