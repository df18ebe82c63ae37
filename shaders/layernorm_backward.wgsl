// LayerNorm, gradient of the input.
//   x̂ = (inp − mean) · rstd,  g = dout · weight:  dinp (+)= rstd · (g − mean(g) − x̂ · mean(g · x̂))
//   inp, dout, dinp: (N, C)   weight: (C)   mean, rstd: (N) from the forward pass   C is a multiple of 4
// Adds to dinp, where the gradient of the residual branch already sits; ACCUMULATE 0 overwrites.
// A row kernel: joined with lib/row_serial.wgsl or lib/row_workgroup.wgsl.
// Twin: src/gpu/kernels/layernorm.ref.ts
const ACCUMULATE: u32 = 1;

struct Shape { n: u32, c: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> weight: array<vec4f>;
@group(0) @binding(3) var<storage, read> mean: array<f32>;
@group(0) @binding(4) var<storage, read> rstd: array<f32>;
@group(0) @binding(5) var<storage, read> dout: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> dinp: array<vec4f>;

fn process_row(row: u32, lane: u32) {
  if (row >= shape.n) { return; }
  let c4 = shape.c / 4u;
  let base = row * c4;
  let m = mean[row];
  let r = rstd[row];

  var sum_g = vec4f();
  var sum_gx = vec4f();
  for (var i = lane; i < c4; i += LANES) {
    let g = dout[base + i] * weight[i];
    sum_g += g;
    sum_gx = fma(g, (inp[base + i] - m) * r, sum_gx);
  }
  let mean_g = row_sum(lane, dot(sum_g, vec4f(1.0))) / f32(shape.c);
  let mean_gx = row_sum(lane, dot(sum_gx, vec4f(1.0))) / f32(shape.c);

  for (var i = lane; i < c4; i += LANES) {
    var d = r * (dout[base + i] * weight[i] - mean_g - (inp[base + i] - m) * r * mean_gx);
    if (ACCUMULATE == 1u) { d += dinp[base + i]; }
    dinp[base + i] = d;
  }
}
