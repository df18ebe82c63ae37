import { describe, expect, test } from "vitest";
import { pack, unpack } from "./packed.ts";

const picture = new Uint8ClampedArray([1, 2, 3]);
const value = {
  text: "ä\n",
  nothing: null,
  list: [
    { picture, mask: Uint8Array.of(1, 0) },
    { picture, ids: Int32Array.of(-1, 2 ** 30), turns: Int16Array.of(-5) },
  ],
  numbers: Float32Array.of(0.1, -0, Number.NaN, Number.POSITIVE_INFINITY),
  empty: new Float32Array(),
};

describe("packed data", () => {
  test("survives a round trip, with types of arrays and special numbers", async () => {
    expect(await unpack(await pack(value), "f")).toEqual(value);
  });

  test("packs only the viewed part of a buffer, and a repeated array once", async () => {
    const part = Float32Array.of(1, 2, 3, 4).subarray(1, 3);
    expect(await unpack(await pack([part]), "f")).toEqual([Float32Array.of(2, 3)]);
    const [once, twice] = [await pack([picture]), await pack([picture, picture])];
    expect(twice.length - once.length).toBeLessThan(64);
  });

  test("refuses what it could not restore", async () => {
    await expect(pack(new BigInt64Array(1))).rejects.toThrow("BigInt64Array cannot be packed");
  });

  test("detects every kind of damage", async () => {
    const whole = await pack(value);
    const flipped = (at: number) => whole.map((byte, i) => (i === at ? byte ^ 1 : byte));
    const bad = [
      new Uint8Array(),
      whole.slice(0, 40),
      whole.slice(0, -8),
      flipped(0),
      flipped(60),
      flipped(whole.length - 20),
    ];
    for (const bytes of bad)
      await expect(unpack(bytes, "f")).rejects.toMatchObject({ name: "CheckpointError", code: "corrupt" });
  });

  test.each([
    { $array: 0.5 },
    { $array: ["toString", 0, 1] },
    { $array: ["Float32Array", 0, 1e9] },
    { $array: ["Float32Array", 1, 1] },
  ])("refuses %j, an array that is not there, though the checksum fits", async (array) => {
    const bytes = await pack([array]);
    await expect(unpack(bytes, "f")).rejects.toMatchObject({ name: "CheckpointError", code: "corrupt" });
  });

  test("refuses arrays that overlap: a small file must not become a large value", async () => {
    const numbers = new Float32Array(1000);
    const shorter = Array.from({ length: 100 }, (_, i) => ({ $array: ["Float32Array", 0, 999 - i] }));
    const bytes = await pack([numbers, ...shorter]);
    await expect(unpack(bytes, "f")).rejects.toMatchObject({ name: "CheckpointError", code: "corrupt" });
  });
});
