// What the picture of a drawing shows, as far as it can be said exactly: its plain filled shapes and where they end.
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import type { Point } from "../../core/image.ts";
import { CANVAS, FILLS } from "./drawing.ts";
import { type Attributes, outlinesOf } from "./outlines.ts";
import { readDrawing, svgText } from "./sanitise.ts";
import { after, fitted, moved, readTransform, type Transform } from "./transform.ts";

/** A shape in the picture. */
export interface DrawnShape {
  /** One of `FILLS`. */
  fill: string;
  /** The name of its element: "circle". */
  kind: string;
  /** Left, upper, right and lower end of what the canvas shows of it, in its units, with two decimals. */
  ends: readonly number[];
  /** The corners of what the canvas shows of it, where that is one part; empty where it is several. */
  outline: readonly Point[];
}

/**
 * The shapes that the canvas shows, from the bottom to the top. Null for a drawing that cannot be described in this way: one with strokes,
 * translucent paint, gradients, colours beyond `FILLS`, arcs, or code of which a renderer draws only a part.
 */
export function drawnShapes(code: string): DrawnShape[] | null {
  const drawing = readDrawing(code);
  if (!drawing || "refused" in drawing) return null;
  const shapes = shapesUnder(parseXml(svgText(drawing, CANVAS)).root!, {
    fill: "black",
    transform: fitted(drawing.viewBox, CANVAS),
  });
  return shapes.includes(null) ? null : (shapes as DrawnShape[]);
}

/** What a shape has from the elements around it. */
interface Inherited {
  fill: string;
  transform: Transform;
}

/** Nulls for what cannot be described. */
function shapesUnder(parent: XmlElement, inherited: Inherited): (DrawnShape | null)[] {
  return parent.children.flatMap((element) => {
    if (!(element instanceof XmlElement) || element.name === "defs") return [];
    const { name, attributes } = element;
    const own = inheritedBy(attributes, inherited);
    if (!own) return [null];
    if (name === "g") return shapesUnder(element, own);
    return own.fill === "none" ? [] : shapeOf(name, attributes, own);
  });
}

/** Null where the paint is more than a plain fill. */
function inheritedBy(attributes: Attributes, { fill: outer, transform }: Inherited): Inherited | null {
  const { fill = outer, stroke = "none", transform: written = "", "fill-rule": rule } = attributes;
  const own = readTransform(written);
  const isPlain = stroke === "none" && attributes["fill-opacity"] === undefined && rule !== "evenodd";
  return isPlain && own ? { fill: fill.toLowerCase(), transform: after(transform, own) } : null;
}

function shapeOf(kind: string, attributes: Attributes, { fill, transform }: Inherited) {
  const outlines = outlinesOf(kind, attributes);
  if (!outlines || !(FILLS as readonly string[]).includes(fill)) return [null];
  const parts = outlines
    .map((outline) => onCanvas(outline.map((point) => moved(transform, point))))
    .filter(hasArea);
  const shown = parts.flat();
  if (shown.length === 0) return [];
  const [xs, ys] = [0, 1].map((axis) => shown.map((point) => point[axis]!)) as [number[], number[]];
  const ends = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const outline = parts.length === 1 ? shown : [];
  return [{ fill, kind, ends: ends.map((end) => Math.round(end * 100) / 100 + 0), outline }];
}

/** The part of an outline that lies on the canvas: cut at one edge after another (Sutherland and Hodgman). */
const onCanvas = (outline: Point[]): Point[] =>
  ([0, 1] as const).reduce((rest, axis) => cut(cut(rest, axis, 1, 0), axis, -1, -CANVAS), outline);

/** Keeps where `sign` times a coordinate is at least `least`. */
function cut(outline: Point[], axis: 0 | 1, sign: 1 | -1, least: number): Point[] {
  if (outline.every((point) => sign * point[axis] >= least)) return outline;
  return outline.flatMap((point, i) => {
    const before = outline.at(i - 1)!;
    const [from, to] = [sign * before[axis] - least, sign * point[axis] - least];
    const crossing = from < 0 !== to < 0 ? [between(before, point, from / (from - to))] : [];
    return to < 0 ? crossing : [...crossing, point];
  });
}

const between = ([x0, y0]: Point, [x1, y1]: Point, share: number): Point => [
  x0 + (x1 - x0) * share,
  y0 + (y1 - y0) * share,
];

/** An outline all of whose points lie on a line, give or take a rounding error, fills nothing. */
function hasArea(outline: Point[]): boolean {
  const [first] = outline;
  if (!first) return false;
  const [x, y] = first;
  const [fx, fy] = outline.reduce((best, point) => (away(point, first) > away(best, first) ? point : best));
  return outline.some(([px, py]) => Math.abs((fx - x) * (py - y) - (fy - y) * (px - x)) > 1e-6);
}

const away = ([x0, y0]: Point, [x1, y1]: Point): number => Math.abs(x0 - x1) + Math.abs(y0 - y1);
