// LayerNorm, forward, one workgroup per row.
//   out = (inp − mean) · rstd · weight + bias, rstd = 1 / √(var + eps).
//   inp, out: (N, C)   weight, bias: (C)   mean, rstd: (N), kept for the backward pass   C is a multiple of 4
// The variance is summed around the mean: the difference of two sums loses digits when the mean is large.
// For real GPUs; layernorm_forward.wgsl is the variant for software adapters. Uses lib/reduce.wgsl.
// Twin: src/gpu/kernels/layernorm.ref.ts
const BLOCK: u32 = 64;

struct Shape { n: u32, c: u32, eps: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> weight: array<vec4f>;
@group(0) @binding(3) var<storage, read> bias: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> mean: array<f32>;
@group(0) @binding(6) var<storage, read_write> rstd: array<f32>;

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

  var sum = vec4f();
  for (var i = lane; i < end; i += BLOCK) { sum += inp[base + i]; }
  let m = workgroup_sum(lane, dot(sum, vec4f(1.0))) / f32(shape.c);
  var squares = vec4f();
  for (var i = lane; i < end; i += BLOCK) {
    let x = inp[base + i] - m;
    squares = fma(x, x, squares);
  }
  let r = inverseSqrt(workgroup_sum(lane, dot(squares, vec4f(1.0))) / f32(shape.c) + shape.eps);

  if (lane == 0u && row < shape.n) {
    mean[row] = m;
    rstd[row] = r;
  }
  for (var i = lane; i < end; i += BLOCK) { out[base + i] = fma((inp[base + i] - m) * r, weight[i], bias[i]); }
}
