// How much of what a policy says about the present state is right: the criterion that ends SFT.
import { mean } from "../core/statistics.ts";
import type { Trajectory, Turn } from "../core/types.ts";
import { wasJudged } from "../core/verdict.ts";

/** Claims about the state before the actions. A prediction also depends on the decision, which SFT leaves to PPO. */
const FACTS = ["observation", "surroundings"];

/**
 * Share of right facts over all turns, 0 to 1: the mean score of a turn's claim about the present state, for the claim that is
 * right least often. A claim that was not judged, as in a malformed reply, scores 0. For tasks and formats without such claims,
 * the share of well-formed replies.
 */
export function factsRight(trajectories: readonly Trajectory[]): number {
  const turns = trajectories.flatMap((trajectory) => trajectory.turns);
  const claims = FACTS.filter((claim) => turns.some(({ verdicts }) => verdicts[claim]));
  if (claims.length === 0) return mean(turns.map(({ parsed }) => Number(parsed.formatOk)));
  return Math.min(...claims.map((claim) => mean(turns.map((turn) => scoreOf(turn, claim)))));
}

function scoreOf({ verdicts }: Turn, claim: string): number {
  const verdict = verdicts[claim];
  return verdict && wasJudged(verdict) ? verdict.score : 0;
}
