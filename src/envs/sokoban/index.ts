// The specification of Sokoban.
import { defineEnv, TRAINING_SEARCH_BUDGET } from "../env.ts";
import { config } from "./config.ts";
import { explainReward } from "./explain-reward.ts";
import { levelOf } from "./level-source.ts";
import { directions, levelIn } from "./room.ts";
import { Sokoban } from "./sokoban.ts";
import { solve } from "./solver.ts";
import { surroundings } from "./surroundings.ts";

/**
 * Push every box onto a target. The rules are those of gym-sokoban, which VAGEN trains on.
 *
 * **Actions.**
 *
 * | action | effect |
 * |---|---|
 * | `Up` | move one tile up, pushing a box in front |
 * | `Down` | move one tile down, pushing a box in front |
 * | `Left` | move one tile to the left, pushing a box in front |
 * | `Right` | move one tile to the right, pushing a box in front |
 *
 * **Observation.** The room from above. Dark bricks are walls, red rings are targets, boxes are brown, and green
 * on a target. The player wears blue and a yellow helmet, and is inside a red ring when on a target. Text
 * symbols: `#` wall, `_` floor, `O` target, `X` box, `√` box on target, `P` player, `S` player on target. With
 * `text_cells` the text has the blanks and tabs of VAGEN's.
 *
 * **Start.** A room whose shortest solution has a length within `min_solution_steps`. No box is on a target, and the player is
 * on one only under `levels: legacy`. Or the fixed room of `desc`, which need not have a solution.
 *
 * **Transitions.** The player moves to the next tile. A box there moves one tile on, if the tile behind it is free. Boxes
 * cannot be pulled, and only one can be pushed at a time. A blocked move changes nothing and says what blocks it ("blocked by
 * a wall", "the box is blocked by another box").
 *
 * **Rewards.** The sum of `penalty_for_step` for every action, `reward_box_on_target` for a push onto a target,
 * `penalty_box_off_target` for a push off one, and `success_reward` for the push that solves the room. The last push onto a
 * target earns both rewards.
 *
 * **End.** The episode terminates when every box is on a target (success). A box that can no longer be moved does not end
 * it. The rollout truncates it after `rollout.max_turns` turns.
 *
 * **Seeds.** A seed gives the room. Moves are deterministic. Under `levels: lite` and `levels: legacy` it is the room that VAGEN plays
 * for the seed, bit for bit.
 *
 * **Configuration.**
 */
export const sokoban = defineEnv({
  id: "sokoban",
  title: "Sokoban",
  description: "Push every box onto a target; boxes cannot be pulled.",
  actions: directions,
  playHelp: {
    actions:
      "Each action moves one tile and pushes a box in front. Boxes cannot be pulled, nor two pushed at once.",
    losses: "Actions can cost something, and a box that leaves its target takes back what it earned there.",
  },
  claims: ["box", "target"],
  surroundings,
  config,
  presets: {
    lite: {
      max_actions_per_step: 3,
      format_reward: 0.1,
      success_reward: 1,
      penalty_for_step: 0,
      reward_box_on_target: 0,
      penalty_box_off_target: 0,
      text_cells: "lite",
    },
    legacy: {
      max_actions_per_step: 3,
      format_reward: 0.5,
      success_reward: 10,
      penalty_for_step: -0.1,
      reward_box_on_target: 1,
      penalty_box_off_target: -1,
      text_cells: "legacy",
    },
  },
  explainReward,
  movesLeft: (scene) => solve(levelIn(scene)).plan?.length ?? null,
  levelSource: (config, seed) =>
    config.desc || config.levels === "studio" ? null : levelOf(config, seed).source,
  create: (config, { searchBudget = TRAINING_SEARCH_BUDGET } = {}) => new Sokoban(config, searchBudget),
  patches: ({ dim_room: [rows, cols], desc }) =>
    desc ? { rows: desc.length, cols: desc[0].length } : { rows, cols },
});
