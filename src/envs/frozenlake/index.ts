// The specification of FrozenLake.
import { defineEnv } from "../env.ts";
import { config } from "./config.ts";
import { FrozenLake } from "./frozenlake.ts";
import { directions, shortestPath } from "./level.ts";
import { surroundings } from "./surroundings.ts";

/**
 * Cross a frozen lake to the gift without falling into a hole. The levels are those of VAGEN Lite.
 *
 * **Actions.**
 *
 * | action | effect |
 * |---|---|
 * | `Left` | move one tile to the left |
 * | `Down` | move one tile down |
 * | `Right` | move one tile to the right |
 * | `Up` | move one tile up |
 *
 * **Observation.** The lake from above. Light tiles are ice, dark blue ones are holes, the golden gift is the goal, and the
 * player wears a red coat. Text symbols: `P` player, `_` ice, `O` hole, `G` goal, `X` player in a hole, `√` player on the
 * goal. The start is not marked. With `text_cells` the text has the blanks and tabs of VAGEN's; Lite's player on the goal
 * is `V`.
 *
 * **Start.** The player is on the start tile, which the level draws at random, or on the `S` of a fixed map (`desc`). The
 * goal can always be reached.
 *
 * **Transitions.** The player moves to the neighbouring tile. The edge of the lake blocks a move (`effective: false`,
 * "blocked by the edge of the lake"). On slippery ice a move may go in another direction than meant: `slip_prob` is
 * applied first, then `is_slippery`.
 *
 * **Rewards.** `success_reward` for the move onto the goal, 0 for every other move.
 *
 * **End.** The episode terminates on the goal (success) or in a hole (failure). The rollout truncates it after
 * `rollout.max_turns` turns.
 *
 * **Seeds.** A seed gives the level, cell for cell that of NumPy's `default_rng(seed)` in VAGEN Lite. Slipping draws from a
 * stream of its own.
 *
 * **Configuration.**
 */
export const frozenlake = defineEnv({
  id: "frozenlake",
  title: "FrozenLake",
  description: "Cross the ice to the gift without falling into a hole.",
  actions: directions,
  playHelp: { actions: "Each action moves one tile. A hole ends the game." },
  claims: ["goal"],
  surroundings,
  hasChance: ({ is_slippery, slip_prob }) => is_slippery || slip_prob > 0,
  config,
  presets: {
    lite: { max_actions_per_step: 5, format_reward: 0.02, success_reward: 1, text_cells: "lite" },
    legacy: { max_actions_per_step: 3, format_reward: 0.5, success_reward: 10, text_cells: "legacy" },
  },
  create: (config) => new FrozenLake(config),
  movesLeft: ({ rows, cols, player, entities: { goal, hole = [] } }) =>
    shortestPath({ rows, cols, goal: goal[0], holes: hole }, player)?.length ?? null,
  patches: ({ size, desc }) =>
    desc ? { rows: desc.length, cols: desc[0].length } : { rows: size, cols: size },
});
