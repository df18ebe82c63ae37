// Estimators without a critic: a trajectory is compared with the others of its group, which began in the same state.
import { mean, variance } from "../../core/statistics.ts";
import {
  type AdvantageEstimator,
  type Advantages,
  type AdvantageTokens,
  trajectoriesOf,
  zeroAdvantages,
} from "./estimator.ts";

/** Keeps a group of equal scores finite; as in veRL. */
const GROUP_EPS = 1e-6;

/** Σ of rewards over the policy's tokens of each trajectory. */
function scoresOf(tokens: AdvantageTokens): number[] {
  return trajectoriesOf(tokens).map(([from, to]) => {
    let score = 0;
    for (let i = from; i < to; i++) if (tokens.gaeMask[i]) score += tokens.rewards[i] as number;
    return score;
  });
}

/** Gives every policy token of a trajectory the advantage that `compare` finds for its score among its group's. */
function compareInGroups(
  tokens: AdvantageTokens,
  compare: (score: number, group: readonly number[]) => number,
): Advantages {
  const scores = scoresOf(tokens);
  const groupOf = (s: number) => tokens.groups?.[s] ?? 0;
  const out = zeroAdvantages(tokens);
  for (const [s, [from, to]] of trajectoriesOf(tokens).entries()) {
    const advantage = compare(
      scores[s] as number,
      scores.filter((_, other) => groupOf(other) === groupOf(s)),
    );
    for (let i = from; i < to; i++) if (tokens.gaeMask[i]) out.advantages[i] = advantage;
  }
  // Without a critic a return has no reader; VAGEN reports the advantages.
  out.returns.set(out.advantages);
  return out;
}

/**
 * Group-relative policy optimisation (Shao et al. 2024): (score − mean) / (std + 1e-6) of the group, std unbiased; without the
 * division it is that of Dr. GRPO (Liu et al. 2025). A group of one has mean 0 and std 1. Twin: shaders/group_advantage.wgsl.
 */
export const grpo: AdvantageEstimator = {
  id: "grpo",
  title: "GRPO",
  help: "A trajectory's score against the mean of its group, for all of its tokens; no critic.",
  usesGamma: false,
  usesLambda: false,
  usesTurnGamma: false,
  valueTokens: "none",
  whitenOver: "none",
  comparesGroups: true,
  estimate: (tokens, { groupStd = true }) =>
    compareInGroups(tokens, (score, group) => {
      if (group.length === 1) return score / (groupStd ? 1 + GROUP_EPS : 1);
      return (score - mean(group)) / (groupStd ? Math.sqrt(variance(group)) + GROUP_EPS : 1);
    }),
};

/** REINFORCE with the mean of the *other* trajectories of the group as its baseline (Ahmadian et al. 2024). */
export const rloo: AdvantageEstimator = {
  id: "rloo",
  title: "RLOO",
  help: "A trajectory's score less the mean of the others in its group, for all of its tokens; no critic.",
  usesGamma: false,
  usesLambda: false,
  usesTurnGamma: false,
  valueTokens: "none",
  whitenOver: "none",
  comparesGroups: true,
  estimate: (tokens) =>
    compareInGroups(tokens, (score, group) =>
      group.length === 1 ? score : (group.length / (group.length - 1)) * (score - mean(group)),
    ),
};
