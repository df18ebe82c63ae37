// λ as a function of the length of a trajectory.
import type { AdvantageParams } from "./estimator.ts";

/**
 * λ of a trajectory of `length` steps, tokens or turns, whichever the estimator walks over. Long trajectories get a λ near 1, so
 * that what happens at their end reaches their beginning. vapo: 1 − 1/(α·length), at least 0 (VAPO, Yue et al. 2025).
 * relative_position: q^(1/(length − 1)), so that a surprise at the last step reaches the first with weight q. Both are 0 for
 * length 0, and the latter is 1 for length 1, as in AReaL. Twin: shaders/lib/lambda.wgsl.
 */
export function lambdaOf(
  { lambda, lambdaByLength }: Pick<AdvantageParams, "lambda" | "lambdaByLength">,
  length: number,
): number {
  if (!lambdaByLength) return lambda;
  const { kind, value } = lambdaByLength;
  if (length === 0) return 0;
  if (kind === "vapo") return Math.max(0, 1 - 1 / (value * length));
  return length === 1 ? 1 : value ** (1 / (length - 1));
}
