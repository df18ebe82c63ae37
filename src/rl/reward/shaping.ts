// What AReaL makes of the one reward of a sequence before advantages are estimated: a penalty for length, bias, scale, clip, normalisation.
import { isNormalised, type NormOptions, normalise } from "../normalise.ts";

/** A sequence as shaping sees it. */
export interface Rewarded {
  readonly reward: number;
  /** Tokens that the policy wrote. */
  readonly tokens: number;
  /** Tokens after the first prompt: those that the policy wrote, and the observations between them. */
  readonly spentTokens: number;
  /** Sequences of one group began in the same state. */
  readonly groupId: string;
}

export interface ShapingOptions {
  /** Tokens before the longest sequence from which on length costs; 0 is off. */
  readonly overlongTokens: number;
  /** What the longest sequence costs. */
  readonly overlongFactor: number;
  /** Tokens that the policy can write in a sequence. */
  readonly maxTokens: number;
  /** Tokens after the first prompt at which a sequence is cut; `Infinity`: it is not. */
  readonly maxSpentTokens: number;
  readonly bias: number;
  readonly scaling: number;
  /** Largest size of the scaled reward; 0 is off. */
  readonly clip: number;
  readonly norm: NormOptions;
}

/** Whether any reward would change. */
export const shapes = ({ overlongTokens, bias, scaling, clip, norm }: ShapingOptions): boolean =>
  overlongTokens > 0 || bias !== 0 || scaling !== 1 || clip > 0 || isNormalised(norm);

/**
 * The penalty grows linearly from 0, at `overlongTokens` before the nearer of the two limits, to `overlongFactor` at it (DAPO's soft
 * overlong punishment, Yu et al. 2025). AReaL counts the policy's tokens, veRL the whole response, observations included, up to
 * `max_response_length`; each limit counts as the reference that has it.
 * @returns 0 or less, in units of reward.
 */
export function overlongPenalty(
  { tokens, spentTokens }: Pick<Rewarded, "tokens" | "spentTokens">,
  { overlongTokens, overlongFactor, maxTokens, maxSpentTokens }: ShapingOptions,
): number {
  if (overlongTokens === 0) return 0;
  const left = Math.min(maxTokens - tokens, maxSpentTokens - spentTokens);
  return Math.min((left / overlongTokens - 1) * overlongFactor, 0);
}

/** Each sequence's reward as it is trained on: clip((R + penalty + bias) · scaling), then normalised (AReaL, PPOActor). */
export function shapeRewards(sequences: readonly Rewarded[], options: ShapingOptions): number[] {
  const limit = options.clip > 0 ? options.clip : Number.POSITIVE_INFINITY;
  const scaled = sequences.map((sequence) => {
    const penalty = overlongPenalty(sequence, options);
    const shaped = (sequence.reward + penalty + options.bias) * options.scaling;
    return Math.max(-limit, Math.min(limit, shaped));
  });
  if (!isNormalised(options.norm)) return scaled;
  const ids = [...new Set(sequences.map(({ groupId }) => groupId))];
  const groups = sequences.map(({ groupId }) => ids.indexOf(groupId));
  return Array.from(normalise({ x: scaled, groups }, options.norm));
}
