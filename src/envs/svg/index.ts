// The specification of SVG reconstruction. The renderer is loaded when the first game is created.
import { defineEnv } from "../env.ts";
import { ImpossibleConfig } from "../grid.ts";
import { lazily } from "../loading.ts";
import { patchesOf } from "../square-picture.ts";
import { ACTIONS, config, type SvgConfig } from "./config.ts";
import { describe } from "./describe.ts";
import { explainReward, MEASURES } from "./explain-reward.ts";

const game = lazily("SVG reconstruction", async (report) => {
  const module = await import("./svg.ts");
  await module.loadRaster(report);
  return module;
});

/**
 * Both generations pay every drawing its whole score and know no success. Their scores are those of models that only the user can supply,
 * so the presets leave the weights alone.
 */
const VAGENS = {
  paid: "every_drawing",
  success_similarity: 1,
  format_reward: 0.5,
  format_penalty: 0,
} as const;

/** @throws ImpossibleConfig if no drawing could earn anything. */
function checkWeights({ ms_ssim_weight: value, ...others }: SvgConfig): void {
  const { edge_weight, color_weight, structural_weight, dino_weight, dreamsim_weight } = others;
  if (value + edge_weight + color_weight + structural_weight + dino_weight + dreamsim_weight > 0) return;
  const remedy =
    "Give one of the weights of MS-SSIM, edges, colour, structure, DINOv2 and DreamSim a value above 0.";
  throw new ImpossibleConfig({ field: "ms_ssim_weight", value, why: "no measure counts", remedy });
}

/**
 * Draw an icon again in SVG: VAGEN's SVG reconstruction, with icons that are made here and similarity that is measured without a neural
 * network, unless you supply one.
 *
 * **Actions.** One a turn: a whole drawing.
 *
 * | action | effect |
 * |---|---|
 * | `<svg …>…</svg>` | show this drawing and compare it with the icon |
 *
 * For example `<svg viewBox="0 0 64 64"><circle cx="32" cy="32" r="20" fill="red"/></svg>` or
 * `<svg viewBox="0 0 64 64"><path d="M32 8L56 56L8 56Z" fill="green"/></svg>`. Drawings may have `path`, `rect`, `circle`,
 * `ellipse`, `line`, `polyline`, `polygon`, groups and gradients; scripts, styles with addresses, references to other files, text, filters,
 * shapes that reach more than 10,000 pixels far (of 64), gradients of more than 64 stops and drawings of more than 20,000 characters or 500
 * elements are refused, and so are drawings whose gradients paint more than 20 times the area of the picture, or whose translucent
 * colours paint more than 100 times that area. A path must begin with a point to move to; a later error in its data ends it there. The reply's reason says which of them it was. Lengths may be percentages of the view box. The opacity of a group is that of each of its shapes.
 *
 * **Observation.** First the icon, then the agent's own drawing, as in VAGEN; with `show_target` followed by the icon as a second picture.
 * The state as text: 16 × 16 letters for the icon's colours (`k` black,
 * `y` gold, `c` deepskyblue, otherwise the first letter, `.` paper), and the same for the drawing.
 *
 * **Claims.** An observation says which shapes the icon has, a prediction which shapes the picture will show: each with its colour, its kind
 * and its left, upper, right and lower end, as in `red circle 8 16 40 48`. Ends may be 4 units off.
 * What counts is what the picture shows, whatever units, transformations or order of attributes the code has. A prediction of a drawing
 * that cannot be said in this way is not judged and earns nothing: one with strokes, gradients, translucent or other colours, or arcs.
 *
 * **Start.** An icon of 1 to `max_shapes` circles, rectangles, triangles and diamonds, larger ones below; or one of Bootstrap Icons,
 * Octicons or Material Design Icons in a random colour.
 *
 * **Transitions.** A drawing takes the place of the one before. One that gives the same picture, in whatever code, is not effective; neither
 * is a refused one, which leaves the drawing before in its place.
 *
 * **Rewards.** The score of a drawing is the weighted sum of three measures between 0 and 1, on pictures of 64 × 64 pixels: `ms_ssim`,
 * structural similarity of the grey pictures on three scales; `edges`, the overlap of their edges; `color`, the agreement of their
 * colours. Paper that both leave white does not count. VAGEN's score has three others. One is computed here: with `structural_weight`
 * above 0 the sum has a fourth term, `structure`, the pixels on edges of both pictures as a share of those on edges of either, by Canny's
 * method on 256 × 256 pixels. The other two are those of neural networks, DINOv2 and DreamSim, which you may supply: with `dino_weight` and
 * `dreamsim_weight` above 0 each adds a score of its own, `dino` or `dreamsim`. With `paid: improvement` a drawing earns the amount by which its score exceeds the best so far, and for each model the amount, times its
 * weight, by which the model's score exceeds that model's best. `success_reward` is added at success.
 * A turn without a valid drawing earns `format_penalty`, and nothing from a model.
 *
 * **End.** The episode terminates at success: when the similarity, the weighted mean of `ms_ssim`, `edges` and `color`, is at least
 * `success_similarity`. If their weights are all 0, they count as at their defaults. With `refused_drawing: end` a turn
 * without a valid drawing ends it as well, without success.
 *
 * **Seeds.** A seed gives the icon. Equal seeds and drawings give equal bytes, in Node and in browsers.
 *
 * **Configuration.**
 */
export const svg = defineEnv({
  id: "svg",
  title: "SVG reconstruction",
  description: "Look at an icon and write the SVG that draws it.",
  actions: ACTIONS,
  actionWords: { noun: "drawing", command: "Draw it" },
  playHelp: {
    actions:
      "Write SVG code, as in the examples: circle, ellipse, rect, polygon, line or path, each with a fill such as red or #d33. In the view box of 64 × 64, x goes to the right and y down. The next drawing takes the place of the last one.",
  },
  readAction: (text) => game.get().readAction(text),
  whyUnknown: (text) => game.get().whyRefused(text),
  liteAnswerIn: (text) => game.get().drawingIn(text),
  endsWithoutAction: ({ refused_drawing }) => refused_drawing === "end",
  mention: () => "a drawing",
  separator: null,
  claims: ["shapes"],
  describe,
  measures: ({ structural_weight }) => [
    ...["similarity", "ms_ssim", "edges", "color"],
    ...(structural_weight > 0 ? ["structure"] : []),
  ],
  isWorld: true,
  config,
  presets: {
    legacy: { ...VAGENS, refused_drawing: "continue" },
    lite: { ...VAGENS, refused_drawing: "end" },
  },
  load: game.load,
  mostPictures: ({ show_target, render_mode }) => (show_target && render_mode === "vision" ? 2 : 1),
  check: checkWeights,
  create: (options) => new (game.get().Svg)(options),
  explainReward,
  drawings: {
    views: (truth) => game.get().views(truth),
    codes: ({ facts }) =>
      facts?.drawing === undefined ? null : { icon: String(facts.icon), drawing: String(facts.drawing) },
    measures: MEASURES,
    picture: (code, side) => game.get().pictureOf(code, side),
    names: { target: "Target icon", drawing: "Agent's drawing so far" },
    paidModels: {
      weights: { dino: "dino_weight", dreamsim: "dreamsim_weight" },
      paysImprovement: ({ paid }) => paid === "improvement",
    },
  },
  patches: patchesOf,
});
