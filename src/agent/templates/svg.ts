// SVG reconstruction in words: which shapes an icon has, from the bottom to the top, and then the code that draws them.
import type { WorldTruth } from "../../core/types.ts";
import { ACTIONS } from "../../envs/svg/config.ts";
import { CLOSE, DRAWING_WORDS, FILLS, OPEN } from "../../envs/svg/drawing.ts";
import type { Template } from "./template.ts";

const iconOf = ({ facts }: WorldTruth): string => String(facts?.icon);

const SHAPE = /<(circle|rect|path)[^>]*fill="(\w+)"\/>/g;

/** "red circle ; blue path" */
const shapesIn = (code: string): string =>
  [...code.matchAll(SHAPE)].map(([, kind, fill]) => `${fill} ${kind}`).join(" ; ");

/** The icon without the shape on top, if there is another one. */
function hastily(code: string): string {
  const shapes = [...code.matchAll(SHAPE)].map(([shape]) => shape);
  return OPEN + (shapes.length > 1 ? shapes.slice(0, -1) : shapes).join("") + CLOSE;
}

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
  ],
  symbols: [..."kroygcbp.", "\n"],
  describe: (truth) => shapesIn(iconOf(truth)),
  facts: (truth) => shapesIn(iconOf(truth)),
  decision: null,
  predict: () => "",
  advance: (truth, action) => ({ ...truth, facts: { ...truth.facts, solved: action === iconOf(truth) } }),
  ended: ({ facts }) => facts?.solved === true,
  /** Leaves the shape on top out: PPO finds out that it is worth drawing. */
  heuristic: (truth) => hastily(iconOf(truth)),
  actionsPerTurn: () => 1,
};
