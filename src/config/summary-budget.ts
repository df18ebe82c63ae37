// How long a summary may be, where a conversation is closed with one.
import type { RunConfig } from "./run-config.ts";

/**
 * Tokens of the longest summary: as configured, else a quarter of what closes a conversation, but no more than a reply (VAGEN's
 * default).
 */
export function summaryBudget({ rollout, trainer }: Pick<RunConfig, "rollout" | "trainer">): number {
  const limit = trainer.compact_budget || rollout.max_episode_tokens;
  return (
    trainer.compact_summary_budget || Math.max(1, Math.min(rollout.response_length, Math.floor(limit / 4)))
  );
}
