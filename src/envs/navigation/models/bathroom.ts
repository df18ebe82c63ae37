// What stands in a bathroom.
import { box, DARK, type Model, PALE, round, STEEL, shade, WATER } from "./part.ts";

export const toilet: Model = {
  size: [44, 84, 68],
  parts: (color) => [
    box([-22, 22], [40, 80], [-34, -14], color),
    box([-22, 22], [80, 84], [-34, -13], shade(color, 0.85)),
    box([-5, 5], [70, 75], [-14, -12], STEEL),
    round("y", [-13, 13], [0, 26], [-18, 24], shade(color, 0.9)),
    round("y", [-17, 17], [26, 42], [-20, 30], color, 1.18),
    round("y", [-21, 21], [42, 45], [-24, 34], DARK),
    round("y", [-14, 14], [45, 45.6], [-16, 25], WATER),
  ],
};

export const bathtub: Model = {
  size: [78, 92, 164],
  parts: (color) => [
    box([-39, -29], [0, 58], [-82, 82], color),
    box([29, 39], [0, 58], [-82, 82], color),
    box([-29, 29], [0, 58], [-82, -70], color),
    box([-29, 29], [0, 58], [70, 82], color),
    box([-29, 29], [0, 46], [-70, 70], WATER),
    ...[-18, 12].map((x) => round("y", [x - 12, x + 14], [44, 52], [-60, -34], PALE, 0.5)),
    box([-4, 4], [58, 92], [-80, -73], STEEL),
    box([-4, 4], [84, 92], [-73, -54], STEEL),
  ],
};

/** A tray with a tiled corner and a curtain that is drawn half across. */
export const shower: Model = {
  size: [92, 202, 92],
  parts: (color) => [
    box([-46, 46], [0, 12], [-46, 46], PALE),
    box([-46, 46], [12, 196], [-46, -43], [150, 206, 214]),
    box([-46, -43], [12, 196], [-43, 43], [130, 190, 200]),
    ...[-43, -31, -19, -7].map((x, i) => box([x, x + 12], [16, 196], [40, 44], i % 2 ? PALE : color)),
    box([-46, 46], [196, 202], [40, 46], STEEL),
    box([40, 46], [12, 196], [40, 46], STEEL),
    box([40, 46], [196, 202], [-43, 40], STEEL),
    box([18, 24], [90, 190], [-43, -40], STEEL),
    round("y", [8, 34], [184, 190], [-36, -12], STEEL),
    box([18, 24], [190, 194], [-43, -20], STEEL),
  ],
};

/** A cloth on a rail. */
export const towel: Model = {
  size: [62, 88, 12],
  parts: (color) => [
    box([-31, 31], [82, 86], [0, 4], STEEL),
    box([-31, -27], [80, 88], [-6, 4], STEEL),
    box([27, 31], [80, 88], [-6, 4], STEEL),
    box([-24, 24], [0, 88], [-2, 6], color),
    box([-24.4, 24.4], [12, 20], [-2.4, 6.4], PALE),
    box([-24.4, 24.4], [26, 31], [-2.4, 6.4], PALE),
  ],
};

export const washer: Model = {
  size: [60, 88, 60],
  parts: (color) => [
    box([-30, 30], [0, 88], [-30, 26], color),
    round("z", [-22, 22], [12, 56], [26, 28], STEEL),
    round("z", [-17, 17], [17, 51], [28, 30], [36, 60, 110]),
    box([-30, 30], [68, 88], [26, 27], shade(color, 0.82)),
    box([-26, -6], [73, 83], [27, 28], DARK),
    round("z", [12, 24], [72, 84], [27, 29], DARK),
  ],
};
