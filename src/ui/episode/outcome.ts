// How an episode ended and what it earned, in words.
import type { RunConfig } from "../../config/run-config.ts";
import type { SceneTruth, Trajectory } from "../../core/types.ts";
import { wasJudged } from "../../core/verdict.ts";
import { envs } from "../../envs/registry.ts";
import { counted } from "../lib/format.ts";
import type { Provenance, StoredTrajectory } from "../store/run-view.ts";

interface Outcome {
  mark: string;
  word: string;
  /**
   * How the episode ended without success, in the environment's words up to the first semicolon; the last action shows all of them. Empty where
   * that is not known, and after a success.
   */
  how: string;
  tone: "ok" | "warning" | "plain";
}

type Ended = Pick<Trajectory, "envId" | "success" | "truncated" | "turns">;

/** How an episode ended. */
export function outcomeOf({ envId, success, truncated, turns }: Ended): Outcome {
  if (success) return { mark: "✓", word: "Success", how: "", tone: "ok" };
  if (truncated) return { mark: "–", word: "Out of turns", how: "", tone: "plain" };
  const last = turns.at(-1);
  const [how = ""] = last?.executed.at(-1)?.note.split(";") ?? [];
  const result = last && resultIn(envId, last.after);
  if (result) return { mark: "=", word: result, how, tone: "plain" };
  // The word says already that it was wrong.
  return { mark: "✗", word: "Failed", how: how.replace(/^wrong: /, ""), tone: "warning" };
}

/** What an environment calls an end without success that is no failure; undefined where it has no such end. */
const resultIn = (envId: string, state: SceneTruth): string | undefined =>
  envs.all.find(({ id }) => id === envId)?.resultIn?.(state);

/** An outcome as text: "Success", "Failed: fell into a hole". */
export const outcomeText = ({ word, how }: Pick<Outcome, "word" | "how">): string =>
  how ? `${word}: ${how}` : word;

/** The same in a few words with the number of turns: "✗ failed in 2 turns". */
export function outcomeInTurns(trajectory: Ended): Pick<Outcome, "mark" | "word"> {
  const { mark, word } = outcomeOf(trajectory);
  const { success, truncated, turns } = trajectory;
  const count = counted(turns.length, "turn");
  if (success) return { mark, word: `solved in ${count}` };
  if (truncated) return { mark, word: `out of turns after ${turns.length}` };
  return { mark, word: `${word.toLowerCase()} in ${count}` };
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
