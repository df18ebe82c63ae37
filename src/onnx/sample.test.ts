import { expect, it } from "vitest";
import { sampleRef } from "../gpu/kernels/sample.ref.ts";
import { noise } from "../gpu/testing.ts";
import { sampleToken } from "./sample.ts";

const VOCAB = 48;

it.each([
  { temperature: 0, topP: 1, topK: 0 },
  { temperature: 1, topP: 1, topK: 0 },
  { temperature: 0.7, topP: 0.8, topK: 0 },
  { temperature: 1.5, topP: 1, topK: 5 },
  { temperature: 1, topP: 0.5, topK: 7 },
  { temperature: 1, topP: 0, topK: 0 },
])("draws as the kernel's twin does with %o", (sampling) => {
  const { temperature, topP: top_p, topK: top_k } = sampling;
  const drawn = new Set<number>();
  for (let position = 0; position < 200; position++) {
    const logits = noise(VOCAB, position + 1, 3);
    // Ties must be kept or dropped together.
    if (position % 3 === 0) logits.set(logits.subarray(0, 8), 20);
    const key = { seed: 0xfeedbeef, rngKey: 0x9e3779b9, position };
    const settings = { vocab: VOCAB, stride: VOCAB, seed: key.seed, temperature, top_p, top_k };
    const want = sampleRef(logits, 0, key.rngKey, position, settings);
    const got = sampleToken(logits, sampling, key);
    expect(got.id).toBe(want.token);
    expect(got.logprob).toBeCloseTo(want.logprob, 9);
    drawn.add(got.id);
  }
  expect(drawn.size).toBeGreaterThan(10);
});

it("draws again for another key, position or seed", () => {
  const flat = new Float32Array(VOCAB);
  const draw = (seed: number, rngKey: number, position: number) =>
    sampleToken(flat, { temperature: 1, topP: 1, topK: 0 }, { seed, rngKey, position }).id;
  const first = Array.from({ length: 40 }, (_, i) => draw(1, 2, i));
  for (const other of [
    Array.from({ length: 40 }, (_, i) => draw(2, 2, i)),
    Array.from({ length: 40 }, (_, i) => draw(1, 3, i)),
    Array.from({ length: 40 }, (_, i) => draw(1, 2, i + 1)),
  ])
    expect(other).not.toEqual(first);
});
