// The specification of SpatialGym. Rooms and pictures are loaded when the first game is created.
import { defineEnv } from "../env.ts";
import { lazily } from "../loading.ts";
import { patchesOf } from "../square-picture.ts";
import { config, EXAMPLES, presets } from "./config.ts";
import { answersIn, examplesIn } from "./examples.ts";
import { explainReward } from "./explain-reward.ts";
import { respell } from "./lite-answer.ts";
import { checkLooks, isPassive, picturesIn } from "./passive.ts";

const world = lazily("SpatialGym", () => import("./spatial-gym.ts"));

/**
 * Look round a room and remember where things are: VAGEN-Lite's SpatialGym, in furnished rooms of our own and with questions besides
 * its map.
 *
 * **Actions.** `|` separates the actions of an answer. Names and words are read in any letter case, with or without blanks.
 *
 * | action | effect |
 * |---|---|
 * | `JumpTo(chair)` | stand beside an object that has been seen, with the same heading |
 * | `Rotate(45)` | turn clockwise, by a multiple of 45° from −315 to 315 |
 * | `Observe()` | look: the picture becomes the view from here |
 * | `Term()` | end the exploration |
 * | `Answer(left)` | answer the question and end the episode |
 * | `Map(chair 2 ahead 1 left facing back)` | give the map, with `;` between its objects, and end the episode |
 *
 * Under `rollout.reply_reading: lite` an answer may also be VAGEN's list, `Actions: [Rotate(90), Observe()]`, or a map's JSON alone.
 *
 * **Observation.** The view of the last observation, `resolution` pixels wide and high, from 1.576 m above the floor, and the question.
 * As text: the objects of the task that this view shows, nearest first, in steps of 0.5 m ("chair 4 ahead 1 left"), or "nothing"; for a
 * map also which way they face, seen from the start.
 *
 * **Start.** Near the middle of a room, with a heading along one of its walls; the start's view is free. With one room, every object of
 * the task can be seen from there in one of four headings. With two, some are in the second room, and the question is about one of them.
 * To find them, jump to the farthest object that shows from the start, and look in four headings from there, 90° apart.
 *
 * **Transitions.** The agent has 8 headings, and stands at the free place that is nearest to the middle of what it jumps to. Moving
 * changes no picture before the next `Observe()`. After `Term()`, or `max_exp_steps` observations, only the answer is left.
 *
 * **Passive exploration.** With `exp_type: passive` the agent does not explore. Its first observation has the views of a script, in order: a
 * look round at the start in four headings, 90° apart, and with two rooms another beside the farthest object that these show. The question
 * begins with the script, in which every `Observe()` stands for a view: "Observe() | Rotate(90) | Observe() | …; chair, lamp, bed: …". The
 * views are pictures in a row; as text, an empty line separates them. They cost nothing, and only the answer is left, as after `Term()`. Claims
 * are about the first view. An action without effect changes nothing, so the next observation has all views again, which an agent needs that
 * is shown one turn at a time.
 *
 * **Questions.** They are there from the start, and can be answered at any time. No answer is a close call. An answer that is not among them
 * has no effect.
 *
 * | `task` | question | answers | chance |
 * |---|---|---|---|
 * | `direction` | seen from the start, where is the lamp? | `ahead`, `right`, `back`, `left` | 1/4 |
 * | `perspective` | standing at the bed and facing the desk, where is the lamp? | the same | 1/4 |
 * | `distance` | which is nearer to the bed, the desk or the lamp? | one of the two | 1/2 |
 * | `order` | turning right from the start, which comes first, the desk or the lamp? | one of the two | 1/2 |
 * | `questions` | one of these | | 3/8 |
 * | `map` | where is everything, seen from the start? | a map | |
 *
 * **Maps.** Places are steps of 0.5 m from the start, in the directions of its heading; `facing` says which way an object's front faces. The
 * JSON of VAGEN is read as well: `{"chair": {"position": [-1, 2], "facing": "south"}}`, with the start's heading as north. The score is
 * c = (max(0, dir − 1/8) + max(0, facing − 1/4) + pos + coverage) / 4, with VAGEN's weights. `coverage` is the share of the objects that
 * have been in view, if the map has any of them. The others are means over the objects of the task, and measures of our own: `dir`, the place is at most 22.5° off,
 * seen from the start; `facing`, the front faces that way, over the objects that have one; `pos`, 1 less half the distance in
 * metres to the true place, at least 0.
 *
 * **Rewards.** −`observe_cost` for each `Observe()`; `success_reward` for the right answer; `map_reward` · c for a map, and −0.2 ·
 * `map_reward` if the exploration had ended without `Term()`.
 *
 * **End.** The episode terminates with the answer. It is a success if the answer is right, or if c is above `map_success`.
 *
 * **Seeds.** A seed gives the rooms, the start, the objects and the question. Everything is deterministic.
 *
 * **Configuration.**
 */
export const spatialGym = defineEnv({
  id: "spatial-gym",
  title: "SpatialGym",
  description: "Look round a room, then say where things are.",
  actions: EXAMPLES,
  playHelp: {
    actions:
      "Rotate turns you clockwise, in multiples of 45°; JumpTo stands you beside an object that you have seen. The picture changes with Observe(). Term() ends the looking. The game ends with Answer, or with Map where a map is asked for; a map counts steps of 0.5 m from the start. In a level with two rooms, what does not show from the start shows from beside the farthest object that does: jump to it, then turn and look round. In a level with passive exploration all views are there from the start, in the order of the Observe() that its question begins with, and only the answer is left.",
    losses: "Every Observe() costs something.",
  },
  examplesIn,
  readAction: (text) => world.get().readAction(text),
  whyUnknown: (text, truth) => world.get().whyUnknown(text, answersIn(truth)),
  mention: (action) => (action.startsWith("Map(") ? "a map" : undefined),
  separator: "|",
  liteSpelling: { respell },
  claims: ["objects"],
  measures: () => ["observations"],
  isWorld: true,
  config,
  presets,
  load: world.load,
  loadMap: () => import("./floor-map.ts").then((map) => map.floorMap),
  hungAt: (claim, truth, options) => world.peek()?.hungAt(claim, truth, options),
  check: checkLooks,
  explainReward,
  mostPictures: picturesIn,
  // As the help of `rooms` says.
  turnsNeeded: (options) => (options.rooms > 1 && !isPassive(options) ? 10 : 0),
  create: (options) => new (world.get().SpatialGym)(options),
  patches: patchesOf,
});
