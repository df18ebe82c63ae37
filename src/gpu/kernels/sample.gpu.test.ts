import { describe, expect, it } from "vitest";
import rngCode from "#shaders/lib/rng.wgsl?raw";
import { defineKernel } from "../kernel.ts";
import { noise, runKernel } from "../testing.ts";
import { pcg4dRef, unitIntervalRef } from "./rng.ref.ts";
import { keptLogitRef, type SampleRefSettings } from "./sample.ref.ts";
import { sample } from "./sample.ts";
import { softmaxRowRef } from "./softmax-row.ref.ts";
import { bothVariants, paddedLogits } from "./test-specs.ts";

const NEVER = 0xffffffff;
type Spec = typeof sample.serial;

/** One decoding step of sequences with the given state rows (position, generated, done, rng key). */
async function step(
  spec: Spec,
  logits: Float32Array,
  state: Uint32Array,
  settings: SampleRefSettings,
  { max_tokens = 8, eos = NEVER, ids = new Uint32Array(state.length / 4) } = {},
) {
  const b = state.length / 4;
  const got = await runKernel(
    spec,
    { logits, state, ids, drawn: new Float32Array(b * 32) },
    { b, out_stride: 8, max_tokens, eos, ...settings },
  );
  const words = (x: Float32Array) => new Uint32Array(x.buffer);
  return {
    state: words(got.state),
    ids: words(got.ids),
    outIds: got.drawn.filter((_, i) => i % 4 === 0),
    logprobs: got.drawn.filter((_, i) => i % 4 === 1),
  };
}

/** Fresh sequences at position 10 + b with rng keys 100 + b. */
const freshState = (b: number) =>
  Uint32Array.from({ length: b * 4 }, (_, i) => [10 + (i >> 2), 0, 0, 100 + (i >> 2)][i % 4] as number);

const repeated = (row: Float32Array, b: number) =>
  Float32Array.from({ length: b * row.length }, (_, i) => row[i % row.length] as number);

/** Pearson's χ² of `ids` against `probs`; entries of probability 0 must not occur. */
function chiSquare(ids: Uint32Array, probs: ArrayLike<number>): number {
  const counts = new Float64Array(probs.length);
  for (const id of ids) counts[id] = (counts[id] as number) + 1;
  return counts.reduce((sum, count, i) => {
    const expected = (probs[i] as number) * ids.length;
    if (expected === 0) {
      expect(count, `token ${i} was filtered out`).toBe(0);
      return sum;
    }
    return sum + (count - expected) ** 2 / expected;
  }, 0);
}

describe("rng", () => {
  it("gives the same words and uniform numbers as its twin, bit for bit", async () => {
    const probe = defineKernel({
      label: "rng_probe",
      code: [
        `@group(0) @binding(1) var<storage, read> keys: array<vec4u>;
         @group(0) @binding(2) var<storage, read_write> words: array<vec4u>;
         @group(0) @binding(3) var<storage, read_write> uniforms: array<f32>;
         @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
           words[id.x] = pcg4d(keys[id.x]);
           uniforms[id.x] = unit_interval(words[id.x].x);
         }`,
        rngCode,
      ],
      uniforms: {},
      bindings: { keys: "read", words: "read_write", uniforms: "read_write" },
      grid: () => [1],
    });
    const keys = Uint32Array.from({ length: 256 }, (_, i) =>
      i < 16 ? [0, 1, NEVER, 0x80000000][(i * 7) % 4]! : (i * 2654435761) >>> (i % 5),
    );
    const got = await runKernel(
      probe,
      {
        keys,
        words: new Uint32Array(256),
        uniforms: new Float32Array(64),
      },
      {},
    );
    const want = Array.from({ length: 64 }, (_, i) =>
      pcg4dRef(Array.from(keys.slice(i * 4, i * 4 + 4)) as never),
    );
    expect(Array.from(new Uint32Array(got.words.buffer))).toEqual(want.flat());
    expect(Array.from(got.uniforms)).toEqual(want.map(([x]) => unitIntervalRef(x)));
  });

  it("never reaches 0 or 1 in f32", () => {
    expect(unitIntervalRef(0)).toBeGreaterThan(0);
    expect(Math.fround(unitIntervalRef(NEVER))).toBe(unitIntervalRef(NEVER));
    expect(unitIntervalRef(NEVER)).toBeLessThan(1);
  });
});

