// The options of Sokoban.
import { z } from "../../core/schema.ts";
import { formatReward, maxActionsPerStep, renderMode, reward, textCells } from "../options.ts";
import { desc } from "./fixed-room.ts";

/** Defaults of `min_solution_bfs_max_depth` and `reset_seed_max_tries`, with which levels are found. */
export const usualDepth = 200;
export const usualTries = 10_000;

const side = z.int().min(4).max(15);

const steps = z.int().min(0);

export const config = z.object({
  dim_room: z
    .tuple([side, side])
    .default([6, 6])
    .meta({ title: "Room size" })
    .describe("Rows and columns of the room, the outer wall included."),
  num_boxes: z.int().min(1).default(1).meta({ title: "Boxes" }).describe("Boxes, and as many targets."),
  min_solution_steps: z
    .tuple([steps, steps])
    .nullable()
    .default(null)
    .meta({ examples: [[1, 5]] })
    .meta({ title: "Solution length" })
    .describe(
      "Fewest and most moves of a shortest solution; a level outside this range is drawn again. Empty: any length.",
    ),
  levels: z
    .enum(["studio", "lite", "legacy"])
    .default("studio")
    .meta({
      title: "Levels",
      titles: { studio: "The studio's", lite: "VAGEN-Lite's", legacy: "VAGEN's (legacy)" },
    })
    .describe(
      "Which generator draws the level of a seed: the studio's, or one of VAGEN's, with the same result. If VAGEN has no level for a seed that satisfies min_solution_steps, the studio's generator draws one.",
    ),
  reset_seed_max_tries: z
    .int()
    .min(1)
    .default(usualTries)
    .meta({ title: "Tries per level" })
    .describe(
      "The most levels that a search draws to meet min_solution_steps. Once the first level of a run is found, the search for any other may draw 20 times as many.",
    ),
  min_solution_bfs_max_depth: z
    .int()
    .min(1)
    .default(usualDepth)
    .meta({ title: "Longest solution" })
    .describe("Longest solution, in moves, that a level may need."),
  desc: desc
    .nullable()
    .default(null)
    .meta({ examples: [["#####", "#P__#", "#_X_#", "#__O#", "#####"]] })
    .meta({ title: "Fixed room" })
    .describe(
      "A fixed room in place of random ones: rows of # wall, _ floor, O target, X box, * box on target, P player, S player on target.",
    ),
  render_mode: renderMode,
  strict_format: z
    .boolean()
    .default(true)
    .meta({ title: "Strict format" })
    .describe(
      "In VAGEN's formats of August 2026 (answer, free_think_2026, wm_2026, wm_think), nothing of a malformed reply is executed. Off: actions that can still be read in it are executed, without the format reward.",
    ),
  text_cells: textCells,
  max_actions_per_step: maxActionsPerStep(3),
  format_reward: formatReward(0.1),
  success_reward: reward(1, "Success reward", "Reward when every box is on a target."),
  penalty_for_step: reward(0, "Reward per action", "Reward of every single action, normally not positive."),
  reward_box_on_target: reward(0, "Box on target", "Reward for pushing a box onto a target."),
  penalty_box_off_target: reward(
    0,
    "Box off target",
    "Reward for pushing a box off a target, normally not positive.",
  ),
});

export type SokobanConfig = z.output<typeof config>;
