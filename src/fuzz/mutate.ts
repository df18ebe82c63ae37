// Small changes to valid inputs: readers would reject random bytes at once.
import type { Rng } from "../core/rng.ts";

/** How many changes: mostly one or two. */
const changes = (random: Rng): number => (random.int(3) > 0 ? 1 + random.int(2) : 1 + random.int(12));

/** A copy of a text with some places changed; `words` are those that its readers know. */
export function mutatedText(random: Rng, text: string, words: readonly string[]): string {
  let changed = text;
  for (let n = changes(random); n > 0; n--) changed = textChange(random, changed, words);
  return changed;
}

function textChange(random: Rng, text: string, words: readonly string[]): string {
  const [from, to] = span(random, text.length);
  const [before, piece, after] = [text.slice(0, from), text.slice(from, to), text.slice(to)];
  switch (random.int(8)) {
    case 0:
      return before + after;
    case 1:
      return before + piece + piece + after;
    case 2:
      return before + [...piece].reverse().join("") + after;
    case 3:
      return before + String.fromCharCode(random.int(random.int(4) ? 128 : 65536)) + after;
    case 4: {
      // Long inputs are where time goes.
      const times = 2 ** random.int(13);
      return before + (piece.slice(0, 16) || random.pick(words)).repeat(times) + after;
    }
    case 5:
      return before + random.pick(words).repeat(1 + random.int(40)) + after;
    default:
      return before + random.pick(words) + after;
  }
}

function span(random: Rng, length: number): [number, number] {
  const from = random.int(length + 1);
  const most = Math.min(length - from, random.int(4) ? 12 : 400);
  return [from, from + random.int(most + 1)];
}

/** Values that readers rarely expect. */
const ODD: readonly unknown[] = [
  null,
  true,
  "",
  "null",
  "x".repeat(5000),
  "\u0000\ud800",
  0,
  -1,
  0.5,
  1e308,
  2 ** 53,
  -(2 ** 31) - 1,
  [],
  {},
  [null],
  [[[[]]]],
  { toString: 1, valueOf: null },
  Array.from({ length: 300 }, (_, i) => i),
  Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`key_${i}`, i])),
];
const ODD_KEYS = ["__proto__", "constructor", "toString", "length", "hasOwnProperty", "then", "", "0"];

/** A copy of parsed JSON with some places changed. */
export function mutatedJson(random: Rng, value: unknown): unknown {
  let changed = structuredClone(value);
  for (let n = changes(random); n > 0; n--) changed = jsonChange(random, changed);
  return changed;
}

function jsonChange(random: Rng, value: unknown): unknown {
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  // Deeper places are more, so most changes are made there.
  if (keys.length === 0 || random.int(6) === 0) return oddValue(random, value);
  const key = random.pick(keys);
  const holder = value as Record<string, unknown>;
  switch (random.int(12)) {
    case 0:
      if (Array.isArray(value)) value.splice(Number(key), 1);
      else delete holder[key];
      return value;
    case 1:
      define(holder, Array.isArray(value) ? key : random.pick(ODD_KEYS), oddValue(random, holder[key]));
      return value;
    default:
      define(holder, key, jsonChange(random, holder[key]));
      return value;
  }
}

function oddValue(random: Rng, value: unknown): unknown {
  if (typeof value === "number" && random.int(2))
    return random.pick([-value, value + 1, value * 1e6, `${value}`]);
  if (random.int(12) === 0) return nested(10 ** random.int(4));
  return structuredClone(random.pick(ODD));
}

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { a: value };
  return value;
}

/** As `JSON.parse` does it: a key `__proto__` is a key. */
function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

/** A copy of bytes, cut, filled with zeros or with some bits flipped. */
export function damagedBytes(random: Rng, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice();
  const from = random.int(copy.length + 1);
  const to = Math.min(copy.length, from + random.int(random.int(2) ? 16 : 5000));
  switch (random.int(5)) {
    case 0:
      return copy.slice(0, from);
    case 1:
      return copy.fill(random.pick([0, 255, 0x7f]), from, to);
    case 2: {
      const spliced = new Uint8Array(copy.length - (to - from));
      spliced.set(copy.subarray(0, from));
      spliced.set(copy.subarray(to), from);
      return spliced;
    }
    default:
      for (let n = 1 + random.int(8); n > 0 && copy.length > 0; n--) {
        const at = random.int(random.int(2) ? copy.length : Math.min(2000, copy.length));
        copy[at]! ^= 1 << random.int(8);
      }
      return copy;
  }
}
