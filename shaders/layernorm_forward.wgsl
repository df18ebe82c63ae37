// LayerNorm, forward.
//   out = (inp − mean) · rstd · weight + bias, rstd = 1 / √(var + eps).
//   inp, out: (N, C)   weight, bias: (C)   mean, rstd: (N), kept for the backward pass   C is a multiple of 4
// The variance is summed around the mean: the difference of two sums loses digits when the mean is large.
// A row kernel: joined with lib/row_serial.wgsl or lib/row_workgroup.wgsl.
// Twin: src/gpu/kernels/layernorm.ref.ts
struct Shape { n: u32, c: u32, eps: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> weight: array<vec4f>;
@group(0) @binding(3) var<storage, read> bias: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> mean: array<f32>;
@group(0) @binding(6) var<storage, read_write> rstd: array<f32>;

fn process_row(row: u32, lane: u32) {
  if (row >= shape.n) { return; }
  let c4 = shape.c / 4u;
  let base = row * c4;

  var sum = vec4f();
  for (var i = lane; i < c4; i += LANES) { sum += inp[base + i]; }
  let m = row_sum(lane, dot(sum, vec4f(1.0))) / f32(shape.c);
  var squares = vec4f();
  for (var i = lane; i < c4; i += LANES) {
    let x = inp[base + i] - m;
    squares = fma(x, x, squares);
  }
  let r = inverseSqrt(row_sum(lane, dot(squares, vec4f(1.0))) / f32(shape.c) + shape.eps);

  if (lane == 0u) {
    mean[row] = m;
    rstd[row] = r;
  }
  for (var i = lane; i < c4; i += LANES) { out[base + i] = fma((inp[base + i] - m) * r, weight[i], bias[i]); }
}
