// What a batch is credited by: whole trajectories, or each of their rows by itself (AReaL's individual export).
import { joinTokens, splitTokens } from "../core/token-rows.ts";
import type { Trajectory } from "../core/types.ts";

/** The samples of an update, in the order of the batch. */
export function samplesOf(trajectories: readonly Trajectory[], separateRows: boolean): Trajectory[] {
  return separateRows ? trajectories.flatMap(rowsAsTrajectories) : [...trajectories];
}

/** A row knows the turns up to its own; only the last one ends as the episode did. */
function rowsAsTrajectories(trajectory: Trajectory): Trajectory[] {
  const { tokens, turns, id, terminated, truncated } = trajectory;
  const parts = splitTokens(tokens);
  return parts.map((part, k) => {
    const isLast = k === parts.length - 1;
    const ended = { terminated: isLast && terminated, truncated: isLast && truncated };
    return { ...trajectory, ...ended, id: `${id}-${k}`, turns: turns.slice(0, k + 1), tokens: part };
  });
}

/** Puts what the update made of separate rows back into the trajectories that they come from. */
export function gatherSamples(trajectories: readonly Trajectory[], samples: readonly Trajectory[]): void {
  let at = 0;
  for (const trajectory of trajectories) {
    const rows = trajectory.tokens.rows ?? [];
    const own = samples.slice(at, at + rows.length).map(({ tokens }) => tokens);
    trajectory.tokens = { ...joinTokens(own), rows };
    at += rows.length;
  }
}
