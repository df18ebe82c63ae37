// Attention, gradient of the queries, one workgroup per 64 queries of a head.
//   p = exp(q·k / √D − lse),  ds = p · (dout·v − delta) / √D,  dq = Σ over the keys of [kv_begin, kv_end) of ds · k
//   qkv, dqkv: (N, (H + 2·HKV) · D)   span: (N) vec4u   dout: (N, H · D)   lse, delta: (N, H)   D = 4 · HEAD_VEC4
// Overwrites the query columns of dqkv and leaves the others to attention_backward_key_value_staged.wgsl.
// Keys and values pass through workgroup memory (lib/attention_tiles.wgsl).
// For real GPUs; attention_backward_query.wgsl is the variant for software adapters.
// Twin: src/gpu/kernels/attention.ref.ts
const HEAD_VEC4: u32 = 8;
const QUERIES: u32 = 64;

struct Shape { n: u32, heads: u32, kv_heads: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> qkv: array<vec4f>;
@group(0) @binding(2) var<storage, read> span: array<vec4u>;
@group(0) @binding(3) var<storage, read> dout: array<vec4f>;
@group(0) @binding(4) var<storage, read> lse: array<f32>;
@group(0) @binding(5) var<storage, read> delta: array<f32>;
@group(0) @binding(6) var<storage, read_write> dqkv: array<vec4f>;

@compute @workgroup_size(QUERIES)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let head = group.y;
  // Lanes past the last token repeat it and write nothing.
  let token = min(group.x * QUERIES + lane, shape.n - 1u);
  let mine = span[token].xy;
  let all = keys_of_all(group.x * QUERIES);

  var query: array<vec4f, HEAD_VEC4>; // registers
  var dvalue: array<vec4f, HEAD_VEC4>; // registers
  var dquery: array<vec4f, HEAD_VEC4>; // registers
  let scale = inverseSqrt(f32(4u * HEAD_VEC4));
  let row = token * shape.heads + head;
  let at = token * row_stride() + head * HEAD_VEC4;
  for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
    query[d] = qkv[at + d] * scale;
    dvalue[d] = dout[row * HEAD_VEC4 + d];
  }
  let total = lse[row];
  let shared_part = delta[row];
  for (var base = all.x; base < all.y; base += TILE) {
    load_tile(base, head, lane);
    let stop = min(base + TILE, mine.y);
    for (var key = max(base, mine.x); key < stop; key++) {
      let k = (key - base) * HEAD_VEC4;
      var scores = vec4f();
      var dps = vec4f();
      for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
        scores = fma(query[d], keys[k + d], scores);
        dps = fma(dvalue[d], values[k + d], dps);
      }
      let p = exp(dot(scores, vec4f(1.0)) - total);
      let ds = p * (dot(dps, vec4f(1.0)) - shared_part);
      for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
        dquery[d] = fma(vec4f(ds), keys[k + d], dquery[d]);
      }
    }
  }
  if (group.x * QUERIES + lane < shape.n) {
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      dqkv[at + d] = dquery[d] * scale;
    }
  }
}
