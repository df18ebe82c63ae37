// A drawing that draws itself: shape by shape along the outline of each, and within a path subpath by subpath. Each picture is of a
// beginning of the code, so relative commands and fill rules mean what they mean in the whole.
import { partsOf } from "./outline-parts.ts";
import { subpathEnds } from "./path-lines.ts";
import type { SafeDrawing } from "./sanitise.ts";

/** Pictures that a drawing has at least, where its paths have as many lines and curves: most icons are one path of one to three subpaths. */
const FEWEST = 6;
/** Pictures that a drawing has at most; further shapes appear together. */
const MOST = 24;

/** How much of a shape's outline its pictures show before the whole. A quarter of a rectangle is one line, which fills nothing. */
const PARTS = [3 / 8, 4 / 8, 5 / 8, 6 / 8, 7 / 8];

/** A beginning of a drawing's code. */
interface Beginning {
  /** Characters of it. */
  length: number;
  /** What follows them: part of a shape, and what closes the elements that are open there. */
  rest: string;
}

/** A drawing as it grows, one drawing for each picture. The last one is the drawing itself. */
export function growthOf(drawing: SafeDrawing): readonly SafeDrawing[] {
  const code = drawing.shapes.join("");
  const strokes = strokesIn(code);
  const pieces = Math.ceil(FEWEST / strokes.length);
  const all = strokes.flatMap((beginnings) => evenly(beginnings(pieces), pieces));
  const earlier = evenly(all, MOST).slice(0, -1);
  return [
    ...earlier.map(({ length, rest }) => ({ ...drawing, shapes: [code.slice(0, length) + rest] })),
    drawing,
  ];
}

/** Up to `count` of a list, at equal distances; the last one among them. */
const evenly = <T>(list: readonly T[], count: number): T[] => {
  const most = Math.min(count, list.length);
  return Array.from({ length: most }, (_, i) => list[Math.ceil(((i + 1) * list.length) / most) - 1]!);
};

const TAG = /<(\/?)(\w+)([^>]*?)(\/?)>/g;

/** Where the code may stop so that part of a stroke is drawn, for a number of pictures that are wanted. */
type Stroke = (pieces: number) => Beginning[];

/** The subpaths of each path, and each other shape. */
function strokesIn(code: string): Stroke[] {
  const open: string[] = [];
  return [...code.matchAll(TAG)].flatMap((tag): Stroke[] => {
    const [, closes, name, , isEmpty] = tag as unknown as [string, string, string, string, string];
    if (closes) open.pop();
    else if (!isEmpty) open.push(name);
    if (!isEmpty || name === "g") return [];
    const closing = open
      .toReversed()
      .map((parent) => `</${parent}>`)
      .join("");
    return name === "path"
      ? subpathsOf(tag, closing).map((beginnings) => () => beginnings)
      : [(pieces) => outlineOf(tag, closing, pieces)];
  });
}

/** @param tag of a path. @param closing what closes the elements around it. */
function subpathsOf(tag: RegExpExecArray, closing: string): Beginning[][] {
  const [data, value] = / d="([^"]*)"/.exec(tag[0]) ?? [];
  if (data === undefined) return [];
  const begin = tag[0].indexOf(data) + ' d="'.length;
  const rest = tag[0].slice(begin + value!.length) + closing;
  return subpathEnds(value!).map((ends) =>
    // A path of one line fills nothing.
    (ends.length > 1 ? ends.slice(1) : ends).map((end) => ({ length: tag.index + begin + end, rest })),
  );
}

/** @param tag of another shape than a path. @param closing see `subpathsOf` */
function outlineOf(tag: RegExpExecArray, closing: string, pieces: number): Beginning[] {
  const [code, , name] = tag as unknown as [string, string, string];
  const attributes = Object.fromEntries(
    [...code.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
  );
  // The colours of a gradient lie in the box of the whole shape, which a part of it does not have.
  const isWhole = pieces === 1 || code.includes("url(");
  const parts = isWhole ? [] : partsOf(name, attributes, PARTS);
  return [
    ...parts.map((element) => ({ length: tag.index, rest: element + closing })),
    { length: tag.index + code.length, rest: closing },
  ];
}
