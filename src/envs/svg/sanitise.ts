// Drawings from a policy are text from a stranger. Only what an allow-list names gets through: shapes, groups and gradients, without
// scripts, styles, references to other files, or work without bounds. What is known to be harmless and without effect is dropped;
// anything else is refused.
import { parseXml, XmlElement, type XmlNode, XmlText } from "@rgrove/parse-xml";

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

const PAINT = [
  ...["fill", "fill-opacity", "fill-rule", "opacity", "stroke", "stroke-linecap", "stroke-linejoin"],
  ...["stroke-miterlimit", "stroke-opacity", "stroke-width", "color", "transform"],
];
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

/** Elements that are dropped with all that they hold. */
const WITHOUT_EFFECT = new Set(["title", "desc", "metadata"]);
/** Attributes that are dropped. Dashes are, too: a long line has millions of short ones. */
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
  const code = /<svg[\s>/][\s\S]*?<\/svg\s*>/i.exec(text)?.[0];
  if (code === undefined) return null;
  try {
    return cleaned(code);
  } catch (error) {
    if (error instanceof RefusedDrawing) return { refused: error.message };
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { refused: `The drawing is no well-formed XML: ${reason}` };
  }
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
  checkSize(code);
  const { root } = parseXml(code);
  if (root?.name !== "svg") throw new RefusedDrawing("The drawing does not begin with <svg>.");
  const children = elementsOf(root);
  const [definitions, shapes] = [definitionsIn(children), shapesIn(children)];
  return {
    viewBox: viewBoxOf(root),
    paint: attributesOf(root, PAINT),
    definitions: definitions && `<defs>${definitions}</defs>`,
    shapes,
  };
}

/** Before anything is parsed: a parser may need more memory for a bomb than there is. */
function checkSize(code: string): void {
  if (code.length > MOST_CHARACTERS)
    throw new RefusedDrawing(`The drawing has ${code.length} characters; use at most ${MOST_CHARACTERS}.`);
  let [elements, level, deepest] = [0, 0, 0];
  for (const [, closes, empty] of code.matchAll(/<(\/?)[a-z][^<>]*?(\/?)>/gi)) {
    if (closes) level--;
    else elements++;
    if (!closes && !empty) deepest = Math.max(deepest, ++level);
  }
  if (elements > MOST_ELEMENTS)
    throw new RefusedDrawing(`The drawing has ${elements} elements; use at most ${MOST_ELEMENTS}.`);
  if (deepest > MOST_LEVELS)
    throw new RefusedDrawing(`Elements are nested ${deepest} levels deep; use at most ${MOST_LEVELS}.`);
}

/** The elements in an element. Text outside of titles shows nothing. */
const elementsOf = (parent: XmlElement): XmlElement[] =>
  parent.children.filter((node): node is XmlElement => {
    if (node instanceof XmlText && node.text.trim() !== "")
      throw new RefusedDrawing(`<${parent.name}> holds text, which is not drawn; remove it.`);
    return isElement(node) && !WITHOUT_EFFECT.has(node.name);
  });

const isElement = (node: XmlNode): node is XmlElement => node instanceof XmlElement;

/** Gradients, in `<defs>` or beside the shapes. */
function definitionsIn(elements: readonly XmlElement[]): string {
  return elements
    .map((element) => {
      if (element.name === "defs") return definitionsIn(elementsOf(element));
      if (!(element.name in DEFINITIONS)) return "";
      return written(element, DEFINITIONS[element.name]!, definitionsIn(elementsOf(element)));
    })
    .join("");
}

function shapesIn(elements: readonly XmlElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.name === "defs" || element.name in DEFINITIONS) return [];
    const own = SHAPES[element.name];
    if (!own)
      throw new RefusedDrawing(
        `<${element.name}> is not allowed; draw with ${Object.keys(SHAPES).join(", ")} and gradients.`,
      );
    return [written(element, [...own, ...PAINT], shapesIn(elementsOf(element)).join(""))];
  });
}

function written(element: XmlElement, known: readonly string[], inside: string): string {
  const kept = attributesOf(element, known);
  return inside ? `<${element.name}${kept}>${inside}</${element.name}>` : `<${element.name}${kept}/>`;
}

/** The attributes that are written again, each after a space. */
const attributesOf = ({ attributes }: XmlElement, known: readonly string[]): string =>
  Object.entries(attributes)
    .flatMap(([name, value]) => (name === "style" ? declarations(value) : [[name, value] as const]))
    .filter(([name, value]) => isKept(name, value, known))
    .map(([name, value]) => ` ${name}="${value.trim()}"`)
    .join("");

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
  const isFine = COLORED.has(name) ? COLOR.test(value.trim()) : WORD_OR_NUMBERS.test(value);
  if (!isFine || numbersIn(value).some((number) => Math.abs(number) > LARGEST_NUMBER))
    throw new RefusedDrawing(
      `${name}="${shortened(value)}" cannot be drawn; use ${COLORED.has(name) ? 'a colour such as "red" or "#d33"' : `plain numbers up to ${LARGEST_NUMBER}`}.`,
    );
  return true;
}

const shortened = (value: string): string => (value.length > 40 ? `${value.slice(0, 40)}…` : value);

const numbersIn = (value: string): number[] =>
  [...value.matchAll(/[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/gi)].map(([number]) => Number(number));

/** What of the drawing is shown: its view box, or else its width and height, or else 64 × 64 units. */
function viewBoxOf({ attributes }: XmlElement): string {
  const box = numbersIn(attributes.viewBox ?? "");
  if (box.length === 4 && box[2]! > 0 && box[3]! > 0) return checkedBox(box);
  const [width, height] = [attributes.width, attributes.height].map((length) => numbersIn(length ?? "")[0]);
  return checkedBox([0, 0, width || 64, height || 64]);
}

function checkedBox(box: readonly number[]): string {
  const isFine = box.every((number) => Math.abs(number) <= LARGEST_NUMBER) && box[2]! > 0 && box[3]! > 0;
  if (!isFine)
    throw new RefusedDrawing(`viewBox="${box.join(" ")}" cannot be shown; use viewBox="0 0 64 64".`);
  return box.join(" ");
}
