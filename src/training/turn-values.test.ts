import { expect, test } from "vitest";
import type { Trajectory } from "../core/types.ts";
import type { ValueTokens } from "../rl/advantage/estimator.ts";
import { POLICY_TOKENS, packBatch } from "./batch.ts";
import { explainedAtTurns, turnValues } from "./turn-values.ts";

/** Two turns of two tokens each behind one token of a prompt: p a a o b b. */
function episode(values: number[], returns: number[]): Trajectory {
  const tokens = {
    ids: new Int32Array(6),
    imagePatch: new Int32Array(6).fill(-1),
    responseMask: Uint8Array.of(0, 1, 1, 0, 1, 1),
    turnIndex: Int16Array.of(0, 0, 0, 1, 1, 1),
    turnEndMask: Uint8Array.of(0, 0, 1, 0, 0, 1),
    rewards: new Float32Array(6),
    values: Float32Array.from(values),
    returns: Float32Array.from(returns),
  };
  return { groupId: "g", turns: [], tokens } as unknown as Trajectory;
}

/** 9 where the policy wrote nothing. */
const episodes = [
  episode([9, 0.5, 1, 9, 0.25, 4], [9, 1, 2, 9, 3, 4]),
  episode([9, 0.5, 3, 9, 0.25, 6], [9, 1, 4, 9, 3, 6]),
];
const pack = (valueTokens: ValueTokens) => packBatch(episodes, { ...POLICY_TOKENS, valueTokens });

test("a turn is read before its first and before its last token", () => {
  expect(turnValues(pack("trained")[0]!)).toEqual([
    { turn: 0, start: 0.5, end: 1, returnAtStart: 1, returnAtEnd: 2 },
    { turn: 1, start: 0.25, end: 4, returnAtStart: 3, returnAtEnd: 4 },
  ]);
});

test("explained variance differs between the ends of turns", () => {
  const metrics = explainedAtTurns(pack("trained"));
  // Starts: returns 1 3 1 3, errors 0.5 2.75 0.5 2.75, so 1 − 1.125² = −0.266. Ends: errors 1 0 1 0 of returns 2 4 4 6.
  expect(metrics["critic/vf_explained_var/turn_start"]).toBeCloseTo(-0.2656, 4);
  expect(metrics["critic/vf_explained_var/turn_end"]).toBeCloseTo(1 - 1 / 3 / (8 / 3), 4);
  expect(metrics["critic/returns_var/turn_start"]).toBeCloseTo(4 / 3, 6);
  expect(metrics["critic/returns_var/turn_end"]).toBeCloseTo(8 / 3, 6);
});

test("an estimator with one value per turn has one return for both ends", () => {
  const returnsOf = (valueTokens: ValueTokens) =>
    turnValues(pack(valueTokens)[0]!).map(({ returnAtStart, returnAtEnd }) => [returnAtStart, returnAtEnd]);
  expect(returnsOf("turn_end")).toEqual([
    [2, 2],
    [4, 4],
  ]);
  expect(returnsOf("turn_start")).toEqual([
    [1, 1],
    [3, 3],
  ]);
});

test("a single turn has no variance", () => {
  const { trajectory, ...rest } = pack("trained")[0]!;
  const responseMask = Uint8Array.of(0, 1, 1, 0, 0, 0);
  const turnEndMask = Uint8Array.of(0, 0, 1, 0, 0, 0);
  const single = { ...trajectory, tokens: { ...trajectory.tokens, responseMask, turnEndMask } };
  expect(explainedAtTurns([{ ...rest, trajectory: single }])).toMatchObject({
    "critic/vf_explained_var/turn_start": 0,
    "critic/returns_var/turn_start": 0,
  });
});

test("without a critic there are no turns to compare", () => {
  expect(explainedAtTurns(pack("none"))).toEqual({});
});
