// The options of Navigation, with VAGEN's field names.
import { z } from "../../core/schema.ts";
import { maxActionsPerStep, renderMode, resolution, reward } from "../options.ts";
import { TASK_SETS } from "./task-sets.ts";

export const config = z.object({
  eval_set: z
    .enum(TASK_SETS)
    .default("base")
    .meta({ title: "Task set" })
    .describe(
      "Style of the instructions: base names the object, common_sense its purpose, complex_instruction hides the request in chatter, visual_appearance describes looks, long_horizon begins with the back to the object. With _train: 1,200 training tasks in other homes, in place of 60 evaluation tasks; base_common_train has the first two styles in turn, all_styles_train the first four.",
    ),
  down_sample_ratio: z
    .number()
    .min(0.01)
    .max(1)
    .default(1)
    .meta({ title: "Part of the tasks" })
    .describe(
      "Part of the set's tasks that is played, evenly spread over homes of all kinds: 0.5 keeps the first four of every eight tasks. VAGEN keeps every second one.",
    ),
  training_tasks: z
    .int()
    .min(1200)
    .max(400_000)
    .default(1200)
    .meta({ title: "Training tasks" })
    .describe(
      "Tasks of each training set, in one home for every four of them. VAGEN's sets have 1,200; a policy that learns to see from nothing needs more homes. Evaluation sets have 60 tasks.",
    ),
  facing: z
    .boolean()
    .default(false)
    .meta({ title: "Face the target" })
    .describe(
      "Whether training tasks begin facing the target, as those of evaluation do. In VAGEN's training sets the agent looks anywhere.",
    ),
  homes: z
    .enum(["own", "imported"])
    .default("own")
    .meta({ title: "Homes" })
    .describe(
      "Where tasks take place: homes of our own, or the loaded houses of ProcTHOR, in which every seed is a task.",
    ),
  eval_houses: z
    .number()
    .min(0)
    .max(0.9)
    .default(0.2)
    .meta({ title: "Houses for evaluation" })
    .describe("Part of the imported houses, the last ones, that training never plays. 0: all are for both."),
  eval_houses_from: z
    .int()
    .min(0)
    .default(90_001)
    .meta({ title: "Seed of evaluation houses" })
    .describe(
      "The first seed at which training sets play in the houses for evaluation. Evaluation sets always do.",
    ),
  resolution: resolution(256, 255),
  fov: z
    .int()
    .min(60)
    .max(120)
    .default(100)
    .meta({ title: "Field of view" })
    .describe("Field of view in degrees, from side to side and from top to bottom."),
  step_length: z
    .number()
    .multipleOf(0.1)
    .min(0.1)
    .max(1)
    .default(0.3)
    .meta({ title: "Step length" })
    .describe("Length of a step in metres, a multiple of 0.1."),
  success_threshold: z
    .number()
    .min(0.5)
    // Tasks begin 2.0 m away or more, and none may be solved before it begins.
    .max(1.9)
    .default(1)
    .meta({ title: "Success distance" })
    .describe(
      "Horizontal distance in metres from the middle of the object at which the task is solved. Below 1 some targets cannot be reached, because of what stands around them.",
    ),
  max_steps: z
    .int()
    .min(1)
    .max(100)
    .default(30)
    .meta({ title: "Actions per episode" })
    .describe("Primitive actions after which the episode ends."),
  max_objects_in_state: z
    .int()
    .min(1)
    .max(20)
    .default(5)
    .meta({ title: "Objects in the state" })
    .describe("The most visible objects that the state lists, nearest first, the target included."),
  render_mode: renderMode,
  max_actions_per_step: maxActionsPerStep(5),
  format_reward: reward(
    0.01,
    "Format reward",
    "Reward of a turn in the right format with known actions. VAGEN-Lite calls it per_turn_format_reward.",
  ),
  episode_format_reward: reward(
    0,
    "Format reward of an episode",
    "Paid once, with the success of an episode in which every reply had the right format. VAGEN-Lite calls it format_reward.",
  ),
  success_reward: reward(1, "Success reward", "Reward for coming close enough to the object."),
});

export type NavigationConfig = z.output<typeof config>;

/** The constants of VAGEN's two generations. */
export const presets = {
  lite: {
    fov: 100,
    step_length: 0.3,
    success_threshold: 1,
    max_steps: 30,
    max_actions_per_step: 5,
    format_reward: 0.01,
    episode_format_reward: 0,
    success_reward: 1,
  },
  legacy: {
    fov: 100,
    step_length: 0.5,
    success_threshold: 1.5,
    max_steps: 30,
    max_objects_in_state: 5,
    max_actions_per_step: 5,
    format_reward: 0.5,
    episode_format_reward: 0,
    success_reward: 10,
  },
} as const;
