// How much work it is to paint a shape: how far it reaches and how wide its stroke is, and what of that it inherits.
import { type Attributed, attributesIn, numbersIn, PAINT } from "./attributes.ts";
import { CANVAS } from "./drawing.ts";
import { RefusedDrawing } from "./refused-drawing.ts";
import { after, fitted, readTransform, type Transform } from "./transform.ts";
import type { Box } from "./view-box.ts";

/** How far a shape may reach, in pixels where the picture is `CANVAS` wide: strokes along longer curves take seconds, or hours. */
const FARTHEST = 1e4;

/**
 * What a shape inherits that decides how much work it is. The renderer fails at translucent layers that lie far outside of the
 * picture, and takes long for many of them, so opacities become those of each shape's fill and stroke.
 */
export interface Ink {
  opacity: number;
  fill: number;
  stroke: number;
  /** Of the stroke. */
  width: number;
  /** Of the stroke: how far a corner may stick out, in halves of its width. */
  miter: number;
  /** Pixels of a unit, in a picture of `CANVAS` pixels. */
  scale: number;
  /** From units to pixels of such a picture; null if an attribute on the way is not well-formed. */
  transform: Transform | null;
  /** Colours as they are written. */
  colors: Colors;
}

/** `color` is what `currentColor` means. */
type Colors = Readonly<Record<"fill" | "stroke" | "color", string>>;

/** What a drawing begins with. @param box what of its plane is shown. */
export const inkFor = (box: Box): Ink => ({
  ...{ opacity: 1, fill: 1, stroke: 1, width: 1, miter: 4 },
  scale: CANVAS / Math.max(box[2], box[3]),
  transform: fitted(box.join(" "), CANVAS),
  colors: { fill: "black", stroke: "none", color: "black" },
});

/** What an element passes on to the shapes in it. @param known the attributes that it may have. */
export function inkOf(element: Attributed, inherited: Ink, known: readonly string[] = PAINT): Ink {
  const own = attributesIn(element, known);
  const transform = own.get("transform") ?? "";
  return {
    opacity: inherited.opacity * (opacityIn(own.get("opacity")) ?? 1),
    fill: opacityIn(own.get("fill-opacity")) ?? inherited.fill,
    stroke: opacityIn(own.get("stroke-opacity")) ?? inherited.stroke,
    width: numbersIn(own.get("stroke-width") ?? "")[0] ?? inherited.width,
    miter: numbersIn(own.get("stroke-miterlimit") ?? "")[0] ?? inherited.miter,
    scale: inherited.scale * enlargementBy(transform),
    transform: within(inherited.transform, readTransform(transform)),
    colors: {
      fill: paintOf(own.get("fill"), inherited.colors.fill),
      stroke: paintOf(own.get("stroke"), inherited.colors.stroke),
      color: paintOf(own.get("color"), inherited.colors.color),
    },
  };
}

/** The paint of an element that has its own or that of what it is in. */
const paintOf = (own: string | undefined, inherited: string): string =>
  own === undefined || /^inherit$/i.test(own) ? inherited : own;

const within = (outer: Transform | null, own: Transform | null): Transform | null =>
  outer && own && after(outer, own);

/** A number or percentage, from 0 to 1; undefined for anything else. */
function opacityIn(text = ""): number | undefined {
  const [number] = numbersIn(text);
  return number === undefined
    ? undefined
    : Math.min(1, Math.max(0, text.includes("%") ? number / 100 : number));
}

/** The opacities of a shape as attributes, each after a space. */
export const opacitiesOf = ({ opacity, fill, stroke }: Ink): string =>
  [["fill-opacity", opacity * fill] as const, ["stroke-opacity", opacity * stroke] as const]
    .filter(([, value]) => value < 1)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join("");

/** By how much a transformation enlarges at most. */
const enlargementBy = (transform: string): number =>
  [...transform.matchAll(/(\w+)\s*\(([^()]*)\)/g)].reduce((product, [, name, list]) => {
    const [a = 1, b = 0, c = 0, d = 0] = numbersIn(list!).map(Math.abs);
    if (name === "matrix") return product * Math.max(a + c, b + d);
    if (name === "scale") return product * Math.max(a, b);
    return name!.startsWith("skew") ? product * (1 + Math.abs(Math.tan((a * Math.PI) / 180))) : product;
  }, 1);

/** @throws RefusedDrawing for a shape that reaches so far that the renderer would not come to an end. */
export function checkReach(element: Attributed, own: readonly string[], { width, scale }: Ink): void {
  const values = [...attributesIn(element, [...own, ...PAINT])].filter(([name]) => own.includes(name));
  const reach = scale * Math.max(Math.abs(width), ...values.map(([, value]) => lengthOf(value)));
  if (reach > FARTHEST)
    throw new RefusedDrawing(
      `<${element.name}> reaches ${reach.toPrecision(2)} pixels far, where the picture is ${CANVAS} wide; use smaller numbers, within the view box.`,
    );
}

/** The largest number of a value; in a path, points that count from one another add up. */
const lengthOf = (value: string): number =>
  [...value.matchAll(COMMAND)].reduce(
    (sum, [, numbers]) => sum + numbersIn(numbers!).reduce((length, number) => length + Math.abs(number), 0),
    Math.max(0, ...numbersIn(value).map(Math.abs)),
  );

/** A command of a path that counts from the point before. */
const COMMAND = /[achlmqstv]([^a-df-zA-DF-Z]*)/g;
