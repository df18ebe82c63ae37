// Masked GAE, the base estimator of VAGEN: GAE over the policy's own tokens, as if they were contiguous.
import {
  type AdvantageEstimator,
  type AdvantageParams,
  type Advantages,
  type AdvantageTokens,
  trajectoriesOf,
  zeroAdvantages,
} from "./estimator.ts";
import { lambdaOf } from "./lambda.ts";

/** How many of the tokens [from, to) carry advantage. */
function stepsIn({ gaeMask }: AdvantageTokens, from: number, to: number): number {
  let steps = 0;
  for (let i = from; i < to; i++) if (gaeMask[i]) steps++;
  return steps;
}

function overPolicyTokens(tokens: AdvantageTokens, params: AdvantageParams): Advantages {
  const { gamma } = params;
  const out = zeroAdvantages(tokens);
  for (const [from, to, bootstrap] of trajectoriesOf(tokens)) {
    const lambda = lambdaOf(params, stepsIn(tokens, from, to));
    let nextValue = bootstrap;
    let advantage = 0;
    for (let i = to - 1; i >= from; i--) {
      // Observation tokens carry no advantage: skip them, so the next *policy* token is the successor.
      if (!tokens.gaeMask[i]) continue;
      const value = tokens.values[i] as number;
      const delta = (tokens.rewards[i] as number) + gamma * nextValue - value;
      advantage = delta + gamma * lambda * advantage;
      out.advantages[i] = advantage;
      out.returns[i] = advantage + value;
      nextValue = value;
    }
  }
  return out;
}

/** The sum of each trajectory's rewards on the last token that carries advantage. */
function lumped(tokens: AdvantageTokens): Float64Array {
  const { gaeMask, rewards } = tokens;
  const placed = new Float64Array(rewards.length);
  for (const [from, to] of trajectoriesOf(tokens)) {
    let [sum, last] = [0, -1];
    for (let i = from; i < to; i++) {
      if (!gaeMask[i]) continue;
      sum += rewards[i] as number;
      last = i;
    }
    if (last >= 0) placed[last] = sum;
  }
  return placed;
}

const OVER_TOKENS = {
  usesTurnGamma: false,
  usesLambdaByLength: true,
  valueTokens: "trained",
  whitenOver: "policy",
} as const;

/** GAE over the policy's own tokens; 0 elsewhere. Twin of shaders/masked_gae.wgsl. */
export const maskedGae: AdvantageEstimator = {
  ...OVER_TOKENS,
  id: "masked_gae",
  title: "Masked GAE",
  help: "Over the policy's own tokens only.",
  estimate: overPolicyTokens,
};

/** VAGEN 2026's name for GAE over the policy's tokens with every reward at the token that earned it. */
export const tokenLevelGae: AdvantageEstimator = {
  ...OVER_TOKENS,
  id: "token_level_gae",
  title: "Token-level GAE",
  help: "Over the policy's own tokens only, with every reward where it was earned; masked GAE under VAGEN 2026's name.",
  estimate: overPolicyTokens,
};

/**
 * The baseline of VAGEN 2026: all rewards of a trajectory are moved to its last policy token first, so that it does not matter
 * when a reward was paid. Twin: shaders/masked_gae.wgsl, LUMPED 1.
 */
export const defaultGae: AdvantageEstimator = {
  ...OVER_TOKENS,
  id: "default_gae",
  title: "Default GAE",
  help: "Over the policy's own tokens only, with all rewards of an episode on its last token; VAGEN 2026's default.",
  estimate: (tokens, params) => overPolicyTokens({ ...tokens, rewards: lumped(tokens) }, params),
};
