// CPU twin of column_sum, in f64.

/** Twin of column_sum: out (C) = Σ over rows of inp (N, C), without what out held before. */
export function columnSumRef(inp: ArrayLike<number>, n: number, c: number): Float64Array {
  const out = new Float64Array(c);
  for (let at = 0; at < n * c; at++) out[at % c] = (out[at % c] as number) + (inp[at] as number);
  return out;
}
