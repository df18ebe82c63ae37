// Attention over packed sequences, forward, one workgroup per 64 queries of a head, online softmax.
//   qkv: (N, (H + 2·HKV) · D), heads side by side: queries, keys, values; query head h uses key head h / (H / HKV)
//   span: (N) (kv_begin, kv_end, q_begin, q_end): token i attends the keys of [kv_begin, kv_end)
//   out: (N, H · D)   lse: (N, H), log Σ exp of the scaled scores, kept for the backward pass   D = 4 · HEAD_VEC4
// Keys and values pass through workgroup memory (lib/attention_tiles.wgsl). Four keys at a time share one rescaling of the sums.
// For real GPUs; attention_forward.wgsl is the variant for software adapters.
// Twin: src/gpu/kernels/attention.ref.ts
const HEAD_VEC4: u32 = 8;
const QUERIES: u32 = 64;

struct Shape { n: u32, heads: u32, kv_heads: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> qkv: array<vec4f>;
@group(0) @binding(2) var<storage, read> span: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> lse: array<f32>;

@compute @workgroup_size(QUERIES)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let head = group.y;
  // Lanes past the last token repeat it and write nothing.
  let token = min(group.x * QUERIES + lane, shape.n - 1u);
  let mine = span[token].xy;
  let all = keys_of_all(group.x * QUERIES);

  var query: array<vec4f, HEAD_VEC4>; // registers
  var acc: array<vec4f, HEAD_VEC4>; // registers
  let scale = inverseSqrt(f32(4u * HEAD_VEC4));
  for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
    query[d] = qkv[token * row_stride() + head * HEAD_VEC4 + d] * scale;
  }
  var most = -1e30;
  var sum = 0.0;
  for (var base = all.x; base < all.y; base += TILE) {
    load_tile(base, head, lane);
    for (var j = 0u; j < TILE; j += 4u) {
      let key = vec4u(base + j) + vec4u(0u, 1u, 2u, 3u);
      let seen = (key >= vec4u(mine.x)) & (key < vec4u(mine.y));
      if (any(seen)) {
        let at = j * HEAD_VEC4;
        var products0 = vec4f();
        var products1 = vec4f();
        var products2 = vec4f();
        var products3 = vec4f();
        for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
          products0 = fma(query[d], keys[at + d], products0);
          products1 = fma(query[d], keys[at + HEAD_VEC4 + d], products1);
          products2 = fma(query[d], keys[at + 2u * HEAD_VEC4 + d], products2);
          products3 = fma(query[d], keys[at + 3u * HEAD_VEC4 + d], products3);
        }
        let one = vec4f(1.0);
        let scores = select(
          vec4f(-1e30),
          vec4f(dot(products0, one), dot(products1, one), dot(products2, one), dot(products3, one)),
          seen,
        );
        let now = max(most, max(max(scores.x, scores.y), max(scores.z, scores.w)));
        let keep = exp(most - now);
        let p = select(vec4f(), exp(scores - now), seen);
        most = now;
        sum = fma(sum, keep, dot(p, one));
        for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
          acc[d] = fma(vec4f(p.x), values[at + d],
            fma(vec4f(p.y), values[at + HEAD_VEC4 + d],
              fma(vec4f(p.z), values[at + 2u * HEAD_VEC4 + d],
                fma(vec4f(p.w), values[at + 3u * HEAD_VEC4 + d], acc[d] * keep))));
        }
      }
    }
  }
  if (group.x * QUERIES + lane < shape.n) {
    let row = token * shape.heads + head;
    lse[row] = most + log(max(sum, 1e-30));
    let norm = 1.0 / max(sum, 1e-30);
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      out[row * HEAD_VEC4 + d] = acc[d] * norm;
    }
  }
}
