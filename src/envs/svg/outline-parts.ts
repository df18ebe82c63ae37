// Parts of a shape's outline, as paths with the paint of the shape.
import type { Point } from "../../core/image.ts";
import { PAINT } from "./attributes.ts";
import { type Attributes, outlinesOf } from "./outlines.ts";

/** Outlines that do not return to where they begin. */
const OPEN = new Set(["line", "polyline"]);

/**
 * The first parts of a shape's outline, each as the code of a path; none for a shape that draws nothing. The parts of a rectangle do not
 * round its corners.
 * @param kind the name of its element
 * @param shares of the outline's edges, 0 … 1: with half of them a rectangle is a triangle, however wide it is
 */
export function partsOf(kind: string, attributes: Attributes, shares: readonly number[]): string[] {
  const [outline = []] = kind === "line" ? [lineOf(attributes)] : (outlinesOf(kind, attributes) ?? []);
  if (outline.length < 2) return [];
  const corners = OPEN.has(kind) ? outline : [...outline, outline[0]!];
  const paint = PAINT.filter((name) => name in attributes).map((name) => ` ${name}="${attributes[name]}"`);
  return shares.map((share) => `<path d="${dataOf(begun(corners, share))}"${paint.join("")}/>`);
}

const dataOf = (corners: readonly Point[]): string =>
  corners.map(([x, y], i) => `${i === 0 ? "M" : "L"}${rounded(x)} ${rounded(y)}`).join("");

function lineOf(attributes: Attributes): Point[] {
  const at = (name: string) => Number.parseFloat(attributes[name] ?? "0");
  return [
    [at("x1"), at("y1")],
    [at("x2"), at("y2")],
  ];
}

/** The corners that a pen passes on a share of the edges between them, and the point where it stops. */
function begun(corners: readonly Point[], share: number): Point[] {
  const edges = share * (corners.length - 1);
  const passed = Math.min(corners.length - 2, Math.floor(edges));
  const [[x, y], [toX, toY]] = [corners[passed]!, corners[passed + 1]!];
  const way = edges - passed;
  return [...corners.slice(0, passed + 1), [x + (toX - x) * way, y + (toY - y) * way]];
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
