// Worked examples of the estimators, for the tests of the functions here and of the kernels. The numbers were computed
// independently of this code from the recursions that the estimators' headers state.
import type { AdvantageTokens } from "./estimator.ts";
import type { WorkedExample } from "./generations.examples.ts";

const gaeMask = [0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 0];
const turnEndMask = [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const values = [9, 9, 0.2, 0.3, 0.1, 9, 9, 9, 0.4, 0.5, 9];
const rewards = [0, 0, 0, 0, 0.5, 0, 0, 0, 0, 10, 0];

/** Two turns of three and two policy tokens; values of 9 at observation tokens, where nothing may read them. */
export const twoTurns: AdvantageTokens = { starts: [0, 11], rewards, values, gaeMask, turnEndMask };

/** As `twoTurns`, with per-token penalties inside the turns. */
export const innerRewards: AdvantageTokens = {
  ...twoTurns,
  rewards: [0, 0, -0.01, 0.02, 0.47, 0, 0, 0, 0.01, 10.04, 0],
};

/** Positions of the policy's tokens in `twoTurns`; the examples list numbers at these. */
export const policyPositions = [2, 3, 4, 8, 9];

export const workedExamples: readonly WorkedExample[] = [
  {
    estimator: "masked_gae",
    params: { gamma: 1, lambda: 1, turnGamma: 0.95 },
    advantages: [10.3, 10.2, 10.4, 9.6, 9.5],
    returns: [10.5, 10.5, 10.5, 10, 10],
    whitened: [0.717137, 0.478091, 0.956183, -0.956183, -1.195229],
  },
  {
    estimator: "bi_level_gae",
    params: { gamma: 1, lambda: 1, turnGamma: 0.95 },
    advantages: [9.8, 9.7, 9.9, 9.6, 9.5],
    returns: [10, 10, 10, 10, 10],
    whitened: [0.632455, 0, 1.264911, -0.632455, -1.264911],
  },
  {
    estimator: "bi_level_gae",
    params: { gamma: 1, lambda: 1, turnGamma: 1 },
    advantages: [10.3, 10.2, 10.4, 9.6, 9.5],
    returns: [10.5, 10.5, 10.5, 10, 10],
    whitened: [0.717137, 0.478091, 0.956183, -0.956183, -1.195229],
  },
  {
    estimator: "masked_gae",
    params: { gamma: 0.99, lambda: 0.95, turnGamma: 1 },
    advantages: [8.123994, 8.534815, 9.28848, 9.02975, 9.5],
    returns: [8.323994, 8.834815, 9.38848, 9.42975, 10],
    whitened: [-1.372723, -0.64167, 0.699468, 0.23906, 1.075865],
  },
  {
    estimator: "bi_level_gae",
    params: { gamma: 0.99, lambda: 0.95, turnGamma: 0.9 },
    advantages: [7.844497, 8.237636, 8.9725, 9.02975, 9.5],
    returns: [8.044497, 8.537636, 9.0725, 9.42975, 10],
    whitened: [-1.312468, -0.721002, 0.384577, 0.470708, 1.178184],
  },
  {
    estimator: "turn_wise_gae",
    params: { gamma: 1, lambda: 1, turnGamma: 0.95 },
    advantages: [9.9, 9.9, 9.9, 9.5, 9.5],
    returns: [0, 0, 10, 0, 10],
    whitened: [Math.SQRT1_2, Math.SQRT1_2, Math.SQRT1_2, -Math.SQRT1_2, -Math.SQRT1_2],
  },
  {
    estimator: "turn_wise_gae",
    params: { gamma: 1, lambda: 0.95, turnGamma: 0.9 },
    advantages: [8.9725, 8.9725, 8.9725, 9.5, 9.5],
    returns: [0, 0, 9.0725, 0, 10],
    whitened: [-Math.SQRT1_2, -Math.SQRT1_2, -Math.SQRT1_2, Math.SQRT1_2, Math.SQRT1_2],
  },
  {
    // Turn values 0.2 and 0.4, read before the first tokens: A₂ = 10 − 0.4, A₁ = 0.5 + 0.9·0.4 − 0.2 + 0.9·0.5·9.6.
    estimator: "bi_level_gae",
    params: { gamma: 1, lambda: 1, turnGamma: 0.9, turnLambda: 0.5, turnAnchor: "start" },
    advantages: [4.98, 4.88, 5.08, 9.6, 9.5],
    returns: [5.18, 5.18, 5.18, 10, 10],
    whitened: [-0.729933, -0.769863, -0.690002, 1.114864, 1.074934],
  },
  {
    // Turn values as before: A₂ = 9.6, A₁ = 0.5 + 0.9·0.4 − 0.2 + 0.9·0.5·9.6; returns lie on the first tokens alone.
    estimator: "turn_wise_gae",
    params: { gamma: 1, lambda: 1, turnGamma: 0.9, turnLambda: 0.5, turnAnchor: "start" },
    advantages: [4.98, 4.98, 4.98, 9.6, 9.6],
    returns: [5.18, 0, 0, 10, 0],
    whitened: [-Math.SQRT1_2, -Math.SQRT1_2, -Math.SQRT1_2, Math.SQRT1_2, Math.SQRT1_2],
  },
  {
    // Rewards to come in the same turn at γ = 0.5: 10, 5; then 0.5, and halves of it. Deviation 4.327961 about 3.175.
    estimator: "reinforce_plus_plus",
    params: { gamma: 0.5, lambda: 0.9, turnGamma: 0.9 },
    advantages: [0.125, 0.25, 0.5, 5, 10],
    returns: [0.125, 0.25, 0.5, 5, 10],
    whitened: [-0.70472, -0.675838, -0.618074, 0.421677, 1.576955],
  },
  {
    // Carried across turns: 10, 5 in the second turn; then 0.5 + 2.5, and halves of it.
    estimator: "reinforce_plus_plus",
    params: { gamma: 0.5, lambda: 0.9, turnGamma: 0.9, carry: true },
    advantages: [0.75, 1.5, 3, 5, 10],
    returns: [0.75, 1.5, 3, 5, 10],
    whitened: [-0.891566, -0.688938, -0.28368, 0.256663, 1.607521],
  },
];

/** Three turns of two tokens with (reward, value) = (0.1, 0.3), (0.1, 0.6), (1.1, 0.8); the value is at both tokens. */
export const threeTurns: AdvantageTokens = {
  starts: [0, 9],
  gaeMask: [0, 1, 1, 0, 1, 1, 0, 1, 1],
  turnEndMask: [0, 0, 1, 0, 0, 1, 0, 0, 1],
  rewards: [0, 0, 0.1, 0, 0, 0.1, 0, 0, 1.1],
  values: [9, 0.3, 0.3, 9, 0.6, 0.6, 9, 0.8, 0.8],
};

/** Advantage and return of each turn of `threeTurns` by the estimators for one sequence per turn. */
export const perTurnExamples = [
  {
    params: { gamma: 1, lambda: 1, turnGamma: 0.5 },
    advantages: [1, 0.6, 0.3],
    returns: [1.3, 1.2, 1.1],
  },
  {
    params: { gamma: 0.99, lambda: 0.95, turnGamma: 0.5 },
    advantages: [0.933988, 0.57415, 0.3],
    returns: [1.233988, 1.17415, 1.1],
  },
] as const;

/** Four trajectories of one turn with the scores 10.5, 0.5, 1.5 and 3.5; a KL penalty on an inner token is part of the first. */
export const fourScores: AdvantageTokens = {
  starts: [0, 3, 6, 8, 10],
  gaeMask: [0, 1, 1, 0, 1, 1, 0, 1, 0, 1],
  turnEndMask: [0, 0, 1, 0, 0, 1, 0, 1, 0, 1],
  rewards: [7, -0.5, 11, 7, 0, 0.5, 7, 1.5, 7, 3.5],
  values: [9, 9, 9, 9, 9, 9, 9, 9, 9, 9],
};

/** Advantages of the trajectories of `fourScores` as one group, and as the groups (first, second), (third), (fourth). */
export const groupExamples = [
  // The population's deviation is 3.905125; the lengths are 2, 2, 1, 1, so the weighted mean is 4.5.
  { estimator: "trajectory_grpo", params: {}, advantages: [1.664479, -0.896258, -0.640184, -0.128037] },
  { estimator: "trajectory_grpo", params: { groupStd: false }, advantages: [6.5, -3.5, -2.5, -0.5] },
  {
    estimator: "trajectory_grpo",
    params: {},
    groups: [4, 4, 7, 5],
    advantages: [1, -1, 0, 0],
  },
  { estimator: "reinforce_plus_plus_baseline", params: {}, advantages: [6.5, -3.5, -2.5, -0.5] },
  {
    estimator: "reinforce_plus_plus_baseline",
    params: {},
    groups: [4, 4, 7, 5],
    advantages: [5, -5, 1.5, 3.5],
  },
  { estimator: "opo", params: {}, advantages: [6, -4, -3, -1] },
  { estimator: "opo", params: {}, groups: [4, 7, 4, 5], advantages: [3, 0.5, -6, 3.5] },
  // The lead of the best is 7, the unbiased deviation 4.509250.
  { estimator: "grpo_passk", params: {}, advantages: [1.552364, 0, 0, 0] },
  { estimator: "grpo_passk", params: { groupStd: false }, advantages: [7, 0, 0, 0] },
  { estimator: "grpo_passk", params: { groupStd: false }, groups: [4, 7, 4, 7], advantages: [9, 0, 0, 3] },
  { estimator: "grpo", params: {}, advantages: [1.441481, -0.776182, -0.554416, -0.110883] },
  { estimator: "grpo", params: { groupStd: false }, advantages: [6.5, -3.5, -2.5, -0.5] },
  { estimator: "rloo", params: {}, advantages: [8.666667, -4.666667, -3.333333, -0.666667] },
  {
    estimator: "grpo",
    params: {},
    groups: [4, 4, 7, 5],
    advantages: [Math.SQRT1_2, -Math.SQRT1_2, 1.5, 3.5],
  },
  { estimator: "rloo", params: {}, groups: [4, 4, 7, 5], advantages: [10, -10, 1.5, 3.5] },
] as const;

/** Bi-Level GAE of `innerRewards` at γ = λ = 1, γ_turn = 0.95. */
export const innerRewardsExample = {
  params: { gamma: 1, lambda: 1, turnGamma: 0.95 },
  advantages: [9.818, 9.728, 9.908, 9.65, 9.54],
};

export { numbers, randomBatch } from "./random-batch.ts";
