// CPU twins of the token embedding, in f64.

/** Twin of embedding_forward: out (N, C); patchOfToken is −1 for text. */
export function embeddingForwardRef(
  ids: ArrayLike<number>,
  patchOfToken: ArrayLike<number>,
  table: ArrayLike<number>,
  patches: ArrayLike<number>,
  n: number,
  c: number,
): Float64Array {
  const out = new Float64Array(n * c);
  for (let i = 0; i < n; i++) {
    const patch = patchOfToken[i] as number;
    const source = patch >= 0 ? patches : table;
    const row = patch >= 0 ? patch : (ids[i] as number);
    for (let k = 0; k < c; k++) out[i * c + k] = source[row * c + k] as number;
  }
  return out;
}

/** Twin of embedding_backward: dtable (V, C), without what it held before. */
export function embeddingBackwardRef(
  dout: ArrayLike<number>,
  order: ArrayLike<number>,
  offsets: ArrayLike<number>,
  v: number,
  c: number,
): Float64Array {
  const dtable = new Float64Array(v * c);
  for (let id = 0; id < v; id++) {
    for (let i = offsets[id] as number; i < (offsets[id + 1] as number); i++) {
      for (let k = 0; k < c; k++)
        dtable[id * c + k] = (dtable[id * c + k] as number) + (dout[(order[i] as number) * c + k] as number);
    }
  }
  return dtable;
}
