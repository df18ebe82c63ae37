// How an episode ended and what it earned, in words.
import type { Trajectory } from "../../core/types.ts";
import { wasJudged } from "../../core/verdict.ts";
import type { Provenance, StoredTrajectory } from "../store/run-view.ts";

export interface Outcome {
  mark: string;
  word: string;
  tone: "ok" | "warning" | "plain";
}

export function outcomeOf({ success, truncated }: Pick<Trajectory, "success" | "truncated">): Outcome {
  if (success) return { mark: "✓", word: "Success", tone: "ok" };
  if (truncated) return { mark: "…", word: "Out of turns", tone: "plain" };
  return { mark: "✗", word: "Failed", tone: "warning" };
}

export const returnOf = (trajectory: Pick<Trajectory, "turns">): number =>
  trajectory.turns.reduce((sum, turn) => sum + turn.reward, 0);

export const PROVENANCE: Record<Provenance, { word: string; about: string }> = {
  train: { word: "Training", about: "Played by the policy while it was trained here." },
  validation: { word: "Validation", about: "Played by the policy on a level that is never trained on." },
  demonstration: {
    word: "Demonstration",
    about: "Played by the scripted teacher whose replies the warm-up imitates, not by the policy.",
  },
};

/** Right claims among the judged ones of an episode. */
export function countRight(
  trajectory: Trajectory,
  claim: "observation" | "prediction",
): { right: number; of: number } {
  const judged = trajectory.turns.flatMap((turn) => {
    const verdict = turn.verdicts[claim];
    return verdict && wasJudged(verdict) ? [verdict] : [];
  });
  return { right: judged.filter((verdict) => verdict.status === "match").length, of: judged.length };
}

export const traceAddress = (stored: StoredTrajectory): string => `/trace/${encodeURIComponent(stored.key)}`;
