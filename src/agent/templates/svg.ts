// SVG reconstruction in words: which shapes an icon has, from the bottom to the top, and where they end, then the code that draws
// them. Ends can be seen in the picture; middles, radii and corners follow from them.
import type { WorldTruth } from "../../core/types.ts";
import { ACTIONS } from "../../envs/svg/config.ts";
import { CLOSE, DRAWING_WORDS, drawingText, FILLS, OPEN, PATH_WORDS } from "../../envs/svg/drawing.ts";
import { drawIcon } from "../../envs/svg/icons.ts";
import type { Template } from "./template.ts";

/** The lattice of a careless drawing, in units of the canvas. */
const COARSE = 16;

const iconOf = ({ facts }: WorldTruth): string => String(facts?.icon);

const SHAPE = /<(circle|rect|path)[^>]*fill="(\w+)"\/>/g;

/** "red circle 8 16 40 48 ; blue path 0 0 24 16": each shape with its left, upper, right and lower end. */
const shapesIn = (code: string): string =>
  [...code.matchAll(SHAPE)]
    .map(([shape, kind, fill]) => `${fill} ${kind} ${endsOf(kind!, shape).join(" ")}`)
    .join(" ; ");

function endsOf(kind: string, shape: string): readonly number[] {
  const numbers = (shape.match(/\d+/g) ?? []).map(Number);
  const [a, b, c, d] = numbers as [number, number, number, number];
  if (kind === "circle") return [a - c, b - c, a + c, b + c];
  if (kind === "rect") return [a, b, a + c, b + d];
  const [xs, ys] = [0, 1].map((axis) => numbers.filter((_, i) => i % 2 === axis)) as [number[], number[]];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** The lattice of a drawing at random. */
const LATTICE = 8;

/** The icon drawn on a coarse lattice: what is said of it is exact, about half of the numbers are not. */
const coarsely = (code: string): string =>
  OPEN +
  code
    .slice(OPEN.length, -CLOSE.length)
    .replace(/\d+/g, (number) => String(COARSE * Math.round(Number(number) / COARSE))) +
  CLOSE;

/** The language of SVG reconstruction. */
export const svgTemplate: Template<WorldTruth> = {
  id: "svg",
  own: true,
  name: "SVG reconstruction",
  actions: ACTIONS,
  separator: "",
  predicts: [],
  words: () => [
    "SVG reconstruction ",
    "a drawing",
    ...DRAWING_WORDS,
    ...FILLS.flatMap((fill) => ["circle", "rect", "path"].map((kind) => `${fill} ${kind}`)),
    " ; ",
    ...PATH_WORDS,
  ],
  symbols: [..."kroygcbp. ", "\n"],
  describe: (truth) => shapesIn(iconOf(truth)),
  facts: (truth) => shapesIn(iconOf(truth)),
  decision: null,
  predict: () => "",
  advance: (truth, action) => ({ ...truth, facts: { ...truth.facts, solved: action === iconOf(truth) } }),
  ended: ({ facts }) => facts?.solved === true,
  /** PPO finds out that it is worth drawing exactly. */
  heuristic: (truth) => coarsely(iconOf(truth)),
  anyAction: (_truth, random) => drawingText(drawIcon(random, 2, LATTICE)),
  actionsPerTurn: () => 1,
};
