// A picture as letters, for the text form of a state.
import type { Frame } from "../../core/types.ts";
import type { FILLS } from "./drawing.ts";

const SIDE = 16;

/** Each colour of the palette: its letter, and its red, green and blue in CSS. */
const COLORS: Readonly<Record<(typeof FILLS)[number] | "paper", readonly [string, number, number, number]>> =
  {
    paper: [".", 255, 255, 255],
    black: ["k", 0, 0, 0],
    red: ["r", 255, 0, 0],
    orange: ["o", 255, 165, 0],
    gold: ["y", 255, 215, 0],
    green: ["g", 0, 128, 0],
    deepskyblue: ["c", 0, 191, 255],
    blue: ["b", 0, 0, 255],
    purple: ["p", 128, 0, 128],
  };
const PALETTE = Object.values(COLORS);

/** 16 lines of 16 letters: the colour nearest to the middle of each square. @param picture at least 16 pixels wide and high. */
export function mosaic({ width, data }: Frame): string[] {
  const step = width / SIDE;
  return Array.from({ length: SIDE }, (_, row) =>
    Array.from({ length: SIDE }, (_, col) => {
      const at = 4 * (Math.floor((row + 0.5) * step) * width + Math.floor((col + 0.5) * step));
      return nearest(data[at]!, data[at + 1]!, data[at + 2]!);
    }).join(""),
  );
}

function nearest(r: number, g: number, b: number): string {
  const apart = ([, x, y, z]: (typeof PALETTE)[number]) => (r - x) ** 2 + (g - y) ** 2 + (b - z) ** 2;
  return PALETTE.reduce((best, color) => (apart(color) < apart(best) ? color : best))[0];
}
