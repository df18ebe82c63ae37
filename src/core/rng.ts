// Seeded random numbers for everything that is not on the GPU: xoshiro128**, with independent named sub-streams.
// Not for matching another program's draws; `envs/frozenlake/numpy-rng.ts` does that.
import { ConfigError } from "./errors.ts";

type Words = readonly [number, number, number, number];

/** A generator as plain data: `key` names the stream, `state` is its position. */
interface RngState {
  readonly key: Words;
  readonly state: Words;
}

/** A deterministic stream of random numbers. */
export interface Rng {
  /** The next 32 random bits, 0 … 2³²−1. */
  u32(): number;
  /** Uniform in [0, 1) with all 53 bits of a double. */
  float(): number;
  /** Uniform in 0 … n−1, without bias; n from 1 to 2³². */
  int(n: number): number;
  /** A uniformly chosen item of a non-empty list. */
  pick<T>(items: readonly T[]): T;
  /** A shuffled copy. */
  shuffle<T>(items: readonly T[]): T[];
  /**
   * The sub-stream of that name. It depends on the seed and the path of names alone, never on how much has been drawn,
   * so one extra draw in one place shifts nothing elsewhere.
   */
  fork(name: string): Rng;
  /** A snapshot for `restoreRng`. */
  save(): RngState;
}

/**
 * The random stream of a seed: a non-negative safe integer, which may exceed 2³².
 * @throws ConfigError("invalid_config") for any other seed.
 */
export function rng(seed: number): Rng {
  checkSeed(seed);
  const key = absorb(initialKey, [seed >>> 0, Math.floor(seed / 2 ** 32)]);
  return restoreRng({ key, state: key });
}

/** Continues exactly where `save` was called. */
export function restoreRng({ key, state }: RngState): Rng {
  let [a, b, c, d] = state;

  // xoshiro128** 1.1 (Blackman and Vigna): period 2^128 − 1, passes BigCrush, 32-bit arithmetic only.
  const u32 = () => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return result;
  };

  const int = (n: number) => {
    if (!Number.isInteger(n) || n < 1 || n > 2 ** 32) throw new RangeError(`int(${n}): n must be 1 to 2^32`);
    // Draws beyond the last whole multiple of n would favour small results: draw again.
    const limit = 2 ** 32 - (2 ** 32 % n);
    let draw = u32();
    while (draw >= limit) draw = u32();
    return draw % n;
  };

  return {
    u32,
    float: () => ((u32() >>> 5) * 2 ** 26 + (u32() >>> 6)) / 2 ** 53,
    int,
    pick(items) {
      if (items.length === 0) throw new RangeError("pick: the list is empty");
      return items[int(items.length)];
    },
    shuffle(items) {
      const shuffled = [...items];
      for (let i = shuffled.length - 1; i > 0; i--) {
        const j = int(i + 1);
        [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
      }
      return shuffled;
    },
    fork(name) {
      const child = absorb(key, [name.length, ...Array.from(name, (char) => char.codePointAt(0) ?? 0)]);
      return restoreRng({ key: child, state: child });
    },
    save: () => ({ key, state: [a >>> 0, b >>> 0, c >>> 0, d >>> 0] }),
  };
}

/** @throws ConfigError("invalid_config") unless `seed` is a non-negative safe integer. */
export function checkSeed(seed: number): void {
  if (Number.isSafeInteger(seed) && seed >= 0) return;
  throw new ConfigError(
    "invalid_config",
    `The seed ${seed} is not usable.`,
    "Use a whole number from 0 to 2^53 − 1.",
  );
}

// Arbitrary, but never to be changed: the first hexadecimal digits of the fraction of pi.
const initialKey: Words = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344];

/** A 128-bit key that depends on every bit of `key` and of each word, in order. */
function absorb(key: Words, words: readonly number[]): Words {
  let [a, b, c, d] = key;
  for (const word of words) {
    a = mix(a ^ word, 0x9e3779b9);
    b = mix(b ^ a, 0x7f4a7c15);
    c = mix(c ^ b, 0xf39cc060);
    d = mix(d ^ c, 0x5cedc834);
    a = mix(a ^ d, 0x1082276b);
  }
  // xoshiro's one forbidden state is all zeros.
  return (a | b | c | d) === 0 ? initialKey : [a, b, c, d];
}

/** MurmurHash3's finaliser over a sum: every input bit reaches every output bit. */
function mix(x: number, constant: number): number {
  let h = (x + constant) >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const rotate = (x: number, bits: number) => (x << bits) | (x >>> (32 - bits));
