// CPU twins of the linear layers, in f64.

/** Twin of linear_forward: out (M, N) = inp (M, K) · weight (K, N) + bias (N or null) + residual (M, N or null). */
export function linearForwardRef(
  inp: ArrayLike<number>,
  weight: ArrayLike<number>,
  bias: ArrayLike<number> | null,
  residual: ArrayLike<number> | null,
  m: number,
  k: number,
  n: number,
): Float64Array {
  const out = new Float64Array(m * n);
  for (let r = 0; r < m; r++) {
    for (let c = 0; c < n; c++) {
      let sum = (bias?.[c] ?? 0) + (residual?.[r * n + c] ?? 0);
      for (let i = 0; i < k; i++) sum += (inp[r * k + i] as number) * (weight[i * n + c] as number);
      out[r * n + c] = sum;
    }
  }
  return out;
}

/** Twin of linear_backward_input: dinp (M, K) = dout (M, N) · weight (K, N)ᵀ. */
export function linearBackwardInputRef(
  dout: ArrayLike<number>,
  weight: ArrayLike<number>,
  m: number,
  k: number,
  n: number,
): Float64Array {
  const dinp = new Float64Array(m * k);
  for (let r = 0; r < m; r++) {
    for (let i = 0; i < k; i++) {
      let sum = 0;
      for (let c = 0; c < n; c++) sum += (dout[r * n + c] as number) * (weight[i * n + c] as number);
      dinp[r * k + i] = sum;
    }
  }
  return dinp;
}

/** Twin of linear_backward_weight: dweight (K, N) = inp (M, K)ᵀ · dout (M, N). */
export function linearBackwardWeightRef(
  inp: ArrayLike<number>,
  dout: ArrayLike<number>,
  m: number,
  k: number,
  n: number,
): Float64Array {
  const dweight = new Float64Array(k * n);
  for (let r = 0; r < m; r++) {
    for (let i = 0; i < k; i++) {
      const x = inp[r * k + i] as number;
      for (let c = 0; c < n; c++)
        dweight[i * n + c] = (dweight[i * n + c] as number) + x * (dout[r * n + c] as number);
    }
  }
  return dweight;
}
