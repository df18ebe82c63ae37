// What stands in a kitchen.
import { box, DARK, legs, type Model, PALE, round, STEEL, shade, WATER, WOOD } from "./part.ts";

const COUNTER_TOP = 88;

export const fridge: Model = {
  size: [70, 178, 66],
  parts: (color) => [
    box([-35, 35], [0, 178], [-33, 28], color),
    box([-35, 35], [4, 110], [28, 31], shade(color, 1.06)),
    box([-35, 35], [114, 175], [28, 31], shade(color, 1.06)),
    box([-34, 34], [110, 114], [28, 30], DARK),
    box([-30, -25], [60, 104], [31, 33], DARK),
    box([-30, -25], [120, 158], [31, 33], DARK),
  ],
};

export const stove: Model = {
  size: [60, 104, 60],
  parts: (color) => [
    box([-30, 30], [0, 88], [-30, 28], color),
    box([-30, 30], [88, 91], [-30, 28], DARK),
    box([-22, 22], [18, 58], [28, 29], [30, 24, 22]),
    box([-18, 18], [24, 46], [29, 30], [236, 120, 30]),
    box([-26, 26], [66, 70], [28, 30], STEEL),
    ...[-18, -6, 6, 18].map((x) => round("z", [x - 4, x + 4], [75, 83], [28, 30], DARK)),
    ...[-15, 15].flatMap((x) =>
      [-14, 13].map((z) => round("y", [x - 10, x + 10], [91, 93], [z - 10, z + 10], [214, 60, 40])),
    ),
    box([-30, 30], [91, 104], [-30, -25], STEEL),
  ],
};

/** A basin in a cupboard with a tap, in kitchens and bathrooms. */
export const sink: Model = {
  size: [80, 116, 60],
  parts: (color) => [
    box([-40, 40], [0, 80], [-30, 28], color),
    box([-38, -2], [6, 74], [28, 30], shade(color, 0.82)),
    box([2, 38], [6, 74], [28, 30], shade(color, 0.82)),
    box([-40, 40], [80, COUNTER_TOP], [16, 30], PALE),
    box([-40, 40], [80, COUNTER_TOP], [-30, -16], PALE),
    box([-40, -28], [80, COUNTER_TOP], [-16, 16], PALE),
    box([28, 40], [80, COUNTER_TOP], [-16, 16], PALE),
    box([-28, 28], [80, 83], [-16, 16], WATER),
    box([-4, 4], [COUNTER_TOP, 116], [-27, -20], STEEL),
    box([-3, 3], [110, 116], [-20, 0], STEEL),
    box([-3, 3], [102, 110], [-5, 0], STEEL),
  ],
};

/** A cupboard with a worktop: scenery that other things stand on. */
export const counter: Model = {
  size: [60, COUNTER_TOP, 60],
  parts: (color) => [
    box([-30, 30], [0, 82], [-30, 27], color),
    box([-27, -1], [6, 78], [27, 28], shade(color, 0.9)),
    box([1, 27], [6, 78], [27, 28], shade(color, 0.9)),
    box([-30, 30], [82, COUNTER_TOP], [-30, 30], [196, 196, 190]),
  ],
};

export const microwave: Model = {
  size: [54, 34, 38],
  parts: (color) => [
    box([-27, 27], [0, 34], [-19, 17], color),
    box([-24, 9], [5, 29], [17, 18], [20, 30, 60]),
    box([-20, 5], [9, 25], [18, 19], [70, 90, 130]),
    box([12, 25], [22, 30], [17, 19], [60, 230, 110]),
    box([12, 25], [5, 18], [17, 18], DARK),
  ],
};

export const toaster: Model = {
  size: [40, 30, 26],
  parts: (color) => [
    box([-18, 18], [3, 26], [-12, 12], color),
    box([-18, 18], [0, 3], [-13, 13], DARK),
    box([-14, 14], [24, 30], [-7, -3], [196, 132, 62]),
    box([-14, 14], [24, 30], [3, 7], [196, 132, 62]),
    box([18, 20], [14, 19], [-4, 4], DARK),
  ],
};

export const table: Model = {
  size: [120, 74, 80],
  parts: (color) => [
    box([-60, 60], [68, 74], [-40, 40], color),
    box([-54, 54], [60, 68], [-34, 34], shade(color, 0.8)),
    ...legs(112, 72, 64, 8, shade(color, 0.7)),
  ],
};

export const chair: Model = {
  size: [44, 94, 44],
  parts: (color) => [
    box([-22, 22], [43, 49], [-22, 22], color),
    box([-22, 22], [60, 94], [-22, -17], color),
    box([-20, -15], [49, 60], [-22, -17], WOOD),
    box([15, 20], [49, 60], [-22, -17], WOOD),
    ...legs(42, 42, 43, 5, WOOD),
  ],
};

export const bin: Model = {
  size: [38, 64, 38],
  parts: (color) => [
    round("y", [-16, 16], [0, 54], [-16, 16], color, 1.18),
    round("y", [-19, 19], [54, 60], [-19, 19], DARK),
    round("y", [-6, 6], [60, 64], [-6, 6], DARK),
  ],
};
