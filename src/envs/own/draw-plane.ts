// Pictures of a user's own plane: a background, scenery, and a plain shape for each thing.
import {
  circle,
  createFrame,
  ellipse,
  fill,
  hex,
  outline,
  type Point,
  polygon,
  roundRect,
  type Shape,
} from "../../core/image.ts";
import type { Frame, Thing } from "../../core/types.ts";
import { checkTile } from "../sprites.ts";
import { PATCH } from "../square-picture.ts";
import type { Extent, Look, OwnPlane } from "./own.ts";

/** A box around a middle, in units. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Corners in shares of the box, from −1 to 1. */
const polygonIn = ({ x, y, width, height }: Box, ...corners: Point[]): Shape =>
  polygon(corners.map(([u, v]): Point => [x + (u * width) / 2, y + (v * height) / 2]));

/** How far the arms of a cross reach from its middle lines, as a share of the half box. */
const ARM = 0.35;
/** How thick a ring is, as a share of its shorter side. */
const RING = 0.22;

const drawings: Readonly<Record<Look["shape"], (box: Box) => Shape>> = {
  square: ({ x, y, width, height }) => roundRect(x - width / 2, y - height / 2, width, height, 0),
  disc: ({ x, y, width, height }) =>
    width === height ? circle(x, y, width / 2) : ellipse(x, y, width / 2, height / 2),
  diamond: (box) => polygonIn(box, [0, -1], [1, 0], [0, 1], [-1, 0]),
  ring({ x, y, width, height }) {
    const line = RING * Math.min(width, height);
    return outline(ellipse(x, y, (width - line) / 2, (height - line) / 2), line);
  },
  cross: (box) =>
    polygonIn(
      box,
      ...[[-ARM, -1] as const, [ARM, -1] as const, [ARM, -ARM] as const, [1, -ARM] as const],
      ...[[1, ARM] as const, [ARM, ARM] as const, [ARM, 1] as const, [-ARM, 1] as const],
      ...[[-ARM, ARM] as const, [-1, ARM] as const, [-1, -ARM] as const, [-ARM, -ARM] as const],
    ),
  triangle: (box) => polygonIn(box, [0, -1], [1, 1], [-1, 1]),
};

export const extentOf = (size: Extent): readonly [width: number, height: number] =>
  typeof size === "number" ? [size, size] : size;

const shapeOf = (shape: Look["shape"], [x, y]: readonly number[], size: Extent): Shape => {
  const [width, height] = extentOf(size);
  return drawings[shape]({ x: x!, y: y!, width, height });
};

/** Planes without their things, by pixels of a patch: hundreds of states are drawn on the same one. */
const grounds = new WeakMap<OwnPlane, Map<number, Frame>>();

/** A picture of its own of the background and the scenery. */
function groundOf(own: OwnPlane, patchPx: number): Frame {
  const known = grounds.get(own) ?? new Map<number, Frame>();
  grounds.set(own, known);
  const ground = known.get(patchPx) ?? drawGround(own, patchPx / PATCH);
  known.set(patchPx, ground);
  return { ...ground, data: ground.data.slice() };
}

function drawGround({ size: [width, height], background, scenery }: OwnPlane, scale: number): Frame {
  const frame = createFrame(width * scale, height * scale, hex(background));
  for (const { shape, at, size, color } of scenery) fill(frame, shapeOf(shape, at, size), hex(color), scale);
  return frame;
}

/** The plane, `patchPx` pixels for the units of a patch; a unit is a pixel of the agent's picture. What is drawn earlier in `things` lies below. Names without a look are left out. */
export function drawPlane(own: OwnPlane, things: readonly Thing[], patchPx: number): Frame {
  checkTile(patchPx);
  const frame = groundOf(own, patchPx);
  for (const { name, at } of things) {
    if (!Object.hasOwn(own.things, name)) continue;
    const { shape, size, color } = own.things[name]!;
    fill(frame, shapeOf(shape, at, size), hex(color), patchPx / PATCH);
  }
  return frame;
}
