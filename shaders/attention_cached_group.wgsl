// Attention over the key-value cache, one workgroup of 64 lanes per (token, query head).
//   token i attends the cache rows 0 … positions[i] of its slot (cache_write has put its own key there before)
//   qkv: (N, (H + 2·HKV) · D), only the queries are read   slot, positions: (N) u32
//   cache_k, cache_v: (slots, t_max, HKV · D)   out: (N, H · D)   D = 4 · HEAD_VEC4 ≤ 256
// Uses lib/attend_workgroup.wgsl and lib/reduce.wgsl.
// For real GPUs; attention_cached.wgsl is the variant for software adapters.
// Twin: src/gpu/kernels/attention-cached.ref.ts
const BLOCK: u32 = 64;
const HEAD_VEC4: u32 = 8;

struct Shape { n: u32, heads: u32, kv_heads: u32, t_max: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> qkv: array<vec4f>;
@group(0) @binding(2) var<storage, read> slot: array<u32>;
@group(0) @binding(3) var<storage, read> positions: array<u32>;
@group(0) @binding(4) var<storage, read> cache_k: array<vec4f>;
@group(0) @binding(5) var<storage, read> cache_v: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> out: array<vec4f>;

fn query_part(i: u32) -> vec4f { return qkv[i]; }

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
  let value = attend_query(q, first, width, count, lane);
  if (lane < HEAD_VEC4 && index < shape.n * shape.heads) { out[row * HEAD_VEC4 + lane] = value; }
}
