// What a shape may be called besides the name of its element: "rectangle", "triangle", "disc". A name that says how a shape looks is right
// only of shapes that look so.
import type { Point } from "../../core/image.ts";
import type { DrawnShape } from "./drawn-shapes.ts";

/** Names of shapes, and which shapes have them. */
const NAMES: Readonly<Record<string, (shape: DrawnShape) => boolean>> = {
  rectangle: ({ kind }) => kind === "rect",
  box: ({ kind }) => kind === "rect",
  square: ({ kind, outline }) => kind === "rect" && isSquare(cornersOf(outline)),
  disc: ({ kind }) => kind === "circle",
  disk: ({ kind }) => kind === "circle",
  oval: ({ kind }) => kind === "ellipse",
  triangle: ({ outline }) => cornersOf(outline).length === 3,
  diamond: (shape) => isDiamond(shape),
  rhombus: (shape) => isDiamond(shape),
};

/** The names of shapes other than those of elements. */
export const OTHER_NAMES = Object.keys(NAMES);

/** All names that a shape may have in a claim: that of its element first. */
export const namesOf = (shape: DrawnShape): readonly string[] => [
  shape.kind,
  ...OTHER_NAMES.filter((name) => NAMES[name]!(shape)),
];

/** How much the sides of a square may differ, how far their angle may be from a right one, by its cosine, and how far the corners of a diamond may be from the middle, in parts of a side. */
const SLACK = 0.1;

/** Whether corners are four, with equal sides between them that meet in a right angle, in any position. */
function isSquare(corners: readonly Point[]): boolean {
  const sides = corners.map(([x, y], i): Point => [x - corners.at(i - 1)![0], y - corners.at(i - 1)![1]]);
  const lengths = sides.map(([x, y]) => Math.hypot(x, y));
  const longest = Math.max(...lengths);
  const [[ax, ay], [bx, by]] = sides as [Point, Point];
  return (
    sides.length === 4 &&
    lengths.every((length) => length >= (1 - SLACK) * longest) &&
    Math.abs(ax * bx + ay * by) <= SLACK * lengths[0]! * lengths[1]!
  );
}

/** Whether a shape has four corners, each in the middle of one side of its box. */
function isDiamond({ outline, ends: [left, upper, right, lower] }: DrawnShape): boolean {
  const corners = cornersOf(outline);
  const [x, y] = [(left! + right!) / 2, (upper! + lower!) / 2];
  const [dx, dy] = [SLACK * (right! - left!), SLACK * (lower! - upper!)];
  const middles = [
    [x, upper!],
    [right!, y],
    [x, lower!],
    [left!, y],
  ] as const;
  return (
    corners.length === 4 &&
    middles.every(([mx, my]) =>
      corners.some(([cx, cy]) => Math.abs(cx - mx) <= dx && Math.abs(cy - my) <= dy),
    )
  );
}

/** Points closer than this, in units of the canvas, are one, and so are points on a line within it. */
const EPSILON = 0.01;

/** The points at which an outline turns. */
function cornersOf(outline: readonly Point[]): Point[] {
  const apart = outline.filter((point, i) => distance(point, outline.at(i - 1)!) > EPSILON);
  return apart.filter((point, i) => !isStraight(apart.at(i - 1)!, point, apart[(i + 1) % apart.length]!));
}

const distance = ([x0, y0]: Point, [x1, y1]: Point): number => Math.hypot(x0 - x1, y0 - y1);

/** Whether a point is within {@link EPSILON} of the line through its neighbours, between them. */
function isStraight(before: Point, [x, y]: Point, after: Point): boolean {
  const [dx, dy] = [after[0] - before[0], after[1] - before[1]];
  const [px, py] = [x - before[0], y - before[1]];
  const length = Math.hypot(dx, dy);
  return length > EPSILON && Math.abs(dx * py - dy * px) <= EPSILON * length && dx * px + dy * py > 0;
}
