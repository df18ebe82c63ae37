// Drawings in the short form that small policies write: a few kinds of shapes in named colours, with whole coordinates from 0 to 64.
import type { Point } from "../../core/image.ts";

/** Side of the canvas in its own units. */
export const CANVAS = 64;

/** Fills, by their names in CSS. */
export const FILLS = ["black", "red", "orange", "gold", "green", "deepskyblue", "blue", "purple"] as const;
type Fill = (typeof FILLS)[number];

export type Shape = { fill: Fill } & (
  | { kind: "circle"; cx: number; cy: number; r: number }
  | { kind: "rect"; x: number; y: number; width: number; height: number }
  | { kind: "path"; corners: readonly Point[] }
);

export const OPEN = `<svg viewBox="0 0 ${CANVAS} ${CANVAS}">`;
export const CLOSE = "</svg>";

/** The code of a drawing, whose later shapes cover earlier ones. */
export const drawingText = (shapes: readonly Shape[]): string =>
  OPEN + shapes.map(shapeText).join("") + CLOSE;

function shapeText(shape: Shape): string {
  const fill = `" fill="${shape.fill}"/>`;
  switch (shape.kind) {
    case "circle":
      return `<circle cx="${shape.cx}" cy="${shape.cy}" r="${shape.r}${fill}`;
    case "rect":
      return `<rect x="${shape.x}" y="${shape.y}" width="${shape.width}" height="${shape.height}${fill}`;
    case "path":
      return `<path d="M${shape.corners.map((corner) => corner.join(" ")).join("L")}Z${fill}`;
  }
}

/** Every piece of such code that becomes one token. */
export const DRAWING_WORDS: readonly string[] = [
  OPEN,
  CLOSE,
  ...['<circle cx="', '" cy="', '" r="', '<rect x="', '" y="', '" width="', '" height="', '<path d="M'],
  ...FILLS.flatMap((fill) => [`" fill="${fill}"/>`, `Z" fill="${fill}"/>`]),
  "L",
  ...Array.from({ length: CANVAS + 1 }, (_, n) => [String(n), ` ${n}`]).flat(),
];

/** What paths with curves or several parts have besides. */
export const PATH_WORDS: readonly string[] = ["M", "C", "Z"];

/** Whether a shape covers a point of the canvas. */
export function covers(shape: Shape, [x, y]: Point): boolean {
  switch (shape.kind) {
    case "circle":
      return (x - shape.cx) ** 2 + (y - shape.cy) ** 2 < shape.r ** 2;
    case "rect":
      return x > shape.x && y > shape.y && x < shape.x + shape.width && y < shape.y + shape.height;
    case "path":
      return isInside(shape.corners, x, y);
  }
}

/** Even-odd rule. */
function isInside(corners: readonly Point[], x: number, y: number): boolean {
  let inside = false;
  let [x0, y0] = corners.at(-1)!;
  for (const [x1, y1] of corners) {
    if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) inside = !inside;
    [x0, y0] = [x1, y1];
  }
  return inside;
}
