// CPU twin of the rotary position embedding, in f64.

/** Twin of rope: a rotated copy of qkv (N, stride). It takes theta where the kernel takes a table made from it. */
export function ropeRef(
  qkv: ArrayLike<number>,
  positions: ArrayLike<number>,
  n: number,
  heads: number,
  stride: number,
  headDim: number,
  theta: number,
  direction: number,
): Float64Array {
  const out = Float64Array.from(qkv as ArrayLike<number>);
  const half = headDim / 2;
  for (let token = 0; token < n; token++) {
    for (let head = 0; head < heads; head++) {
      for (let i = 0; i < half; i++) {
        const angle = direction * (positions[token] as number) * theta ** ((-2 * i) / headDim);
        const at = token * stride + head * headDim + i;
        const a = qkv[at] as number;
        const b = qkv[at + half] as number;
        out[at] = a * Math.cos(angle) - b * Math.sin(angle);
        out[at + half] = b * Math.cos(angle) + a * Math.sin(angle);
      }
    }
  }
  return out;
}
