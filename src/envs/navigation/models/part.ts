// What objects are built of. A model stands with its back at −z and its front at +z, around x = z = 0, on y = 0; centimetres.
import {
  type Axis,
  boxFaces,
  type Face,
  type Rgb,
  roundFaces,
  type Vec3,
} from "../../../core/raster/solid.ts";

/** The colours that an object can have, by the words of the instructions. */
export const COLORS = {
  white: [238, 238, 234],
  silver: [158, 168, 178],
  black: [44, 44, 52],
  brown: [126, 80, 46],
  beige: [214, 188, 146],
  red: [206, 40, 44],
  orange: [236, 128, 34],
  yellow: [242, 208, 52],
  green: [48, 150, 72],
  blue: [46, 92, 206],
  purple: [136, 66, 176],
  pink: [236, 138, 176],
} as const satisfies Readonly<Record<string, Rgb>>;
export type ColorName = keyof typeof COLORS;

/** Colours of details. */
export const DARK: Rgb = [34, 34, 40];
export const STEEL: Rgb = [176, 186, 196];
export const PALE: Rgb = [244, 244, 240];
export const WATER: Rgb = [120, 200, 236];
export const WOOD: Rgb = [150, 100, 58];

export interface Part {
  from: Vec3;
  to: Vec3;
  color: Rgb;
  /** An eight-sided prism along this axis in place of a box. */
  round?: Axis;
  /** Of a prism: size of its end as a part of its base. */
  taper?: number;
}

type Span = readonly [from: number, to: number];

export const box = (x: Span, y: Span, z: Span, color: Rgb): Part => ({
  from: [x[0], y[0], z[0]],
  to: [x[1], y[1], z[1]],
  color,
});

export const round = (axis: Axis, x: Span, y: Span, z: Span, color: Rgb, taper = 1): Part => ({
  ...box(x, y, z, color),
  round: axis,
  taper,
});

/** A lighter (above 1) or darker (below 1) shade. */
export const shade = ([r, g, b]: Rgb, light: number): Rgb =>
  [r, g, b].map((value) => Math.min(255, Math.round(value * light))) as [number, number, number];

export interface Model {
  /** Width, height and depth of the box around the object. */
  size: Vec3;
  /** Its parts, in the colour that this one has. */
  parts(color: Rgb): Part[];
}

/** A model at another size, the same in all directions. */
export const enlarged = ({ size, parts }: Model, by: number): Model => ({
  size: times(size, by),
  parts: (color) =>
    parts(color).map((part) => ({ ...part, from: times(part.from, by), to: times(part.to, by) })),
});
const times = ([x, y, z]: Vec3, by: number): Vec3 => [x * by, y * by, z * by];

/** Four legs under the corners of a top. */
export function legs(width: number, depth: number, top: number, thick: number, color: Rgb): Part[] {
  const [x, z] = [width / 2, depth / 2];
  const xs: Span[] = [
    [-x, -x + thick],
    [x - thick, x],
  ];
  const zs: Span[] = [
    [-z, -z + thick],
    [z - thick, z],
  ];
  return xs.flatMap((each) => zs.map((other) => box(each, [0, top], other, color)));
}

/** The faces of a part, turned by quarter turns clockwise and moved to its place in the home. */
export function facesOf(part: Part, turn: number, [x, y, z]: Vec3): Face[] {
  const place = ([px, py, pz]: Vec3): Vec3 => {
    const [tx, tz] = turnPoint(px, pz, turn);
    return [x + tx, y + py, z + tz];
  };
  const [a, b] = [place(part.from), place(part.to)];
  if (!part.round) return boxFaces(ordered(a, b, Math.min), ordered(a, b, Math.max), part.color);
  const axis = turn % 2 && part.round !== "y" ? (part.round === "x" ? "z" : "x") : part.round;
  return roundFaces(a, b, part.color, axis, part.taper);
}

const ordered = (a: Vec3, b: Vec3, choose: (x: number, y: number) => number): Vec3 => [
  choose(a[0], b[0]),
  choose(a[1], b[1]),
  choose(a[2], b[2]),
];

/** A point after quarter turns clockwise as seen from above: what was ahead (+z) is then to the right (+x). */
function turnPoint(x: number, z: number, turn: number): readonly [x: number, z: number] {
  if (turn === 1) return [z, -x];
  if (turn === 2) return [-x, -z];
  return turn === 3 ? [-z, x] : [x, z];
}
