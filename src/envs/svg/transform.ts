// Transformations of a drawing: what the attribute of this name and a view box do to its points.
import type { Point } from "../../core/image.ts";
import { numbersIn } from "./attributes.ts";

/** x and y become [a·x + c·y + e, b·x + d·y + f]. */
export type Transform = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** A point after a transformation. */
export const moved = ([a, b, c, d, e, f]: Transform, [x, y]: Point): Point => [
  a * x + c * y + e,
  b * x + d * y + f,
];

/** The second transformation, then the first: what an element does to what its children do. */
export function after(outer: Transform, inner: Transform): Transform {
  const [a, b, c, d, e, f] = inner;
  const linear: Transform = [outer[0], outer[1], outer[2], outer[3], 0, 0];
  return [...moved(linear, [a, b]), ...moved(linear, [c, d]), ...moved(outer, [e, f])] as const;
}

const FUNCTION = /\s*(\w+)\s*\(([^()]*)\)[\s,]*/y;

/** What the attribute `transform` does; null if it is not well-formed. */
export function readTransform(written: string): Transform | null {
  let whole: Transform = [1, 0, 0, 1, 0, 0];
  FUNCTION.lastIndex = 0;
  for (let at = 0; at < written.trimEnd().length; at = FUNCTION.lastIndex) {
    FUNCTION.lastIndex = at;
    const [, name, list] = FUNCTION.exec(written) ?? [];
    const one = name === undefined ? null : functionOf(name, numbersIn(list!));
    if (!one) return null;
    whole = after(whole, one);
  }
  return whole;
}

const tangent = (degrees: number): number => Math.tan((degrees * Math.PI) / 180);

function functionOf(name: string, n: readonly number[]): Transform | null {
  const [x, y] = n as [number, number];
  if (name === "matrix" && n.length === 6) return n as unknown as Transform;
  if (name === "translate" && (n.length === 1 || n.length === 2)) return [1, 0, 0, 1, x, y ?? 0];
  if (name === "scale" && (n.length === 1 || n.length === 2)) return [x, 0, 0, y ?? x, 0, 0];
  if (name === "rotate" && (n.length === 1 || n.length === 3)) return rotation(n);
  if (name === "skewX" && n.length === 1) return [1, 0, tangent(x), 1, 0, 0];
  return name === "skewY" && n.length === 1 ? [1, tangent(x), 0, 1, 0, 0] : null;
}

/** By degrees, around a point. */
function rotation([degrees, x = 0, y = 0]: readonly number[]): Transform {
  const radians = (degrees! * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
}

/** From the units of a view box to those of a square canvas: it is fitted into the canvas, in its middle. */
export function fitted(viewBox: string, side: number): Transform {
  const [x, y, width, height] = numbersIn(viewBox) as [number, number, number, number];
  const scale = side / Math.max(width, height);
  return [
    scale,
    0,
    0,
    scale,
    (side - scale * width) / 2 - scale * x,
    (side - scale * height) / 2 - scale * y,
  ];
}
