// How much of what a policy says about the present state is right: the criterion that ends SFT.
import { mean } from "../core/statistics.ts";
import type { Trajectory, Turn } from "../core/types.ts";
import { SURROUNDINGS } from "../core/verdict.ts";

/** Claims about the state before the actions. A prediction also depends on the decision, which SFT leaves to PPO. */
const FACTS = ["observation", SURROUNDINGS];

/**
 * Share of turns whose claim about the present state is right in full, 0 to 1, for the claim that is so least often. Parts of a
 * claim do not count: of four neighbours most are easy, and a policy that misses four holes of five has 83 % of them right. A claim
 * that was not judged, as in a malformed reply, is wrong. For tasks and formats without such claims, the share of well-formed replies.
 */
export function factsRight(trajectories: readonly Trajectory[]): number {
  const turns = trajectories.flatMap((trajectory) => trajectory.turns);
  const claims = FACTS.filter((claim) => turns.some(({ verdicts }) => verdicts[claim]));
  if (claims.length === 0) return mean(turns.map(({ parsed }) => Number(parsed.formatOk)));
  return Math.min(...claims.map((claim) => mean(turns.map((turn) => Number(isRight(turn, claim))))));
}

const isRight = ({ verdicts }: Turn, claim: string): boolean => verdicts[claim]?.status === "match";
