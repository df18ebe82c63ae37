// Python's hash of a text under PYTHONHASHSEED=0: SipHash (Aumasson and Bernstein, 2012) with a key of zeros.

const mask64 = (1n << 64n) - 1n;

/** Rounds of SipHash per word and at the end: 2-4 up to Python 3.10, 1-3 since 3.11. */
export type SipRounds = readonly [perWord: number, atEnd: number];

/** `abs(hash(str(seed))) % 2**32` under PYTHONHASHSEED=0: the seed of a retry. */
export function hashedSeed(seed: number, rounds: SipRounds): number {
  const hash = pythonHash(String(seed), rounds);
  return Number((hash < 0n ? -hash : hash) & 0xffffffffn);
}

/** `hash(text)` of a text in ASCII under PYTHONHASHSEED=0, a signed 64-bit number. */
export function pythonHash(text: string, rounds: SipRounds): bigint {
  const hash = BigInt.asIntN(64, sipHash(text, rounds));
  // CPython keeps −1 for errors.
  return hash === -1n ? -2n : hash;
}

function sipHash(text: string, [perWord, atEnd]: SipRounds): bigint {
  // The initial state of SipHash; a key of zeros changes none of it.
  const v = [0x736f6d6570736575n, 0x646f72616e646f6dn, 0x6c7967656e657261n, 0x7465646279746573n];
  const repeat = (times: number) => {
    for (let i = 0; i < times; i++) round(v);
  };
  for (const word of words(text)) {
    v[3] ^= word;
    repeat(perWord);
    v[0] ^= word;
  }
  v[2] ^= 0xffn;
  repeat(atEnd);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/** The text as little-endian 64-bit words; the highest byte of the last one is the text's length. */
function words(text: string): bigint[] {
  const count = Math.floor(text.length / 8) + 1;
  const result = new Array<bigint>(count).fill(0n);
  for (let i = 0; i < text.length; i++) result[i >> 3] |= BigInt(text.charCodeAt(i)) << BigInt(8 * (i & 7));
  result[count - 1] |= BigInt(text.length & 0xff) << 56n;
  return result;
}

const rotate = (x: bigint, bits: bigint) => ((x << bits) | (x >> (64n - bits))) & mask64;

function round(v: bigint[]): void {
  half(v, 0, 1, 13n);
  half(v, 2, 3, 16n);
  v[0] = rotate(v[0], 32n);
  half(v, 0, 3, 21n);
  half(v, 2, 1, 17n);
  v[2] = rotate(v[2], 32n);
}

/** v[a] += v[b]; v[b] = (v[b] rotated) xor v[a]. */
function half(v: bigint[], a: number, b: number, bits: bigint): void {
  v[a] = (v[a] + v[b]) & mask64;
  v[b] = rotate(v[b], bits) ^ v[a];
}
