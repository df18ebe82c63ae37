// CPU twins of GELU (tanh approximation), in f64.
const ROOT = Math.sqrt(2 / Math.PI);

/** Twin of gelu_forward: out (N, C). */
export function geluForwardRef(inp: ArrayLike<number>, n: number, c: number): Float64Array {
  return Float64Array.from({ length: n * c }, (_, i) => {
    const x = inp[i] as number;
    return 0.5 * x * (1 + Math.tanh(ROOT * (x + 0.044715 * x ** 3)));
  });
}

/** Twin of gelu_backward: dinp (N, C). */
export function geluBackwardRef(
  inp: ArrayLike<number>,
  dout: ArrayLike<number>,
  n: number,
  c: number,
): Float64Array {
  return Float64Array.from({ length: n * c }, (_, i) => {
    const x = inp[i] as number;
    const t = Math.tanh(ROOT * (x + 0.044715 * x ** 3));
    const slope = ROOT * (1 + 3 * 0.044715 * x ** 2);
    return (dout[i] as number) * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * slope);
  });
}
