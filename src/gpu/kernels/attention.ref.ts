// CPU twins of packed grouped-query attention, in f64. Names as in the shaders; `span` holds four numbers per token.

/** Offsets of one (token, query head) into the rows of qkv (N, (H + 2·HKV) · D). */
function layout(heads: number, kvHeads: number, headDim: number) {
  const stride = (heads + 2 * kvHeads) * headDim;
  const kvHead = (head: number) => Math.floor(head / (heads / kvHeads));
  return {
    query: (token: number, head: number) => token * stride + head * headDim,
    key: (token: number, head: number) => token * stride + (heads + kvHead(head)) * headDim,
    value: (token: number, head: number) => token * stride + (heads + kvHeads + kvHead(head)) * headDim,
  };
}

function dot(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number, length: number): number {
  let sum = 0;
  for (let d = 0; d < length; d++) sum += (a[i + d] as number) * (b[j + d] as number);
  return sum;
}

/** target[at + d] += scale · source[from + d] for d < length. */
function addScaled(
  target: Float64Array,
  at: number,
  scale: number,
  source: ArrayLike<number>,
  from: number,
  length: number,
): void {
  for (let d = 0; d < length; d++)
    target[at + d] = (target[at + d] as number) + scale * (source[from + d] as number);
}

/** Twin of attention_forward: out (N, H · D) and lse (N, H). */
export function attentionForwardRef(
  qkv: ArrayLike<number>,
  span: ArrayLike<number>,
  n: number,
  heads: number,
  kvHeads: number,
  headDim: number,
): { out: Float64Array; lse: Float64Array } {
  const at = layout(heads, kvHeads, headDim);
  const out = new Float64Array(n * heads * headDim);
  const lse = new Float64Array(n * heads);
  for (let token = 0; token < n; token++) {
    const begin = span[4 * token] as number;
    const end = span[4 * token + 1] as number;
    for (let head = 0; head < heads; head++) {
      const scores: number[] = [];
      for (let key = begin; key < end; key++)
        scores.push(dot(qkv, at.query(token, head), qkv, at.key(key, head), headDim) / Math.sqrt(headDim));
      const most = scores.reduce((m, s) => Math.max(m, s), -1e30);
      const total = most + Math.log(scores.reduce((sum, s) => sum + Math.exp(s - most), 0));
      const row = token * heads + head;
      lse[row] = total;
      scores.forEach((score, j) => {
        addScaled(out, row * headDim, Math.exp(score - total), qkv, at.value(begin + j, head), headDim);
      });
    }
  }
  return { out, lse };
}

/** Twin of attention_backward_delta: delta (N, H) = Σ over each head of dout · out. */
export function attentionBackwardDeltaRef(
  dout: ArrayLike<number>,
  out: ArrayLike<number>,
  n: number,
  heads: number,
  headDim: number,
): Float64Array {
  return Float64Array.from({ length: n * heads }, (_, row) =>
    dot(dout, row * headDim, out, row * headDim, headDim),
  );
}

/** Calls `visit` with p and ds of every (query token, key token, head) that attends. */
function forEachPair(
  qkv: ArrayLike<number>,
  span: ArrayLike<number>,
  dout: ArrayLike<number>,
  lse: ArrayLike<number>,
  delta: ArrayLike<number>,
  [n, heads, kvHeads, headDim]: readonly [number, number, number, number],
  visit: (token: number, key: number, head: number, p: number, ds: number) => void,
): void {
  const at = layout(heads, kvHeads, headDim);
  const scale = 1 / Math.sqrt(headDim);
  for (let token = 0; token < n; token++) {
    for (let key = span[4 * token] as number; key < (span[4 * token + 1] as number); key++) {
      for (let head = 0; head < heads; head++) {
        const row = token * heads + head;
        const score = dot(qkv, at.query(token, head), qkv, at.key(key, head), headDim) * scale;
        const p = Math.exp(score - (lse[row] as number));
        const dp = dot(dout, row * headDim, qkv, at.value(key, head), headDim);
        visit(token, key, head, p, p * (dp - (delta[row] as number)) * scale);
      }
    }
  }
}

/** Twin of attention_backward_query: dqkv (N, (H + 2·HKV) · D) with the query columns filled, the others 0. */
export function attentionBackwardQueryRef(
  qkv: ArrayLike<number>,
  span: ArrayLike<number>,
  dout: ArrayLike<number>,
  lse: ArrayLike<number>,
  delta: ArrayLike<number>,
  n: number,
  heads: number,
  kvHeads: number,
  headDim: number,
): Float64Array {
  const at = layout(heads, kvHeads, headDim);
  const dqkv = new Float64Array(n * (heads + 2 * kvHeads) * headDim);
  forEachPair(qkv, span, dout, lse, delta, [n, heads, kvHeads, headDim], (token, key, head, _p, ds) => {
    addScaled(dqkv, at.query(token, head), ds, qkv, at.key(key, head), headDim);
  });
  return dqkv;
}

/** Twin of attention_backward_key_value: dqkv with the key and value columns filled, the query columns 0. */
export function attentionBackwardKeyValueRef(
  qkv: ArrayLike<number>,
  span: ArrayLike<number>,
  dout: ArrayLike<number>,
  lse: ArrayLike<number>,
  delta: ArrayLike<number>,
  n: number,
  heads: number,
  kvHeads: number,
  headDim: number,
): Float64Array {
  const at = layout(heads, kvHeads, headDim);
  const dqkv = new Float64Array(n * (heads + 2 * kvHeads) * headDim);
  forEachPair(qkv, span, dout, lse, delta, [n, heads, kvHeads, headDim], (token, key, head, p, ds) => {
    addScaled(dqkv, at.key(key, head), ds, qkv, at.query(token, head), headDim);
    addScaled(dqkv, at.value(key, head), p, dout, (token * heads + head) * headDim, headDim);
  });
  return dqkv;
}
