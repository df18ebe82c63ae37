// The options of SVG reconstruction. Weights are of measures that are computed here, and of VAGEN's neural networks, which the user
// supplies.
import { z } from "../../core/schema.ts";
import { formatPenalty, formatReward, renderMode, resolution, reward } from "../options.ts";

/** Some drawings, for lists of actions: there are too many to list. */
export const ACTIONS: readonly string[] = [
  '<circle cx="32" cy="32" r="20" fill="red"/>',
  '<rect x="12" y="20" width="40" height="24" fill="blue"/>',
  '<path d="M32 8L56 56L8 56Z" fill="green"/>',
].map((shape) => `<svg viewBox="0 0 64 64">${shape}</svg>`);

const weight = (usual: number, title: string, help: string) =>
  z.number().min(0).max(100).default(usual).meta({ title }).describe(help);

export const config = z.object({
  icons: z
    .enum([
      "shapes",
      "bootstrap_train",
      "bootstrap_test",
      "octicons_train",
      "octicons_test",
      "mdi_train",
      "mdi_test",
      "all_train",
      "all_test",
    ])
    .default("shapes")
    .meta({
      title: "Icons",
      titles: {
        shapes: "Shapes",
        bootstrap_train: "Bootstrap Icons, to train",
        bootstrap_test: "Bootstrap Icons, to evaluate",
        octicons_train: "Octicons, to train",
        octicons_test: "Octicons, to evaluate",
        mdi_train: "Material Design Icons, to train",
        mdi_test: "Material Design Icons, to evaluate",
        all_train: "All three sets, to train",
        all_test: "All three sets, to evaluate",
      },
    })
    .describe(
      "shapes: made from the seed. The others: an icon in a random colour from Bootstrap Icons (bootstrap), GitHub's Octicons (octicons), Material Design Icons (mdi) or all three (all). Icons to evaluate on (_test) have other names than those to train on (_train).",
    ),
  max_shapes: z
    .int()
    .min(1)
    .max(5)
    .default(3)
    .meta({ title: "Shapes, at most" })
    .describe("Most shapes of an icon made from the seed, each in a colour of its own."),
  lattice: z
    .int()
    .min(1)
    .max(8)
    .default(4)
    .meta({ title: "Lattice" })
    .describe(
      "Coordinates and sizes of an icon made from the seed are multiples of this many units of the canvas, which is 64 wide and high.",
    ),
  resolution: resolution(256, 256),
  render_mode: renderMode,
  show_target: z
    .boolean()
    .default(false)
    .meta({ title: "Show the icon again" })
    .describe(
      "Observations after a drawing have two pictures: the drawing, and then the icon. Off, as in VAGEN: the drawing alone, so that the icon is seen in the first observation only. As text, a state always has both.",
    ),
  ms_ssim_weight: weight(0.4, "Weight of MS-SSIM", "Weight of structural similarity on three scales."),
  edge_weight: weight(0.3, "Weight of edges", "Weight of the overlap of edges."),
  color_weight: weight(0.3, "Weight of colour", "Weight of the agreement of colours."),
  structural_weight: weight(
    0,
    "Weight of structure",
    "Weight of the edges that both pictures have, as a share of those that either has: VAGEN's structural score, on pictures of 256 × 256 pixels. It does not decide on success.",
  ),
  dino_weight: weight(
    0,
    "Weight of DINOv2",
    "Weight of the similarity that a DINOv2 of yours computes, as in VAGEN. Above 0, training, validation and evaluation need its ONNX file.",
  ),
  dreamsim_weight: weight(
    0,
    "Weight of DreamSim",
    "Weight of the similarity that a DreamSim of yours computes, as in VAGEN. Above 0, training, validation and evaluation need its ONNX file.",
  ),
  paid: z
    .enum(["improvement", "every_drawing"])
    .default("improvement")
    .meta({
      title: "Paid",
      titles: { improvement: "What a drawing adds", every_drawing: "Every drawing, as in VAGEN" },
    })
    .describe(
      "improvement: a drawing earns the amount by which its score exceeds the best so far, and the same for each model. every_drawing: it earns all of its scores, so that drawing the same twice earns twice as much.",
    ),
  success_similarity: z
    .number()
    .min(0.5)
    .max(1)
    .default(0.9)
    .meta({ title: "Similarity of a success" })
    .describe(
      "Similarity from which a drawing is a success and ends the episode; 1: only an exact copy. VAGEN has no success threshold.",
    ),
  format_reward: formatReward(0.1),
  format_penalty: formatPenalty("drawing"),
  refused_drawing: z
    .enum(["continue", "end"])
    .default("continue")
    .meta({
      title: "After a refused drawing",
      titles: { continue: "The episode goes on", end: "The episode ends, as in VAGEN-Lite" },
    })
    .describe(
      "What follows a turn without a valid drawing. continue: the next turn may draw again, as in VAGEN's legacy release. end: the episode ends without success, as in VAGEN-Lite.",
    ),
  success_reward: reward(0, "Success reward", "Added to the score of a drawing that is a success."),
});

export type SvgConfig = z.output<typeof config>;
