// The icons that are to be drawn: a few shapes on a lattice, each in a colour of its own and none hidden by those on top of it.
import type { Point } from "../../core/image.ts";
import type { Rng } from "../../core/rng.ts";
import { CANVAS, covers, FILLS, type Shape } from "./drawing.ts";

/** Least part of a shape that later ones must leave in view. */
const IN_VIEW = 0.4;

/** Sample points at which coverage is measured. */
const PROBES: readonly Point[] = Array.from({ length: CANVAS }, (_, i) => i + 0.5).flatMap((y, i) =>
  Array.from({ length: CANVAS / 2 }, (_, j): Point => [2 * j + (i % 2) + 0.5, y]),
);

/** An icon of 1 to `most` shapes, the largest at the bottom. */
export function drawIcon(random: Rng, most: number, lattice: number): readonly Shape[] {
  const count = 1 + random.int(most);
  const fills = random.shuffle(FILLS);
  for (;;) {
    const shapes = Array.from({ length: count }, (_, i) => randomShape(random, fills[i]!, lattice));
    const sorted = shapes
      .map((shape) => ({ shape, covered: PROBES.filter((point) => covers(shape, point)) }))
      .sort((a, b) => b.covered.length - a.covered.length);
    if (sorted.every((_, i) => partInView(sorted, i) >= IN_VIEW)) return sorted.map(({ shape }) => shape);
  }
}

/** A shape and the sample points that it covers. */
interface Covering {
  shape: Shape;
  covered: readonly Point[];
}

function partInView(sorted: readonly Covering[], i: number): number {
  const { covered } = sorted[i]!;
  const above = sorted.slice(i + 1);
  const seen = covered.filter((point) => !above.some(({ shape }) => covers(shape, point)));
  return covered.length === 0 ? 0 : seen.length / covered.length;
}

const randomShape = (random: Rng, fill: Shape["fill"], lattice: number): Shape =>
  random.pick([circle, rectangle, triangle, diamond])(random, fill, lattice);

/** A multiple of the lattice from `from` to `to`, of which at least one is there. */
const multiple = (random: Rng, lattice: number, from: number, to: number): number => {
  const [first, last] = [Math.ceil(from / lattice), Math.floor(to / lattice)];
  return lattice * (first + random.int(last - first + 1));
};

/** Half of a shape's width or height, and where its middle is. */
function place(random: Rng, lattice: number, least: number, most: number) {
  const half = multiple(random, lattice, least, most);
  return { half, middle: multiple(random, lattice, half, CANVAS - half) };
}

function circle(random: Rng, fill: Shape["fill"], lattice: number): Shape {
  const { half: r, middle: cx } = place(random, lattice, 8, 24);
  return { kind: "circle", cx, cy: multiple(random, lattice, r, CANVAS - r), r, fill };
}

function rectangle(random: Rng, fill: Shape["fill"], lattice: number): Shape {
  const [across, down] = [place(random, lattice, 4, 24), place(random, lattice, 4, 24)];
  const [x, y] = [across.middle - across.half, down.middle - down.half];
  return { kind: "rect", x, y, width: 2 * across.half, height: 2 * down.half, fill };
}

/** Two corners on one side of a box, and one in the middle of the opposite side. */
function triangle(random: Rng, fill: Shape["fill"], lattice: number): Shape {
  const [across, down] = [place(random, lattice, 8, 24), place(random, lattice, 8, 24)];
  const [x, y, dx, dy] = [across.middle, down.middle, across.half, down.half];
  const corners = random.pick<readonly Point[]>([
    [
      [x, y - dy],
      [x + dx, y + dy],
      [x - dx, y + dy],
    ],
    [
      [x, y + dy],
      [x - dx, y - dy],
      [x + dx, y - dy],
    ],
    [
      [x - dx, y],
      [x + dx, y - dy],
      [x + dx, y + dy],
    ],
    [
      [x + dx, y],
      [x - dx, y + dy],
      [x - dx, y - dy],
    ],
  ]);
  return { kind: "path", corners, fill };
}

function diamond(random: Rng, fill: Shape["fill"], lattice: number): Shape {
  const [across, down] = [place(random, lattice, 8, 24), place(random, lattice, 8, 24)];
  const [x, y, dx, dy] = [across.middle, down.middle, across.half, down.half];
  return {
    kind: "path",
    corners: [
      [x, y - dy],
      [x + dx, y],
      [x, y + dy],
      [x - dx, y],
    ],
    fill,
  };
}
