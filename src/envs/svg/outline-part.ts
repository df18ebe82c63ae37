// Part of a shape's outline, as a path with the paint of the shape.
import type { Point } from "../../core/image.ts";
import { type Attributes, outlinesOf } from "./outlines.ts";

/** Attributes that a path has none of. */
const PLACES = new Set([
  "x",
  "y",
  "width",
  "height",
  "rx",
  "ry",
  "cx",
  "cy",
  "r",
  "x1",
  "y1",
  "x2",
  "y2",
  "points",
]);

/** Outlines that do not return to where they begin. */
const OPEN = new Set(["line", "polyline"]);

/**
 * The first part of a shape's outline as the code of a path; null for a shape that draws nothing. Corners that a rectangle rounds are
 * square in a part of it.
 * @param kind the name of its element
 * @param share of the outline's edges, 0 … 1: with half of them a rectangle is a triangle, however wide it is
 */
export function partOf(kind: string, attributes: Attributes, share: number): string | null {
  const [outline = []] = kind === "line" ? [lineOf(attributes)] : (outlinesOf(kind, attributes) ?? []);
  if (outline.length < 2) return null;
  const corners = begun(OPEN.has(kind) ? outline : [...outline, outline[0]!], share);
  const data = corners.map(([x, y], i) => `${i === 0 ? "M" : "L"}${rounded(x)} ${rounded(y)}`).join("");
  const paint = Object.entries(attributes).flatMap(([name, value]) =>
    PLACES.has(name) ? [] : ` ${name}="${value}"`,
  );
  return `<path d="${data}"${paint.join("")}/>`;
}

function lineOf(attributes: Attributes): Point[] {
  const at = (name: string) => Number.parseFloat(attributes[name] ?? "0");
  return [
    [at("x1"), at("y1")],
    [at("x2"), at("y2")],
  ];
}

/** The corners that a pen has passed after a share of the edges between them, and the place that it has come to. */
function begun(corners: readonly Point[], share: number): Point[] {
  const edges = share * (corners.length - 1);
  const passed = Math.min(corners.length - 2, Math.floor(edges));
  const [[x, y], [toX, toY]] = [corners[passed]!, corners[passed + 1]!];
  const way = edges - passed;
  return [...corners.slice(0, passed + 1), [x + (toX - x) * way, y + (toY - y) * way]];
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
