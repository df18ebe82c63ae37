// Shut doors and windows, at any size. Like other models they stand with their back at −z; the back is the wall.
import type { Rgb } from "../../../core/raster/solid.ts";
import type { Panel } from "../home.ts";
import { box, PALE, type Part, STEEL, shade, WOOD } from "./part.ts";

/** The sky, as it looks through a window. */
const GLASS: Rgb = [134, 190, 240];
/** Width of the frame, and how far frame and filling stand out from the wall, in centimetres. */
const FRAME = { width: 7, depth: 4, filling: 2 } as const;
/** Height of a door's handle above the floor. */
const HANDLE = 100;
/** Wider doors have two leaves. */
const WIDEST_LEAF = 130;

type Size = Pick<Panel, "width" | "height">;

/** The parts of a panel around x = 0, on y = 0. */
export const panelParts = (panel: Pick<Panel, "kind" | "width" | "height">): Part[] =>
  panel.kind === "door" ? doorParts(panel) : windowParts(panel);

/** Leaves of wood in a frame without a sill, with handles. */
function doorParts(size: Size): Part[] {
  return [
    filling(size, WOOD),
    ...posts(size, DARK_WOOD),
    head(size, DARK_WOOD),
    ...(size.width > WIDEST_LEAF ? twoLeaves(size) : handles(size, [size.width / 2 - 16])),
  ];
}
const DARK_WOOD = shade(WOOD, 0.6);

const twoLeaves = (size: Size): Part[] => [
  box([-1, 1], [0, size.height], [FRAME.filling, FRAME.filling + 1], DARK_WOOD),
  ...handles(size, [-8, 8]),
];

/** At these places along the door; none where it is too small for one. */
const handles = ({ width, height }: Size, places: readonly number[]): Part[] =>
  height > HANDLE + 10 && width > 50
    ? places.map((x) => box([x - 4, x + 4], [HANDLE, HANDLE + 6], [FRAME.filling, 7], STEEL))
    : [];

/** A pane in a frame, with a bar across its middle. */
function windowParts({ width, height }: Size): Part[] {
  const middle = height / 2;
  const bar = (y: number): Part => box([-width / 2, width / 2], [y, y + FRAME.width], [0, FRAME.depth], PALE);
  return [
    filling({ width, height }, GLASS),
    ...posts({ width, height }, PALE),
    head({ width, height }, PALE),
    bar(0),
    bar(middle - FRAME.width / 2),
  ];
}

const filling = ({ width, height }: Size, color: Rgb): Part =>
  box([-width / 2, width / 2], [0, height], [0, FRAME.filling], color);

const posts = ({ width, height }: Size, color: Rgb): Part[] =>
  [-width / 2, width / 2 - FRAME.width].map((x) =>
    box([x, x + FRAME.width], [0, height], [0, FRAME.depth], color),
  );

const head = ({ width, height }: Size, color: Rgb): Part =>
  box([-width / 2, width / 2], [height - FRAME.width, height], [0, FRAME.depth], color);
