// CPU twin of gather_rows, in f64.

/** Twin of gather_rows: out (R, C) = inp (N, C) [index (R)], zeros where index is −1. */
export function gatherRowsRef(
  inp: ArrayLike<number>,
  index: ArrayLike<number>,
  r: number,
  c: number,
): Float64Array {
  const out = new Float64Array(r * c);
  for (let i = 0; i < r; i++) {
    const row = index[i] as number;
    if (row < 0) continue;
    for (let k = 0; k < c; k++) out[i * c + k] = inp[row * c + k] as number;
  }
  return out;
}
