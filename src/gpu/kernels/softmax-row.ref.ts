// Softmax of one row in f64, shared by the twins of the row kernels.

interface SoftmaxRowRef {
  /** log p and p of every real column. */
  readonly logProbs: Float64Array;
  readonly probs: Float64Array;
  /** In nats. */
  readonly entropy: number;
}

/** Twin of inverse_temperature in lib/softmax_row.wgsl: temperature 0 reports log-probabilities at temperature 1. */
export const inverseTemperatureRef = (temperature: number) => (temperature > 0 ? 1 / temperature : 1);

/** Row `row` of logits (R, stride), over its first `vocab` columns. */
export function softmaxRowRef(
  logits: ArrayLike<number>,
  row: number,
  vocab: number,
  stride: number,
  temperature = 1,
): SoftmaxRowRef {
  const scaled = Float64Array.from(
    { length: vocab },
    (_, i) => (logits[row * stride + i] as number) * inverseTemperatureRef(temperature),
  );
  const peak = scaled.reduce((max, x) => Math.max(max, x), Number.NEGATIVE_INFINITY);
  const logSum = peak + Math.log(scaled.reduce((sum, x) => sum + Math.exp(x - peak), 0));
  const logProbs = scaled.map((x) => x - logSum);
  const probs = logProbs.map(Math.exp);
  const entropy = -probs.reduce((sum, p, i) => sum + p * (logProbs[i] as number), 0);
  return { logProbs, probs, entropy };
}
