// What stands in a bedroom.
import { box, DARK, legs, type Model, PALE, round, shade, WOOD } from "./part.ts";

export const bed: Model = {
  size: [136, 100, 196],
  parts: (color) => [
    box([-67, 67], [10, 34], [-92, 98], WOOD),
    box([-65, 65], [34, 50], [-92, 96], PALE),
    box([-68, 68], [30, 54], [-34, 97], color),
    box([-68, 68], [50, 56], [-46, -34], shade(color, 1.3)),
    box([-58, -4], [50, 62], [-88, -54], PALE),
    box([4, 58], [50, 62], [-88, -54], PALE),
    box([-68, 68], [0, 100], [-98, -92], WOOD),
    ...[-66, 58].map((x) => box([x, x + 8], [0, 10], [86, 94], WOOD)),
  ],
};

export const wardrobe: Model = {
  size: [116, 198, 60],
  parts: (color) => [
    box([-58, 58], [0, 198], [-30, 26], color),
    box([-54, -2], [12, 190], [26, 28], shade(color, 1.18)),
    box([2, 54], [12, 190], [26, 28], shade(color, 1.18)),
    box([-2, 2], [12, 190], [26, 27], DARK),
    box([-11, -6], [90, 112], [28, 30], [232, 196, 90]),
    box([6, 11], [90, 112], [28, 30], [232, 196, 90]),
    box([-58, 58], [0, 8], [26, 29], DARK),
  ],
};

export const dresser: Model = {
  size: [104, 84, 50],
  parts: (color) => [
    box([-52, 52], [6, 84], [-25, 22], color),
    ...[10, 35, 60].map((y) => box([-48, 48], [y, y + 21], [22, 24], shade(color, 0.72))),
    ...[18, 43, 68].flatMap((y) =>
      [-26, 26].map((x) => box([x - 5, x + 5], [y, y + 5], [24, 25], [240, 206, 100])),
    ),
    box([-52, 52], [0, 6], [-25, 20], DARK),
  ],
};

export const desk: Model = {
  size: [120, 75, 62],
  parts: (color) => [
    box([-60, 60], [70, 75], [-31, 31], color),
    box([12, 51], [12, 70], [-28, 27], shade(color, 0.8)),
    ...[16, 43].map((y) => box([15, 48], [y, y + 23], [27, 29], shade(color, 1.2))),
    ...[25, 52].map((y) => box([26, 37], [y, y + 4], [29, 30], DARK)),
    ...legs(116, 58, 70, 6, DARK),
  ],
};

export const laptop: Model = {
  size: [44, 32, 36],
  parts: (color) => [
    box([-22, 22], [0, 3], [-15, 18], color),
    box([-19, 19], [3, 3.8], [-8, 8], DARK),
    box([-22, 22], [2, 32], [-18, -15], color),
    box([-20, 20], [6, 30], [-15, -14.4], [90, 224, 250]),
    box([-14, 6], [16, 24], [-14.4, -13.8], PALE),
  ],
};

export const teddy: Model = {
  size: [44, 58, 36],
  parts: (color) => [
    round("y", [-15, 15], [0, 30], [-13, 13], color, 0.85),
    round("z", [-14, 14], [28, 54], [-12, 12], color),
    round("z", [-17, -8], [48, 58], [-4, 4], shade(color, 0.7)),
    round("z", [8, 17], [48, 58], [-4, 4], shade(color, 0.7)),
    box([-6, 6], [32, 41], [12, 15], PALE),
    box([-3, 3], [37, 40], [15, 16], DARK),
    box([-9, -5], [43, 47], [12, 13], DARK),
    box([5, 9], [43, 47], [12, 13], DARK),
    round("z", [-16, -4], [0, 12], [8, 18], shade(color, 0.85)),
    round("z", [4, 16], [0, 12], [8, 18], shade(color, 0.85)),
    round("x", [-22, -13], [16, 27], [-5, 6], shade(color, 0.85)),
    round("x", [13, 22], [16, 27], [-5, 6], shade(color, 0.85)),
  ],
};

export const mirror: Model = {
  size: [64, 110, 5],
  parts: (color) => [
    box([-32, 32], [0, 110], [-2.5, 0], color),
    box([-26, 26], [6, 104], [0, 1], [196, 232, 244]),
    box([-20, 4], [52, 60], [1, 1.8], PALE),
    box([-12, 12], [62, 70], [1, 1.8], PALE),
    box([-4, 20], [72, 80], [1, 1.8], PALE),
  ],
};

export const basket: Model = {
  size: [48, 62, 48],
  parts: (color) => [
    ...[0, 20, 40].map((y) => round("y", [-22, 22], [y, y + 12], [-22, 22], color)),
    ...[12, 32].map((y) => round("y", [-21, 21], [y, y + 8], [-21, 21], shade(color, 0.62))),
    round("y", [-20, 20], [52, 58], [-20, 20], PALE, 0.8),
    round("y", [-10, 12], [56, 62], [-8, 12], [120, 160, 230], 0.6),
  ],
};
