// The frozen lake: ice, holes with cracked edges, a golden gift and a figure in a red coat.
import {
  circle,
  ellipse,
  hex,
  intersect,
  mix,
  noise,
  outline,
  type Point,
  points,
  polygon,
  roundRect,
  stroke,
} from "../../core/image.ts";
import type { Cell, Frame } from "../../core/types.ts";
import { sameCell } from "../grid.ts";
import {
  type Draw,
  drawTiles,
  type Outfit,
  paintFigure,
  paintHead,
  type Sprite,
  sparkle,
  spriteSheet,
} from "../sprites.ts";
import type { Level } from "./level.ts";

const palette = {
  i: "#d9eef8", // ice
  e: "#b3d6e7", // its edge, so that tiles can be counted
  w: "#2a6699", // water
  d: "#0d2d52", // deep water
  r: "#d92b35", // red coat
  f: "#f9d3ad", // face
  k: "#20182c", // eyes and boots
  o: "#f2b321", // gift
  p: "#7b2fb5", // its ribbon
  s: "#fff3a8", // glow
};

const outfit: Outfit = {
  coat: hex("#e63b42"),
  shade: hex("#b0202f"),
  trim: hex("#fff4e6"),
  hat: "hood",
  hatColor: hex("#e63b42"),
};

const white = (opacity: number) => hex("#ffffff", opacity);

/** Four pieces of one sheet of ice, so that the lake does not look like wallpaper; small tiles are all alike. */
const ice = (variant: number): Sprite => ({
  art: ["iiiiiiie", "iiiiiiie", "iiiiiiie", "iiiiiiie", "iiiiiiie", "iiiiiiie", "iiiiiiie", "eeeeeeee"],
  paint(draw) {
    const [light, dark] = [hex("#e6f5fc"), hex("#bcdff0")];
    const cloud = (x: number, y: number) =>
      0.65 * noise(x / 15, y / 15, variant) + 0.35 * noise(x / 5, y / 5, variant + 9);
    draw(roundRect(-1, -1, 66, 66, 0), hex("#a3cde1"));
    draw(roundRect(0.7, 0.7, 62.6, 62.6, 5), hex("#f6fcff"));
    draw(roundRect(1.6, 2, 61.4, 61, 4.5), (x, y) =>
      mix(light, dark, 0.25 + (x + y) / 260 + (cloud(x, y) - 0.5) * 0.9),
    );
    paintScratches(draw, variant);
  },
});

/** Marks of skates and frozen air, different on each piece. */
function paintScratches(draw: Draw, variant: number): void {
  const glint = points(["10,22 22,10", "42,54 54,42", "12,50 20,42", "40,18 50,8"][variant]);
  const [[x0, y0], [x1, y1]] = glint;
  const beside: Point[] = [
    [x0 + 5, y0 + 2],
    [x1 + 2, y1 + 5],
  ];
  draw(stroke(glint, 2.6), white(0.75));
  draw(stroke(beside, 1.4), white(0.6));
  const [bx, by] = points("46,20 16,18 44,30 20,34")[variant];
  draw(outline(circle(bx, by, 2.2), 1), white(0.8));
  draw(outline(circle(bx + 5, by + 4, 1.3), 0.9), white(0.7));
}

const rim = points("21,10 33,7.5 45,11 53,20 56.5,32 53,45 44,54 31,56.5 19,53 10,44 7.5,31 11,19");
/** The rim drawn in around the middle of the tile. */
const inset = (k: number, dy = 0): Point[] =>
  rim.map(([x, y]) => [32 + (x - 32) * k, 32 + dy + (y - 32) * k]);

const cracks = [
  "18,14 12,10 10,4",
  "12,10 5,11",
  "51,17 57,13 59,6",
  "52,46 57,52 61,53",
  "57,52 57,60",
  "14,49 8,53 5,60",
].map(points);

const hole: Sprite = {
  art: ["........", "..wwww..", ".wddddw.", ".wddddw.", ".wddddw.", ".wddddw.", "..wwww..", "........"],
  paint(draw) {
    for (const crack of cracks) {
      const shine = crack.map(([x, y]): Point => [x + 0.8, y + 0.9]);
      draw(stroke(shine, 1.5), white(0.9));
      draw(stroke(crack, 1.5), hex("#6ba5c4"));
    }
    draw(polygon(inset(1.06)), hex("#f4fbff"));
    draw(polygon(inset(0.98)), hex("#82bcd8"));
    const water = polygon(inset(0.86, 1.5));
    draw(water, (_, y) => mix(hex("#0a2547"), hex("#1f5c94"), (y - 10) / 48));
    draw(intersect(outline(ellipse(31, 36, 14, 8), 1.5), water), hex("#5d9ccb", 0.5));
    draw(intersect(stroke(points("37,46 43,45"), 1.8), water), hex("#a8d5ee", 0.7));
    draw(intersect(stroke(points("18,29 22,28.4"), 1.6), water), hex("#a8d5ee", 0.5));
  },
};

