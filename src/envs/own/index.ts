// A user's own environment as one of the studio's.
import { z } from "../../core/schema.ts";
import { defineEnv, type EnvSpec } from "../env.ts";
import { neighbour } from "../grid.ts";
import { formatReward, maxActionsPerStep, renderMode, reward, textCells } from "../options.ts";
import { callsOf } from "./call.ts";
import { drawOwn } from "./draw.ts";
import { OwnGame, thingAt } from "./game.ts";
import type { OwnEnvironment } from "./own.ts";

const config = z.object({
  render_mode: renderMode,
  text_cells: textCells,
  max_actions_per_step: maxActionsPerStep(3),
  format_reward: formatReward(0.1),
  success_reward: reward(1, "Success reward", "Reward for success, besides what the environment pays."),
});

/** The specification of a user's own environment. Its functions are called with copies, and what they return is checked. */
export function ownEnvironment(own: OwnEnvironment): EnvSpec {
  const calls = callsOf(own);
  const things = Object.keys(own.things).filter((name) => name !== "player");
  const spec = defineEnv({
    id: own.id,
    title: own.title,
    description: own.description,
    actions: own.actions,
    claims: own.claims,
    hasOwnSymbols: true,
    surroundings: {
      kinds: ["free", "edge", ...things],
      at: (scene, direction) => thingAt(own, scene, neighbour(scene.player, direction)),
    },
    config,
    presets: {},
    create: (options, { searchBudget } = {}) => new OwnGame(own, calls, options, searchBudget),
    // A truth has all that is drawn, and `facts.state` is the whole state.
    recorded: {
      draw: ({ player, entities }, patchPx) => drawOwn(own, { ...entities, player: [player] }, patchPx),
      from(truth, options) {
        const game = new OwnGame(own, calls, options);
        game.enter(truth);
        return game;
      },
    },
    patches: () => ({ rows: own.rows, cols: own.cols }),
  });
  return spec as EnvSpec;
}
