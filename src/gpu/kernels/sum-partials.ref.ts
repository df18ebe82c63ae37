// CPU twin of sum_partials, in f64.

/** Twin of sum_partials: out (length) = Σ over splits of partials, without what out held before. */
export function sumPartialsRef(partials: ArrayLike<number>, splits: number, length: number): Float64Array {
  const out = new Float64Array(length);
  for (let at = 0; at < splits * length; at++)
    out[at % length] = (out[at % length] as number) + (partials[at] as number);
  return out;
}
