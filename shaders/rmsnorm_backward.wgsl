// RMSNorm, gradient of the input.
//   x̂ = inp · rstd,  g = dout · weight:  dinp (+)= rstd · (g − x̂ · mean(g · x̂))
//   inp, dout, dinp: (N, C)   weight: (C)   rstd: (N) from the forward pass   C is a multiple of 4
// Adds to dinp, where the gradient of the residual branch already sits; ACCUMULATE 0 overwrites.
// A row kernel: joined with lib/row_serial.wgsl or lib/row_workgroup.wgsl.
// Twin: src/gpu/kernels/rmsnorm.ref.ts
const ACCUMULATE: u32 = 1;

struct Shape { n: u32, c: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> weight: array<vec4f>;
@group(0) @binding(3) var<storage, read> rstd: array<f32>;
@group(0) @binding(4) var<storage, read> dout: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> dinp: array<vec4f>;

fn process_row(row: u32, lane: u32) {
  if (row >= shape.n) { return; }
  let c4 = shape.c / 4u;
  let base = row * c4;
  let r = rstd[row];

  var sum = vec4f();
  for (var i = lane; i < c4; i += LANES) { sum = fma(dout[base + i] * weight[i], inp[base + i], sum); }
  // inp still lacks its factor rstd here, and x̂ below carries another one.
  let mean = row_sum(lane, dot(sum, vec4f(1.0))) * r * r / f32(shape.c);

  for (var i = lane; i < c4; i += LANES) {
    var d = r * (dout[base + i] * weight[i] - inp[base + i] * mean);
    if (ACCUMULATE == 1u) { d += dinp[base + i]; }
    dinp[base + i] = d;
  }
}
