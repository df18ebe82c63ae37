// CPU twins of LayerNorm, in f64.

/** Twin of layernorm_forward: out (N, C), mean (N) and rstd (N) from inp (N, C), weight (C), bias (C). */
export function layernormForwardRef(
  inp: ArrayLike<number>,
  weight: ArrayLike<number>,
  bias: ArrayLike<number>,
  n: number,
  c: number,
  eps: number,
): { out: Float64Array; mean: Float64Array; rstd: Float64Array } {
  const out = new Float64Array(n * c);
  const mean = new Float64Array(n);
  const rstd = new Float64Array(n);
  for (let row = 0; row < n; row++) {
    let m = 0;
    for (let i = 0; i < c; i++) m += (inp[row * c + i] as number) / c;
    let variance = 0;
    for (let i = 0; i < c; i++) variance += ((inp[row * c + i] as number) - m) ** 2 / c;
    const r = 1 / Math.sqrt(variance + eps);
    mean[row] = m;
    rstd[row] = r;
    for (let i = 0; i < c; i++)
      out[row * c + i] = ((inp[row * c + i] as number) - m) * r * (weight[i] as number) + (bias[i] as number);
  }
  return { out, mean, rstd };
}

/** Twin of layernorm_backward: dinp (N, C), without what dinp held before. */
export function layernormBackwardRef(
  inp: ArrayLike<number>,
  weight: ArrayLike<number>,
  mean: ArrayLike<number>,
  rstd: ArrayLike<number>,
  dout: ArrayLike<number>,
  n: number,
  c: number,
): Float64Array {
  const dinp = new Float64Array(n * c);
  for (let row = 0; row < n; row++) {
    const r = rstd[row] as number;
    const xhat = (i: number) => ((inp[row * c + i] as number) - (mean[row] as number)) * r;
    const g = (i: number) => (dout[row * c + i] as number) * (weight[i] as number);
    let meanG = 0;
    let meanGX = 0;
    for (let i = 0; i < c; i++) {
      meanG += g(i) / c;
      meanGX += (g(i) * xhat(i)) / c;
    }
    for (let i = 0; i < c; i++) dinp[row * c + i] = r * (g(i) - meanG - xhat(i) * meanGX);
  }
  return dinp;
}

/** Twin of layernorm_backward_weight: dweight (C) and dbias (C), without what they held before. */
export function layernormBackwardWeightRef(
  inp: ArrayLike<number>,
  mean: ArrayLike<number>,
  rstd: ArrayLike<number>,
  dout: ArrayLike<number>,
  n: number,
  c: number,
): { dweight: Float64Array; dbias: Float64Array } {
  const dweight = new Float64Array(c);
  const dbias = new Float64Array(c);
  for (let row = 0; row < n; row++) {
    for (let i = 0; i < c; i++) {
      const at = row * c + i;
      const xhat = ((inp[at] as number) - (mean[row] as number)) * (rstd[row] as number);
      dweight[i] = (dweight[i] as number) + (dout[at] as number) * xhat;
      dbias[i] = (dbias[i] as number) + (dout[at] as number);
    }
  }
  return { dweight, dbias };
}
