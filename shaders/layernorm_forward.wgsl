// LayerNorm, forward, one invocation per row.
//   out = (inp − mean) · rstd · weight + bias, rstd = 1 / √(var + eps).
//   inp, out: (N, C)   weight, bias: (C)   mean, rstd: (N), kept for the backward pass   C is a multiple of 4
// The variance is summed around the mean: the difference of two sums loses digits when the mean is large.
// No barrier: for software adapters; layernorm_forward_group.wgsl is the variant for real GPUs.
// Twin: src/gpu/kernels/layernorm.ref.ts
struct Shape { n: u32, c: u32, eps: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> weight: array<vec4f>;
@group(0) @binding(3) var<storage, read> bias: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> mean: array<f32>;
@group(0) @binding(6) var<storage, read_write> rstd: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let row = id.y * groups.x * 64u + id.x;
  if (row >= shape.n) { return; }
  let c4 = shape.c / 4u;
  let base = row * c4;

  var sum = vec4f();
  for (var i = 0u; i < c4; i++) { sum += inp[base + i]; }
  let m = dot(sum, vec4f(1.0)) / f32(shape.c);
  var squares = vec4f();
  for (var i = 0u; i < c4; i++) {
    let x = inp[base + i] - m;
    squares = fma(x, x, squares);
  }
  let r = inverseSqrt(dot(squares, vec4f(1.0)) / f32(shape.c) + shape.eps);

  mean[row] = m;
  rstd[row] = r;
  for (var i = 0u; i < c4; i++) { out[base + i] = fma((inp[base + i] - m) * r, weight[i], bias[i]); }
}
