// Attention over packed sequences, forward, one invocation per (TILE consecutive tokens, query head), online softmax.
//   qkv: (N, (H + 2·HKV) · D), heads side by side: queries, keys, values; query head h uses key head h / (H / HKV)
//   span: (N) (kv_begin, kv_end, q_begin, q_end): token i attends the keys of [kv_begin, kv_end)
//   out: (N, H · D)   lse: (N, H), log Σ exp of the scaled scores, kept for the backward pass   D = 4 · HEAD_VEC4
// Every row of keys and values is loaded once for the tile; the loop runs over the union of the tile's spans, and a key
// outside a token's own span leaves that token's sums as they are. Everything else lives in registers: for software
// adapters; attention_forward_staged.wgsl is the variant for real GPUs.
// Twin: src/gpu/kernels/attention.ref.ts
const HEAD_VEC4: u32 = 8;
const TILE: u32 = 4;

struct Shape { n: u32, heads: u32, kv_heads: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> qkv: array<vec4f>;
@group(0) @binding(2) var<storage, read> span: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> lse: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 64u + id.x;
  let first = index / shape.heads * TILE;
  if (first >= shape.n) { return; }
  let head = index % shape.heads;
  let kv_head = head / (shape.heads / shape.kv_heads);
  let stride = (shape.heads + 2u * shape.kv_heads) * HEAD_VEC4;
  let key_column = (shape.heads + kv_head) * HEAD_VEC4;
  let value_offset = shape.kv_heads * HEAD_VEC4;

  var begin: array<u32, TILE>; // registers
  var end: array<u32, TILE>; // registers
  var query: array<vec4f, TILE * HEAD_VEC4>; // registers
  var acc: array<vec4f, TILE * HEAD_VEC4>; // registers
  var products: array<vec4f, TILE>; // registers
  var p: array<f32, TILE>; // registers
  var keep: array<f32, TILE>; // registers
  var most: array<f32, TILE>; // registers
  var sum: array<f32, TILE>; // registers
  let scale = inverseSqrt(f32(4u * HEAD_VEC4));
  var low = shape.n;
  var high = 0u;
  for (var t = 0u; t < TILE; t++) { // unroll
    // Tokens past the end repeat the last one and are not written.
    let token = min(first + t, shape.n - 1u);
    let keys = span[token];
    begin[t] = keys.x;
    end[t] = keys.y;
    low = min(low, keys.x);
    high = max(high, keys.y);
    most[t] = -1e30;
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      query[t * HEAD_VEC4 + d] = qkv[token * stride + head * HEAD_VEC4 + d] * scale;
    }
  }
  for (var key = low; key < high; key++) {
    let k = key * stride + key_column;
    for (var t = 0u; t < TILE; t++) { // unroll
      products[t] = vec4f();
    }
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      let x = qkv[k + d];
      for (var t = 0u; t < TILE; t++) { // unroll
        products[t] = fma(query[t * HEAD_VEC4 + d], x, products[t]);
      }
    }
    for (var t = 0u; t < TILE; t++) { // unroll
      // Outside the span the score lies so far below the initial `most` that p = 0 and keep = 1.
      let score = select(-2e30, dot(products[t], vec4f(1.0)), key >= begin[t] && key < end[t]);
      // Of the old total and the new term the smaller one shrinks: one exponential serves both cases.
      let shrink = exp(-abs(score - most[t]));
      keep[t] = select(1.0, shrink, score > most[t]);
      p[t] = select(shrink, 1.0, score > most[t]);
      most[t] = max(most[t], score);
      sum[t] = fma(sum[t], keep[t], p[t]);
    }
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      let x = qkv[k + value_offset + d];
      for (var t = 0u; t < TILE; t++) { // unroll
        acc[t * HEAD_VEC4 + d] = fma(vec4f(p[t]), x, acc[t * HEAD_VEC4 + d] * keep[t]);
      }
    }
  }
  for (var t = 0u; t < TILE; t++) { // unroll
    if (first + t < shape.n) {
      let row = (first + t) * shape.heads + head;
      lse[row] = most[t] + log(max(sum[t], 1e-30));
      let norm = 1.0 / max(sum[t], 1e-30);
      for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
        out[row * HEAD_VEC4 + d] = acc[t * HEAD_VEC4 + d] * norm;
      }
    }
  }
}
