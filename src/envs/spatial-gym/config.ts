// The options of SpatialGym. Rewards and limits have VAGEN-Lite's names and defaults where it has them.
import { z } from "../../core/schema.ts";
import {
  formatPenalty,
  formatReward,
  maxActionsPerStep,
  renderMode,
  resolution,
  reward,
} from "../options.ts";

/** Some actions, for lists: there are too many to list them all. */
export const EXAMPLES: readonly string[] = [
  "JumpTo(chair)",
  "Rotate(90)",
  "Rotate(-45)",
  "Observe()",
  "Term()",
  "Answer(left)",
  "Answer(chair)",
  "Map(chair 2 ahead 1 left facing back)",
];

/** Kinds of questions that have one right answer among two or four. */
export const QUESTION_KINDS = ["direction", "perspective", "distance", "order"] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

export const config = z.object({
  task: z
    .enum(["questions", ...QUESTION_KINDS, "map"])
    .default("questions")
    .meta({ title: "Kind of task" })
    .describe("A question of one kind, questions of any kind, or a map as in VAGEN."),
  objects: z
    .int()
    .min(3)
    .max(6)
    .default(4)
    .meta({ title: "Objects" })
    .describe("Objects that the task is about."),
  rooms: z
    .int()
    .min(1)
    .max(2)
    .default(1)
    .meta({ title: "Rooms" })
    .describe(
      "Rooms of a level. With 2, some objects are in a second room and do not show from the start: the agent has to jump to the farthest object that does and look round there, which takes about seven observations and ten turns.",
    ),
  exp_type: z
    .enum(["active", "passive"])
    .default("active")
    .meta({
      title: "Exploration",
      titles: { active: "The agent looks round itself", passive: "It is shown the views of a script" },
    })
    .describe(
      "Whether the agent explores, or is shown what a scripted exploration sees and only answers. VAGEN's default is passive.",
    ),
  max_exp_steps: z
    .int()
    .min(1)
    .max(50)
    .default(10)
    .meta({ title: "Observations" })
    .describe("Observations per episode, at most."),
  resolution: resolution(384, 384),
  fov: z
    .int()
    .min(60)
    .max(120)
    .default(90)
    .meta({ title: "Field of view" })
    .describe("Field of view in degrees, from side to side and from top to bottom."),
  render_mode: renderMode,
  max_actions_per_step: maxActionsPerStep(3),
  format_reward: formatReward(0.1),
  format_penalty: formatPenalty(),
  success_reward: reward(1, "Success reward", "Reward for the right answer."),
  observe_cost: reward(0.1, "Observation cost", "Subtracted for every observation."),
  map_reward: reward(10, "Map reward", "Reward of a map, times its score."),
  map_success: z
    .number()
    .min(0)
    .max(0.85)
    .default(0.6)
    .meta({ title: "Map success" })
    .describe("A map whose score is above this is a success. VAGEN: 0, which almost any map passes."),
});

export type SpatialGymConfig = z.output<typeof config>;

export const presets = {
  lite: {
    task: "map",
    max_exp_steps: 20,
    observe_cost: 0.1,
    map_reward: 10,
    map_success: 0,
    format_reward: 0,
    format_penalty: -0.5,
  },
} as const;
