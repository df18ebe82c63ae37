// A drawing that draws itself: shape by shape, and within a path subpath by subpath. Each picture is of a beginning of the code, so
// relative commands and fill rules mean what they mean in the whole.
import { subpathEnds } from "./path-lines.ts";
import type { SafeDrawing } from "./sanitise.ts";

/** Pictures that a drawing has at least, where its paths have as many lines and curves: most icons are one path of one to three subpaths. */
const FEWEST = 6;
/** Pictures that a drawing has at most; further shapes appear together. */
const MOST = 24;

/** A beginning of a drawing's code. */
interface Beginning {
  /** Characters of it. */
  length: number;
  /** What closes the elements that are open there. */
  closing: string;
}

/** A drawing as it grows, one drawing for each picture. The last one is the drawing itself. */
export function growthOf(drawing: SafeDrawing): readonly SafeDrawing[] {
  const code = drawing.shapes.join("");
  const subpaths = subpathsIn(code);
  const pieces = Math.ceil(FEWEST / subpaths.length);
  const all = subpaths.flatMap((beginnings) =>
    // A path of one line fills nothing.
    evenly(beginnings.length > 1 ? beginnings.slice(1) : beginnings, pieces),
  );
  const earlier = evenly(all, MOST).slice(0, -1);
  return [
    ...earlier.map(({ length, closing }) => ({ ...drawing, shapes: [code.slice(0, length) + closing] })),
    drawing,
  ];
}

/** Up to `count` of a list, at equal distances; the last one among them. */
const evenly = <T>(list: readonly T[], count: number): T[] => {
  const most = Math.min(count, list.length);
  return Array.from({ length: most }, (_, i) => list[Math.ceil(((i + 1) * list.length) / most) - 1]!);
};

const TAG = /<(\/?)(\w+)([^>]*?)(\/?)>/g;

/** For each subpath of a path, and for each other shape, where the code may stop so that part of it is drawn. */
function subpathsIn(code: string): Beginning[][] {
  const open: string[] = [];
  return [...code.matchAll(TAG)].flatMap((tag): Beginning[][] => {
    const [, closes, name, , isEmpty] = tag as unknown as [string, string, string, string, string];
    if (closes) open.pop();
    else if (!isEmpty) open.push(name);
    if (!isEmpty || name === "g") return [];
    const closing = open.toReversed().map((parent) => `</${parent}>`);
    return name === "path"
      ? subpathsOf(tag, closing.join(""))
      : [[{ length: tag.index + tag[0].length, closing: closing.join("") }]];
  });
}

/** @param tag of a path. @param closing what closes the elements around it. */
function subpathsOf(tag: RegExpExecArray, closing: string): Beginning[][] {
  const [data, value] = / d="([^"]*)"/.exec(tag[0]) ?? [];
  if (data === undefined) return [];
  const begin = tag[0].indexOf(data) + ' d="'.length;
  const rest = tag[0].slice(begin + value!.length);
  return subpathEnds(value!).map((ends) =>
    ends.map((end) => ({ length: tag.index + begin + end, closing: rest + closing })),
  );
}
