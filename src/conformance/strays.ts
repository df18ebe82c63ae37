// Whether a kernel stays within its data. Robust buffer access clamps what lies beyond a buffer, so that an access out of range
// goes unnoticed on one GPU and gives other numbers on the next. Here every buffer goes on beyond its data.
import type { Numbers } from "../gpu/run-kernel.ts";

/** Words behind the data of each binding, with all bits set: not a number as f32, out of range as an index. */
const BEHIND = 64;
const WORD = 0xffffffff;

type Outputs = Readonly<Record<string, Float32Array>>;

/** A number that changes when words lie behind the data, or one of these words that was overwritten. */
export interface Stray {
  readonly kind: "read" | "write";
  readonly binding: string;
  readonly index: number;
}

/** The same arrays with words behind their data. */
export const withWordsBehind = (
  arrays: Readonly<Record<string, Numbers>>,
): Readonly<Record<string, Uint32Array>> =>
  Object.fromEntries(
    Object.entries(arrays).map(([binding, data]) => {
      const words = new Uint32Array(data.length + BEHIND).fill(WORD);
      words.set(wordsOf(data));
      return [binding, words];
    }),
  );

/**
 * Compares what a kernel leaves in its own data, and in data with words behind it.
 * @returns the first number that differs; null if the kernel neither read nor wrote beyond its data.
 */
export function strayOf(plain: Outputs, extended: Outputs): Stray | null {
  for (const [binding, floats] of Object.entries(plain)) {
    const [want, got] = [wordsOf(floats), wordsOf(extended[binding] as Float32Array)];
    const index = got.findIndex((word, i) => word !== (i < want.length ? want[i] : WORD));
    if (index >= 0) return { kind: index < want.length ? "read" : "write", binding, index };
  }
  return null;
}

const wordsOf = ({ buffer, byteOffset, length }: Numbers) => new Uint32Array(buffer, byteOffset, length);
