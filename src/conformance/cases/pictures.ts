// Cases of the kernels between pictures and tokens.
import { patchPositionBackwardRef, patchPositionForwardRef } from "../../gpu/kernels/patch-position.ref.ts";
import { patchPositionBackward, patchPositionForward } from "../../gpu/kernels/patch-position.ts";
import { patchifyRef } from "../../gpu/kernels/patchify.ref.ts";
import { patchify } from "../../gpu/kernels/patchify.ts";
import { pixelShuffleBackwardRef, pixelShuffleForwardRef } from "../../gpu/kernels/pixel-shuffle.ref.ts";
import { pixelShuffleBackward, pixelShuffleForward } from "../../gpu/kernels/pixel-shuffle.ts";
import { added, casesOf, close, exact, type KernelCase, only } from "../case.ts";
import { noise } from "../numbers.ts";

/** Frames × grid rows × grid columns, not square on purpose. */
const GRIDS = [
  [1, 1, 1],
  [1, 2, 3],
  [3, 4, 2],
] as const;
type Grid = readonly [frames: number, rows: number, cols: number];

const titleOf = ([frames, rows, cols]: Grid, rest: string) =>
  `${frames} frames of ${rows} × ${cols} patches, ${rest}`;

const patches = (grid: Grid, patch: number): KernelCase[] =>
  casesOf(titleOf(grid, `${patch} pixels wide`), only(patchify), () => {
    const [frames, rows, cols] = grid;
    const p = frames * rows * cols;
    const count = p * patch * patch;
    const pixels = Uint32Array.from({ length: count }, (_, i) => Math.imul(i + 1, 2654435761) >>> 0);
    return {
      uniforms: { p, grid_rows: rows, grid_cols: cols, patch_size: patch },
      arrays: { pixels, out: new Float32Array(3 * count) },
      // Bytes over 255: one rounding.
      want: { out: close(patchifyRef(pixels, p, rows, cols, patch), 0, 1e-6) },
    };
  });

function positions(grid: Grid, c: number): KernelCase[] {
  const [frames, rows, cols] = grid;
  const p = frames * rows * cols;
  const uniforms = { p, c, grid_rows: rows, grid_cols: cols };
  const [x, rowsTable, colsTable] = [noise(p * c, 1), noise(rows * c, 2), noise(cols * c, 3)];
  return [
    ...casesOf(titleOf(grid, `${c} columns`), only(patchPositionForward), () => ({
      uniforms,
      arrays: { x, rows_table: rowsTable, cols_table: colsTable },
      want: { x: close(patchPositionForwardRef(x, rowsTable, colsTable, p, c, rows, cols)) },
    })),
    ...casesOf(titleOf(grid, `${c} columns`), only(patchPositionBackward), () => {
      const want = patchPositionBackwardRef(x, p, c, rows, cols);
      return {
        uniforms,
        arrays: { dx: x, drows: rowsTable, dcols: colsTable },
        want: {
          drows: close(added(want.drows, rowsTable), 1e-5, 2e-6),
          dcols: close(added(want.dcols, colsTable), 1e-5, 2e-6),
        },
      };
    }),
  ];
}

/** Copies: exact. */
function shuffled(grid: Grid, s: number, c: number): KernelCase[] {
  const [frames, rows, cols] = grid;
  const p = frames * rows * cols;
  const uniforms = { p, c, grid_rows: rows, grid_cols: cols, s };
  const title = titleOf(grid, `${c} columns, ${s} × ${s} merged`);
  const inp = noise(p * c, 1);
  return [
    ...casesOf(title, only(pixelShuffleForward), () => ({
      uniforms,
      arrays: { inp, out: new Float32Array(p * c) },
      want: { out: exact(pixelShuffleForwardRef(inp, p, c, rows, cols, s)) },
    })),
    ...casesOf(title, only(pixelShuffleBackward), () => ({
      uniforms,
      arrays: { dout: inp, dinp: new Float32Array(p * c) },
      want: { dinp: exact(pixelShuffleBackwardRef(inp, p, c, rows, cols, s)) },
    })),
  ];
}

export const pictureCases: readonly KernelCase[] = [
  ...GRIDS.flatMap((grid) => [2, 6].flatMap((patch) => patches(grid, patch))),
  ...GRIDS.flatMap((grid) => [4, 20].flatMap((c) => positions(grid, c))),
  ...[4, 12].flatMap((c) => [
    ...shuffled([1, 1, 1], 1, c),
    ...shuffled([2, 2, 4], 2, c),
    ...shuffled([3, 6, 3], 3, c),
  ]),
];
