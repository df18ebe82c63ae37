// CPU twins of SwiGLU, in f64.

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** Twin of swiglu_forward: out (N, F) = silu(gate) · up, inp (N, 2F) = gate, then up. */
export function swigluForwardRef(inp: ArrayLike<number>, n: number, f: number): Float64Array {
  const out = new Float64Array(n * f);
  for (let row = 0; row < n; row++) {
    for (let i = 0; i < f; i++) {
      const gate = inp[row * 2 * f + i] as number;
      const up = inp[row * 2 * f + f + i] as number;
      out[row * f + i] = gate * sigmoid(gate) * up;
    }
  }
  return out;
}

/** Twin of swiglu_backward: dinp (N, 2F) from inp (N, 2F), dout (N, F). */
export function swigluBackwardRef(
  inp: ArrayLike<number>,
  dout: ArrayLike<number>,
  n: number,
  f: number,
): Float64Array {
  const dinp = new Float64Array(n * 2 * f);
  for (let row = 0; row < n; row++) {
    for (let i = 0; i < f; i++) {
      const at = row * 2 * f + i;
      const gate = inp[at] as number;
      const up = inp[at + f] as number;
      const d = dout[row * f + i] as number;
      const s = sigmoid(gate);
      dinp[at] = d * up * s * (1 + gate * (1 - s));
      dinp[at + f] = d * gate * s;
    }
  }
  return dinp;
}
