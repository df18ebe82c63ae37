// CPU twin of attention over the key-value cache, in f64.

/** Twin of attention_cached: out (N, H · D); caches (slots, tMax, HKV · D). */
export function attentionCachedRef(
  qkv: ArrayLike<number>,
  slot: ArrayLike<number>,
  positions: ArrayLike<number>,
  cacheK: ArrayLike<number>,
  cacheV: ArrayLike<number>,
  n: number,
  heads: number,
  kvHeads: number,
  tMax: number,
  headDim: number,
): Float64Array {
  const out = new Float64Array(n * heads * headDim);
  const width = kvHeads * headDim;
  for (let token = 0; token < n; token++) {
    for (let head = 0; head < heads; head++) {
      const q = token * (heads * headDim + 2 * width) + head * headDim;
      const column = Math.floor(head / (heads / kvHeads)) * headDim;
      const row = (key: number) => ((slot[token] as number) * tMax + key) * width + column;
      const count = Math.min((positions[token] as number) + 1, tMax);
      const scores = Array.from({ length: count }, (_, key) => {
        let score = 0;
        for (let d = 0; d < headDim; d++) score += (qkv[q + d] as number) * (cacheK[row(key) + d] as number);
        return score / Math.sqrt(headDim);
      });
      const most = scores.reduce((m, s) => Math.max(m, s), -1e30);
      const total = scores.reduce((sum, s) => sum + Math.exp(s - most), 0);
      const at = (token * heads + head) * headDim;
      scores.forEach((score, key) => {
        const p = Math.exp(score - most) / total;
        for (let d = 0; d < headDim; d++)
          out[at + d] = (out[at + d] as number) + p * (cacheV[row(key) + d] as number);
      });
    }
  }
  return out;
}
