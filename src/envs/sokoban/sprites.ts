// The storehouse: brick walls, a plank floor, red target rings, wooden crates and a figure in blue.
import {
  type Color,
  circle,
  ellipse,
  grain,
  hex,
  mix,
  noise,
  outline,
  points,
  roundRect,
  stroke,
} from "../../core/image.ts";
import type { Frame } from "../../core/types.ts";
import { type Draw, drawTiles, type Outfit, paintFigure, type Sprite, spriteSheet } from "../sprites.ts";
import type { Level } from "./room.ts";

const palette = {
  a: "#efe4cd", // floor
  e: "#d8c8a8", // its edge
  b: "#6b4a55", // brick
  m: "#3c2a36", // mortar
  t: "#e02434", // target
  c: "#c98a3c", // crate
  d: "#7d4d19", // its boards
  g: "#4cbf5a", // crate on a target
  h: "#1d7a33", // its boards
  u: "#2467d6", // blue coat
  y: "#f7c52d", // helmet
  f: "#f9d3ad", // face
  k: "#20182c", // eyes and boots
};

const outfit: Outfit = {
  coat: hex("#3b82e8"),
  shade: hex("#1d4fae"),
  trim: hex("#e0930f"),
  hat: "helmet",
  hatColor: hex("#ffd23e"),
};

const floor: Sprite = {
  art: ["aaaaaaae", "aaaaaaae", "aaaaaaae", "aaaaaaae", "aaaaaaae", "aaaaaaae", "aaaaaaae", "eeeeeeee"],
  paint(draw) {
    const [light, dark] = [hex("#f4ead6"), hex("#e3d3b3")];
    draw(roundRect(-1, -1, 66, 66, 0), hex("#cfbc97"));
    draw(roundRect(0.7, 0.7, 62.6, 62.6, 3), hex("#fbf4e6"));
    draw(roundRect(1.5, 1.9, 61.6, 61.2, 2.6), (x, y) =>
      mix(light, dark, 0.25 + (x + y) / 330 + (noise(x / 18, y / 3.5, 5) - 0.5) * 0.5),
    );
  },
};

const wall: Sprite = {
  art: ["bbbmbbbm", "bbbmbbbm", "mmmmmmmm", "bmbbbmbb", "bmbbbmbb", "mmmmmmmm", "bbbmbbbm", "mmmmmmmm"],
  paint(draw) {
    draw(roundRect(-1, -1, 66, 66, 0), hex("#3a2a35"));
    for (let course = 0; course < 4; course++) {
      const shift = course % 2 ? -16 : 0;
      for (let left = shift; left < 64; left += 32)
        paintBrick(draw, left, course * 16, course * 2 + (left >= 16 ? 1 : 0));
    }
  },
};

function paintBrick(draw: Draw, left: number, top: number, salt: number): void {
  // The halves of a brick that two tiles share must look alike: brightness goes by course.
  const tone = mix(hex("#7d5560"), hex("#664450"), left < 0 || left >= 48 ? 0.5 : grain(salt, 3));
  const shaded = (x: number, y: number): Color =>
    mix(
      mix(tone, hex("#98707a"), 0.5 - (y - top) / 16),
      hex("#4c323d"),
      (noise(x / 4, y / 4, 2) - 0.4) * 0.35,
    );
  draw(roundRect(left + 1, top + 1, 30, 14, 2), shaded);
  draw(roundRect(left + 3, top + 2, 26, 1.4, 0.7), hex("#c39aa2", 0.45));
}

const target: Sprite = {
  art: ["........", "..tttt..", ".t....t.", ".t.tt.t.", ".t.tt.t.", ".t....t.", "..tttt..", "........"],
  paint(draw) {
    draw(circle(32, 32, 21), hex("#ffd9d3", 0.75));
    draw(outline(circle(32, 32, 20), 4.5), hex("#e02f3c"));
    draw(circle(32, 32, 7.5), hex("#e02f3c"));
    draw(ellipse(30, 29.5, 2.6, 1.8), hex("#ffffff", 0.55));
  },
};

interface Wood {
  light: Color;
  dark: Color;
  frame: Color;
  edge: Color;
}

