// How an episode ended and what it earned, in words.
import type { RunConfig } from "../../config/run-config.ts";
import type { Trajectory } from "../../core/types.ts";
import { wasJudged } from "../../core/verdict.ts";
import { counted } from "../lib/format.ts";
import type { Provenance, StoredTrajectory } from "../store/run-view.ts";

interface Outcome {
  mark: string;
  word: string;
  /**
   * How the task was lost, in the environment's words up to the first semicolon; the last action shows all of them. Empty where it is not known
   * or was not lost.
   */
  how: string;
  tone: "ok" | "warning" | "plain";
}

/** How an episode ended. */
export function outcomeOf({
  success,
  truncated,
  turns,
}: Pick<Trajectory, "success" | "truncated" | "turns">): Outcome {
  if (success) return { mark: "✓", word: "Success", how: "", tone: "ok" };
  if (truncated) return { mark: "–", word: "Out of turns", how: "", tone: "plain" };
  const [how = ""] = turns.at(-1)?.executed.at(-1)?.note.split(";") ?? [];
  return { mark: "✗", word: "Failed", how, tone: "warning" };
}

/** An outcome as text: "Success", "Failed: fell into a hole". */
export const outcomeText = ({ word, how }: Pick<Outcome, "word" | "how">): string =>
  how ? `${word}: ${how}` : word;

/** The same in a few words with the number of turns: "✗ failed in 2 turns". */
export function outcomeInTurns(trajectory: Parameters<typeof outcomeOf>[0]): Pick<Outcome, "mark" | "word"> {
  const { mark } = outcomeOf(trajectory);
  const { success, truncated, turns } = trajectory;
  const count = counted(turns.length, "turn");
  if (success) return { mark, word: `solved in ${count}` };
  return { mark, word: truncated ? `out of turns after ${turns.length}` : `failed in ${count}` };
}

export const returnOf = (trajectory: Pick<Trajectory, "turns">): number =>
  trajectory.turns.reduce((sum, turn) => sum + turn.reward, 0);

export const PROVENANCE: Record<Provenance, { word: string; about: string }> = {
  train: { word: "Training", about: "Played by the policy while it was trained here." },
  validation: { word: "Validation", about: "Played by the policy on a level that is never trained on." },
  demonstration: {
    word: "Demonstration",
    about:
      "A scripted episode that the policy imitates during SFT: it shows what the policy is taught, not what it can do. Its reasons are right; some of its decisions are guesses, which leaves PPO something to learn.",
  },
};

/** The first updates of SFT may show the policy no more than the first turn. */
export function isOneTurn(
  { source, update, trajectory }: StoredTrajectory,
  config: RunConfig | null,
): boolean {
  if (source !== "demonstration" || !config || update > config.sft.one_turn_updates) return false;
  return trajectory.turns.length === 1 && !trajectory.terminated;
}

/** Why a trace ends after its first turn, for people who do not know the setting. */
export const oneTurnText = ({ sft }: RunConfig): string =>
  `The first ${counted(sft.one_turn_updates, "SFT update")} (“One-turn updates”) use demonstrations of a single turn, which are several times cheaper; later ones go on to the end.`;

/** The outcome of an episode, which a demonstration that was cut on purpose has not. */
export const outcomeOfStored = (stored: StoredTrajectory, config: RunConfig | null): Outcome =>
  isOneTurn(stored, config)
    ? { mark: "–", word: "First turn only", how: "", tone: "plain" }
    : outcomeOf(stored.trajectory);

/** Turns in which the policy called a tool, and how many of the calls were refused. */
export function toolCalls({ turns }: Pick<Trajectory, "turns">): { made: number; failed: number } {
  const calls = turns.flatMap(({ tool }) => tool ?? []);
  return { made: calls.length, failed: calls.filter(({ ok }) => !ok).length };
}

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
