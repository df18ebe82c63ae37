// The Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998) as Python's `random` and NumPy's `numpy.random.seed` use it:
// seeded differently, and with other ways from 32 bits to a whole number. Bit for bit the same numbers.
import type { Draws, IntegerDraws } from "../layout.ts";

const length = 624;
const middle = 397;

/** One more than the largest seed that both streams take. */
export const SEED_LIMIT = 2 ** 32;

/** `random.seed(seed)`, then `randrange(n)` and `random()`. @param seed 0 … 2³²−1 */
export function pythonRandom(seed: number): Draws {
  const next = twister(initByKey(seed));
  return {
    // The top bits, as many as n has, until they are below n.
    int(n) {
      const shift = Math.clz32(n);
      for (;;) {
        const draw = next() >>> shift;
        if (draw < n) return draw;
      }
    },
    float() {
      const high = next() >>> 5;
      return (high * 2 ** 26 + (next() >>> 6)) / 2 ** 53;
    },
  };
}

/** `numpy.random.seed(seed)`, then `numpy.random.randint(n)`. @param seed 0 … 2³²−1 */
export function numpyLegacyRandom(seed: number): IntegerDraws {
  const next = twister(initBySeed(seed));
  return {
    // The low bits under the smallest mask, until they are below n; a range of one number draws nothing.
    int(n) {
      if (n === 1) return 0;
      const mask = 0xffffffff >>> Math.clz32(n - 1);
      for (;;) {
        const draw = (next() & mask) >>> 0;
        if (draw < n) return draw;
      }
    },
  };
}

/** `init_genrand`. */
function initBySeed(seed: number): Uint32Array {
  const state = new Uint32Array(length);
  state[0] = seed;
  for (let i = 1; i < length; i++) state[i] = Math.imul(1812433253, previous(state, i)) + i;
  return state;
}

/** `init_by_array` with a key of one word. */
function initByKey(key: number): Uint32Array {
  const state = initBySeed(19650218);
  let i = 1;
  const advance = () => {
    i++;
    if (i < length) return;
    state[0] = state[length - 1];
    i = 1;
  };
  for (let k = 0; k < length; k++, advance())
    state[i] = (state[i] ^ Math.imul(previous(state, i), 1664525)) + key;
  for (let k = 1; k < length; k++, advance())
    state[i] = (state[i] ^ Math.imul(previous(state, i), 1566083941)) - i;
  state[0] = 0x80000000;
  return state;
}

const previous = (state: Uint32Array, i: number) => state[i - 1] ^ (state[i - 1] >>> 30);

/** The next 32 bits at each call. */
function twister(state: Uint32Array): () => number {
  let at = length;
  return () => {
    if (at === length) {
      twist(state);
      at = 0;
    }
    let y = state[at++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  };
}

function twist(state: Uint32Array): void {
  for (let i = 0; i < length; i++) {
    const y = (state[i] & 0x80000000) | (state[(i + 1) % length] & 0x7fffffff);
    state[i] = state[(i + middle) % length] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
  }
}
