// A user's own environment as one of the studio's.
import { z } from "../../core/schema.ts";
import { defineEnv, type EnvSpec } from "../env.ts";
import { neighbour } from "../grid.ts";
import { formatReward, maxActionsPerStep, renderMode, reward, textCells } from "../options.ts";
import { PATCH } from "../square-picture.ts";
import { type OwnActions, ownActions } from "./actions.ts";
import { boardField, thingAt } from "./board.ts";
import { callsOf } from "./call.ts";
import { OwnGame } from "./game.ts";
import { isPlane, type OwnBoard, type OwnEnvironment, type OwnPlane } from "./own.ts";
import { planeField } from "./plane.ts";
import { resultIn } from "./result.ts";

const boardConfig = z.object({
  render_mode: renderMode,
  text_cells: textCells,
  max_actions_per_step: maxActionsPerStep(3),
  format_reward: formatReward(0.1),
  success_reward: reward(1, "Success reward", "Reward for success, besides what the environment pays."),
});
const planeConfig = boardConfig.omit({ text_cells: true });

/** The specification of a user's own environment. Its functions are called with copies, and what they return is checked. */
export function ownEnvironment(own: OwnEnvironment): EnvSpec {
  const calls = callsOf(own);
  const actions = ownActions(own.actions);
  const field = isPlane(own) ? planeField(own) : boardField(own);
  const spec = defineEnv({
    id: own.id,
    title: own.title,
    description: own.description,
    actions: actions.examples,
    ...(actions.haveArguments && withArguments(actions)),
    claims: own.claims,
    ...(own.chance && { hasChance: () => true }),
    resultIn,
    ...(isPlane(own) ? ofPlane(own) : ofBoard(own)),
    presets: {},
    create: (options, { searchBudget } = {}) => new OwnGame(own, field, calls, options, searchBudget),
    // A truth has all that is drawn, and `facts.state` is the whole state.
    recorded: {
      draw: field.draw,
      from(truth, options) {
        const game = new OwnGame(own, field, calls, options);
        game.enter(truth);
        return game;
      },
    },
  });
  return spec as EnvSpec;
}

/** What only actions with arguments need. A bar separates them, because their arguments have commas. */
const withArguments = ({ help, read, whyUnknown }: OwnActions) =>
  ({ playHelp: { actions: help }, readAction: read, whyUnknown, separator: "|" }) satisfies Partial<EnvSpec>;

/** What only a board has. */
function ofBoard(own: OwnBoard) {
  const things = Object.keys(own.things).filter((name) => name !== "player");
  return {
    config: boardConfig,
    hasOwnSymbols: true,
    surroundings: {
      kinds: ["free", "edge", ...things],
      at: (scene, direction) => thingAt(own, scene, neighbour(scene.player, direction)),
    },
    patches: () => ({ rows: own.rows, cols: own.cols }),
    questions: () => own.instructions ?? [],
  } satisfies Partial<EnvSpec>;
}

/** What only a plane has. */
function ofPlane({ size: [width, height] }: OwnPlane) {
  return {
    config: planeConfig,
    isWorld: true,
    hasDictionary: true,
    patches: () => ({ rows: height / PATCH, cols: width / PATCH }),
  } satisfies Partial<EnvSpec>;
}
