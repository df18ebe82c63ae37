// RMSNorm, gradient of the input.
//   x̂ = inp · rstd,  g = dout · weight:  dinp (+)= rstd · (g − x̂ · mean(g · x̂))
//   inp, dout, dinp: (N, C)   weight: (C)   rstd: (N) from the forward pass   C is a multiple of 4
// Adds to dinp, where the gradient of the residual branch already sits; ACCUMULATE 0 overwrites.
// A kernel of several rows: joined with lib/rows_serial.wgsl or lib/rows_workgroup.wgsl.
// Twin: src/gpu/kernels/rmsnorm.ref.ts
const ACCUMULATE: u32 = 1;

struct Shape { n: u32, c: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> weight: array<vec4f>;
@group(0) @binding(3) var<storage, read> rstd: array<f32>;
@group(0) @binding(4) var<storage, read> dout: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> dinp: array<vec4f>;

fn process_rows(first: u32, lane: u32) {
  if (first >= shape.n) { return; }
  let c4 = shape.c / 4u;
  var base: array<u32, ROWS>; // registers
  var x: array<vec4f, ROWS>; // registers
  var g: array<vec4f, ROWS>; // registers
  var before: array<vec4f, ROWS>; // registers
  var sum: array<vec4f, ROWS>; // registers
  var r: array<f32, ROWS>; // registers
  var mean: array<f32, ROWS>; // registers
  for (var k = 0u; k < ROWS; k++) { // unroll
    // Past the end: the last row again. A lane then writes the same numbers twice.
    let row = min(first + k, shape.n - 1u);
    base[k] = row * c4;
    r[k] = rstd[row];
  }

  for (var i = lane; i < c4; i += LANES) {
    for (var k = 0u; k < ROWS; k++) { // unroll
      x[k] = inp[base[k] + i];
      g[k] = dout[base[k] + i] * weight[i];
    }
    for (var k = 0u; k < ROWS; k++) { // unroll
      sum[k] = fma(g[k], x[k], sum[k]);
    }
  }
  var own = vec4f();
  for (var k = 0u; k < ROWS; k++) { // unroll
    own[k] = dot(sum[k], vec4f(1.0));
  }
  let sums = rows_sum(lane, own);
  // inp still lacks its factor rstd in the sum, and x̂ below carries another one.
  for (var k = 0u; k < ROWS; k++) { // unroll
    mean[k] = sums[k] * r[k] * r[k] / f32(shape.c);
  }

  for (var i = lane; i < c4; i += LANES) {
    for (var k = 0u; k < ROWS; k++) { // unroll
      x[k] = inp[base[k] + i];
      g[k] = dout[base[k] + i] * weight[i];
      if (ACCUMULATE == 1u) { before[k] = dinp[base[k] + i]; }
    }
    for (var k = 0u; k < ROWS; k++) { // unroll
      dinp[base[k] + i] = r[k] * (g[k] - x[k] * mean[k]) + before[k];
    }
  }
}