describe("sample", () => {
  it.each([
    ["plain", { temperature: 1, top_p: 1, top_k: 0 }],
    ["top-k", { temperature: 1, top_p: 1, top_k: 6 }],
    ["top-p", { temperature: 0.8, top_p: 0.9, top_k: 0 }],
  ])("draws 20,000 tokens in proportion to their probabilities: %s", async (_, filter) => {
    const [b, vocab, stride] = [20_000, 16, 16];
    const row = noise(vocab, 3, 1.2);
    const settings = { vocab, stride, seed: 77, ...filter };
    const { ids } = await step(sample.serial, repeated(row, b), freshState(b), settings);
    const kept = keptLogitRef(row, 0, settings);
    const masked = softmaxRowRef(row, 0, vocab, stride, filter.temperature).probs.map((p, i) =>
      (row[i] as number) >= kept ? p : 0,
    );
    const total = masked.reduce((a, c) => a + c);
    // χ² with 15 degrees of freedom or fewer exceeds 37.7 once in a thousand; the seed is fixed.
    expect(
      chiSquare(
        ids,
        masked.map((p) => p / total),
      ),
    ).toBeLessThan(37.7);
  });

  it("draws independently over positions, keys and seeds", async () => {
    const [b, vocab] = [4096, 4];
    const logits = new Float32Array(b * vocab);
    const settings = { vocab, stride: vocab, seed: 5, temperature: 1, top_p: 1, top_k: 0 };
    const state = freshState(b).map((x, i) => (i % 4 === 0 ? 10 : x));
    const draw = async (positionStep: number, seed: number) => {
      const moved = state.map((x, i) => (i % 4 === 0 ? x + positionStep : x));
      return (await step(sample.serial, logits, moved, { ...settings, seed })).ids;
    };
    const first = await draw(0, 5);
    for (const second of [await draw(1, 5), await draw(0, 6)]) {
      const pairs = Uint32Array.from(first, (id, i) => id * 4 + (second[i] as number));
      // χ² with 15 degrees of freedom.
      expect(chiSquare(pairs, new Float64Array(16).fill(1 / 16))).toBeLessThan(37.7);
    }
  });

  it("draws the same for a sequence in any slot", async () => {
    const [vocab, stride] = [50, 52];
    const row = paddedLogits(1, vocab, stride);
    const settings = { vocab, stride, seed: 9, temperature: 1, top_p: 1, top_k: 0 };
    const alone = await step(sample.serial, row, Uint32Array.from([12, 0, 0, 42]), settings);
    for (const spec of bothVariants(sample)) {
      const state = freshState(7);
      state.set([12, 0, 0, 42], 5 * 4);
      const crowd = await step(spec, repeated(row, 7), state, settings);
      expect(crowd.ids[5]).toBe(alone.ids[0]);
      expect(new Set(crowd.ids).size).toBeGreaterThan(1);
    }
  });

  it("keeps ties: equal logits at the threshold are all candidates", async () => {
    const row = Float32Array.from([1, 3, 2, 2, 2, 0, -1, 1]);
    const settings = { vocab: 8, stride: 8, seed: 1, temperature: 1, top_p: 1, top_k: 2 };
    for (const spec of bothVariants(sample)) {
      const { ids } = await step(spec, repeated(row, 300), freshState(300), settings);
      expect([...new Set(ids)].sort()).toEqual([1, 2, 3, 4]);
    }
  });

  it("draws a token of the vocabulary, whatever the logits are", async () => {
    const { NaN: nan, POSITIVE_INFINITY: infinity } = Number;
    for (const row of [
      [nan, nan, nan],
      [infinity, infinity, nan],
      [-infinity, -infinity, -infinity],
      [0, nan, infinity],
    ]) {
      for (const temperature of [0, 1]) {
        const settings = { vocab: 3, stride: 4, seed: 1, temperature, top_p: 1, top_k: 0 };
        for (const spec of bothVariants(sample)) {
          const { ids } = await step(spec, Float32Array.of(...row, 0), freshState(1), settings);
          expect(ids[0]).toBeLessThan(3);
        }
      }
    }
  });

  it("takes the first of equal maxima when greedy", async () => {
    const row = Float32Array.from([0, 2, 2, -1]);
    const settings = { vocab: 4, stride: 4, seed: 1, temperature: 0, top_p: 1, top_k: 0 };
    for (const spec of bothVariants(sample)) {
      expect((await step(spec, row, freshState(1), settings)).ids[0]).toBe(1);
    }
  });

  it("advances the state, ends at eos and at the limit, and leaves finished sequences alone", async () => {
    const logits = Float32Array.from([9, 0, 0, 0, 0, 9, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0]);
    const settings = { vocab: 4, stride: 4, seed: 1, temperature: 0, top_p: 1, top_k: 0 };
    // going on · eos · last allowed token · already done
    const state = Uint32Array.from([5, 0, 0, 1, 6, 1, 0, 2, 7, 2, 0, 3, 8, 1, 1, 4]);
    for (const spec of bothVariants(sample)) {
      const got = await step(spec, logits, state, settings, {
        max_tokens: 3,
        eos: 1,
        ids: Uint32Array.from([70, 71, 72, 73]),
      });
      expect(Array.from(got.state)).toEqual([6, 1, 0, 1, 7, 2, 1, 2, 8, 3, 1, 3, 8, 1, 1, 4]);
      expect(Array.from(got.ids)).toEqual([0, 1, 0, 73]);
      expect(got.outIds[8 + 1]).toBe(1);
      expect(got.logprobs[16 + 2]).toBeLessThan(0);
      expect(Array.from(got.outIds.slice(24))).toEqual(new Array(8).fill(0));
    }
  });
});
