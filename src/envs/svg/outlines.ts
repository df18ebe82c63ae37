// The outlines of shapes as corners, from the attributes of their elements.
import type { Point } from "../../core/image.ts";
import { linesOf } from "./path-lines.ts";

/** Values by name. */
export type Attributes = Readonly<Record<string, string>>;

/** Corners of a round outline. */
const CORNERS = 64;

/**
 * The corners of the parts that a shape fills, in its own units; none for a line, and null where they are not known.
 * @param kind the name of its element
 */
export function outlinesOf(kind: string, attributes: Attributes): Point[][] | null {
  const at = (name: string) => Number.parseFloat(attributes[name] ?? "0");
  if (kind === "circle") return [ellipse(at("cx"), at("cy"), at("r"), at("r"))];
  if (kind === "ellipse" && "rx" in attributes && "ry" in attributes)
    return [ellipse(at("cx"), at("cy"), at("rx"), at("ry"))];
  if (kind === "rect") return [rectangle(at("x"), at("y"), at("width"), at("height"))];
  if (kind === "path") return linesOf(attributes.d ?? "");
  if (kind === "polygon" || kind === "polyline") return linesOf(`M${attributes.points ?? ""}`);
  return kind === "line" ? [] : null;
}

const rectangle = (x: number, y: number, width: number, height: number): Point[] =>
  width <= 0 || height <= 0
    ? []
    : [
        [x, y],
        [x + width, y],
        [x + width, y + height],
        [x, y + height],
      ];

const ellipse = (cx: number, cy: number, rx: number, ry: number): Point[] =>
  rx <= 0 || ry <= 0
    ? []
    : Array.from({ length: CORNERS }, (_, i): Point => {
        const angle = (i / CORNERS) * 2 * Math.PI;
        return [cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)];
      });
