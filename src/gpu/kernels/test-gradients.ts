// Test helper: gradients of CPU twins against central differences. Imported by tests only.
import { centralDifferences, expectClose } from "../testing.ts";

/** At most `count` positions spread over an array of `length`. */
function spread(length: number, count: number): number[] {
  const step = Math.max(1, Math.floor(length / count));
  return Array.from({ length: Math.ceil(length / step) }, (_, i) => i * step);
}

/**
 * Fails unless `gradient` is that of x ↦ Σ dout · forward(x), at up to 40 elements of x.
 * Twins are f64: with a step of 1e-5 both the rounding and the truncation of central differences stay below 1e-8 for
 * numbers of order 1, so 1e-6 leaves room and still catches any wrong term.
 */
export function expectGradient(
  forward: (x: Float64Array) => ArrayLike<number>,
  x: ArrayLike<number>,
  dout: ArrayLike<number>,
  gradient: ArrayLike<number>,
): void {
  const at = spread(x.length, 40);
  const loss = (point: Float64Array) => {
    const out = forward(point);
    let sum = 0;
    for (let i = 0; i < out.length; i++) sum += (out[i] as number) * (dout[i] as number);
    return sum;
  };
  const got = at.map((i) => gradient[i] as number);
  expectClose(got, centralDifferences(loss, x, at), { rtol: 1e-6, atol: 1e-6 });
}
