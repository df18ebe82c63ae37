// Whether a run asks a language model for verdicts that pay nothing. It is allowed, because verdicts are also metrics, and a warning says so.
// Only the switch of the reasoning reward counts: a weight of 0 is a choice that the form shows beside the others.
import { statingParts } from "../../core/formats.ts";
import { type Message, message, setting, value } from "../../core/message.ts";
import type { RunConfig } from "../run-config.ts";

/** Why the verdicts of the model pay nothing, and what to do about it; null where they may pay, or no model is asked. */
export function unpaidJudge({
  judge,
  reward,
  rollout,
}: Pick<RunConfig, "judge" | "reward" | "rollout">): { message: Message; hint: Message } | null {
  const isAsked = judge.name === "llm" && statingParts(rollout.prompt_format).length > 0;
  if (!isAsked || reward.use_state_reward || paysExtensions(reward)) return null;
  const name = setting("judge.name");
  return {
    message: message`${name} is ${value("judge.name", "llm")}, so a model is asked whether claims are true, but its verdicts pay nothing, because ${setting("reward.use_state_reward")} is off.`,
    hint: message`Turn on ${setting("reward.use_state_reward")}, or set ${name} to ${value("judge.name", "rule")} if the metrics of the rule are enough.`,
  };
}

/** Whether a term of an extension has a weight. It may read verdicts. */
const paysExtensions = ({ weights }: RunConfig["reward"]): boolean =>
  Object.values(weights).some((weight) => weight !== 0);
