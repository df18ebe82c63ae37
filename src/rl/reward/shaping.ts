// What AReaL makes of the one reward of a sequence before advantages are estimated: a penalty for length, bias, scale, clip, normalisation.
import { isNormalised, type NormOptions, normalise } from "../normalise.ts";

/** A sequence as shaping sees it. */
export interface Rewarded {
  readonly reward: number;
  /** Tokens that the policy wrote. */
  readonly tokens: number;
  /** Sequences of one group began in the same state. */
  readonly groupId: string;
}

export interface ShapingOptions {
  /** Tokens before the longest sequence from which on length costs; 0 is off. */
  readonly overlongTokens: number;
  /** What the longest sequence costs. */
  readonly overlongFactor: number;
  /** Tokens that the policy can write in a row. */
  readonly maxTokens: number;
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
 * The penalty grows linearly from 0, at `overlongTokens` before the longest sequence, to `overlongFactor` (DAPO's soft overlong
 * punishment, Yu et al. 2025, as AReaL has it).
 */
export function overlongPenalty(
  tokens: number,
  { overlongTokens, overlongFactor, maxTokens }: ShapingOptions,
): number {
  if (overlongTokens === 0) return 0;
  const beyond = tokens - (maxTokens - overlongTokens);
  return Math.min((-beyond / overlongTokens) * overlongFactor, 0);
}

/** Each sequence's reward as it is trained on: clip((R + penalty + bias) · scaling), then normalised (AReaL, PPOActor). */
export function shapeRewards(sequences: readonly Rewarded[], options: ShapingOptions): number[] {
  const limit = options.clip > 0 ? options.clip : Number.POSITIVE_INFINITY;
  const scaled = sequences.map(({ reward, tokens }) => {
    const shaped = (reward + overlongPenalty(tokens, options) + options.bias) * options.scaling;
    return Math.max(-limit, Math.min(limit, shaped));
  });
  if (!isNormalised(options.norm)) return scaled;
  const ids = [...new Set(sequences.map(({ groupId }) => groupId))];
  const groups = sequences.map(({ groupId }) => ids.indexOf(groupId));
  return Array.from(normalise({ x: scaled, groups }, options.norm));
}
