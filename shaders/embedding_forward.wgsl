// Token embedding, forward, one invocation per four columns of a token.
//   out[i] = table[ids[i]] for text, patches[patch_of_token[i]] where patch_of_token[i] ≥ 0
//   ids: (N) u32   patch_of_token: (N) i32, −1 for text   table: (V, C)   patches: (P, C)   out: (N, C)
//   C is a multiple of 4
// Twin: src/gpu/kernels/embedding.ref.ts
struct Shape { n: u32, c: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> ids: array<u32>;
@group(0) @binding(2) var<storage, read> patch_of_token: array<i32>;
@group(0) @binding(3) var<storage, read> table: array<vec4f>;
@group(0) @binding(4) var<storage, read> patches: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> out: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 64u + id.x;
  let c4 = shape.c / 4u;
  if (index >= shape.n * c4) { return; }
  let token = index / c4;
  let column = index % c4;
  let picture = patch_of_token[token];
  if (picture >= 0) {
    out[index] = patches[u32(picture) * c4 + column];
  } else {
    out[index] = table[ids[token] * c4 + column];
  }
}
