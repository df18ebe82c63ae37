// Sprites of the grid worlds: each is drawn twice, as 8×8 pixel art for small tiles (what the model sees) and as smooth
// shapes in a 64-unit square for large ones (what people see). Drawn once per size and then copied.
import { EnvError } from "../core/errors.ts";
import {
  blit,
  type Color,
  circle,
  createFrame,
  ellipse,
  fill,
  hex,
  intersect,
  mix,
  type Paint,
  type Point,
  points,
  polygon,
  resample,
  roundRect,
  type Shape,
  stroke,
} from "../core/image.ts";
import type { Frame } from "../core/types.ts";

/** Draws a shape, given in the 64-unit square of a tile, on the sprite. */
export type Draw = (shape: Shape, paint: Paint) => void;

export interface Sprite {
  /** Eight rows of eight letters of the palette; a dot is transparent. */
  art: readonly string[];
  paint(draw: Draw): void;
}

/** Below this tile size smooth shapes blur and pixel art is clearer. */
const smallestSmoothTile = 16;
const largestTile = 256;
/** A page shows few sizes at a time; dragging a slider must not fill the memory. */
const sizesKept = 8;

/** A function that returns each sprite at each size from a cache. The frames are shared: do not write to them. */
export function spriteSheet<Name extends string>(
  palette: Readonly<Record<string, string>>,
  sprites: Readonly<Record<Name, Sprite>>,
): (name: Name, patchPx: number) => Frame {
  const sizes = new Map<number, Map<Name, Frame>>();
  const drawn = (patchPx: number) => {
    const known = sizes.get(patchPx);
    if (known) return known;
    checkTile(patchPx);
    if (sizes.size >= sizesKept) sizes.clear();
    const fresh = new Map<Name, Frame>();
    sizes.set(patchPx, fresh);
    return fresh;
  };
  return (name, patchPx) => {
    const frames = drawn(patchPx);
    const frame = frames.get(name) ?? drawSprite(sprites[name], palette, patchPx);
    frames.set(name, frame);
    return frame;
  };
}

/** A picture of rows × cols tiles; each tile is a stack of sprites, the lowest first. */
export function drawTiles(
  rows: number,
  cols: number,
  patchPx: number,
  pile: (row: number, col: number) => readonly Frame[],
): Frame {
  checkTile(patchPx);
  const frame = createFrame(cols * patchPx, rows * patchPx);
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      for (const sprite of pile(row, col)) blit(frame, sprite, col * patchPx, row * patchPx);
    }
  }
  return frame;
}

/** @throws EnvError for a size that no tile can have. */
export function checkTile(patchPx: number): void {
  if (Number.isInteger(patchPx) && patchPx >= 1 && patchPx <= largestTile) return;
  throw new EnvError(
    "invalid_config",
    `patchPx is ${patchPx}; no tile can have that size.`,
    `Use a whole number of pixels from 1 to ${largestTile}.`,
  );
}

function drawSprite(sprite: Sprite, palette: Readonly<Record<string, string>>, patchPx: number): Frame {
  if (patchPx < smallestSmoothTile) return resample(pixelArt(sprite.art, palette), patchPx, patchPx);
  const frame = createFrame(patchPx, patchPx);
  sprite.paint((shape, paint) => fill(frame, shape, paint, patchPx / 64));
  return frame;
}

function pixelArt(rows: readonly string[], palette: Readonly<Record<string, string>>): Frame {
  const frame = createFrame(8, 8);
  rows.forEach((row, y) => {
    [...row].forEach((letter, x) => {
      if (letter === ".") return;
      const { r, g, b } = hex(palette[letter]);
      frame.data.set([r, g, b, 255], (y * 8 + x) * 4);
    });
  });
  return frame;
}

/** The clothes of a figure. */
export interface Outfit {
  coat: Color;
  shade: Color;
  /** Fur of a hood, or the band of a helmet. */
  trim: Color;
  hat: "hood" | "helmet";
  hatColor: Color;
}

const skin = hex("#f7cfa8");
const ink = hex("#2a2433");

/** The figure of the player in the middle of a tile; `cheering` raises both arms. */
export function paintFigure(draw: Draw, outfit: Outfit, cheering = false): void {
  draw(ellipse(32, 57, 16, 4.5), hex("#10202c", 0.25));
  draw(roundRect(22, 50, 9, 8, 3.5), ink);
  draw(roundRect(33, 50, 9, 8, 3.5), ink);
  paintArms(draw, outfit, cheering);
  draw(roundRect(19, 31, 26, 23, 10), (x) => mix(outfit.coat, outfit.shade, (x - 28) / 20));
  draw(roundRect(20.5, 49, 23, 3.6, 1.8), outfit.trim);
  draw(stroke(points("32,38 32,47"), 1.6), outfit.shade);
  paintHead(draw, outfit);
}

function paintArms(draw: Draw, outfit: Outfit, cheering: boolean): void {
  for (const side of [-1, 1]) {
    const hand = cheering ? ([32 + side * 21, 23] as const) : ([32 + side * 16, 47] as const);
    draw(stroke([[32 + side * 11, 37], hand], 8), side < 0 ? outfit.coat : outfit.shade);
    draw(circle(hand[0], hand[1], 4.4), outfit.trim);
  }
}

/** Only head and hat, for a figure that is mostly hidden; `dy` moves it down. */
export function paintHead(draw: Draw, outfit: Outfit, dy = 0): void {
  if (outfit.hat === "hood") {
    draw(circle(32, 21 + dy, 15), (x) => mix(outfit.hatColor, outfit.shade, (x - 28) / 24));
    draw(circle(32, 22.5 + dy, 12.3), outfit.trim);
    draw(circle(32, 6.5 + dy, 4), outfit.trim);
  }
  draw(circle(32, 23.5 + dy, 10.2), skin);
  if (outfit.hat === "helmet") paintHelmet(draw, outfit, dy);
  for (const side of [-1, 1]) {
    draw(ellipse(32 + side * 4, 23.5 + dy, 1.6, 2.2), ink);
    draw(circle(32 + side * 4 + 0.5, 22.7 + dy, 0.6), hex("#ffffff"));
    draw(ellipse(32 + side * 6.8, 27.4 + dy, 2.1, 1.5), hex("#ee7f74", 0.55));
  }
  const mouth = points("29.4,28.6 30.7,29.7 33.3,29.7 34.6,28.6").map(([x, y]): Point => [x, y + dy]);
  draw(stroke(mouth, 1.4), hex("#8a3d35"));
}

function paintHelmet(draw: Draw, outfit: Outfit, dy: number): void {
  const shell = intersect(circle(32, 20 + dy, 13), roundRect(15, 0 + dy, 34, 18.5, 0));
  draw(shell, (x) => mix(outfit.hatColor, outfit.trim, (x - 26) / 26));
  draw(roundRect(28.6, 6 + dy, 6.8, 12, 3), mix(outfit.hatColor, hex("#ffffff"), 0.35));
  draw(roundRect(15.5, 16.4 + dy, 33, 4.2, 2.1), outfit.trim);
}

/** A four-pointed sparkle. */
export function sparkle(cx: number, cy: number, size: number): Shape {
  const waist = size * 0.24;
  return polygon([
    [cx, cy - size],
    [cx + waist, cy - waist],
    [cx + size, cy],
    [cx + waist, cy + waist],
    [cx, cy + size],
    [cx - waist, cy + waist],
    [cx - size, cy],
    [cx - waist, cy - waist],
  ]);
}
