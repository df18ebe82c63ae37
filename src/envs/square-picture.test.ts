import { describe, expect, it } from "vitest";
import { copyOf, patchesOf, pictureSide } from "./square-picture.ts";

describe("a square picture", () => {
  it("has whole patches", () => {
    expect(patchesOf({ resolution: 304 })).toEqual({ rows: 38, cols: 38 });
    expect(pictureSide(64, 8)).toBe(64);
    expect(pictureSide(304, 20)).toBe(760);
  });

  it("is at most 2048 pixels wide, and says up to which size of patches", () => {
    expect(pictureSide(256, 64)).toBe(2048);
    const refused = {
      code: "invalid_config",
      message: "patchPx is 65; no patch can have that size.",
      hint: "Use a whole number of pixels from 1 to 64.",
    };
    expect(() => pictureSide(256, 65)).toThrow(expect.objectContaining(refused));
    expect(() => pictureSide(304, 54)).toThrow(/patchPx is 54/);
  });

  it("has patches of a whole number of pixels", () => {
    for (const patchPx of [0, -8, 8.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => pictureSide(64, patchPx)).toThrow(/patchPx/);
  });

  it("can be copied, so that nobody writes on the original", () => {
    const frame = { width: 1, height: 1, data: new Uint8ClampedArray([1, 2, 3, 255]) };
    const copy = copyOf(frame);
    copy.data.fill(0);
    expect([...frame.data]).toEqual([1, 2, 3, 255]);
  });
});
