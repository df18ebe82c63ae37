// How much of what a policy says about the present state is right: the criterion that ends SFT.
import { mean } from "../core/statistics.ts";
import type { Trajectory, Turn } from "../core/types.ts";
import { hasJudgeFailed, SURROUNDINGS, wasJudged } from "../core/verdict.ts";

/** Claims about the state before the actions. A prediction also depends on the decision, which SFT leaves to PPO. */
const FACTS = ["observation", SURROUNDINGS];

/**
 * Share of turns whose claim about the present state is right in full, 0 to 1, for the claim that is so least often. Parts of a
 * claim do not count: of four neighbours most are easy, and a policy that misses four holes of five has 83 % of them right. A claim in
 * a malformed reply is wrong; a claim that the judge failed to judge does not count. Of several environments, the one with the smallest
 * share: each makes claims of its own, and one whose claims nobody can judge counts with its share of well-formed replies. Null if there
 * is no environment with claims that can be judged: a policy that has learned the form alone may see nothing.
 */
export function factsRight(trajectories: readonly Trajectory[]): number | null {
  if (trajectories.length === 0) throw new Error("There is no episode whose facts could be counted.");
  const entries = [...new Set(trajectories.map(({ entry }) => entry))].map((entry) =>
    turnsIn(trajectories, entry),
  );
  const judged = entries.map(rightIn);
  if (judged.every((share) => share === null)) return null;
  return Math.min(...judged.map((share, i) => share ?? wellFormed(entries[i])));
}

const turnsIn = (trajectories: readonly Trajectory[], entry: string | undefined): Turn[] =>
  trajectories.flatMap((trajectory) => (trajectory.entry === entry ? trajectory.turns : []));

/** The share in one environment; null where there are no claims that can be judged. */
function rightIn(turns: readonly Turn[]): number | null {
  const claims = FACTS.filter((claim) => isJudgeable(turns, claim));
  return claims.length === 0 ? null : Math.min(...claims.map((claim) => shareRight(turns, claim)));
}

const wellFormed = (turns: readonly Turn[]): number =>
  mean(turns.map(({ parsed }) => Number(parsed.formatOk)));

/** Whether the turns make the claim, and the judge did not fail at each of them. */
function isJudgeable(turns: readonly Turn[], claim: string): boolean {
  const verdicts = turns.flatMap(({ verdicts }) => verdicts[claim] ?? []);
  return verdicts.length > 0 && (verdicts.some(wasJudged) || !verdicts.some(hasJudgeFailed));
}

/** A turn without the claim is wrong. */
function shareRight(turns: readonly Turn[], claim: string): number {
  const verdicts = turns.map(({ verdicts }) => verdicts[claim]);
  const decided = verdicts.filter((verdict) => !(verdict && hasJudgeFailed(verdict)));
  return mean(decided.map((verdict) => Number(verdict?.status === "match")));
}
