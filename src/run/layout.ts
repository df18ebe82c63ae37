// The layout of a configuration's episodes.
import { CONCAT, type Layout } from "../agent/layout.ts";
import { withNewNames } from "../config/renamed.ts";
import type { RunConfig } from "../config/run-config.ts";
import { summaryBudget } from "../config/summary-budget.ts";

/** A limit of a configuration, where 0 is none. */
const limit = (tokens: number): number => tokens || Number.POSITIVE_INFINITY;

/** How the episodes of a checked configuration are laid out as conversations. */
export function layoutOf(config: RunConfig): Layout {
  // The configuration of a recording is as its own studio wrote it.
  const { rollout, trainer } = withNewNames(config) as RunConfig;
  if (trainer.harness === "concat") return CONCAT;
  if (trainer.harness === "no_concat") return { kind: "no_concat", historyTurns: rollout.window_size };
  return {
    kind: "compact",
    budget: limit(trainer.compact_budget),
    room: limit(rollout.max_episode_tokens),
    maxReply: rollout.response_length,
    maxSummary: summaryBudget(config),
  };
}
