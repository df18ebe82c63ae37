// How much of the picture a drawing paints in the ways that take the renderer long: with gradients, whose colour it computes for each
// pixel, and with translucent colours, which it mixes with what lies below. Plain colours cost a thirtieth of a gradient.
import type { Point } from "../../core/image.ts";
import { type Attributed, attributesIn, numbersIn, PAINT } from "./attributes.ts";
import { CANVAS } from "./drawing.ts";
import { outlinesOf } from "./outlines.ts";
import type { Ink } from "./reach.ts";
import { RefusedDrawing } from "./refused-drawing.ts";
import { moved } from "./transform.ts";

/** How often the area of the picture may be painted. Each takes about 0.2 s of a picture of 512 pixels. */
const MOST = { gradients: 20, translucent: 100 } as const;

type Way = keyof typeof MOST;

const NAMES: Readonly<Record<Way, string>> = { gradients: "Gradients", translucent: "Translucent colours" };

/** Counts what the shapes of a drawing paint, in areas of the picture. */
export class PaintedArea {
  private readonly painted: Record<Way, number> = { gradients: 0, translucent: 0 };

  /** Adds a shape's fill and stroke. @param own the attributes of its kind. */
  add(element: Attributed, own: readonly string[], ink: Ink): void {
    const { opacity, colors, width } = ink;
    for (const [part, paint, alpha] of [
      ["fill", colors.fill, opacity * ink.fill],
      ["stroke", colors.stroke, width > 0 ? opacity * ink.stroke : 0],
    ] as const) {
      const way = wayOf(paint, alpha, colors.color);
      if (way) this.painted[way] += shareOf(element, own, ink, part);
    }
  }

  /** @throws RefusedDrawing for more than the renderer paints in a moment. */
  check(): void {
    for (const way of ["gradients", "translucent"] as const) {
      const times = Math.ceil(this.painted[way]);
      if (times > MOST[way])
        throw new RefusedDrawing(
          `${NAMES[way]} paint ${times} times the area of the picture; use at most ${MOST[way]} times, with fewer or smaller shapes.`,
        );
    }
  }
}

const WITH_ALPHA = /^#([\da-f]{4}|[\da-f]{8})$/i;

/** Which of the slow ways a paint needs; null for none of them. @param current what `currentColor` means. */
function wayOf(paint: string, alpha: number, current: string): Way | null {
  if (alpha <= 0 || paint === "none") return null;
  if (/^url\(/i.test(paint)) return "gradients";
  const color = /^currentcolor$/i.test(paint) ? current : paint;
  const isTranslucent = WITH_ALPHA.test(color) || (color.includes("(") && numbersIn(color).length > 3);
  return alpha < 1 || isTranslucent ? "translucent" : null;
}

/**
 * The share of the picture that a fill or a stroke takes at most. A shape whose outline is not known, such as a path with arcs, counts as the
 * whole picture.
 */
function shareOf(element: Attributed, own: readonly string[], ink: Ink, part: "fill" | "stroke"): number {
  const { transform } = ink;
  const parts =
    transform && partsOf(element, own, part)?.map((points) => points.map((at) => moved(transform, at)));
  if (!parts) return 1;
  const area = part === "fill" ? boxOf(parts, 0) : strokeOf(parts, ink);
  return Number.isNaN(area) ? 1 : area / CANVAS ** 2;
}

/** The corners of the parts of a shape in its own units; null where they are not known. */
function partsOf(element: Attributed, own: readonly string[], part: "fill" | "stroke"): Point[][] | null {
  const attributes = Object.fromEntries(attributesIn(element, [...own, ...PAINT]));
  if (element.name !== "line" || part === "fill") return outlinesOf(element.name, attributes);
  const at = (name: string) => Number.parseFloat(attributes[name] ?? "0");
  return [
    [
      [at("x1"), at("y1")],
      [at("x2"), at("y2")],
    ],
  ];
}

/** The area of the box around some corners, with a margin, where it lies in the picture. */
function boxOf(parts: readonly (readonly Point[])[], margin: number): number {
  const points = parts.flat();
  if (points.length === 0) return 0;
  return extentOf(points, 0, margin) * extentOf(points, 1, margin);
}

/** The area of the box around a stroke, or that of the lines and corners themselves where it is less. */
function strokeOf(parts: readonly (readonly Point[])[], { scale, width, miter }: Ink): number {
  const [broad, sharp] = [scale * width, Math.max(Math.SQRT2, miter)];
  const box = boxOf(parts, (broad / 2) * sharp);
  const lines = parts.flatMap((points) =>
    points.map(([x, y], i) => {
      const [x0, y0] = points.at(i - 1)!;
      return Math.hypot(x - x0, y - y0) * broad + broad ** 2 * sharp;
    }),
  );
  return Math.min(
    box,
    lines.reduce((sum, line) => sum + line, 0),
  );
}

/** How much of one side of the picture some points reach over, in pixels. */
function extentOf(points: readonly Point[], axis: 0 | 1, margin: number): number {
  const within = (place: number) => Math.min(CANVAS, Math.max(0, place));
  const [least, most] = points.reduce(
    ([low, high], { [axis]: place }) => [Math.min(low, place), Math.max(high, place)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  return within(most + margin) - within(least - margin);
}
