// What stands in a living room.
import type { Rgb } from "../../../core/raster/solid.ts";
import { box, DARK, type Model, PALE, type Part, round, shade, WOOD } from "./part.ts";

export const sofa: Model = {
  size: [176, 82, 84],
  parts: (color) => [
    box([-88, 88], [8, 40], [-42, 40], shade(color, 0.8)),
    box([-68, -1], [40, 52], [-20, 42], color),
    box([1, 68], [40, 52], [-20, 42], color),
    box([-70, 70], [40, 82], [-42, -20], color),
    box([-88, -70], [40, 64], [-42, 40], color),
    box([70, 88], [40, 64], [-42, 40], color),
    box([-84, -76], [0, 8], [28, 36], DARK),
    box([76, 84], [0, 8], [28, 36], DARK),
  ],
};

export const armchair: Model = {
  size: [84, 96, 82],
  parts: (color) => [
    box([-42, 42], [10, 38], [-41, 36], shade(color, 0.75)),
    box([-26, 26], [38, 50], [-22, 41], PALE),
    box([-28, 28], [38, 96], [-41, -22], color),
    box([-42, -28], [38, 62], [-41, 36], color),
    box([28, 42], [38, 62], [-41, 36], color),
    ...[-36, 30].map((x) => box([x, x + 6], [0, 10], [24, 32], WOOD)),
  ],
};

/** A screen on a low cabinet. */
export const television: Model = {
  size: [126, 118, 42],
  parts: (color) => [
    box([-63, 63], [0, 42], [-21, 20], color),
    box([-58, -2], [8, 36], [20, 21], shade(color, 1.35)),
    box([2, 58], [8, 36], [20, 21], shade(color, 1.35)),
    box([-14, 14], [42, 52], [-6, 6], DARK),
    box([-56, 56], [50, 118], [-5, 4], DARK),
    box([-52, 52], [54, 114], [4, 5], [38, 66, 130]),
    box([-46, -8], [80, 108], [5, 6], [96, 176, 236]),
    box([-2, 46], [60, 84], [5, 6], [88, 210, 200]),
  ],
};

const BOOKS: readonly Rgb[] = [
  [206, 60, 50],
  [60, 110, 200],
  [240, 200, 70],
  [70, 160, 90],
  [150, 80, 170],
  [236, 236, 226],
];

/** Books between the boards of one shelf, thick ones so that they can still be seen from afar. */
function books(bottom: number, start: number): Part[] {
  return [-42, -28, -14, 0, 14, 28].map((x, i) =>
    box(
      [x, x + 13],
      [bottom, bottom + 26 + ((i + start) % 3) * 3],
      [-10, 12],
      BOOKS[(i + start) % BOOKS.length],
    ),
  );
}

export const bookshelf: Model = {
  size: [94, 192, 32],
  parts: (color) => [
    box([-47, 47], [0, 192], [-16, -12], shade(color, 0.6)),
    box([-47, -43], [0, 192], [-12, 16], color),
    box([43, 47], [0, 192], [-12, 16], color),
    ...[0, 47, 94, 141, 188].map((y) => box([-43, 43], [y, y + 4], [-12, 16], color)),
    ...[4, 51, 98, 145].flatMap((y, i) => books(y, i * 2)),
  ],
};

/** A lamp that stands on the floor. */
export const lamp: Model = {
  size: [46, 166, 46],
  parts: (color) => [
    round("y", [-16, 16], [0, 5], [-16, 16], DARK),
    round("y", [-3, 3], [5, 130], [-3, 3], DARK),
    round("y", [-23, 23], [124, 160], [-23, 23], color, 0.62),
    round("y", [-8, 8], [160, 166], [-8, 8], [255, 250, 200]),
  ],
};

export const plant: Model = {
  size: [60, 124, 60],
  parts: (color) => [
    round("y", [-15, 15], [0, 34], [-15, 15], color, 1.3),
    round("y", [-4, 4], [34, 60], [-4, 4], WOOD),
    round("y", [-30, 30], [48, 84], [-30, 30], [34, 120, 48], 0.5),
    round("y", [-25, 25], [72, 104], [-25, 25], [50, 150, 60], 0.4),
    round("y", [-17, 17], [96, 124], [-17, 17], [80, 180, 76], 0.2),
  ],
};

export const painting: Model = {
  size: [96, 72, 5],
  parts: (color) => [
    box([-48, 48], [0, 72], [-2.5, 0], color),
    box([-41, 41], [7, 65], [0, 1], [130, 196, 240]),
    box([-41, 41], [7, 30], [1, 1.8], [70, 160, 84]),
    box([-30, 2], [30, 44], [1, 1.8], [110, 120, 150]),
    round("z", [16, 34], [42, 60], [1, 2.5], [252, 214, 60]),
  ],
};

export const clock: Model = {
  size: [46, 46, 6],
  parts: (color) => [
    round("z", [-23, 23], [0, 46], [-3, 0], color),
    round("z", [-18, 18], [5, 41], [0, 1.5], PALE),
    box([-2, 2], [23, 38], [1.5, 3], DARK),
    box([-2, 12], [21, 25], [1.5, 3], DARK),
  ],
};

/** A carpet: scenery that can be walked on. */
export const rug: Model = {
  size: [180, 1.5, 130],
  parts: (color) => [
    box([-90, 90], [0, 1], [-65, 65], shade(color, 0.8)),
    box([-80, 80], [0, 1.5], [-55, 55], color),
  ],
};

/** A window that shows sky over a field: scenery on a wall. */
export const window: Model = {
  size: [124, 100, 4],
  parts: () => [
    box([-60, 60], [0, 100], [-2, 0], PALE),
    box([-54, -3], [6, 94], [0, 1], [150, 208, 246]),
    box([3, 54], [6, 94], [0, 1], [150, 208, 246]),
    box([-54, -3], [6, 30], [1, 1.6], [150, 200, 120]),
    box([3, 54], [6, 30], [1, 1.6], [150, 200, 120]),
    box([-62, 62], [0, 5], [-2, 2], PALE),
  ],
};

/** A closed door: scenery on a wall. */
export const door: Model = {
  size: [96, 206, 4],
  parts: () => [
    box([-48, 48], [0, 206], [-2, 0], [226, 220, 206]),
    box([-42, 42], [0, 200], [0, 1], [142, 104, 70]),
    box([-30, 30], [110, 184], [1, 1.8], [120, 86, 56]),
    box([-30, 30], [20, 94], [1, 1.8], [120, 86, 56]),
    round("z", [30, 38], [98, 106], [1, 2], [230, 190, 70]),
  ],
};
