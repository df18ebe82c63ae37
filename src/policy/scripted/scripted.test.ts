import { expect, test } from "vitest";
import { scriptedPolicy } from "./scripted.ts";

const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 3, seed: 1 };
const request = (slot: number, rngKey: number) => ({
  slot,
  rngKey,
  images: [],
  promptIds: new Int32Array(0),
});

test("draws follow the episode's key and the turn, not the slot", async () => {
  const policy = scriptedPolicy((_env, { random }) => Int32Array.of(random.int(1000)));
  policy.begin(2);
  const first = await policy.generate([request(0, 7), request(1, 8)], sampling);
  const second = await policy.generate([request(0, 7)], sampling);
  policy.begin(2);
  const swapped = await policy.generate([request(0, 8), request(1, 7)], sampling);
  expect(swapped).toEqual([first[1], first[0]]);
  expect(second[0]).not.toEqual(first[0]);
});

test("long replies are cut, log-probabilities are those of a certain choice", async () => {
  const policy = scriptedPolicy((_env, { turn }) => Int32Array.of(turn, 1, 2, 3, 4));
  policy.begin(1);
  await policy.generate([request(0, 1)], sampling);
  const [{ ids, logprobs }] = await policy.generate([request(0, 1)], sampling);
  expect(Array.from(ids)).toEqual([1, 1, 2]);
  expect(Array.from(logprobs)).toEqual([0, 0, 0]);
});

test("an aborted request throws", async () => {
  const policy = scriptedPolicy(() => Int32Array.of(1));
  policy.begin(1);
  await expect(policy.generate([request(0, 1)], sampling, AbortSignal.abort())).rejects.toThrow(/abort/i);
});
