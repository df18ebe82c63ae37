// RMSNorm, forward, one invocation per row. out = inp · rstd · weight, rstd = 1 / √(mean(inp²) + eps).
//   inp, out: (N, C)   weight: (C)   rstd: (N), kept for the backward pass   C is a multiple of 4
// No barrier: for software adapters; rmsnorm_forward_group.wgsl is the variant for real GPUs.
// Twin: src/gpu/kernels/rmsnorm.ref.ts
struct Shape { n: u32, c: u32, eps: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> weight: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> rstd: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let row = id.y * groups.x * 64u + id.x;
  if (row >= shape.n) { return; }
  let c4 = shape.c / 4u;
  let base = row * c4;

  var squares = vec4f();
  for (var i = 0u; i < c4; i++) {
    let x = inp[base + i];
    squares = fma(x, x, squares);
  }
  let r = inverseSqrt(dot(squares, vec4f(1.0)) / f32(shape.c) + shape.eps);

  rstd[row] = r;
  for (var i = 0u; i < c4; i++) { out[base + i] = inp[base + i] * r * weight[i]; }
}
