// The kernels between pictures and tokens: patchify, patch_position, pixel_shuffle.
import { describe, expect, it } from "vitest";
import { noise } from "../testing.ts";
import { patchPositionBackwardRef, patchPositionForwardRef } from "./patch-position.ref.ts";
import { patchifyRef } from "./patchify.ref.ts";
import { pixelShuffleBackwardRef, pixelShuffleForwardRef } from "./pixel-shuffle.ref.ts";
import { expectGradient } from "./test-gradients.ts";

describe("patchify", () => {
  it("keeps red, green, blue in order, black at −1 and white at 1", () => {
    expect([...patchifyRef([0xff0000ff], 1, 1, 1, 1)]).toEqual([1, -1, -1]);
    expect([...patchifyRef([0x00ff00ff], 1, 1, 1, 1)]).toEqual([1, -1, 1]);
  });
});

describe("patch position", () => {
  it("has a twin whose gradients are those of the forward pass", () => {
    const [p, c, rows, cols] = [12, 4, 2, 3];
    const x = noise(p * c, 1);
    const dout = noise(p * c, 2);
    const rowsTable = noise(rows * c, 3);
    const colsTable = noise(cols * c, 4);
    const { drows, dcols } = patchPositionBackwardRef(dout, p, c, rows, cols);
    expectGradient((t) => patchPositionForwardRef(x, t, colsTable, p, c, rows, cols), rowsTable, dout, drows);
    expectGradient((t) => patchPositionForwardRef(x, rowsTable, t, p, c, rows, cols), colsTable, dout, dcols);
  });
});

describe("pixel shuffle", () => {
  it("puts the four neighbours of a 2 × 4 picture side by side, row by row", () => {
    const inp = [0, 1, 2, 3, 10, 11, 12, 13];
    expect([...pixelShuffleForwardRef(inp, 8, 1, 2, 4, 2)]).toEqual([0, 1, 10, 11, 2, 3, 12, 13]);
  });

  it("has a twin whose gradient is that of the forward pass", () => {
    const dout = noise(8 * 4, 2);
    const gradient = pixelShuffleBackwardRef(dout, 8, 4, 2, 4, 2);
    expectGradient((x) => pixelShuffleForwardRef(x, 8, 4, 2, 4, 2), noise(8 * 4, 1), dout, gradient);
  });
});
