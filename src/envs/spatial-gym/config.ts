// The options of SpatialGym. Rewards and limits have VAGEN-Lite's names and defaults where it has them.
import { z } from "../../core/schema.ts";
import { formatReward, maxActionsPerStep, renderMode, reward } from "../options.ts";

/** Some actions, for lists: there are too many to list them all. */
export const EXAMPLES: readonly string[] = [
  ...["JumpTo(chair)", "Rotate(45)", "Rotate(90)", "Rotate(-90)", "Rotate(180)", "Observe()", "Term()"],
  ...["Answer(ahead)", "Answer(right)", "Answer(back)", "Answer(left)", "Answer(chair)"],
  "Map(chair 2 ahead 1 left facing back; table 1 back 3 right)",
];

/** Kinds of questions that have one right answer among two or four. */
export const QUESTION_KINDS = ["direction", "perspective", "distance", "order"] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

export const config = z.object({
  task: z
    .enum(["questions", ...QUESTION_KINDS, "map"])
    .default("questions")
    .meta({
      title: "Task",
      titles: {
        questions: "A question of any kind",
        direction: "Direction from the start",
        perspective: "Direction from elsewhere",
        distance: "Which is nearer",
        order: "Which comes first",
        map: "Map, as in VAGEN",
      },
    })
    .describe("What the agent answers: one question, or a map of all objects."),
  objects: z
    .int()
    .min(3)
    .max(6)
    .default(4)
    .meta({ title: "Objects" })
    .describe("Objects of the room that the task is about."),
  max_exp_steps: z
    .int()
    .min(1)
    .max(50)
    .default(10)
    .meta({ title: "Observations" })
    .describe("Observations after which the exploration ends by itself. VAGEN's default is 20."),
  resolution: z
    .int()
    .min(32)
    .max(256)
    .multipleOf(8)
    .default(64)
    .meta({ title: "Picture size" })
    .describe("Side of the agent's picture in pixels, a multiple of 8. VAGEN's is 384."),
  fov: z
    .int()
    .min(60)
    .max(120)
    .default(90)
    .meta({ title: "Field of view" })
    .describe("Field of view in degrees."),
  render_mode: renderMode,
  max_actions_per_step: maxActionsPerStep(3),
  format_reward: formatReward(0.1),
  success_reward: reward(1, "Success reward", "Reward for the right answer to a question."),
  observe_cost: z
    .number()
    .min(0)
    .default(0.1)
    .meta({ title: "Cost of looking" })
    .describe("What each Observe() costs."),
  map_reward: reward(10, "Map reward", "Reward of a map, times its score of at most 0.906."),
  map_success: z
    .number()
    .min(0)
    .max(0.9)
    .default(0.6)
    .meta({ title: "Score of a success" })
    .describe("A map is a success if its score is above this; 0 as in VAGEN."),
});

export type SpatialGymConfig = z.output<typeof config>;

export const presets = {
  lite: {
    task: "map",
    max_exp_steps: 20,
    fov: 90,
    observe_cost: 0.1,
    map_reward: 10,
    map_success: 0,
    format_reward: 0,
  },
} as const;