const plain: Wood = {
  light: hex("#e0a95c"),
  dark: hex("#c98c3e"),
  frame: hex("#a9702b"),
  edge: hex("#6b4317"),
};
const placed: Wood = {
  light: hex("#86dc82"),
  dark: hex("#55b95c"),
  frame: hex("#319744"),
  edge: hex("#17602a"),
};

/** Boards with grain, a frame with nails, and a diagonal brace. */
function paintCrate(draw: Draw, wood: Wood): void {
  draw(ellipse(33.5, 58.5, 26, 4), hex("#3b2a12", 0.3));
  draw(roundRect(6, 6, 52, 52, 4), wood.edge);
  const fibre = (x: number, y: number) =>
    mix(wood.light, wood.dark, noise(x / 14, y / 1.8, 4) * 0.9 + y / 220);
  for (let board = 0; board < 4; board++) draw(roundRect(9, 8 + board * 12.2, 46, 11.4, 1), fibre);
  const brace = points("17,47 47,17");
  draw(stroke(brace, 8.5), wood.edge);
  draw(stroke(brace, 6), wood.frame);
  const rails = [
    [8, 8, 48, 8],
    [8, 48, 48, 8],
    [8, 8, 8, 48],
    [48, 8, 8, 48],
  ] as const;
  for (const [x, y, w, h] of rails) {
    draw(roundRect(x, y, w, h, 1.6), wood.edge);
    draw(roundRect(x + 0.8, y + 0.8, w - 1.6, h - 1.6, 1.2), (_, at) =>
      mix(wood.light, wood.frame, 0.55 + (at - 8) / 110),
    );
  }
  for (const [x, y] of points("12,12 52,12 12,52 52,52")) {
    draw(circle(x, y, 1.9), wood.edge);
    draw(circle(x - 0.4, y - 0.5, 0.8), wood.light);
  }
}

const crate: Sprite = {
  art: ["dddddddd", "dccccccd", "dcdccdcd", "dccddccd", "dccddccd", "dcdccdcd", "dccccccd", "dddddddd"],
  paint: (draw) => paintCrate(draw, plain),
};

/** Green, with a tick, and the red ring still showing around it. */
const stored: Sprite = {
  art: ["hhhhhhhh", "hggggggh", "hgggggth", "hggggtgh", "htggtggh", "hgttgggh", "hggggggh", "hhhhhhhh"],
  paint(draw) {
    paintCrate(draw, placed);
    draw(circle(32, 32, 15.5), hex("#e02f3c"));
    draw(circle(32, 32, 12.5), hex("#fffdf6"));
    draw(stroke(points("25.5,32.5 30.2,37.2 38.8,27.2"), 4.4), hex("#219a3c"));
  },
};

const player: Sprite = {
  art: ["..yyyy..", ".yyyyyy.", "..kffk..", "..ffff..", ".uuuuuu.", "f.uuuu.f", "..uuuu..", "..k..k.."],
  paint: (draw) => paintFigure(draw, outfit),
};

/** The ring stays visible around the figure. */
const standing: Sprite = {
  art: ["t.yyyy.t", ".yyyyyy.", "t.kffk.t", "t.ffff.t", "tuuuuuut", "f.uuuu.f", "t.uuuu.t", ".tkttkt."],
  paint(draw) {
    draw(circle(32, 33, 27), hex("#ffd9d3", 0.75));
    draw(outline(circle(32, 33, 27.5), 4.5), hex("#e02f3c"));
    paintFigure(draw, outfit);
  },
};

const sprite = spriteSheet(palette, { floor, wall, target, crate, stored, player, standing });

/** The whole room with everything in it. */
export function drawRoom({ rows, cols, wall, targets, boxes, player }: Level, patchPx: number): Frame {
  return drawTiles(rows, cols, patchPx, (row, col) => {
    const cell = row * cols + col;
    if (wall[cell]) return [sprite("wall", patchPx)];
    const onTarget = targets.includes(cell);
    const ground = sprite("floor", patchPx);
    if (cell === player) return [ground, sprite(onTarget ? "standing" : "player", patchPx)];
    if (boxes.includes(cell)) return [ground, sprite(onTarget ? "stored" : "crate", patchPx)];
    return onTarget ? [ground, sprite("target", patchPx)] : [ground];
  });
}