const gift: Sprite = {
  art: ["..p..p..", "...pp...", "oooppooo", "oooppooo", ".ooppoo.", ".ooppoo.", ".ooppoo.", "........"],
  paint(draw) {
    draw(ellipse(33, 55, 21, 5), hex("#1b4a63", 0.28));
    paintBox(draw, 14, 27, 36, 28);
    paintBow(draw, 32, 20);
  },
};

function paintBox(draw: Draw, left: number, top: number, width: number, height: number): void {
  const middle = left + width / 2;
  draw(roundRect(left, top, width, height, 3), (x) =>
    mix(hex("#ffcf4a"), hex("#dd9114"), (x - left) / width),
  );
  draw(roundRect(middle - 4, top, 8, height, 0), (x) =>
    mix(hex("#9a4fd6"), hex("#6a23a3"), (x - middle + 4) / 8),
  );
  draw(roundRect(left - 2.5, top - 7, width + 5, 10, 2.5), (x) =>
    mix(hex("#ffdf78"), hex("#eea422"), (x - left) / width),
  );
  draw(roundRect(middle - 4.5, top - 7, 9, 10, 0), hex("#8e41cc"));
  draw(roundRect(left - 2.5, top + 2.4, width + 5, 1.8, 0.9), hex("#a8680a", 0.45));
}

function paintBow(draw: Draw, cx: number, bottom: number): void {
  for (const side of [-1, 1]) {
    draw(
      polygon([
        [cx, bottom],
        [cx + side * 8, bottom - 11],
        [cx + side * 15, bottom - 7],
        [cx + side * 12, bottom],
      ]),
      hex("#8e41cc"),
    );
    draw(
      polygon([
        [cx + side * 4, bottom - 2],
        [cx + side * 8.5, bottom - 7.5],
        [cx + side * 11, bottom - 3],
      ]),
      hex("#5b1d8f"),
    );
  }
  draw(circle(cx, bottom - 1, 3.6), hex("#b06be6"));
}

const player: Sprite = {
  art: ["..rrrr..", ".rffffr.", ".rkffkr.", ".rffffr.", "rrrrrrrr", "f.rrrr.f", "..rrrr..", "..k..k.."],
  paint: (draw) => paintFigure(draw, outfit),
};

/** The figure has the gift: a glow, both arms up, the gift at its feet. */
const winner: Sprite = {
  art: ["ssrrrrss", "frffffrf", "rrkffkrr", "srffffrs", "ssrrrrss", "oooppooo", "sooppoos", "sooppoos"],
  paint(draw) {
    draw(circle(32, 32, 30), (x, y) =>
      hex("#ffe36e", Math.max(0, 1 - ((x - 32) ** 2 + (y - 32) ** 2) / 900)),
    );
    paintFigure(draw, outfit, true);
    draw(ellipse(32, 60, 14, 2.8), hex("#1b4a63", 0.25));
    paintBox(draw, 21, 46, 22, 14);
    for (const [x, y, size] of [
      [9, 12, 6],
      [55, 11, 5],
      [7, 40, 4],
      [57, 42, 5],
    ])
      draw(sparkle(x, y, size), white(1));
  },
};

/** Only the head and two mittens look out of the water. */
const sunk: Sprite = {
  art: ["........", "..rrrr..", ".rffffr.", ".rkffkr.", "frffffrf", ".wwwwww.", "..wwww..", "........"],
  paint(draw) {
    draw(ellipse(32, 42, 21, 9), hex("#7fb8dd", 0.55));
    paintHead(draw, outfit, 11);
    const waterline = roundRect(0, 41.5, 64, 30, 0);
    draw(intersect(ellipse(32, 41, 18, 10), waterline), hex("#174a7c"));
    draw(intersect(outline(ellipse(32, 41, 18, 8.5), 1.6), waterline), hex("#bfe2f5", 0.9));
    for (const x of [14.5, 49.5]) draw(circle(x, 38, 4.4), outfit.trim);
    for (const [x, y] of points("16,26 48,24 52,30")) draw(ellipse(x, y, 1.5, 2.2), hex("#bfe2f5"));
  },
};

const sprite = spriteSheet(palette, {
  ice0: ice(0),
  ice1: ice(1),
  ice2: ice(2),
  ice3: ice(3),
  hole,
  gift,
  player,
  winner,
  sunk,
});

const iceNames = ["ice0", "ice1", "ice2", "ice3"] as const;

/** The whole lake with the figure on it. */
export function drawLake({ rows, cols, goal, holes }: Level, player: Cell, patchPx: number): Frame {
  return drawTiles(rows, cols, patchPx, (row, col) => {
    const here = sameCell(player, [row, col]);
    const ground = sprite(iceNames[(row * 3 + col * 2 + (row & col)) % 4], patchPx);
    if (sameCell(goal, [row, col])) return [ground, sprite(here ? "winner" : "gift", patchPx)];
    if (!holes.some((cell) => sameCell(cell, [row, col])))
      return here ? [ground, sprite("player", patchPx)] : [ground];
    const water = sprite("hole", patchPx);
    return here ? [ground, water, sprite("sunk", patchPx)] : [ground, water];
  });
}
