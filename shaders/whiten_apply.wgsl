// Whitening: x = (x − mean) / √(variance + 1e-8) inside the mask, 0 outside, one invocation per token.
//   x, mask (0 or 1): (n)   moments: as stats_axis.wgsl leaves them   (VAGEN: unbiased variance over the batch)
// A single token becomes 0, not NaN. Twin: src/rl/advantage/whiten.ts
struct Shape { n: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read_write> x: array<f32>;
@group(0) @binding(2) var<storage, read> mask: array<f32>;
@group(0) @binding(3) var<storage, read> moments: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.y * groups.x * 64u + id.x;
  if (i >= shape.n) { return; }
  let all = moments[0];
  x[i] = select(0.0, (x[i] - all.y) * inverseSqrt(all.z + 1e-8), mask[i] != 0.0);
}
