// CPU twin of cache_write.

/** Twin of cache_write: writes into copies of cacheK and cacheV (slots, tMax, HKV · D). */
export function cacheWriteRef(
  qkv: ArrayLike<number>,
  slot: ArrayLike<number>,
  positions: ArrayLike<number>,
  cacheK: ArrayLike<number>,
  cacheV: ArrayLike<number>,
  n: number,
  heads: number,
  kvHeads: number,
  headDim: number,
  tMax: number,
): { cacheK: Float64Array; cacheV: Float64Array } {
  const k = Float64Array.from(cacheK as ArrayLike<number>);
  const v = Float64Array.from(cacheV as ArrayLike<number>);
  const width = kvHeads * headDim;
  for (let i = 0; i < n; i++) {
    const position = positions[i] as number;
    if (position >= tMax) continue;
    const from = i * (heads * headDim + 2 * width) + heads * headDim;
    const to = ((slot[i] as number) * tMax + position) * width;
    for (let d = 0; d < width; d++) {
      k[to + d] = qkv[from + d] as number;
      v[to + d] = qkv[from + width + d] as number;
    }
  }
  return { cacheK: k, cacheV: v };
}
