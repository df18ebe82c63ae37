// Rewards of episodes that were played before, with other weights or other verdicts. Nothing is played or asked again.
import type { Turn, Verdict } from "../../core/types.ts";
import { type RewardWeights, scoreTurn } from "./index.ts";

/** The verdict on one claim of a turn; undefined leaves the one that was saved. */
export type VerdictSource = (turn: Turn, claim: "observation" | "prediction") => Verdict | undefined;

/** A turn's new verdicts and rewards. */
export interface Rescored {
  verdicts: Turn["verdicts"];
  rewards: Turn["rewards"];
  reward: number;
}

/**
 * What saved turns earn with these weights. With the weights and verdicts of the run it is what the run paid, bit for bit.
 * Turns whose claims were not asked about, because they were malformed, stay so.
 */
export function rescore(
  turns: readonly Turn[],
  weights: RewardWeights,
  source: VerdictSource = () => undefined,
): Rescored[] {
  return turns.map((turn) => {
    const verdicts = Object.fromEntries(
      Object.entries(turn.verdicts).map(([claim, saved]) => [claim, replaced(turn, claim, saved, source)]),
    );
    return { verdicts, ...scoreTurn({ ...turn, verdicts }, weights) };
  });
}

function replaced(turn: Turn, claim: string, saved: Verdict, source: VerdictSource): Verdict {
  if (saved.status === "format" || (claim !== "observation" && claim !== "prediction")) return saved;
  return source(turn, claim) ?? saved;
}
