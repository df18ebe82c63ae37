// The specification of PrimitiveSkill. The world and its physics are loaded when the first game is created.
import { defineEnv } from "../env.ts";
import { lazily } from "../loading.ts";
import { patchesOf } from "../square-picture.ts";
import { config, presets } from "./config.ts";
import { examplesIn } from "./examples.ts";
import { explainReward } from "./explain-reward.ts";
import { EXAMPLES, LONGEST } from "./task-ids.ts";

const world = lazily("PrimitiveSkill", async (report) => {
  const [module, { precomputation }, { loadPhysics }] = await Promise.all([
    import("./primitive-skill.ts"),
    import("./precompute.ts"),
    import("./physics.ts"),
  ]);
  await loadPhysics(report);
  return { ...module, precomputation };
});

/**
 * Move cubes or an apple with a robot's hand: VAGEN's PrimitiveSkill, whose world is ManiSkill's, simulated by MuJoCo.
 *
 * **Actions.** Coordinates are millimetres; names are read in any letter case. Coordinates outside the workspace are clipped to it, and
 * the note says so.
 *
 * | action | effect |
 * |---|---|
 * | `pick(x,y,z)` | close the fingers around the point and lift |
 * | `place(x,y,z)` | open the fingers at the point |
 * | `push(x1,y1,z1,x2,y2,z2)` | move the open hand from one point to another |
 *
 * For example `pick(0,0,20)`, `place(0,0,20)`, `push(-50,0,20,50,0,20)`. `|` separates the skills of an answer.
 *
 * **Observation.** The picture, `resolution` pixels wide and high, which looks towards −x, so that +y is right and +z up; the instruction,
 * and the positions of the objects without their names, unless `positions` is `hidden`. As text: the objects with their names and
 * positions, whatever `positions` says.
 *
 * **Start.** Cubes lie in the task's regions with any yaw, and the fingers are open.
 *
 * **Transitions.** The hand goes through VAGEN's waypoints: 50 mm above the point, down, fingers, up, home. Objects are held by friction and
 * can slip, collide and fall. A hand that does not reach its waypoints within VAGEN's budget of control steps goes home; the note says so.
 *
 * **Rewards.** The change of R, which is 10 at success and else 2 for each stage up to the highest one that holds now; what is put down is no
 * longer held, so R can fall. `success_reward` at success; minus `skill_cost`. VAGEN's legacy release pays the same sum at the end of the episode.
 *
 * **End.** The episode terminates at success, or after `max_steps` skills.
 *
 * **Seeds.** A seed gives the start. Equal seeds and skills give equal bytes, in Node and in browsers.
 *
 * **Configuration.**
 */
export const primitiveSkill = defineEnv({
  id: "primitive-skill",
  title: "PrimitiveSkill",
  description: "Pick, place and push with a robot's hand, under real physics.",
  actions: EXAMPLES,
  longestAction: LONGEST,
  playHelp: {
    actions:
      "Coordinates are x,y,z in millimetres: +x points to you, +y to the right, +z up. pick closes the fingers at a point and lifts, place opens them there, push moves the hand from one point to another.",
    losses:
      "The reward is what the stages that hold now are worth: what is put down is no longer held. Success pays for all.",
  },
  examplesIn,
  readAction: (text) => world.get().readAction(text),
  whyUnknown: (text) => world.get().whyUnknown(text),
  separator: "|",
  liteGrading: { isPaidIfAll: true, isEffectiveIfAny: true },
  claims: ["positions"],
  isWorld: true,
  hasDictionary: true,
  hasChangingQuestion: true,
  showsMoreThanTruth: true,
  config,
  presets,
  explainReward,
  load: world.load,
  precomputation: {
    precompute: (upcoming, run) => world.get().precomputation.precompute(upcoming, run),
    compute: (job) => world.get().precomputation.compute(job),
  },
  check: () => undefined,
  create: (options) => new (world.get().PrimitiveSkill)(options),
  patches: patchesOf,
});
