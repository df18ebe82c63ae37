// Episodes that training can use. One whose conversations are closed again and again after one turn is left out of its update, and so
// is a demonstration with a reply that PPO would cut.
import { ConfigError } from "../core/errors.ts";
import { message, setting } from "../core/message.ts";
import type { Trajectory } from "../core/types.ts";
import { tokensPerReply } from "../rl/metrics.ts";

/** Without the episodes that made no progress. @throws ConfigError("invalid_config") if none is left. */
export function usableEpisodes(trajectories: readonly Trajectory[]): Trajectory[] {
  const usable = trajectories.filter(({ unusable }) => unusable === undefined);
  if (usable.length > 0) return usable;
  throw new ConfigError(
    "invalid_config",
    message`None of ${trajectories.length} episodes can be trained on: their conversations were closed after every turn (${setting("trainer.compact_budget")}, ${setting("rollout.max_episode_tokens")}).`,
    message`Raise the budget so that a conversation holds at least two turns, or lower ${setting("rollout.response_length")} and ${setting("trainer.compact_summary_budget")}.`,
  );
}

/** More demonstrations than this share are not left out: the policy would never see what they have in common. */
const MOST_TOO_LONG = 0.25;

/**
 * Without the demonstrations that have a reply of more than `limit` tokens (`rollout.response_length`).
 * @throws ConfigError("invalid_config") if more than a quarter of them have one.
 */
export function teachable(demonstrations: readonly Trajectory[], limit: number): Trajectory[] {
  const longest = demonstrations.map((one) => Math.max(...tokensPerReply(one)));
  const fitting = demonstrations.filter((_, i) => longest[i]! <= limit);
  if (fitting.length >= (1 - MOST_TOO_LONG) * demonstrations.length) return fitting;
  throw new ConfigError(
    "invalid_config",
    message`${setting("rollout.response_length")} is ${limit}, but ${demonstrations.length - fitting.length} of ${demonstrations.length} demonstrations have a longer reply, of up to ${Math.max(...longest)} tokens.`,
    message`Use at least ${Math.max(...longest)}, or a shorter ${setting("rollout.prompt_format")}.`,
  );
}
