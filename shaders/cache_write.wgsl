// Appends keys and values to the cache, one invocation per four columns of a token.
//   qkv: (N, (H + 2·HKV) · D), keys already rotated   slot, positions: (N) u32
//   cache_k, cache_v: (slots, t_max, HKV · D); row (slot[i], positions[i]) is overwritten   D is a multiple of 4
// Tokens at t_max or beyond are dropped rather than written into the next slot.
// Twin: src/gpu/kernels/cache-write.ref.ts
struct Shape { n: u32, heads: u32, kv_heads: u32, head_dim: u32, t_max: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> qkv: array<vec4f>;
@group(0) @binding(2) var<storage, read> slot: array<u32>;
@group(0) @binding(3) var<storage, read> positions: array<u32>;
@group(0) @binding(4) var<storage, read_write> cache_k: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> cache_v: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 64u + id.x;
  let width = shape.kv_heads * shape.head_dim / 4u;
  if (index >= shape.n * width) { return; }
  let token = index / width;
  let column = index % width;
  if (positions[token] >= shape.t_max) { return; }
  let queries = shape.heads * shape.head_dim / 4u;
  let source = token * (queries + 2u * width) + queries + column;
  let to = (slot[token] * shape.t_max + positions[token]) * width + column;
  cache_k[to] = qkv[source];
  cache_v[to] = qkv[source + width];
}
