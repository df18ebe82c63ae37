// The options of FrozenLake.
import { z } from "../../core/schema.ts";
import { formatReward, maxActionsPerStep, renderMode, reward, textCells } from "../options.ts";

const desc = z
  .array(z.string().regex(/^[SFHG]+$/, "use only the letters S (start), F (frozen), H (hole) and G (goal)"))
  .min(1)
  .max(20)
  .refine((rows) => rows.every((row) => row.length === rows[0].length && row.length <= 20), {
    error: "give all rows the same length, at most 20",
  })
  .refine((rows) => ["S", "G"].every((letter) => rows.join("").split(letter).length === 2), {
    error: "give exactly one S and exactly one G",
  });

export const config = z.object({
  size: z
    .int()
    .min(2)
    .max(20)
    .default(4)
    .meta({ title: "Lake size" })
    .describe("Side of the square lake in tiles."),
  p: z
    .number()
    .min(0)
    .max(1)
    .default(0.8)
    .meta({ title: "Frozen tiles" })
    .describe("Probability that a tile is frozen; otherwise it is a hole."),
  desc: desc
    .nullable()
    .default(null)
    .meta({ examples: [["SFF", "FHF", "FFG"]] })
    .meta({ title: "Fixed map" })
    .describe("A fixed map in place of random ones: rows of S start, F frozen, H hole, G goal."),
  is_slippery: z
    .boolean()
    .default(false)
    .meta({ title: "Slippery ice" })
    .describe("Each move goes in the chosen direction, or to its left or right, with probability 1/3 each."),
  slip_prob: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .meta({ title: "Slip probability" })
    .describe("Probability that a move goes to one of the two sides instead."),
  render_mode: renderMode,
  text_cells: textCells,
  max_actions_per_step: maxActionsPerStep(5),
  format_reward: formatReward(0.02),
  success_reward: reward(1, "Success reward", "Reward for reaching the goal."),
});

export type FrozenLakeConfig = z.output<typeof config>;
