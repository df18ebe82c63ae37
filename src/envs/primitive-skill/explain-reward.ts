// What a turn of skills was paid for: the stages of the task, success, and the cost of skills.
import { counted } from "../../core/format.ts";
import { type PaidTurn, sharesText } from "../explained-reward.ts";
import type { PrimitiveSkillConfig } from "./config.ts";

export function explainReward(
  { after, executed, taskReward }: PaidTurn,
  { success_reward, skill_cost }: PrimitiveSkillConfig,
): string {
  const skills = executed.filter(({ valid }) => valid).length;
  const success = after.facts?.success === true ? success_reward : 0;
  const cost = skill_cost * skills;
  const stages = taskReward - success + cost;
  return (
    sharesText([
      [stages, stages > 0 ? "stages reached" : "stages lost"],
      [success, "success"],
      [0 - cost, counted(skills, "skill")],
    ]) || "the stages are as they were"
  );
}
