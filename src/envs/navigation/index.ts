// The specification of Navigation. Rooms and pictures are loaded when the first game is created.
import { defineEnv } from "../env.ts";
import { ImpossibleConfig } from "../grid.ts";
import { lazily } from "../loading.ts";
import { patchesOf } from "../square-picture.ts";
import { ACTIONS, BLOCKED, readAction } from "./actions.ts";
import { config, type NavigationConfig, presets } from "./config.ts";
import { explainReward } from "./explain-reward.ts";
import { straightSteps } from "./straight-line.ts";
import { rulesFor, splitOf } from "./task-sets.ts";

const world = lazily("Navigation", () => import("./navigation.ts"));

/** @throws ImpossibleConfig if no task could be solved even on a straight way. */
function checkReach({ max_steps: value, eval_set, step_length, success_threshold }: NavigationConfig): void {
  const { least } = rulesFor(splitOf(eval_set));
  // Whole centimetres: 0.6 m are three steps of 0.2 m, whatever the last digit of their quotient is.
  const needed = Math.ceil((least - Math.round(success_threshold * 100)) / Math.round(step_length * 100));
  if (value >= needed) return;
  const why = `no start is fewer than ${needed} steps of ${step_length} m from its target`;
  throw new ImpossibleConfig({
    field: "max_steps",
    value,
    why,
    remedy: `Use at least ${needed}; 30 as in VAGEN leaves time to turn.`,
  });
}

/**
 * Walk through a home until the object that the instruction means is near: VAGEN's Navigation, whose rooms are those of AI2-THOR and
 * whose tasks are those of EmbodiedBench, in homes of our own.
 *
 * **Actions.**
 *
 * | action | legacy name | effect |
 * |---|---|---|
 * | `move_forward` | `moveahead` | a step of `step_length` ahead |
 * | `move_backward` | `moveback` | a step back |
 * | `move_right` | `moveright` | a step to the right, without turning |
 * | `move_left` | `moveleft` | a step to the left, without turning |
 * | `turn_right` | `rotateright` | turn by 90° |
 * | `turn_left` | `rotateleft` | turn by 90° |
 * | `look_up` | `lookup` | tilt the camera up by 30° |
 * | `look_down` | `lookdown` | tilt the camera down by 30° |
 *
 * Both names are read, in any letter case. Under `rollout.reply_reading: lite`, `|` also separates actions, and `<action>` may stand in
 * the place of `<answer>`, as in VAGEN-Lite.
 *
 * **Observation.** The view from 1.576 m above the floor, `resolution` pixels wide and high, and the instruction. As text: the visible
 * objects, nearest first, in steps from the agent ("sofa 4 ahead 1 left"), and how many steps are free ahead. The next observation
 * says which actions had no effect ("move_left blocked"); VAGEN reports only the last action.
 *
 * **Start.** A place at least 2.0 m from the target, looking level; in evaluation 2.51 to 3.00 m from it and facing it, except in
 * `long_horizon`, where the agent has its back to the target.
 *
 * **Actions of a malformed reply** are not executed, as in VAGEN.
 *
 * **Transitions.** Positions are multiples of 0.1 m. The agent is 0.4 m wide and as AI2-THOR's 1.8 m high; a step that would touch a
 * wall or a thing anywhere on its way changes nothing and says what blocks it. The camera tilts from 30° up to 60° down.
 *
 * **Rewards.** `success_reward` for the action that comes within `success_threshold` of the middle of the target, horizontally; the
 * target need not be in view. 0 for all others. The last turn of a success also earns `episode_format_reward` if every reply of the
 * episode had the right format, whatever its actions.
 *
 * **End.** The episode terminates at success, or after `max_steps` actions.
 *
 * **Seeds.** The task is the one at the seed modulo the number of tasks of `eval_set`. In imported houses every seed is a task of its
 * own: it chooses house, target, start and words. Everything is deterministic.
 *
 * **Configuration.**
 */
export const navigation = defineEnv({
  id: "navigation",
  title: "Navigation",
  description: "Walk through a home to the object that the instruction means.",
  actions: ACTIONS,
  playHelp: {
    actions:
      "move_… takes one step without turning, turn_… turns by 90°, look_… tilts the view by 30°. The game is won close to the object, measured along the floor; it need not be in view.",
  },
  readAction,
  mention: (action, effective) => (effective ? undefined : action + BLOCKED),
  claims: ["target"],
  refusesMalformed: true,
  liteGrading: { isValidIfAny: true },
  liteSpelling: {
    respell: (answer) => answer.replaceAll("|", ","),
    answerTags: ["<action>", "</action>"],
  },
  isWorld: true,
  takesHouses: true,
  config,
  presets,
  load: world.load,
  loadMap: () => import("./floor-map.ts").then((map) => map.floorMap),
  hungAt: (claim, truth, options) => world.peek()?.hungAt(claim, truth, options),
  check: checkReach,
  explainReward,
  leastMoves: straightSteps,
  create: (options) => world.get().createNavigation(options),
  patches: patchesOf,
});
