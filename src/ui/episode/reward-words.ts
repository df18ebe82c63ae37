// What a configuration pays, in a sentence.
import type { RunConfig } from "../../config/run-config.ts";
import { listed } from "../../core/format.ts";
import { envs } from "../../envs/registry.ts";
import { canEarn } from "../../rl/reward/index.ts";
import { formatNumber } from "../lib/format.ts";

/** The rewards of a run in one of its environments, with the weights that are not 0, of what its replies can state. */
export function rewardWords(
  { reward, rollout }: Pick<RunConfig, "reward" | "rollout">,
  env: RunConfig["env"],
): string {
  const reasoning = (
    [
      ["grounding", reward.grounding_reward_weight, "state_estimation"],
      ["prediction", reward.worldmodeling_reward_weight, "transition_modeling"],
      ["neighbours", reward.surroundings_reward_weight, "surroundings"],
    ] as const
  ).filter(([, , term]) => reward.use_state_reward && canEarn(term, rollout.prompt_format));
  const weights = [["format", formatReward(env)] as const, ...reasoning];
  const paid = weights.filter(([, weight]) => weight !== 0);
  const terms = listed(paid.map(([name, weight]) => `${formatNumber(weight)} for ${name}`));
  const divided = reward.scale_by_turns ? ", divided by the turns of an episode" : "";
  const added = paid.length === 0 ? "" : `, and ${terms}${divided}`;
  const others = hasOthers(reward, env) ? " Other terms of the configuration count, too." : "";
  return `Rewards as configured: those of the environment${added}${costWords(reward)}.${others}`;
}

/** Whether something else is paid or subtracted: repetition, the form of the whole episode, terms of extensions. */
function hasOthers(reward: RunConfig["reward"], { config }: RunConfig["env"]): boolean {
  const { format_penalty, episode_format_reward } = config as Partial<Record<string, number>>;
  const repetition = reward.use_state_reward ? reward.repetition_penalty_weight : 0;
  return [repetition, format_penalty, episode_format_reward, ...Object.values(reward.weights)].some(Boolean);
}

/** What is subtracted, undivided. */
function costWords({ turn_cost, action_cost }: RunConfig["reward"]): string {
  const costs = [["turn", turn_cost] as const, ["action", action_cost] as const];
  const paid = costs
    .filter(([, cost]) => cost !== 0)
    .map(([of, cost]) => `${formatNumber(cost)} for each ${of}`);
  return paid.length === 0 ? "" : `; less ${listed(paid)}`;
}

/** Of options that are checked as the environment's own; 0 where they are not valid. */
function formatReward({ name, config }: RunConfig["env"]): number {
  const options = envs.all.find(({ id }) => id === name)?.config.safeParse(config);
  return options?.success ? (options.data as { format_reward: number }).format_reward : 0;
}
