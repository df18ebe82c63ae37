import { expect, test } from "vitest";
import { joinTokens, splitTokens } from "./token-sequences.ts";
import type { TrajectoryTokens } from "./types.ts";

/** A record whose facts all count up from `from`. */
const record = (from: number, length: number): TrajectoryTokens => {
  const numbers = Array.from({ length }, (_, t) => from + t);
  const floats = () => Float32Array.from(numbers);
  return {
    ids: Int32Array.from(numbers),
    responseMask: Uint8Array.from(numbers),
    turnEndMask: Uint8Array.from(numbers),
    turnIndex: Int16Array.from(numbers),
    imagePatch: Int32Array.from(numbers),
    rolloutLogprobs: floats(),
    versions: Int32Array.from(numbers),
    rewards: floats(),
    values: floats(),
    advantages: floats(),
    returns: floats(),
    entropy: floats(),
    refLogprobs: new Float32Array(0),
    trainRewards: floats(),
  };
};

test("records behind one another are one, which splits into them again", () => {
  const parts = [record(0, 3), record(10, 1), record(20, 2)];
  const joined = joinTokens(parts);
  expect(joined).toMatchObject({ ids: Int32Array.of(0, 1, 2, 10, 20, 21), refLogprobs: new Float32Array(0) });
  const sequences = [
    [0, 3],
    [3, 4],
    [4, 6],
  ].map(([from, to]) => ({ from: from!, to: to!, firstTurn: 0, lastTurn: 0 }));
  const split = splitTokens({ ...joined, sequences });
  expect(split).toEqual(parts);
  split[0]!.rewards[0] = 9;
  expect(joined.rewards[0]).toBe(0);
});

test("what no part has, the whole has not", () => {
  const { versions: _, trainRewards: __, ...bare } = record(0, 2);
  expect(Object.keys(joinTokens([bare, bare])).sort()).toEqual(Object.keys(bare).sort());
});
