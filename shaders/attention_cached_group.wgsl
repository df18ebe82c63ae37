// Attention over the key-value cache, one workgroup of 64 lanes per (token, query head).
//   token i attends the cache rows 0 … positions[i] of its slot (cache_write has put its own key there before)
//   qkv: (N, (H + 2·HKV) · D), only the queries are read   slot, positions: (N) u32
//   cache_k, cache_v: (slots, t_max, HKV · D)   out: (N, H · D)   D = 4 · HEAD_VEC4 ≤ 256
// Per chunk of 256 keys: first each lane scores four keys; then the lanes are arranged as (part, column of D / 4), each
// sums its part of the values for its column. Parts are joined once, at the end. Uses lib/reduce.wgsl.
// For real GPUs; attention_cached.wgsl is the variant for software adapters.
// Twin: src/gpu/kernels/attention-cached.ref.ts
const BLOCK: u32 = 64;
const CHUNK: u32 = 256;
const HEAD_VEC4: u32 = 8;

struct Shape { n: u32, heads: u32, kv_heads: u32, t_max: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> qkv: array<vec4f>;
@group(0) @binding(2) var<storage, read> slot: array<u32>;
@group(0) @binding(3) var<storage, read> positions: array<u32>;
@group(0) @binding(4) var<storage, read> cache_k: array<vec4f>;
@group(0) @binding(5) var<storage, read> cache_v: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> out: array<vec4f>;

var<workgroup> weights: array<f32, CHUNK>;
var<workgroup> parts: array<vec4f, BLOCK>;

@compute @workgroup_size(BLOCK)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let index = group.y * groups.x + group.x;
  // Workgroups past the last row repeat it and write nothing.
  let row = min(index, shape.n * shape.heads - 1u);
  let token = row / shape.heads;
  let head = row % shape.heads;
  let kv_head = head / (shape.heads / shape.kv_heads);
  let q = token * (shape.heads + 2u * shape.kv_heads) * HEAD_VEC4 + head * HEAD_VEC4;
  let width = shape.kv_heads * HEAD_VEC4;
  let first = slot[token] * shape.t_max * width + kv_head * HEAD_VEC4;
  let count = min(positions[token] + 1u, shape.t_max);
  let part_count = BLOCK / HEAD_VEC4;
  let part = lane / HEAD_VEC4;
  let column = lane % HEAD_VEC4;
  let scale = inverseSqrt(f32(4u * HEAD_VEC4));

  var most = -1e30;
  var sum = 0.0;
  var acc = vec4f();
  for (var start = 0u; start < count; start += CHUNK) {
    let end = min(start + CHUNK, count);
    var lane_most = -1e30;
    for (var key = start + lane; key < end; key += BLOCK) {
      let k = first + key * width;
      var products = vec4f();
      for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
        products = fma(qkv[q + d], cache_k[k + d], products);
      }
      let score = dot(products, vec4f(scale));
      weights[key - start] = score;
      lane_most = max(lane_most, score);
    }
    let now = max(most, workgroup_max(lane, lane_most));
    let keep = exp(most - now);
    most = now;
    sum *= keep;
    // Each lane turns the scores that it wrote itself into weights.
    for (var key = start + lane; key < end; key += BLOCK) {
      let p = exp(weights[key - start] - now);
      weights[key - start] = p;
      sum += p;
    }
    workgroupBarrier();
    acc *= keep;
    if (part < part_count) {
      for (var key = start + part; key < end; key += part_count) {
        acc = fma(vec4f(weights[key - start]), cache_v[first + key * width + column], acc);
      }
    }
    workgroupBarrier();
  }
  parts[lane] = acc;
  let total = workgroup_sum(lane, sum);
  if (lane < HEAD_VEC4 && index < shape.n * shape.heads) {
    var joined = parts[lane];
    for (var other = 1u; other < part_count; other++) { joined += parts[other * HEAD_VEC4 + lane]; }
    out[row * HEAD_VEC4 + lane] = joined / total;
  }
}
