// Budgets of a layout that are allowed and yet do not do what they are for (VAGEN 2026).
import type { Task } from "../agent/task.ts";
import type { RunConfig } from "../config/run-config.ts";
import { type Message, message, said, setting, value } from "../core/message.ts";
import type { TrainingFact } from "./events.ts";

type Warning = Extract<TrainingFact, { type: "warning" }>;

const warning = (code: string, text: Message, hint: Message): Warning => ({
  type: "warning",
  update: 0,
  code,
  ...said(text, hint),
});

/** About the most tokens of a turn: picture, who speaks, the number of the turn, and a reply at its limit. */
const longestTurn = ({ rollout }: RunConfig, { imageTokens }: Pick<Task, "imageTokens">): number =>
  imageTokens + 4 + rollout.response_length;

/** What is odd about the budgets of a run, to be reported when it begins. */
export function layoutWarnings(
  config: RunConfig,
  { layout, imageTokens }: Pick<Task, "layout" | "imageTokens">,
): Warning[] {
  const { max_turns: turns, response_length: reply, max_episode_tokens: room } = config.rollout;
  if (config.trainer.harness === "concat" && room > 0 && turns * reply > room)
    return [
      warning(
        "layout_room",
        message`Replies of ${reply} tokens in ${turns} turns need more than the ${room} of ${setting("rollout.max_episode_tokens")}, which may end episodes early.`,
        message`Raise it, or lower ${setting("rollout.response_length")} or ${setting("rollout.max_turns")}.`,
      ),
    ];
  if (layout?.kind !== "compact") return [];
  const { budget, maxSummary } = layout;
  const isLong = 2 * maxSummary > budget;
  const isNeverClosed = room === 0 && turns * longestTurn(config, { imageTokens }) < budget;
  return [
    ...(isLong ? [longSummaries(maxSummary, budget)] : []),
    ...(isNeverClosed ? [neverClosed(turns, budget)] : []),
  ];
}

const longSummaries = (summary: number, budget: number): Warning =>
  warning(
    "layout_summary",
    message`Summaries may have ${summary} tokens, more than half of the ${budget} at which a conversation is closed.`,
    message`Lower ${setting("trainer.compact_summary_budget")}, or raise ${setting("trainer.compact_budget")}.`,
  );

const neverClosed = (turns: number, budget: number): Warning =>
  warning(
    "layout_never_closes",
    message`A conversation of ${turns} turns probably never reaches ${budget} tokens; the layout then equals ${value("trainer.harness", "concat")}.`,
    message`Lower ${setting("trainer.compact_budget")}, or raise ${setting("rollout.max_turns")}.`,
  );
