// One trajectory of two turns of three tokens in two layouts, with the numbers of every estimator that can tell them apart. They were
// computed independently of this code from the definitions that the estimators' headers state. For tests.
import type { AdvantageParams, AdvantageTokens } from "./estimator.ts";

export interface WorkedExample {
  readonly estimator: string;
  readonly params: AdvantageParams;
  readonly advantages: readonly number[];
  readonly returns: readonly number[];
  readonly whitened: readonly number[];
}

const rewards = [0, 0.2, 0.1, 0, 0.3, 1];
const values = [0.5, 0.4, 0.6, 0.2, 0.7, 0.8];
const ends = [0, 0, 1, 0, 0, 1];

/** The fixture with `between` observation tokens before its second turn, whose numbers nothing may read. */
export function layout(between: number): AdvantageTokens {
  const spread = (own: readonly number[], other: number) => [
    ...own.slice(0, 3),
    ...new Array<number>(between).fill(other),
    ...own.slice(3),
  ];
  return {
    starts: [0, 6 + between],
    rewards: spread(rewards, 9.9),
    values: spread(values, 9.9),
    gaeMask: spread([1, 1, 1, 1, 1, 1], 0),
    turnEndMask: spread(ends, 0),
  };
}

/** A conversation: one observation token between the turns. */
export const fixture: AdvantageTokens = layout(1);

/** Positions of the policy's tokens in `fixture`. */
export const fixturePositions = [0, 1, 2, 4, 5, 6];

const at = (gamma: number, lambda: number, more: Partial<AdvantageParams> = {}): AdvantageParams => ({
  gamma,
  lambda,
  turnGamma: 1,
  ...more,
});
const HALF = 0.912871;

export const fixtureExamples: readonly WorkedExample[] = [
  {
    estimator: "token_level_gae",
    params: at(1, 1),
    advantages: [1.1, 1.2, 0.8, 1.1, 0.6, 0.2],
    returns: [1.6, 1.6, 1.4, 1.3, 1.3, 1],
    whitened: [0.696311, 0.957427, -0.087039, 0.696311, -0.609272, -1.653738],
  },
  {
    estimator: "token_level_gae",
    params: at(1, 0.9),
    advantages: [0.762038, 0.95782, 0.6198, 1.022, 0.58, 0.2],
    returns: [1.262038, 1.35782, 1.2198, 1.222, 1.28, 1],
    whitened: [0.240744, 0.897546, -0.236432, 1.112855, -0.369951, -1.644762],
  },
  {
    estimator: "token_level_gae",
    params: at(0.9, 0.8),
    advantages: [0.224103, 0.505699, 0.230138, 0.76408, 0.464, 0.2],
    returns: [0.724103, 0.905699, 0.830138, 0.96408, 1.164, 1],
    whitened: [-0.781478, 0.483967, -0.754361, 1.645088, 0.296578, -0.889794],
  },
  {
    estimator: "default_gae",
    params: at(1, 1),
    advantages: [1.1, 1.2, 1, 1.4, 0.9, 0.8],
    returns: [1.6, 1.6, 1.6, 1.6, 1.6, 1.6],
    whitened: [0.154303, 0.617213, -0.308607, 1.543033, -0.771517, -1.234427],
  },
  {
    estimator: "default_gae",
    params: at(1, 0.9),
    advantages: [0.658502, 0.84278, 0.7142, 1.238, 0.82, 0.8],
    returns: [1.158502, 1.24278, 1.3142, 1.438, 1.52, 1.6],
    whitened: [-0.915047, -0.013697, -0.642614, 1.919424, -0.12512, -0.222945],
  },
  {
    estimator: "turn_level_gae",
    params: at(1, 0.9),
    advantages: [0.99, 0.99, 0.99, 1.1, 1.1, 1.1],
    returns: [1.49, 0, 0, 1.3, 0, 0],
    whitened: [-HALF, -HALF, -HALF, HALF, HALF, HALF],
  },
  {
    estimator: "turn_level_gae",
    params: at(0.95, 0.9),
    advantages: [0.9305, 0.9305, 0.9305, 1.1, 1.1, 1.1],
    returns: [1.4305, 0, 0, 1.3, 0, 0],
    whitened: [-HALF, -HALF, -HALF, HALF, HALF, HALF],
  },
  // A turn of this estimator and of the next earns all rewards of its tokens, 0.3 and 1.3.
  {
    estimator: "no_concat_gae",
    params: at(1, 0.9),
    advantages: [0.99, 0.99, 0.99, 1.1, 1.1, 1.1],
    returns: [1.49, 0, 0, 1.3, 0, 0],
    whitened: [-HALF, -HALF, -HALF, HALF, HALF, HALF],
  },
  {
    estimator: "no_concat_gae_last",
    params: at(1, 0.9),
    advantages: [0.95, 0.95, 0.95, 0.5, 0.5, 0.5],
    returns: [0, 0, 1.55, 0, 0, 1.3],
    whitened: [HALF, HALF, HALF, -HALF, -HALF, -HALF],
  },
  {
    estimator: "areal_turn_gae",
    params: at(1, 0.9),
    advantages: [0.99, 0.99, 0.99, 1.1, 1.1, 1.1],
    returns: [1.49, 1.49, 1.49, 1.3, 1.3, 1.3],
    whitened: [-HALF, -HALF, -HALF, HALF, HALF, HALF],
  },
  {
    estimator: "bi_level_gae_variable_clock",
    params: at(1, 0.3),
    advantages: [1.0120625, 1.1120625, 0.7120625, 1.1, 0.6, 0.2],
    returns: [1.5120625, 1.5120625, 1.3120625, 1.3, 1.3, 1],
    whitened: [0.622748, 0.902386, -0.216166, 0.868654, -0.529535, -1.648087],
  },
  {
    estimator: "bi_level_gae_variable_clock",
    params: at(1, 0.3, { clock: { gammaTurn: 0.95, lambdaTurn: 0.95, lambdaToken: 1, mix: 1 } }),
    advantages: [0.98275, 1.08275, 0.68275, 1.1, 0.6, 0.2],
    returns: [1.48275, 1.48275, 1.28275, 1.3, 1.3, 1],
    whitened: [0.594039, 0.879577, -0.262576, 0.928833, -0.498859, -1.641013],
  },
];

/** The published Bi-Level GAE on `fixture` with the rewards of each turn on its last token, as that generation pays them. */
export const publishedFixture: AdvantageTokens = { ...fixture, rewards: [0, 0, 0.3, 9.9, 0, 0, 1.3] };

export const publishedExamples: readonly Omit<WorkedExample, "whitened">[] = [
  {
    estimator: "bi_level_gae",
    params: at(1, 1, { turnGamma: 0.9 }),
    advantages: [0.97, 1.07, 0.87, 1.1, 0.6, 0.5],
    returns: [1.47, 1.47, 1.47, 1.3, 1.3, 1.3],
  },
  {
    estimator: "bi_level_gae",
    params: at(1, 0.95, { turnGamma: 0.9 }),
    advantages: [0.854869, 1.005125, 0.8475, 1.04625, 0.575, 0.5],
    returns: [1.354869, 1.405125, 1.4475, 1.24625, 1.275, 1.3],
  },
];
