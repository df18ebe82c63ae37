// The part of NumPy's `default_rng(seed)` that VAGEN's level generator draws from: SeedSequence (O'Neill's
// seed_seq), PCG64 (128-bit LCG with XSL-RR output), doubles and bounded integers. Bit for bit the same numbers.

const mask64 = (1n << 64n) - 1n;
const mask128 = (1n << 128n) - 1n;
const pcgMultiplier = 0x2360ed051fc65da44385df649fccf645n;

/** The generator that `numpy.random.default_rng(seed)` returns, as far as level generation needs it. */
interface NumpyRng {
  /** `random()`: a double in [0, 1). */
  random(): number;
  /** `integers(n)`: 0 … n−1, for n from 1 to 2³²−1. */
  integers(n: number): number;
}

/** `numpy.random.default_rng(seed)` for a non-negative safe integer. */
export function numpyRng(seed: number): NumpyRng {
  const next64 = pcg64(seed);
  // NumPy serves 32-bit draws from halves of a 64-bit draw: the low half first, the high half is kept for the next
  // 32-bit draw, even when doubles are drawn in between.
  let spareHalf: number | null = null;

  const next32 = () => {
    if (spareHalf !== null) {
      const half = spareHalf;
      spareHalf = null;
      return half;
    }
    const draw = next64();
    spareHalf = Number(draw >> 32n);
    return Number(draw & 0xffffffffn);
  };

  return {
    random: () => Number(next64() >> 11n) / 2 ** 53,
    integers: (n) => (n === 1 ? 0 : lemire(n, next32)),
  };
}

/** Lemire's bounded draw: the high word of a 32×32-bit product, with the few biased products drawn again. */
function lemire(n: number, next32: () => number): number {
  const threshold = (2 ** 32 - n) % n;
  for (;;) {
    // n·2³² may exceed 2⁵³, so the product is split by hand.
    const [high, low] = multiply32(next32(), n);
    if (low >= threshold) return high;
  }
}

/** The 64-bit product of two 32-bit numbers as its high and low words. */
function multiply32(x: number, y: number): [high: number, low: number] {
  const product = BigInt(x) * BigInt(y);
  return [Number(product >> 32n), Number(product & 0xffffffffn)];
}

/** PCG64 seeded by a SeedSequence; each call gives the next 64 bits. */
function pcg64(seed: number): () => bigint {
  const [s0, s1, i0, i1] = seedSequence(seed);
  const increment = ((((i0 << 64n) | i1) << 1n) | 1n) & mask128;
  let state = (increment + ((s0 << 64n) | s1)) & mask128;
  const advance = () => {
    state = (state * pcgMultiplier + increment) & mask128;
  };
  advance();
  return () => {
    advance();
    const folded = (state >> 64n) ^ (state & mask64);
    const turn = state >> 122n;
    return ((folded >> turn) | (folded << (64n - turn))) & mask64;
  };
}

/** `SeedSequence(seed).generate_state(4, uint64)`. */
function seedSequence(seed: number): bigint[] {
  const words = stretchPool(entropyPool(seed));
  // Little endian: the low word of each 64-bit value comes first.
  return [0, 2, 4, 6].map((i) => (BigInt(words[i + 1]) << 32n) | BigInt(words[i]));
}

/** Four words; every bit of the seed affects all of them. */
function entropyPool(seed: number): number[] {
  const hash = hasher(0x43b0d7e5, 0x931e8875);
  const pool = [seed >>> 0, Math.floor(seed / 2 ** 32), 0, 0].map(hash);
  for (let from = 0; from < 4; from++) {
    for (let to = 0; to < 4; to++) {
      if (from !== to) pool[to] = combine(pool[to], hash(pool[from]));
    }
  }
  return pool;
}

function stretchPool(pool: readonly number[]): number[] {
  const hash = hasher(0x8b51f9dd, 0x58f38ded);
  return Array.from({ length: 8 }, (_, i) => hash(pool[i % 4]));
}

/** A hash whose multiplier changes with every use. */
function hasher(start: number, multiplier: number): (word: number) => number {
  let constant = start;
  return (word) => {
    const mixed = word ^ constant;
    constant = Math.imul(constant, multiplier);
    return foldDown(Math.imul(mixed, constant));
  };
}

const combine = (x: number, y: number) => foldDown(Math.imul(x, 0xca01f9dd) - Math.imul(y, 0x4973f715));

/** Mixes the high half of a word into its low half. */
const foldDown = (word: number) => ((word >>> 0) ^ (word >>> 16)) >>> 0;
