import { expect, test } from "vitest";
import { type Call, individualSequences } from "./individual.ts";

const call = (inputIds: number[], ids: number[], reward: number): Call => ({
  response: {
    inputIds: Int32Array.from(inputIds),
    ids: Int32Array.from(ids),
    logprobs: Float32Array.from(ids, (id) => -id),
    versions: new Int32Array(ids.length).fill(6),
  },
  reward,
});
const calls = [
  call([10], [20, 1], 0.1),
  call([10, 20, 1, 11], [21, 1], 0),
  call([10, 20, 1, 11, 21, 1, 12], [22], 1),
];

test("rewards are passed backwards, from later calls to earlier ones: R_i = r_i + 0.5 R_{i+1}", () => {
  // R_2 = 1, R_1 = 0 + 0.5, R_0 = 0.1 + 0.25
  expect(individualSequences(calls, 0.5).map(({ reward }) => reward)).toEqual([0.35, 0.5, 1]);
  expect(individualSequences([], 0.5)).toEqual([]);
});

test("nothing but the own reply is trained on, and context has no facts", () => {
  expect(individualSequences(calls, 1)[1]).toMatchObject({
    ids: Int32Array.of(10, 20, 1, 11, 21, 1),
    responseMask: Uint8Array.of(0, 0, 0, 0, 1, 1),
    logprobs: Float32Array.of(0, 0, 0, 0, -21, -1),
    versions: Int32Array.of(-1, -1, -1, -1, 6, 6),
  });
});
