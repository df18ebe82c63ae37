/**
 * Twin of value_loss: dvalues (R, 4) and stats (R, 4) = loss, clipped, value, return; 0 outside the mask, whose other numbers are weights.
 * @param clip half-width of the trust range around the old value; null for the plain squared error.
 */
export function valueLossRef(
  values: ArrayLike<number>,
  src: ArrayLike<number>,
  oldValues: ArrayLike<number>,
  returns: ArrayLike<number>,
  valueMask: ArrayLike<number>,
  r: number,
  scale: number,
  clip: number | null,
): { dvalues: Float64Array; stats: Float64Array } {
  const dvalues = new Float64Array(r * 4);
  const stats = new Float64Array(r * 4);
  for (let row = 0; row < r; row++) {
    const at = src[row] as number;
    const weight = valueMask[at] as number;
    if (weight === 0) continue;
    const v = values[row * 4] as number;
    const old = oldValues[at] as number;
    const goal = returns[at] as number;
    const near = clip === null ? v : Math.min(Math.max(v, old - clip), old + clip);
    const plainLoss = (v - goal) ** 2;
    const clippedLoss = (near - goal) ** 2;
    const clipped = clippedLoss > plainLoss;
    dvalues[row * 4] = clipped ? 0 : scale * weight * (v - goal);
    stats.set([0.5 * Math.max(plainLoss, clippedLoss), clipped ? 1 : 0, v, goal], row * 4);
  }
  return { dvalues, stats };
}
