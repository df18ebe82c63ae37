// Lengths that are shares of what the picture shows, in plain numbers: https://www.w3.org/TR/SVG2/coords.html#Units
import { type Attributed, LARGEST_NUMBER, pairsOf } from "./attributes.ts";
import type { Box } from "./view-box.ts";

const PERCENTAGE = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)%\s*$/i;

/** What 100 % of a length is. */
const WHOLES: readonly (readonly [
  names: ReadonlySet<string>,
  of: (width: number, height: number) => number,
])[] = [
  [new Set(["x", "width", "cx", "rx", "x1", "x2"]), (width) => width],
  [new Set(["y", "height", "cy", "ry", "y1", "y2"]), (_, height) => height],
  [new Set(["r", "stroke-width"]), (width, height) => Math.sqrt((width * width + height * height) / 2)],
];

/** A shape, or a group, with numbers in the place of percentages; not for gradients, whose percentages are of what they fill. */
export const withoutPercentages = ({ name, attributes }: Attributed, box: Box): Attributed => ({
  name,
  attributes: Object.fromEntries(
    pairsOf(attributes).map(([attribute, value]) => [attribute, inUnits(attribute, value, box)]),
  ),
});

/** The value itself where it is no percentage, or larger than any number may be. */
function inUnits(attribute: string, value: string, [, , width, height]: Box): string {
  const [, percent] = PERCENTAGE.exec(value) ?? [];
  const [, whole] = WHOLES.find(([names]) => names.has(attribute)) ?? [];
  if (percent === undefined || !whole) return value;
  const units = (Number(percent) / 100) * whole(width, height);
  return Math.abs(units) <= LARGEST_NUMBER ? String(units) : value;
}
