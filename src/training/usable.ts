// Episodes that training can use. One whose conversations are closed again and again after one turn is left out of its update.
import { ConfigError } from "../core/errors.ts";
import { message, setting } from "../core/message.ts";
import type { Trajectory } from "../core/types.ts";

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
