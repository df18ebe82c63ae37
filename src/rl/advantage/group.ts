// Estimators without a critic: a trajectory is compared with the others of its group, which began in the same state.
import { mean, populationVariance, variance } from "../../core/statistics.ts";
import {
  type AdvantageEstimator,
  type AdvantageParams,
  type Advantages,
  type AdvantageTokens,
  trajectoriesOf,
  zeroAdvantages,
} from "./estimator.ts";

/** Keeps a group of equal scores finite; as in veRL. */
const GROUP_EPS = 1e-6;

/** A trajectory as its group sees it. */
interface Member {
  /** Σ of rewards over the policy's tokens, or over all tokens. */
  readonly score: number;
  /** How many tokens carry advantage. */
  readonly length: number;
  readonly group: number;
}

function membersOf(tokens: AdvantageTokens, scoreEveryToken: boolean): Member[] {
  return trajectoriesOf(tokens).map(([from, to], s) => {
    let [score, length] = [0, 0];
    for (let i = from; i < to; i++) {
      if (tokens.gaeMask[i]) length++;
      if (tokens.gaeMask[i] || scoreEveryToken) score += tokens.rewards[i] as number;
    }
    return { score, length, group: tokens.groups?.[s] ?? 0 };
  });
}

/** The advantage of one trajectory, `own`, among those of its group in the order of the batch, itself included. */
type Compare = (own: Member, group: readonly Member[], params: AdvantageParams) => number;

/** Gives every policy token of a trajectory the advantage that `compare` finds for it among its group. */
function inGroups(tokens: AdvantageTokens, params: AdvantageParams, compare: Compare): Advantages {
  const members = membersOf(tokens, params.scoreEveryToken ?? false);
  const out = zeroAdvantages(tokens);
  for (const [s, [from, to]] of trajectoriesOf(tokens).entries()) {
    const own = members[s] as Member;
    const advantage = compare(
      own,
      members.filter(({ group }) => group === own.group),
      params,
    );
    for (let i = from; i < to; i++) if (tokens.gaeMask[i]) out.advantages[i] = advantage;
  }
  // Without a critic a return has no reader; VAGEN reports the advantages.
  out.returns.set(out.advantages);
  return out;
}

type Described = Pick<AdvantageEstimator, "id" | "title" | "help"> & Partial<AdvantageEstimator>;

const comparing = (described: Described, compare: Compare): AdvantageEstimator => ({
  usesGamma: false,
  usesLambda: false,
  usesTurnGamma: false,
  usesScores: true,
  valueTokens: "none",
  whitenOver: "none",
  comparesGroups: true,
  ...described,
  estimate: (tokens, params) => inGroups(tokens, params, compare),
});

const scoresOf = (group: readonly Member[]): number[] => group.map(({ score }) => score);

/** Score less the mean of the group, which is 0 for a group of one. */
const centred = (own: Member, group: readonly Member[]): number =>
  group.length === 1 ? own.score : own.score - mean(scoresOf(group));

/**
 * Group-relative policy optimisation (Shao et al. 2024): (score − mean) / (std + 1e-6) of the group, std unbiased; without the
 * division it is that of Dr. GRPO (Liu et al. 2025). A group of one has mean 0 and std 1. Twin: shaders/group_advantage.wgsl.
 */
export const grpo = comparing(
  {
    id: "grpo",
    title: "GRPO",
    help: "A trajectory's score against the mean of its group, for all of its tokens; no critic.",
    usesGroupStd: true,
  },
  (own, group, { groupStd = true }) => {
    const std = group.length === 1 ? 1 : Math.sqrt(variance(scoresOf(group)));
    return centred(own, group) / (groupStd ? std + GROUP_EPS : 1);
  },
);

/**
 * GRPO of VAGEN 2026: the standard deviation is that of the population, divided by the count, and a group without any
 * difference, a group of one included, gets 0. Twin: shaders/group_advantage.wgsl.
 */
export const trajectoryGrpo = comparing(
  {
    id: "trajectory_grpo",
    title: "Trajectory GRPO",
    help: "GRPO with the deviation divided by the number of episodes; a group of equal scores gets 0. From VAGEN 2026.",
    usesGroupStd: true,
  },
  (own, group, { groupStd = true }) => {
    const distance = own.score - mean(scoresOf(group));
    if (!groupStd) return distance;
    const std = Math.sqrt(populationVariance(scoresOf(group)));
    return std === 0 ? 0 : distance / (std + GROUP_EPS);
  },
);

/** REINFORCE with the mean of the *other* trajectories of the group as its baseline (Ahmadian et al. 2024). */
export const rloo = comparing(
  {
    id: "rloo",
    title: "RLOO",
    help: "A trajectory's score less the mean of the others in its group, for all of its tokens; no critic.",
  },
  (own, group) =>
    group.length === 1
      ? own.score
      : (group.length / (group.length - 1)) * (own.score - mean(scoresOf(group))),
);

/** REINFORCE++ with the mean of the group as its baseline (Hu 2025, as in veRL), whitened over the batch. */
export const reinforcePlusPlusBaseline = comparing(
  {
    id: "reinforce_plus_plus_baseline",
    title: "REINFORCE++ with baseline",
    help: "A trajectory's score less the mean of its group, whitened over the batch; no critic.",
    whitenOver: "policy",
  },
  centred,
);

/**
 * On-policy RL with the optimal baseline (Hao et al. 2025): the mean of the group weighted by length in tokens, which has the
 * least variance if the gradient's grows with length. A group of one has the baseline 0, as in veRL.
 */
export const opo = comparing(
  {
    id: "opo",
    title: "OPO",
    help: "A trajectory's score less the mean of its group weighted by length, for all of its tokens; no critic.",
  },
  (own, group) => {
    const tokens = group.reduce((sum, { length }) => sum + length, 0);
    if (group.length === 1 || tokens === 0) return own.score;
    return own.score - group.reduce((sum, { score, length }) => sum + score * length, 0) / tokens;
  },
);

/**
 * GRPO for pass@k (Walder & Karkhanis 2025, as in veRL): only the best trajectory of a group, the first of equals, has an
 * advantage, its lead over the second best. A group of one has none.
 */
export const grpoPassk = comparing(
  {
    id: "grpo_passk",
    title: "GRPO for pass@k",
    help: "Only the best trajectory of a group has an advantage, its lead over the second best; no critic.",
    usesGroupStd: true,
  },
  (own, group, { groupStd = true }) => {
    const [best, second] = group.toSorted((a, b) => b.score - a.score);
    if (own !== best || !second) return 0;
    const std = Math.sqrt(variance(scoresOf(group)));
    return (best.score - second.score) / (groupStd ? std + GROUP_EPS : 1);
  },
);
