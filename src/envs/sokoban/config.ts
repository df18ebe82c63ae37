// The options of Sokoban.
import { z } from "../../core/schema.ts";

/** Defaults of `min_solution_bfs_max_depth` and `reset_seed_max_tries`, with which levels are found. */
export const usualDepth = 200;
export const usualTries = 10_000;

const side = z
  .int("dim_room: give whole numbers")
  .min(4, "dim_room: at least 4 rows and columns, the outer wall included")
  .max(15, "dim_room: at most 15 rows and columns");

const steps = z.int("min_solution_steps: give whole numbers").min(0, "min_solution_steps: not below 0");

export const config = z.object({
  dim_room: z
    .tuple([side, side])
    .default([6, 6])
    .meta({ title: "Room size" })
    .describe("Rows and columns of the room, the outer wall included."),
  num_boxes: z
    .int("num_boxes: give a whole number")
    .min(1, "num_boxes: at least 1")
    .default(1)
    .meta({ title: "Boxes" })
    .describe("Crates, and as many targets."),
  min_solution_steps: z
    .tuple([steps, steps])
    .nullable()
    .default(null)
    .meta({ examples: [[1, 5]] })
    .meta({ title: "Solution length" })
    .describe(
      "Fewest and most moves of a shortest solution; other levels are drawn again. Empty: any length.",
    ),
  reset_seed_max_tries: z
    .int("reset_seed_max_tries: give a whole number")
    .min(1, "reset_seed_max_tries: at least 1")
    .default(usualTries)
    .meta({ title: "Tries per level" })
    .describe(
      "Levels that a search may draw at most to meet min_solution_steps; once the first level of a run is found, the search for any other may draw 20 times as many.",
    ),
  min_solution_bfs_max_depth: z
    .int("min_solution_bfs_max_depth: give a whole number")
    .min(1, "min_solution_bfs_max_depth: at least 1")
    .default(usualDepth)
    .meta({ title: "Longest solution" })
    .describe("Longest solution, in moves, that a level may need."),
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
    .default(3)
    .meta({ title: "Actions per turn" })
    .describe("Actions executed per turn; further ones are dropped."),
  format_reward: z
    .number()
    .default(0.1)
    .meta({ title: "Format reward" })
    .describe(
      "Reward of a turn in the right format whose actions are all known; those beyond max_actions_per_step do not count.",
    ),
  success_reward: z
    .number()
    .default(1)
    .meta({ title: "Success reward" })
    .describe("Reward when every crate is on a target."),
  penalty_for_step: z
    .number()
    .default(0)
    .meta({ title: "Reward per action" })
    .describe("Reward of every single action, normally not positive."),
  reward_box_on_target: z
    .number()
    .default(0)
    .meta({ title: "Box on target" })
    .describe("Reward for pushing a crate onto a target."),
  penalty_box_off_target: z
    .number()
    .default(0)
    .meta({ title: "Box off target" })
    .describe("Reward for pushing a crate off a target, normally not positive."),
});

export type SokobanConfig = z.output<typeof config>;
