// Options that several environments have.
import { z } from "../core/schema.ts";

/** `render_mode`: what the agent is shown. */
export const renderMode = z
  .enum(["vision", "text"])
  .default("vision")
  .meta({ title: "Agent sees", titles: { vision: "Picture", text: "Text" } })
  .describe("Whether the agent is shown a picture or text.");

/** `resolution`: side of a square picture in pixels, whole patches. @param theirs its size in VAGEN. */
export const resolution = (most: number, theirs: number) =>
  z
    .int()
    .min(32)
    .max(most)
    .multipleOf(8)
    .default(64)
    .meta({ title: "Picture size" })
    .describe(`Side of the agent's picture in pixels, a multiple of 8. VAGEN's is ${theirs}.`);

const TEXT_CELLS = {
  studio: "Symbols with a blank between them",
  legacy: "As VAGEN's legacy release prints them",
  lite: "As VAGEN-Lite prints them",
} as const;

/** `text_cells`: how a board is written as text. */
export const textCells = z
  .enum(Object.keys(TEXT_CELLS) as [TextCells, ...TextCells[]])
  .default("studio")
  .meta({ title: "Text cells", titles: TEXT_CELLS })
  .describe(
    "How a board is written as text. legacy puts blanks around each symbol and a tab behind it, lite only the blanks.",
  );

/** Ways to write the cells of a board. */
export type TextCells = keyof typeof TEXT_CELLS;

/** `max_actions_per_step`, with its default. */
export const maxActionsPerStep = (usual: number) =>
  z
    .int()
    .min(1)
    .max(20)
    .default(usual)
    .meta({ title: "Actions per turn" })
    .describe("Actions executed per turn; further ones are dropped.");

/** A reward of any size, with its default. */
export const reward = (usual: number, title: string, help: string) =>
  z.number().default(usual).meta({ title }).describe(help);

/** `format_penalty` of environments in which some turns hold no valid action; `what` is what a reply should hold. */
export const formatPenalty = (what = "action") =>
  reward(
    0,
    "Format penalty",
    `Added to the reward of a turn without a valid ${what}; a negative number punishes it.`,
  );

/** `format_reward` of environments whose answers are lists of actions, with its default. */
export const formatReward = (usual: number) =>
  reward(
    usual,
    "Format reward",
    "Reward of a turn in the right format whose actions are all known; those beyond max_actions_per_step do not count.",
  );
