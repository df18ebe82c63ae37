// Runs before every test file: Vitest compares typed arrays key by key, twice, which takes a second for a picture or the
// weights of a small model. Arrays with the same bytes are equal; every other pair is left to Vitest, which shows the difference.
import { expect } from "vitest";

type Typed = Uint8Array | Float32Array;
const isTyped = (value: unknown): value is Typed => ArrayBuffer.isView(value) && !(value instanceof DataView);

const bytesOf = ({ buffer, byteOffset, byteLength }: Typed): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** True for two typed arrays of one kind with the same bytes; otherwise undefined, which leaves the pair to Vitest. */
function haveSameBytes(a: unknown, b: unknown): true | undefined {
  if (!isTyped(a) || !isTyped(b) || a.constructor !== b.constructor) return undefined;
  return bytesOf(a).equals(bytesOf(b)) || undefined;
}

// The files of a worker share one list of testers.
const slot = Symbol.for("vagen.equal-bytes");
const held = globalThis as typeof globalThis & { [slot]?: true };
if (!held[slot]) expect.addEqualityTesters([haveSameBytes]);
held[slot] = true;
