// Squared paper with coloured shapes, lines between labelled points, and a green sheet once the answer is found.
import { circle, hex, mix, type Point, points, polygon, roundRect, stroke } from "../../core/image.ts";
import type { Cell, Frame } from "../../core/types.ts";
import { sameCell } from "../grid.ts";
import { type Draw, drawTiles, type Sprite, spriteSheet } from "../sprites.ts";
import { COLORS, POINTS, type PointName, SHAPES, type ShapeColor, type ShapeKind } from "./question.ts";
import { type Arm, lineCells, type Scene } from "./scene.ts";

const palette = {
  p: "#f7f5ee", // paper
  e: "#c9d6e2", // its ruling
  v: "#d5efd3", // the paper of a solved question
  f: "#a9d3a8",
  l: "#39424e", // lines
  w: "#ffffff", // behind a letter
  k: "#12161c", // letters
  r: "#d92b35",
  b: "#2268c9",
  g: "#2b9a4b",
  y: "#e8a800",
};

/** Shapes leave the outermost pixels to the ruling, so that neighbours stay apart. */
const shapeArt: Readonly<Record<ShapeKind, readonly string[]>> = {
  circle: ["........", "..xxx...", ".xxxxx..", ".xxxxx..", ".xxxxx..", "..xxx...", "........", "........"],
  triangle: ["...x....", "...x....", "..xxx...", "..xxx...", ".xxxxx..", "xxxxxxx.", "........", "........"],
  square: ["xxxxxxx.", "xxxxxxx.", "xx...xx.", "xx...xx.", "xx...xx.", "xxxxxxx.", "xxxxxxx.", "........"],
};

const shapeOf: Readonly<Record<ShapeKind, (draw: Draw, inset: number, color: string) => void>> = {
  circle: (draw, inset, color) => draw(circle(31, 31, 22 - inset), shaded(color)),
  triangle: (draw, inset, color) =>
    draw(
      polygon([
        [31, 9 + inset * 2],
        [55 - inset * 1.7, 52 - inset],
        [7 + inset * 1.7, 52 - inset],
      ]),
      shaded(color),
    ),
  square: (draw, inset, color) =>
    draw(roundRect(11 + inset, 11 + inset, 40 - 2 * inset, 40 - 2 * inset, 3), shaded(color)),
};

const shaded = (color: string) => (x: number, y: number) =>
  mix(mix(hex(color), hex("#ffffff"), 0.16), hex(color), (x + y - 24) / 60);

function shape(color: ShapeColor, kind: ShapeKind): Sprite {
  const ink = palette[color[0] as keyof typeof palette];
  return {
    art: shapeArt[kind].map((row) => row.replaceAll("x", color[0])),
    paint(draw) {
      shapeOf[kind](draw, 0, dark(ink));
      shapeOf[kind](draw, 2.4, ink);
    },
  };
}

/** The rim of a shape. */
function dark(code: string): string {
  const { r, g, b } = mix(hex(code), hex("#000000"), 0.3);
  return `#${[r, g, b].map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

const sheet = (ground: string, rule: string): Sprite => ({
  art: [...Array(7).fill(`${ground.repeat(7)}${rule}`), rule.repeat(8)],
  paint(draw) {
    const [paper, ruling] = [ground, rule].map((letter) => hex(palette[letter as keyof typeof palette]));
    draw(roundRect(-1, -1, 66, 66, 0), paper);
    draw(roundRect(62.4, -1, 2.6, 66, 0), ruling);
    draw(roundRect(-1, 62.4, 66, 2.6, 0), ruling);
  },
});

const armEnds: Readonly<Record<Arm, Point>> = {
  up: [31, -1],
  down: [31, 65],
  left: [-1, 31],
  right: [65, 31],
};

const arm = (direction: Arm): Sprite => ({
  art: armArt[direction],
  paint: (draw) => draw(stroke([[31, 31], armEnds[direction]], 5), hex(palette.l)),
});

const none = "........";
const armArt: Readonly<Record<Arm, readonly string[]>> = {
  up: [...Array(4).fill("...l...."), ...Array(4).fill(none)],
  down: [...Array(3).fill(none), ...Array(5).fill("...l....")],
  left: [none, none, none, "llll....", none, none, none, none],
  right: [none, none, none, "...lllll", none, none, none, none],
};

/** Letters of 3 × 5 pixels on a white plate, and the same as strokes. */
const letters: Readonly<Record<PointName, { pixels: readonly string[]; strokes: readonly string[] }>> = {
  A: { pixels: [".k.", "k.k", "kkk", "k.k", "k.k"], strokes: ["21,43 31,18 41,43", "25,35 37,35"] },
  B: {
    pixels: ["kk.", "k.k", "kk.", "k.k", "kk."],
    strokes: ["24,43 24,19 34,19 38,22 38,27 34,30 24,30", "34,30 39,34 39,39 34,43 24,43"],
  },
  C: {
    pixels: [".kk", "k..", "k..", "k..", ".kk"],
    strokes: ["40,22 34,18 27,20 22,27 22,35 27,42 34,44 40,40"],
  },
  D: {
    pixels: ["kk.", "k.k", "k.k", "k.k", "kk."],
    strokes: ["24,43 24,19 31,19 39,25 39,37 31,43 24,43"],
  },
};

function label(name: PointName): Sprite {
  const { pixels, strokes } = letters[name];
  return {
    art: [".wwwww..", ...pixels.map((row) => `.w${row.replaceAll(".", "w")}w..`), ".wwwww..", none],
    paint(draw) {
      draw(circle(31, 31, 24), hex(palette.l));
      draw(circle(31, 31, 20.5), hex("#ffffff"));
      for (const line of strokes) draw(stroke(points(line), 4.4), hex(palette.k));
    },
  };
}

const named = <K extends string>(names: readonly K[], make: (name: K) => Sprite) =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, Sprite>;

const items = COLORS.flatMap((color) =>
  SHAPES.map((kind) => [`${color} ${kind}`, shape(color, kind)] as const),
);

const sprite = spriteSheet(palette, {
  paper: sheet("p", "e"),
  solved: sheet("v", "f"),
  ...named(["up", "down", "left", "right"], arm),
  ...named(POINTS, label),
  ...(Object.fromEntries(items) as Record<`${ShapeColor} ${ShapeKind}`, Sprite>),
});

/** The picture of a scene, `patchPx` pixels a tile. */
export function drawPicture(scene: Scene, solved: boolean, patchPx: number): Frame {
  const lines = lineCells(scene);
  const labels = Object.entries(scene.points) as [PointName, Cell][];
  return drawTiles(scene.side, scene.side, patchPx, (row, col) => {
    const here = ({ cell }: { cell: Cell }) => sameCell(cell, [row, col]);
    const names = [
      solved ? ("solved" as const) : ("paper" as const),
      ...scene.items.filter(here).map(({ item }) => `${item.color} ${item.shape}` as const),
      ...lines.filter(here).flatMap(({ arms }) => arms),
      ...labels.filter(([, cell]) => here({ cell })).map(([name]) => name),
    ];
    return names.map((name) => sprite(name, patchPx));
  });
}
