// Drawings from a policy are text from a stranger. Only what an allow-list names gets through: shapes, groups and gradients, without
// scripts, styles, references to other files, or work without bounds. What is known to be harmless and without effect is dropped;
// anything else is refused.
import { parseXml, XmlElement, type XmlNode, XmlText } from "@rgrove/parse-xml";
import { CANVAS } from "./drawing.ts";

/** A drawing that can be shown. */
export interface SafeDrawing {
  /** `min-x min-y width height` of what is shown. */
  viewBox: string;
  /** Attributes that all shapes inherit, each after a space. */
  paint: string;
  /** Definitions that shapes refer to, such as gradients. */
  definitions: string;
  /** Shapes and groups in the order of painting. */
  shapes: readonly string[];
}

/** Why a drawing is refused: what is wrong with which part of it, and what to do. */
class RefusedDrawing extends Error {}

const MOST_CHARACTERS = 20_000;
const MOST_ELEMENTS = 500;
const MOST_LEVELS = 16;
const LARGEST_NUMBER = 1e5;
/** How far a shape may reach, in pixels where the picture is `CANVAS` wide: strokes along longer curves take seconds, or hours. */
const FARTHEST = 1e4;

const PAINT = [
  ...["fill", "fill-opacity", "fill-rule", "opacity", "stroke", "stroke-linecap", "stroke-linejoin"],
  ...["stroke-miterlimit", "stroke-opacity", "stroke-width", "color", "transform"],
];
/** Attributes of paint that are written in another form, see `Ink`. */
const OPACITIES = new Set(["opacity", "fill-opacity", "stroke-opacity"]);
const GRADIENT = ["id", "gradientUnits", "gradientTransform", "spreadMethod"];
const SHAPES: Readonly<Record<string, readonly string[]>> = {
  g: [],
  path: ["d"],
  rect: ["x", "y", "width", "height", "rx", "ry"],
  circle: ["cx", "cy", "r"],
  ellipse: ["cx", "cy", "rx", "ry"],
  line: ["x1", "y1", "x2", "y2"],
  polyline: ["points"],
  polygon: ["points"],
};
const DEFINITIONS: Readonly<Record<string, readonly string[]>> = {
  linearGradient: [...GRADIENT, "x1", "y1", "x2", "y2"],
  radialGradient: [...GRADIENT, "cx", "cy", "r", "fx", "fy"],
  stop: ["offset", "stop-color", "stop-opacity"],
};

/** Lengths of shapes: what a percentage or another unit comes to depends on the view box, so the reach of a shape would be unknown. */
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

/** Elements that are dropped with all that they hold. */
const WITHOUT_EFFECT = new Set(["title", "desc", "metadata"]);
/** Attributes that are dropped. Dashes are, too, and drawn solid: a long line has millions of short ones. */
const IDLE_ATTRIBUTE =
  /^(xmlns(:\w+)?|version|class|id|role|width|height|viewBox|preserveAspectRatio|baseProfile|overflow|(data|aria)-[\w-]+|xml:space|stroke-dash(array|offset)|shape-rendering|vector-effect|clip-rule|enable-background)$/;

