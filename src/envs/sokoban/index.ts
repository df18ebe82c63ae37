// Sokoban as the studio knows it: names, configuration, rules.
import { z } from "../../core/schema.ts";
import { defineEnv } from "../env.ts";
import { usualDepth, usualTries } from "./generator.ts";
import { directions } from "./room.ts";
import { Sokoban } from "./sokoban.ts";

const side = z
  .int("dim_room: give whole numbers")
  .min(4, "dim_room: at least 4 rows and columns, the outer wall included")
  .max(15, "dim_room: at most 15 rows and columns");

const steps = z.int("min_solution_steps: give whole numbers").min(0, "min_solution_steps: not below 0");

const config = z.object({
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

export const sokoban = defineEnv({
  id: "sokoban",
  title: "Sokoban",
  description: "Push every crate onto a target; crates cannot be pulled.",
  actions: directions,
  claims: ["box", "target"],
  config,
  presets: {
    lite: {
      max_actions_per_step: 3,
      format_reward: 0.1,
      success_reward: 1,
      penalty_for_step: 0,
      reward_box_on_target: 0,
      penalty_box_off_target: 0,
    },
    legacy: {
      max_actions_per_step: 3,
      format_reward: 0.5,
      success_reward: 10,
      penalty_for_step: -0.1,
      reward_box_on_target: 1,
      penalty_box_off_target: -1,
    },
  },
  rules: [
    "You are the figure in the blue coat in a storehouse seen from above. Dark bricks are walls, a red ring marks a",
    "target, a brown crate is a box; it turns green on a target.",
    "Up, Down, Left and Right move you by one tile and push a box in front of you if the tile behind it is free.",
    "Boxes cannot be pulled, and only one can be pushed at a time. Bring every box onto a target.",
    "In text, P is you, S you on a target, # a wall, _ floor, O a target, X a box, √ a box on a target.",
  ].join(" "),
  create: (config) => new Sokoban(config),
  gridSize: ({ dim_room: [rows, cols] }) => ({ rows, cols }),
});
