// The kernels between pictures and tokens: patchify, patch_position, pixel_shuffle.
import { describe, expect, it } from "vitest";
import { expectClose, noise, runKernel } from "../testing.ts";
import { patchPositionBackwardRef, patchPositionForwardRef } from "./patch-position.ref.ts";
import { patchPositionBackward, patchPositionForward } from "./patch-position.ts";
import { patchifyRef } from "./patchify.ref.ts";
import { patchify } from "./patchify.ts";
import { pixelShuffleBackwardRef, pixelShuffleForwardRef } from "./pixel-shuffle.ref.ts";
import { pixelShuffleBackward, pixelShuffleForward } from "./pixel-shuffle.ts";
import { added, expectGradient } from "./test-gradients.ts";
import { expectSpecAgrees } from "./test-specs.ts";

/** Frames × grid rows × grid columns, not square on purpose. */
const GRIDS = [
  [1, 1, 1],
  [1, 2, 3],
  [3, 4, 2],
] as const;

describe("patchify", () => {
  it("has a spec that agrees with its shader", () => {
    expectSpecAgrees(patchify);
  });

  it.each(GRIDS)("equals its twin for %i frames of %i × %i patches", async (frames, rows, cols) => {
    for (const patch of [2, 6]) {
      const p = frames * rows * cols;
      const count = p * patch * patch;
      const pixels = Uint32Array.from({ length: count }, (_, i) => Math.imul(i + 1, 2654435761) >>> 0);
      const { out } = await runKernel(
        patchify,
        { pixels, out: new Float32Array(3 * count) },
        { p, grid_rows: rows, grid_cols: cols, patch_size: patch },
      );
      // Bytes over 255: one rounding.
      expectClose(out, patchifyRef(pixels, p, rows, cols, patch), { rtol: 0, atol: 1e-6 });
    }
  });

  it("keeps red, green, blue in order, black at −1 and white at 1", () => {
    expect([...patchifyRef([0xff0000ff], 1, 1, 1, 1)]).toEqual([1, -1, -1]);
    expect([...patchifyRef([0x00ff00ff], 1, 1, 1, 1)]).toEqual([1, -1, 1]);
  });
});

describe("patch position", () => {
  it("has specs that agree with their shaders", () => {
    expectSpecAgrees(patchPositionForward);
    expectSpecAgrees(patchPositionBackward);
  });

  it.each(GRIDS)("equals its twins for %i frames of %i × %i patches", async (frames, rows, cols) => {
    for (const c of [4, 20]) {
      const p = frames * rows * cols;
      const uniforms = { p, c, grid_rows: rows, grid_cols: cols };
      const x = noise(p * c, 1);
      const rowsTable = noise(rows * c, 2);
      const colsTable = noise(cols * c, 3);
      const forward = await runKernel(
        patchPositionForward,
        { x, rows_table: rowsTable, cols_table: colsTable },
        uniforms,
      );
      expectClose(forward.x, patchPositionForwardRef(x, rowsTable, colsTable, p, c, rows, cols));
      const backward = await runKernel(
        patchPositionBackward,
        { dx: x, drows: rowsTable, dcols: colsTable },
        uniforms,
      );
      const want = patchPositionBackwardRef(x, p, c, rows, cols);
      expectClose(backward.drows, added(want.drows, rowsTable), { rtol: 1e-5, atol: 2e-6 });
      expectClose(backward.dcols, added(want.dcols, colsTable), { rtol: 1e-5, atol: 2e-6 });
    }
  });

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
  it("has specs that agree with their shaders", () => {
    expectSpecAgrees(pixelShuffleForward);
    expectSpecAgrees(pixelShuffleBackward);
  });

  it("puts the four neighbours of a 2 × 4 picture side by side, row by row", () => {
    const inp = [0, 1, 2, 3, 10, 11, 12, 13];
    expect([...pixelShuffleForwardRef(inp, 8, 1, 2, 4, 2)]).toEqual([0, 1, 10, 11, 2, 3, 12, 13]);
  });

  it.each([
    [1, 1, 1, 1],
    [2, 2, 4, 2],
    [3, 6, 3, 3],
  ])("equals its twins for %i frames of %i × %i patches, %i × as wide", async (frames, rows, cols, s) => {
    for (const c of [4, 12]) {
      const p = frames * rows * cols;
      const uniforms = { p, c, grid_rows: rows, grid_cols: cols, s };
      const inp = noise(p * c, 1);
      const forward = await runKernel(pixelShuffleForward, { inp, out: new Float32Array(p * c) }, uniforms);
      // Copies: exact.
      expect([...forward.out]).toEqual([...pixelShuffleForwardRef(inp, p, c, rows, cols, s)]);
      const backward = await runKernel(
        pixelShuffleBackward,
        { dout: inp, dinp: new Float32Array(p * c) },
        uniforms,
      );
      expect([...backward.dinp]).toEqual([...pixelShuffleBackwardRef(inp, p, c, rows, cols, s)]);
    }
  });

  it("has a twin whose gradient is that of the forward pass", () => {
    const dout = noise(8 * 4, 2);
    const gradient = pixelShuffleBackwardRef(dout, 8, 4, 2, 4, 2);
    expectGradient((x) => pixelShuffleForwardRef(x, 8, 4, 2, 4, 2), noise(8 * 4, 1), dout, gradient);
  });
});
