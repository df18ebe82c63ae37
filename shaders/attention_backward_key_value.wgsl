// Attention, gradients of the keys and values, one invocation per (TILE consecutive tokens, key head).
//   over the queries of [q_begin, q_end) and the query heads of the group, with p and ds as for the queries:
//   dv = Σ p · dout,  dk = Σ ds · q
//   qkv, dqkv: (N, (H + 2·HKV) · D)   span: (N) vec4u   dout: (N, H · D)   lse, delta: (N, H)   D = 4 · HEAD_VEC4
// Overwrites the key and value columns of dqkv. One owner per sum, in a fixed order: no atomics.
// Every row of queries is loaded once for the tile; p = 0 where a query lies outside a key's own span.
// No workgroup memory: for software adapters; attention_backward_key_value_staged.wgsl is for real GPUs.
// Twin: src/gpu/kernels/attention.ref.ts
const HEAD_VEC4: u32 = 8;
const TILE: u32 = 4;

struct Shape { n: u32, heads: u32, kv_heads: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> qkv: array<vec4f>;
@group(0) @binding(2) var<storage, read> span: array<vec4u>;
@group(0) @binding(3) var<storage, read> dout: array<vec4f>;
@group(0) @binding(4) var<storage, read> lse: array<f32>;
@group(0) @binding(5) var<storage, read> delta: array<f32>;
@group(0) @binding(6) var<storage, read_write> dqkv: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 64u + id.x;
  let first = index / shape.kv_heads * TILE;
  if (first >= shape.n) { return; }
  let kv_head = index % shape.kv_heads;
  let group = shape.heads / shape.kv_heads;
  let stride = (shape.heads + 2u * shape.kv_heads) * HEAD_VEC4;
  let key_column = (shape.heads + kv_head) * HEAD_VEC4;
  let value_offset = shape.kv_heads * HEAD_VEC4;

  var begin: array<u32, TILE>; // registers
  var end: array<u32, TILE>; // registers
  var key: array<vec4f, TILE * HEAD_VEC4>; // registers
  var value: array<vec4f, TILE * HEAD_VEC4>; // registers
  var dkey: array<vec4f, TILE * HEAD_VEC4>; // registers
  var dvalue: array<vec4f, TILE * HEAD_VEC4>; // registers
  var scores: array<vec4f, TILE>; // registers
  var dps: array<vec4f, TILE>; // registers
  var p: array<f32, TILE>; // registers
  var ds: array<f32, TILE>; // registers
  let scale = inverseSqrt(f32(4u * HEAD_VEC4));
  var low = shape.n;
  var high = 0u;
  for (var t = 0u; t < TILE; t++) { // unroll
    // Tokens past the end repeat the last one and are not written.
    let token = min(first + t, shape.n - 1u);
    let queries = span[token];
    begin[t] = queries.z;
    end[t] = queries.w;
    low = min(low, queries.z);
    high = max(high, queries.w);
    let at = token * stride + key_column;
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      key[t * HEAD_VEC4 + d] = qkv[at + d] * scale;
      value[t * HEAD_VEC4 + d] = qkv[at + value_offset + d];
    }
  }
  // Queries and heads of the group in one loop: software adapters copy every register for each loop around the body.
  let head_begin = kv_head * group;
  var head = head_begin;
  var token_q = low;
  while (token_q < high) {
    let row = token_q * shape.heads + head;
    let q = token_q * stride + head * HEAD_VEC4;
    for (var t = 0u; t < TILE; t++) { // unroll
      scores[t] = vec4f();
      dps[t] = vec4f();
    }
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      let x = qkv[q + d];
      let y = dout[row * HEAD_VEC4 + d];
      for (var t = 0u; t < TILE; t++) { // unroll
        scores[t] = fma(key[t * HEAD_VEC4 + d], x, scores[t]);
        dps[t] = fma(value[t * HEAD_VEC4 + d], y, dps[t]);
      }
    }
    let total = lse[row];
    let shared_part = delta[row];
    for (var t = 0u; t < TILE; t++) { // unroll
      let inside = token_q >= begin[t] && token_q < end[t];
      p[t] = exp(select(-1e30, dot(scores[t], vec4f(1.0)) - total, inside));
      ds[t] = p[t] * (dot(dps[t], vec4f(1.0)) - shared_part);
    }
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      let x = qkv[q + d];
      let y = dout[row * HEAD_VEC4 + d];
      for (var t = 0u; t < TILE; t++) { // unroll
        dkey[t * HEAD_VEC4 + d] = fma(vec4f(ds[t]), x, dkey[t * HEAD_VEC4 + d]);
        dvalue[t * HEAD_VEC4 + d] = fma(vec4f(p[t]), y, dvalue[t * HEAD_VEC4 + d]);
      }
    }
    let last = head + 1u == head_begin + group;
    head = select(head + 1u, head_begin, last);
    token_q += select(0u, 1u, last);
  }
  for (var t = 0u; t < TILE; t++) { // unroll
    if (first + t < shape.n) {
      let at = (first + t) * stride + key_column;
      for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
        dqkv[at + d] = dkey[t * HEAD_VEC4 + d] * scale;
        dqkv[at + value_offset + d] = dvalue[t * HEAD_VEC4 + d];
      }
    }
  }
}
