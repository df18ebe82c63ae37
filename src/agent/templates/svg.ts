// SVG reconstruction in words: which shapes an icon has, from the bottom to the top, and where they end, then the code that draws
// them. Ends can be seen in the picture; middles, radii and corners follow from them.
import type { WorldTruth } from "../../core/types.ts";
import { iconOf, SHAPE_NAMES, shapesIn, shownIn } from "../../envs/svg/claims.ts";
import { ACTIONS } from "../../envs/svg/config.ts";
import { CLOSE, DRAWING_WORDS, drawingText, OPEN, PATH_WORDS } from "../../envs/svg/drawing.ts";
import { drawIcon } from "../../envs/svg/icons.ts";
import type { Template } from "./template.ts";

/** The lattice of a careless drawing, in units of the canvas. */
const COARSE = 16;

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
  predicts: ["shapes"],
  words: () => ["SVG reconstruction ", "a drawing", ...DRAWING_WORDS, ...SHAPE_NAMES, " ; ", ...PATH_WORDS],
  symbols: [..."kroygcbp. ", "\n"],
  describe: (truth) => shapesIn(iconOf(truth)),
  facts: (truth) => shapesIn(iconOf(truth)),
  decision: null,
  predict: (truth) => shapesIn(shownIn(truth)),
  advance: (truth, action) => ({
    ...truth,
    facts: { ...truth.facts, drawing: action, solved: action === iconOf(truth) },
  }),
  ended: ({ facts }) => facts?.solved === true,
  players: {
    random: "Draws one or two shapes at random.",
    heuristic: `Draws the icon with its numbers rounded to multiples of ${COARSE}.`,
    oracle: "Draws the icon exactly.",
  },
  /** PPO finds out that it is worth drawing exactly. */
  heuristic: (truth) => coarsely(iconOf(truth)),
  anyAction: (_truth, random) => drawingText(drawIcon(random, 2, LATTICE)),
  actionsPerTurn: () => 1,
};
