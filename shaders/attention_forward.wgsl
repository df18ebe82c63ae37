// Attention over packed sequences, forward, one invocation per (token, query head), online softmax.
//   qkv: (N, (H + 2·HKV) · D), heads side by side: queries, keys, values; query head h uses key head h / (H / HKV)
//   span: (N) (kv_begin, kv_end, q_begin, q_end): token i attends the keys of [kv_begin, kv_end)
//   out: (N, H · D)   lse: (N, H), log Σ exp of the scaled scores, kept for the backward pass   D = 4 · HEAD_VEC4
// Keys and values are read directly and everything else lives in registers: for software adapters;
// attention_forward_staged.wgsl is the variant for real GPUs.
// Twin: src/gpu/kernels/attention.ref.ts
const HEAD_VEC4: u32 = 8;

struct Shape { n: u32, heads: u32, kv_heads: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> qkv: array<vec4f>;
@group(0) @binding(2) var<storage, read> span: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> lse: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 64u + id.x;
  if (index >= shape.n * shape.heads) { return; }
  let token = index / shape.heads;
  let head = index % shape.heads;
  let kv_head = head / (shape.heads / shape.kv_heads);
  let stride = (shape.heads + 2u * shape.kv_heads) * HEAD_VEC4;
  let key_column = (shape.heads + kv_head) * HEAD_VEC4;
  let value_offset = shape.kv_heads * HEAD_VEC4;
  let keys = span[token].xy;

  var query: array<vec4f, HEAD_VEC4>; // registers
  var acc: array<vec4f, HEAD_VEC4>; // registers
  let scale = inverseSqrt(f32(4u * HEAD_VEC4));
  for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
    query[d] = qkv[token * stride + head * HEAD_VEC4 + d] * scale;
  }
  var most = -1e30;
  var sum = 0.0;
  for (var key = keys.x; key < keys.y; key++) {
    let k = key * stride + key_column;
    var products = vec4f();
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      products = fma(query[d], qkv[k + d], products);
    }
    let score = dot(products, vec4f(1.0));
    // Of the old total and the new term the smaller one shrinks: one exponential serves both cases.
    let shrink = exp(-abs(score - most));
    let keep = select(1.0, shrink, score > most);
    let p = select(shrink, 1.0, score > most);
    most = max(most, score);
    sum = fma(sum, keep, p);
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      acc[d] = fma(vec4f(p), qkv[k + value_offset + d], acc[d] * keep);
    }
  }
  lse[index] = most + log(max(sum, 1e-30));
  let norm = 1.0 / max(sum, 1e-30);
  for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
    out[index * HEAD_VEC4 + d] = acc[d] * norm;
  }
}
