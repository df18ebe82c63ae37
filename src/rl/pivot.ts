// What failed episodes add to the policy loss under PIVOT (arXiv 2609.35303), as numbers to report; the gradient is that of
// shaders/ppo_loss.wgsl.

/** Log-probabilities of one token of a failed episode. */
interface TaughtToken {
  teacher: number;
  student: number;
}

/** How far a token is imitated: g = σ(β·(ℓ_tea − ℓ_stu)), between 0 and 1. */
export const pivotGate = (beta: number, { teacher, student }: TaughtToken): number =>
  1 / (1 + Math.exp(-beta * (teacher - student)));

/**
 * - `actor/pivot_loss`: the mean over trained tokens of 1{failed}·g·(ℓ_tea − ℓ_stu), without its weight.
 * - `actor/pivot_gate`: mean g of the tokens of failed episodes; absent where no episode failed.
 * - `actor/pivot_tokens`: their share of the trained tokens.
 *
 * Empty where nothing is trained.
 */
export function pivotMetrics(
  taught: readonly TaughtToken[],
  trained: number,
  beta: number,
): Record<string, number> {
  if (trained === 0) return {};
  let [gates, loss] = [0, 0];
  for (const token of taught) {
    const gate = pivotGate(beta, token);
    gates += gate;
    loss += gate * (token.teacher - token.student);
  }
  return {
    "actor/pivot_loss": loss / trained,
    ...(taught.length > 0 && { "actor/pivot_gate": gates / taught.length }),
    "actor/pivot_tokens": taught.length / trained,
  };
}
