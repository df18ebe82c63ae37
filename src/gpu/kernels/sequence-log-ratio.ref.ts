/** Twin of sequence_log_ratio: the mean of new − old over each trajectory's masked tokens, at all of its tokens (Nb). */
export function sequenceLogRatioRef(
  newLogprobs: ArrayLike<number>,
  facts: ArrayLike<number>,
  mask: ArrayLike<number>,
  starts: ArrayLike<number>,
): Float64Array {
  const out = new Float64Array(newLogprobs.length);
  for (let s = 0; s + 1 < starts.length; s++) {
    const [from, to] = [starts[s] as number, starts[s + 1] as number];
    const inside = Array.from({ length: to - from }, (_, k) => from + k).filter((i) => mask[i]);
    const sum = inside.reduce((total, i) => total + (newLogprobs[i] as number) - (facts[i * 4] as number), 0);
    out.fill(sum / Math.max(1, inside.length), from, to);
  }
  return out;
}
