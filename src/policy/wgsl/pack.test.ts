import { describe, expect, it } from "vitest";
import { PolicyError } from "../../core/errors.ts";
import { type Rng, rng } from "../../core/rng.ts";
import { type ModelConfig, modelArchitecture } from "./architecture.ts";
import { microBatches, packSequences, type Sequence } from "./pack.ts";

const config: ModelConfig = {
  hidden_size: 32,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  num_key_value_heads: 1,
  intermediate_size: 48,
  rope_theta: 2000,
  tie_word_embeddings: false,
  vision_layers: 0,
  vision_hidden_size: 32,
  vision_heads: 2,
  pixel_shuffle: 1,
  critic: "head",
};
const architecture = modelArchitecture(config, 20, { rows: 1, cols: 2 });
const frame = (fill: number) => ({
  width: 16,
  height: 8,
  data: new Uint8ClampedArray(16 * 8 * 4).fill(fill),
});

const sequence = (ids: number[], imageAt: number[], rows: number[], batchStart: number): Sequence => ({
  ids: Int32Array.from(ids),
  imagePatch: Int32Array.from(ids, (_, t) => imageAt.indexOf(t)),
  images: imageAt.length ? [frame(ids[0] as number)] : [],
  targetMask: Uint8Array.from(ids, (_, t) => (rows.includes(t) ? 1 : 0)),
  batchStart,
});

describe("packing", () => {
  const packed = packSequences(
    [sequence([5, 9, 9, 7], [1, 2], [3], 0), sequence([5, 6, 5], [], [1, 2], 4)],
    architecture,
  );

  it("lines up rows with the token before their target", () => {
    expect([...packed.tokenOfTarget]).toEqual([2, 4, 5]);
    expect([...packed.targetIds]).toEqual([7, 6, 5]);
    expect([...packed.src]).toEqual([3, 5, 6]);
    expect([...packed.targetOfToken]).toEqual([-1, -1, 0, -1, 1, 2, -1]);
  });

  it("gives every token its own sequence to attend", () => {
    expect([...packed.span.subarray(8, 12)]).toEqual([0, 3, 2, 4]);
    expect([...packed.span.subarray(20, 24)]).toEqual([4, 6, 5, 7]);
    expect([...packed.positions]).toEqual([0, 1, 2, 3, 0, 1, 2]);
  });

  it("maps image tokens both ways and leaves them out of the embedding gradient", () => {
    expect([...packed.patchOfToken]).toEqual([-1, 0, 1, -1, -1, -1, -1]);
    expect([...packed.tokenOfPatch]).toEqual([1, 2]);
    expect([...packed.order.subarray(0, 5)]).toEqual([0, 4, 6, 5, 3]);
    expect(packed.offsets[6]! - packed.offsets[5]!).toBe(3);
  });

  it("refuses pictures of another size", () => {
    const wrong = { ...sequence([5, 9, 9], [1, 2], [], 0), images: [{ ...frame(0), width: 8 }] };
    expect(() => packSequences([wrong], architecture)).toThrow(PolicyError);
  });
});

const sequencesOf = (lengths: readonly number[]) => lengths.map((n) => ({ ids: new Int32Array(n) }));

/** Tokens of micro-batches that are filled up one after another. */
function filledUp(lengths: readonly number[], capacity: number): number[] {
  const batches: number[] = [];
  for (const length of lengths) {
    const used = batches.at(-1);
    if (used === undefined || used + length > capacity) batches.push(length);
    else batches[batches.length - 1] = used + length;
  }
  return batches;
}

/** Sequences of random lengths and a capacity that each of them fits into. */
function randomSplit(random: Rng) {
  const capacity = 1 + random.int(60);
  const longest = 1 + random.int(capacity);
  const lengths = Array.from({ length: 1 + random.int(40) }, () => 1 + random.int(longest));
  return { capacity, lengths };
}

describe("micro-batches", () => {
  it.each<[lengths: number[], capacity: number, want: number[][]]>([
    [[3, 3, 5, 1, 4], 6, [[3, 3], [5], [1, 4]]],
    [
      [6, 6, 6, 6, 6, 6, 1],
      36,
      [
        [6, 6, 6],
        [6, 6, 6, 1],
      ],
    ],
    [[5, 5, 5, 5, 1], 10, [[5], [5, 5], [5, 1]]],
    // A first batch of one share would leave too much for the others.
    [[1, 9, 10, 10], 10, [[1, 9], [10], [10]]],
    [[2, 3], 8, [[2, 3]]],
    [[], 8, []],
  ])("share %j equally under a capacity of %i", (lengths, capacity, want) => {
    const batches = microBatches(sequencesOf(lengths), capacity);
    expect(batches.map((batch) => batch.map(({ ids }) => ids.length))).toEqual(want);
  });

  it("are as few as if each were filled up, in order, and none is larger", () => {
    const random = rng(7);
    const smallest = { shared: 0, filled: 0 };
    for (let trial = 0; trial < 2000; trial++) {
      const { capacity, lengths } = randomSplit(random);
      const sequences = sequencesOf(lengths);
      const batches = microBatches(sequences, capacity);
      const shared = batches.map((batch) => batch.reduce((sum, { ids }) => sum + ids.length, 0));
      const filled = filledUp(lengths, capacity);
      const what = `${lengths} under ${capacity}`;
      expect(batches.flat(), what).toEqual(sequences);
      expect(shared.length, what).toBe(filled.length);
      expect(Math.min(...shared), what).toBeGreaterThan(0);
      expect(Math.max(...shared), what).toBeLessThanOrEqual(Math.max(...filled));
      smallest.shared += Math.min(...shared);
      smallest.filled += Math.min(...filled);
    }
    expect(smallest.shared).toBeGreaterThan(1.1 * smallest.filled);
  });

  it("name the remedy when one episode is too long", () => {
    expect(() => microBatches([{ ids: new Int32Array(9) }], 8)).toThrow(/9 tokens/);
  });
});