const COLOR = /^(none|currentColor|#[\da-f]{3,8}|[a-z]+|(rgb|hsl)a?\([\d\s,.%]+\)|url\(#[\w-]+\))$/i;
const WORD_OR_NUMBERS = /^[\w\s,.()%+-]*$/;
const COLORED = new Set(["fill", "stroke", "stop-color", "color"]);

/**
 * Reads the first `<svg …>…</svg>` of a text; null without one.
 * @returns the drawing, or why it is refused.
 */
export function readDrawing(text: string): SafeDrawing | { refused: string } | null {
  const code = drawingIn(text);
  if (code === null) return null;
  try {
    return cleaned(code);
  } catch (error) {
    if (error instanceof RefusedDrawing) return { refused: error.message };
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { refused: `The drawing is no well-formed XML: ${reason}` };
  }
}

/** The first `<svg …>…</svg>` of a text; null without one. Two searches: one for both would take quadratic time. */
export function drawingIn(text: string): string | null {
  const start = text.search(/<svg[\s>/]/i);
  const end = start < 0 ? null : /<\/svg\s*>/i.exec(text.slice(start));
  return end && text.slice(start, start + end.index + end[0].length);
}

/** A drawing as text for the renderer, `side` pixels wide and high. @param count shapes to paint, from the first; default all. */
export function svgText(
  { viewBox, paint, definitions, shapes }: SafeDrawing,
  side: number,
  count?: number,
): string {
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="${viewBox}">`;
  return `${open}${definitions}<g${paint}>${shapes.slice(0, count).join("")}</g></svg>`;
}

function cleaned(code: string): SafeDrawing {
  // Before it is parsed: a parser may need more memory for a bomb than there is.
  if (code.length > MOST_CHARACTERS)
    throw new RefusedDrawing(`The drawing has ${code.length} characters; use at most ${MOST_CHARACTERS}.`);
  const { root } = parseXml(code);
  if (root?.name !== "svg") throw new RefusedDrawing("The drawing does not begin with <svg>.");
  checkSize(root);
  const children = elementsOf(root);
  const definitions = definitionsIn(children);
  const box = viewBoxOf(root);
  const scale = CANVAS / Math.max(box[2], box[3]);
  const shapes = shapesIn(children, inkOf(root, { opacity: 1, fill: 1, stroke: 1, width: 1, scale }));
  return {
    viewBox: box.join(" "),
    paint: attributesOf(root, PAINT),
    definitions: definitions && `<defs>${definitions}</defs>`,
    shapes,
  };
}

/** Counts what was parsed: in the text, tags can hide in comments and in values of attributes. */
function checkSize(root: XmlElement): void {
  let [elements, levels] = [0, 0];
  for (
    let level = [root];
    level.length > 0;
    level = level.flatMap(({ children }) => children.filter(isElement))
  ) {
    elements += level.length;
    levels++;
  }
  if (elements > MOST_ELEMENTS)
    throw new RefusedDrawing(`The drawing has ${elements} elements; use at most ${MOST_ELEMENTS}.`);
  if (levels > MOST_LEVELS)
    throw new RefusedDrawing(`Elements are nested ${levels} levels deep; use at most ${MOST_LEVELS}.`);
}

/** The elements in an element. Text outside of titles shows nothing. */
const elementsOf = (parent: XmlElement): XmlElement[] =>
  parent.children.filter((node): node is XmlElement => {
    if (node instanceof XmlText && node.text.trim() !== "")
      throw new RefusedDrawing(`<${parent.name}> holds text, which is not drawn; remove it.`);
    return isElement(node) && !WITHOUT_EFFECT.has(node.name);
  });

const isElement = (node: XmlNode): node is XmlElement => node instanceof XmlElement;

/** Gradients, wherever they stand. */
function definitionsIn(elements: readonly XmlElement[]): string {
  return elements
    .map((element) => {
      const { name } = element;
      const known = ownValue(DEFINITIONS, name);
      if (!known && name !== "defs" && !ownValue(SHAPES, name))
        throw new RefusedDrawing(
          `<${name}> is not allowed; draw with ${Object.keys(SHAPES).join(", ")} and gradients.`,
        );
      const inside = definitionsIn(elementsOf(element));
      return known ? written(name, attributesOf(element, known), inside) : inside;
    })
    .join("");
}

/** Of an allow-list: every object also has a `constructor`. */
const ownValue = <T>(list: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(list, name) ? list[name] : undefined;

function shapesIn(elements: readonly XmlElement[], inherited: Ink): string[] {
  return elements.flatMap((element) => {
    const own = ownValue(SHAPES, element.name);
    if (!own) return [];
    const known = [...own, ...PAINT];
    const ink = inkOf(element, inherited, known);
    const inside = shapesIn(elementsOf(element), ink).join("");
    if (element.name === "g") return [written("g", attributesOf(element, known), inside)];
    checkReach(element, own, ink);
    return [written(element.name, attributesOf(element, known) + opacitiesOf(ink), inside)];
  });
}

const written = (name: string, attributes: string, inside: string): string =>
  inside ? `<${name}${attributes}>${inside}</${name}>` : `<${name}${attributes}/>`;

/**
 * What a shape inherits that decides how much work it is. The renderer fails at translucent layers that lie far outside of the
 * picture, and takes long for many of them, so opacities become those of each shape's fill and stroke.
 */
interface Ink {
  opacity: number;
  fill: number;
  stroke: number;
  /** Of the stroke. */
  width: number;
  /** Pixels of a unit, in a picture of `CANVAS` pixels. */
  scale: number;
}

function inkOf(element: XmlElement, inherited: Ink, known: readonly string[] = PAINT): Ink {
  const own = attributesIn(element, known);
  return {
    opacity: inherited.opacity * (opacityIn(own.get("opacity")) ?? 1),
    fill: opacityIn(own.get("fill-opacity")) ?? inherited.fill,
    stroke: opacityIn(own.get("stroke-opacity")) ?? inherited.stroke,
    width: numbersIn(own.get("stroke-width") ?? "")[0] ?? inherited.width,
    scale: inherited.scale * enlargementBy(own.get("transform") ?? ""),
  };
}

/** A number or percentage, from 0 to 1; undefined for anything else. */
function opacityIn(text = ""): number | undefined {
  const [number] = numbersIn(text);
  return number === undefined
    ? undefined
    : Math.min(1, Math.max(0, text.includes("%") ? number / 100 : number));
}

const opacitiesOf = ({ opacity, fill, stroke }: Ink): string =>
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
function checkReach(element: XmlElement, own: readonly string[], { width, scale }: Ink): void {
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

/** The attributes that are written again, each after a space. */
const attributesOf = (element: XmlElement, known: readonly string[]): string =>
  [...attributesIn(element, known)]
    .filter(([name]) => !OPACITIES.has(name))
    .map(([name, value]) => ` ${name}="${value}"`)
    .join("");

/** The attributes that are kept, by name; what a style sets comes before what an attribute does. */
const attributesIn = ({ attributes }: XmlElement, known: readonly string[]): Map<string, string> =>
  new Map(
    Object.entries(attributes)
      .toSorted(([a], [b]) => Number(a === "style") - Number(b === "style"))
      .flatMap(([name, value]) => (name === "style" ? declarations(value) : [[name, value] as const]))
      .filter(([name, value]) => isKept(name, value, known))
      .map(([name, value]) => [name, value.trim()]),
  );

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
  if (!isDrawable(name, value, known) || numbersIn(value).some((number) => Math.abs(number) > LARGEST_NUMBER))
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

const shortened = (value: string): string => (value.length > 40 ? `${value.slice(0, 40)}…` : value);

const numbersIn = (value: string): number[] =>
  [...value.matchAll(/[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/gi)].map(([number]) => Number(number));

type Box = readonly [x: number, y: number, width: number, height: number];

/** What of the drawing is shown: its view box, or else its width and height, or else 64 × 64 units. */
function viewBoxOf({ attributes }: XmlElement): Box {
  const box = numbersIn(attributes.viewBox ?? "");
  if (box.length === 4 && box[2]! > 0 && box[3]! > 0)
    return checkedBox(box as unknown as Box, `viewBox="${box.join(" ")}"`);
  const [width, height] = [unitsOf(attributes.width), unitsOf(attributes.height)];
  return checkedBox([0, 0, width, height], `width="${width}" height="${height}"`);
}

/** A width or height in units; 64 for none, and for a share of the place that the drawing is shown in. */
const unitsOf = (length = ""): number => (length.includes("%") ? 64 : numbersIn(length)[0] || 64);

/** @param said the attributes that it comes from. */
function checkedBox(box: Box, said: string): Box {
  const isFine = box.every((number) => Math.abs(number) <= LARGEST_NUMBER) && box[2] > 0 && box[3] > 0;
  if (!isFine) throw new RefusedDrawing(`${said} cannot be shown; use viewBox="0 0 64 64".`);
  return box;
}
