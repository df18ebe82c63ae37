// Rewards of episodes that were played before, with other weights or other verdicts. Nothing is played or asked again.
import type { Turn, Verdict } from "../../core/types.ts";
import { type RewardWeights, scoreTurn } from "./index.ts";

/** The verdict on one claim of a turn, by its name in the record; undefined leaves the one that was saved. */
export type VerdictSource = (turn: Turn, claim: string) => Verdict | undefined;

type Rewarded = Pick<Turn, "rewards" | "reward">;

/** A saved episode. */
interface Played {
  readonly turns: readonly Turn[];
  readonly success: boolean;
}

/** A turn's new verdicts and rewards. */
export interface Rescored {
  verdicts: Turn["verdicts"];
  rewards: Turn["rewards"];
  reward: number;
}

/**
 * What the turns of a saved episode earn with these weights. With the weights and verdicts of the run it is what the run paid, bit
 * for bit. Turns whose claims were not asked about, because they were malformed, stay so.
 * @param settle gives the turns their final rewards, where the run settles them when an episode ends.
 */
export function rescore(
  { turns, success }: Played,
  weights: RewardWeights,
  source: VerdictSource = () => undefined,
  settle: (turns: readonly Turn[], success: boolean) => readonly Rewarded[] = (paid) => paid,
): Rescored[] {
  const scored = turns.map((turn) => {
    const verdicts = Object.fromEntries(
      Object.entries(turn.verdicts).map(([claim, saved]) => [claim, replaced(turn, claim, saved, source)]),
    );
    return { verdicts, ...scoreTurn({ ...turn, verdicts }, weights) };
  });
  const final = settle(
    turns.map((turn, i) => ({ ...turn, ...scored[i] })),
    success,
  );
  return scored.map(({ verdicts }, i) => {
    const { rewards, reward } = final[i] as Rewarded;
    return { verdicts, rewards, reward };
  });
}

function replaced(turn: Turn, claim: string, saved: Verdict, source: VerdictSource): Verdict {
  if (saved.status === "format") return saved;
  return source(turn, claim) ?? saved;
}
