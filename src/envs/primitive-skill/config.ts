// The options of PrimitiveSkill, with VAGEN's field names.
import { z } from "../../core/schema.ts";
import { formatReward, maxActionsPerStep, renderMode, resolution, reward } from "../options.ts";
import { TASK_IDS } from "./task-ids.ts";

export const config = z.object({
  env_id: z
    .enum(TASK_IDS)
    .default("AlignTwoCube")
    .meta({ title: "Kind of task" })
    .describe(
      "AlignTwoCube: both cubes to x = 0. PlaceTwoCube: each cube on its target. StackThreeCube: red on green, purple on red. PutAppleInDrawer: the apple into the drawer, which is then closed.",
    ),
  camera: z
    .enum(["close", "reference"])
    .default("close")
    .meta({ title: "Camera", titles: { close: "Close", reference: "VAGEN's" } })
    .describe(
      "close: what the task needs fills the picture. reference: VAGEN's camera, in whose view a cube is a thirtieth of the picture wide.",
    ),
  positions: z
    .enum(["shuffled", "listed", "hidden"])
    .default("shuffled")
    .meta({
      title: "Positions in the question",
      titles: { shuffled: "Shuffled", listed: "As in VAGEN", hidden: "None" },
    })
    .describe(
      "shuffled: the positions come in an order of the episode's own, so only the picture shows which object each belongs to. listed: in VAGEN's order, which is the same in every episode of a task and gives the objects away. hidden: the question lists no positions, so the agent has to read coordinates from the picture. This practice also helps with shuffled positions.",
    ),
  max_depth_gap: z
    .int()
    .min(0)
    .max(250)
    .default(0)
    .meta({ title: "Largest difference in depth (mm)" })
    .describe(
      "0: any start. Otherwise only starts in which at least one pair of cubes differs in depth (x) by at most this many millimetres. Policies mix up such cubes most often, so these starts make a harder validation set, or more practice. It has no effect on PutAppleInDrawer.",
    ),
  resolution: resolution(304, 300),
  max_steps: z
    .int()
    .min(1)
    .max(100)
    .default(10)
    .meta({ title: "Skills per episode" })
    .describe("Skills after which the episode ends."),
  stage_rewards: z
    .enum(["all", "reference"])
    .default("all")
    .meta({ title: "Stage rewards", titles: { all: "All tasks", reference: "As in VAGEN" } })
    .describe(
      "all: every task pays 2 for each stage. reference: only AlignTwoCube does, because VAGEN looks for names that the other tasks spell differently.",
    ),
  render_mode: renderMode,
  max_actions_per_step: maxActionsPerStep(2),
  format_reward: formatReward(0.1),
  success_reward: reward(10, "Success reward", "Added to the value 10 that success has as the last stage."),
  skill_cost: reward(0, "Cost of a skill", "Subtracted for every skill that is carried out."),
});

export type PrimitiveSkillConfig = z.output<typeof config>;

const shared = {
  max_steps: 10,
  max_actions_per_step: 2,
  stage_rewards: "reference",
  positions: "listed",
} as const;

/**
 * The constants of VAGEN's two generations. Lite validates with this success reward and trains with one of 1. The camera stays close: in
 * the studio's small pictures a cube would be two pixels wide in VAGEN's view, which is made for 300 pixels.
 */
export const presets = {
  lite: { ...shared, format_reward: 0.1, success_reward: 10, skill_cost: 0 },
  legacy: { ...shared, format_reward: 0.5, success_reward: 0, skill_cost: 0.1 },
} as const;
