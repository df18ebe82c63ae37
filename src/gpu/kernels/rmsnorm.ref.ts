// CPU twins of RMSNorm, in f64.

/** Twin of rmsnorm_forward: out (N, C) and rstd (N) from inp (N, C), weight (C). */
export function rmsnormForwardRef(
  inp: ArrayLike<number>,
  weight: ArrayLike<number>,
  n: number,
  c: number,
  eps: number,
): { out: Float64Array; rstd: Float64Array } {
  const out = new Float64Array(n * c);
  const rstd = new Float64Array(n);
  for (let row = 0; row < n; row++) {
    let sum = 0;
    for (let i = 0; i < c; i++) sum += (inp[row * c + i] as number) ** 2;
    const r = 1 / Math.sqrt(sum / c + eps);
    rstd[row] = r;
    for (let i = 0; i < c; i++) out[row * c + i] = (inp[row * c + i] as number) * r * (weight[i] as number);
  }
  return { out, rstd };
}

/** Twin of rmsnorm_backward: dinp (N, C), without what dinp held before. */
export function rmsnormBackwardRef(
  inp: ArrayLike<number>,
  weight: ArrayLike<number>,
  rstd: ArrayLike<number>,
  dout: ArrayLike<number>,
  n: number,
  c: number,
): Float64Array {
  const dinp = new Float64Array(n * c);
  for (let row = 0; row < n; row++) {
    const r = rstd[row] as number;
    const xhat = (i: number) => (inp[row * c + i] as number) * r;
    const g = (i: number) => (dout[row * c + i] as number) * (weight[i] as number);
    let mean = 0;
    for (let i = 0; i < c; i++) mean += (g(i) * xhat(i)) / c;
    for (let i = 0; i < c; i++) dinp[row * c + i] = r * (g(i) - xhat(i) * mean);
  }
  return dinp;
}

/** Twin of rmsnorm_backward_weight: dweight (C) = Σ over rows of dout · inp · rstd. */
export function rmsnormBackwardWeightRef(
  inp: ArrayLike<number>,
  rstd: ArrayLike<number>,
  dout: ArrayLike<number>,
  n: number,
  c: number,
): Float64Array {
  const dweight = new Float64Array(c);
  for (let row = 0; row < n; row++) {
    for (let i = 0; i < c; i++) {
      const at = row * c + i;
      dweight[i] =
        (dweight[i] as number) + (dout[at] as number) * (inp[at] as number) * (rstd[row] as number);
    }
  }
  return dweight;
}
