// The options of FrozenLake.
import { z } from "../../core/schema.ts";

const desc = z
  .array(
    z.string().regex(/^[SFHG]+$/, "desc: use only the letters S (start), F (frozen), H (hole) and G (goal)"),
  )
  .min(1, "desc: give at least one row")
  .max(20, "desc: give at most 20 rows")
  .refine((rows) => rows.every((row) => row.length === rows[0].length && row.length <= 20), {
    error: "desc: give all rows the same length, at most 20",
  })
  .refine((rows) => ["S", "G"].every((letter) => rows.join("").split(letter).length === 2), {
    error: "desc: give exactly one S and exactly one G",
  });

export const config = z.object({
  size: z
    .int("size: give a whole number")
    .min(2, "size: start and goal need at least 2×2 tiles")
    .max(20, "size: at most 20")
    .default(4)
    .meta({ title: "Lake size" })
    .describe("Side of the square lake in tiles."),
  p: z
    .number()
    .min(0, "p: a probability is at least 0")
    .max(1, "p: a probability is at most 1")
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
    .describe("Each move goes as meant or to either side, one third each."),
  slip_prob: z
    .number()
    .min(0, "slip_prob: a probability is at least 0")
    .max(1, "slip_prob: a probability is at most 1")
    .default(0)
    .meta({ title: "Slip probability" })
    .describe("Probability that a move goes to one of the two sides instead."),
  render_mode: z
    .enum(["vision", "text"])
    .default("vision")
    .meta({ titles: { vision: "Picture", text: "Text" } })
    .meta({ title: "Agent sees" })
    .describe("Whether the agent is shown a picture or text."),
  max_actions_per_step: z
    .int("max_actions_per_step: give a whole number")
    .min(1, "max_actions_per_step: at least 1")
    .max(20, "max_actions_per_step: at most 20")
    .default(5)
    .meta({ title: "Actions per turn" })
    .describe("Actions executed per turn; further ones are dropped."),
  format_reward: z
    .number()
    .default(0.02)
    .meta({ title: "Format reward" })
    .describe(
      "Reward of a turn in the right format whose actions are all known; those beyond max_actions_per_step do not count.",
    ),
  success_reward: z
    .number()
    .default(1)
    .meta({ title: "Success reward" })
    .describe("Reward for reaching the goal."),
});

export type FrozenLakeConfig = z.output<typeof config>;
