// Drawings from a policy are text from a stranger. Only what an allow-list names gets through: shapes, groups and gradients, without
// scripts, styles, references to other files, or work without bounds. What is known to be harmless and without effect is dropped;
// anything else is refused.
import { parseXml, XmlElement, type XmlNode, XmlText } from "@rgrove/parse-xml";
import { attributesOf, PAINT } from "./attributes.ts";
import { PaintedArea } from "./painted-area.ts";
import { hasStart } from "./path-lines.ts";
import { withoutPercentages } from "./percentages.ts";
import { checkReach, type Ink, inkFor, inkOf, opacitiesOf } from "./reach.ts";
import { RefusedDrawing } from "./refused-drawing.ts";
import { type Box, viewBoxOf } from "./view-box.ts";

/** A drawing that can be shown. */
export interface SafeDrawing {
  /** `min-x min-y width height` of what is shown. */
  readonly viewBox: string;
  /** Attributes that all shapes inherit, each after a space. */
  readonly paint: string;
  /** Definitions that shapes refer to, such as gradients. */
  readonly definitions: string;
  /** Shapes and groups in the order of painting. */
  readonly shapes: readonly string[];
}

/** Drawings that were first read last, by their code: a turn reads the same one to parse the answer, to draw it and to judge claims about it. */
const latest = new Map<string, SafeDrawing>();
/** Of which each may have `MOST_CHARACTERS`. */
const MOST_LATEST = 32;

const MOST_CHARACTERS = 20_000;
const MOST_ELEMENTS = 500;
const MOST_LEVELS = 16;
/** Of a gradient. The renderer compares each pixel with all of them. */
const MOST_STOPS = 64;
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

/**
 * Reads the first `<svg …>…</svg>` of a text; null without one.
 * @returns the drawing, or why it is refused.
 */
export function readDrawing(text: string): SafeDrawing | { refused: string } | null {
  const code = drawingIn(text);
  if (code === null) return null;
  try {
    return latest.get(code) ?? keep(code, cleaned(code));
  } catch (error) {
    if (error instanceof RefusedDrawing) return { refused: error.message };
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { refused: `The drawing is no well-formed XML: ${reason}` };
  }
}

function keep(code: string, drawing: SafeDrawing): SafeDrawing {
  if (latest.size >= MOST_LATEST) latest.delete(latest.keys().next().value!);
  latest.set(code, drawing);
  return drawing;
}

/** The first `<svg …>…</svg>` of a text; null without one. Two searches: one for both would take quadratic time. */
export function drawingIn(text: string): string | null {
  const start = text.search(/<svg[\s>/]/i);
  const end = start < 0 ? null : /<\/svg\s*>/i.exec(text.slice(start));
  return end && text.slice(start, start + end.index + end[0].length);
}

/** A drawing as text for the renderer, `side` pixels wide and high. */
export function svgText({ viewBox, paint, definitions, shapes }: SafeDrawing, side: number): string {
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="${viewBox}">`;
  return `${open}${definitions}<g${paint}>${shapes.join("")}</g></svg>`;
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
  const whole = withoutPercentages(root, box);
  const area = new PaintedArea();
  const shapes = shapesIn(children, inkOf(whole, inkFor(box)), box, area);
  area.check();
  return {
    viewBox: box.join(" "),
    paint: attributesOf(whole, PAINT),
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
      if (known) checkStops(element);
      const inside = definitionsIn(elementsOf(element));
      return known ? written(name, attributesOf(element, known), inside) : inside;
    })
    .join("");
}

function checkStops(gradient: XmlElement): void {
  const stops = elementsOf(gradient).length;
  if (stops > MOST_STOPS)
    throw new RefusedDrawing(`<${gradient.name}> has ${stops} stops; use at most ${MOST_STOPS}.`);
}

/** Of an allow-list: every object also has a `constructor`. */
const ownValue = <T>(list: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(list, name) ? list[name] : undefined;

/** @param area counts what the shapes paint. */
function shapesIn(elements: readonly XmlElement[], inherited: Ink, box: Box, area: PaintedArea): string[] {
  return elements.flatMap((parsed) => {
    const element = withoutPercentages(parsed, box);
    const own = ownValue(SHAPES, element.name);
    if (!own) return [];
    const known = [...own, ...PAINT];
    const ink = inkOf(element, inherited, known);
    const inside = shapesIn(elementsOf(parsed), ink, box, area).join("");
    if (element.name === "g") return [written("g", attributesOf(element, known), inside)];
    if (element.name === "path") checkStart(element.attributes.d ?? "");
    checkReach(element, own, ink);
    area.add(element, own, ink);
    return [written(element.name, attributesOf(element, known) + opacitiesOf(ink), inside)];
  });
}

/**
 * VAGEN refuses what its path parser cannot read. A path with a later error is drawn up to it, as SVG prescribes.
 * @throws RefusedDrawing for code of which nothing can be drawn.
 */
function checkStart(code: string): void {
  if (!hasStart(code))
    throw new RefusedDrawing(
      `The d of a <path> begins with "${code.trim().slice(0, 12)}"; begin it with M and the two coordinates of a point.`,
    );
}

const written = (name: string, attributes: string, inside: string): string =>
  inside ? `<${name}${attributes}>${inside}</${name}>` : `<${name}${attributes}/>`;
