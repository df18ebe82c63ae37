// The attributes of a drawing that are kept: those of an allow-list, with plain numbers, words and colours as values.
import { RefusedDrawing } from "./refused-drawing.ts";

/** What is read of an element. */
export interface Attributed {
  name: string;
  /** Their values by name. */
  attributes: Readonly<Record<string, string>>;
}

/** Largest number of an attribute, with either sign. */
export const LARGEST_NUMBER = 1e5;

/** Attributes of paint, which every shape and group may have. */
export const PAINT = [
  ...["fill", "fill-opacity", "fill-rule", "opacity", "stroke", "stroke-linecap", "stroke-linejoin"],
  ...["stroke-miterlimit", "stroke-opacity", "stroke-width", "color", "transform"],
];
/** Attributes of paint that are written in another form, see `Ink`. */
const OPACITIES = new Set(["opacity", "fill-opacity", "stroke-opacity"]);

/** Lengths of shapes. In another unit, the reach of a shape would be unknown; `withoutPercentages` has resolved percentages. */
const LENGTHS = new Set([
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
  "stroke-width",
]);
const LENGTH = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?(px)?\s*$/i;

/** Attributes that are dropped. Dashes are, too, and drawn solid: a long line has millions of short ones. */
const IDLE_ATTRIBUTE =
  /^(xmlns(:\w+)?|version|class|id|role|width|height|viewBox|preserveAspectRatio|baseProfile|overflow|(data|aria)-[\w-]+|xml:space|stroke-dash(array|offset)|shape-rendering|vector-effect|clip-rule|enable-background)$/;

const COLOR = /^(none|currentColor|#[\da-f]{3,8}|[a-z]+|(rgb|hsl)a?\([\d\s,.%]+\)|url\(#[\w-]+\))$/i;
const WORD_OR_NUMBERS = /^[\w\s,.()%+-]*$/;
const COLORED = new Set(["fill", "stroke", "stop-color", "color"]);

/** The attributes that are written again, each after a space. */
export const attributesOf = (element: Attributed, known: readonly string[]): string =>
  [...attributesIn(element, known)]
    .filter(([name]) => !OPACITIES.has(name))
    .map(([name, value]) => ` ${name}="${value}"`)
    .join("");

/** The attributes that are kept, by name; what a style sets comes before what an attribute does. */
export const attributesIn = ({ attributes }: Attributed, known: readonly string[]): Map<string, string> =>
  new Map(
    pairsOf(attributes)
      .filter(([name, value]) => isKept(name, value, known))
      .map(([name, value]) => [name, value.trim()]),
  );

/** All attributes, those that a style sets last, under their names. */
export const pairsOf = (attributes: Attributed["attributes"]): (readonly [name: string, value: string])[] =>
  Object.entries(attributes)
    .toSorted(([a], [b]) => Number(a === "style") - Number(b === "style"))
    .flatMap(([name, value]) => (name === "style" ? declarations(value) : [[name, value] as const]));

/** A style as the attributes that it sets. */
const declarations = (style: string): (readonly [string, string])[] =>
  style
    .split(";")
    .filter((declaration) => declaration.trim() !== "")
    .map((declaration) => {
      const [name, ...value] = declaration.split(":");
      return [name!.trim(), value.join(":").trim()] as const;
    });

/** Whether an attribute is written again. @throws RefusedDrawing for one that is neither known nor idle. */
function isKept(name: string, value: string, known: readonly string[]): boolean {
  if (!known.includes(name)) {
    if (IDLE_ATTRIBUTE.test(name)) return false;
    throw new RefusedDrawing(`The attribute ${name}="${shortened(value)}" is not allowed; remove it.`);
  }
  if (!isDrawable(name, value, known) || hasLargeNumbers(value))
    throw new RefusedDrawing(
      `${name}="${shortened(value)}" cannot be drawn; use ${COLORED.has(name) ? 'a colour such as "red" or "#d33"' : `plain numbers up to ${LARGEST_NUMBER}`}.`,
    );
  return true;
}

function isDrawable(name: string, value: string, known: readonly string[]): boolean {
  if (COLORED.has(name)) return COLOR.test(value.trim());
  // Those of gradients may be shares of what they fill.
  return LENGTHS.has(name) && !known.includes("gradientUnits")
    ? LENGTH.test(value)
    : WORD_OR_NUMBERS.test(value);
}

/** The digits of a colour such as `#e8e8e0`, and of a gradient's name, are no number. */
const hasLargeNumbers = (value: string): boolean =>
  !/^\s*(#|url\()/i.test(value) && numbersIn(value).some((number) => Math.abs(number) > LARGEST_NUMBER);

const shortened = (value: string): string => (value.length > 40 ? `${value.slice(0, 40)}…` : value);

/** All numbers in a value, in order. */
export const numbersIn = (value: string): number[] =>
  [...value.matchAll(/[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/gi)].map(([number]) => Number(number));
