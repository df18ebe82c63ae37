// RMSNorm, forward, one workgroup per row. out = inp · rstd · weight, rstd = 1 / √(mean(inp²) + eps).
//   inp, out: (N, C)   weight: (C)   rstd: (N), kept for the backward pass   C is a multiple of 4
// For real GPUs; rmsnorm_forward.wgsl is the variant for software adapters. Uses lib/reduce.wgsl.
// Twin: src/gpu/kernels/rmsnorm.ref.ts
const BLOCK: u32 = 64;

struct Shape { n: u32, c: u32, eps: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> weight: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> rstd: array<f32>;

@compute @workgroup_size(BLOCK)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let row = group.y * groups.x + group.x;
  let c4 = shape.c / 4u;
  let base = row * c4;
  // Workgroups past the last row reach the barriers with nothing to add and nothing to write.
  let end = select(0u, c4, row < shape.n);

  var squares = vec4f();
  for (var i = lane; i < end; i += BLOCK) {
    let x = inp[base + i];
    squares = fma(x, x, squares);
  }
  let r = inverseSqrt(workgroup_sum(lane, dot(squares, vec4f(1.0))) / f32(shape.c) + shape.eps);

  if (lane == 0u && row < shape.n) { rstd[row] = r; }
  for (var i = lane; i < end; i += BLOCK) { out[base + i] = inp[base + i] * r * weight[i]; }
}
