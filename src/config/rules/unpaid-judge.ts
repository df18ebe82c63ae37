// Whether a run asks a language model for verdicts that pay nothing. It is allowed, because verdicts are also metrics, and a warning says so.
import { type Message, message, setting, value } from "../../core/message.ts";
import type { RunConfig } from "../run-config.ts";

/** What such a run asks in vain, and what to do about it; null where verdicts pay, or no model is asked. */
export function unpaidJudge({ judge, reward }: Pick<RunConfig, "judge" | "reward">): {
  message: Message;
  hint: Message;
} | null {
  if (judge.name !== "llm" || reward.use_state_reward) return null;
  const name = setting("judge.name");
  return {
    message: message`${name} is ${value("judge.name", "llm")}, so a model is asked about the claims of every turn, but its verdicts pay nothing, because ${setting("reward.use_state_reward")} is off.`,
    hint: message`Turn on ${setting("reward.use_state_reward")}, or set ${name} to ${value("judge.name", "rule")} if the metrics of the rule are enough.`,
  };
}
