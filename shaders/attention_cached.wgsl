// Attention over the key-value cache, one invocation per (token, query head), online softmax.
//   token i attends the cache rows 0 … positions[i] of its slot (cache_write has put its own key there before)
//   qkv: (N, (H + 2·HKV) · D), only the queries are read   slot, positions: (N) u32
//   cache_k, cache_v: (slots, t_max, HKV · D)   out: (N, H · D)   D = 4 · HEAD_VEC4
// No barrier: for software adapters; attention_cached_group.wgsl is the variant for real GPUs.
// Twin: src/gpu/kernels/attention-cached.ref.ts
const HEAD_VEC4: u32 = 8;

struct Shape { n: u32, heads: u32, kv_heads: u32, t_max: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> qkv: array<vec4f>;
@group(0) @binding(2) var<storage, read> slot: array<u32>;
@group(0) @binding(3) var<storage, read> positions: array<u32>;
@group(0) @binding(4) var<storage, read> cache_k: array<vec4f>;
@group(0) @binding(5) var<storage, read> cache_v: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> out: array<vec4f>;

// A few conversations decode at a time: small workgroups keep every core busy.
@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 16u + id.x;
  if (index >= shape.n * shape.heads) { return; }
  let token = index / shape.heads;
  let head = index % shape.heads;
  let kv_head = head / (shape.heads / shape.kv_heads);
  let q = token * (shape.heads + 2u * shape.kv_heads) * HEAD_VEC4 + head * HEAD_VEC4;
  let width = shape.kv_heads * HEAD_VEC4;
  let first = slot[token] * shape.t_max * width + kv_head * HEAD_VEC4;
  let count = min(positions[token] + 1u, shape.t_max);

  var query: array<vec4f, HEAD_VEC4>; // registers
  var acc: array<vec4f, HEAD_VEC4>; // registers
  let scale = inverseSqrt(f32(4u * HEAD_VEC4));
  for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
    query[d] = qkv[q + d] * scale;
  }
  var most = -1e30;
  var sum = 0.0;
  for (var key = 0u; key < count; key++) {
    let k = first + key * width;
    var products = vec4f();
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      products = fma(query[d], cache_k[k + d], products);
    }
    let score = dot(products, vec4f(1.0));
    // Of the old total and the new term the smaller one shrinks: one exponential serves both cases.
    let shrink = exp(-abs(score - most));
    let keep = select(1.0, shrink, score > most);
    let p = select(shrink, 1.0, score > most);
    most = max(most, score);
    sum = fma(sum, keep, p);
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      acc[d] = fma(vec4f(p), cache_v[k + d], acc[d] * keep);
    }
  }
  for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
    out[index * HEAD_VEC4 + d] = acc[d] / sum;
  }
}
