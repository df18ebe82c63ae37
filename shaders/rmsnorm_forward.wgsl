// RMSNorm, forward. out = inp · rstd · weight, rstd = 1 / √(mean(inp²) + eps).
//   inp, out: (N, C)   weight: (C)   rstd: (N), kept for the backward pass   C is a multiple of 4
// A kernel of several rows: joined with lib/rows_serial.wgsl or lib/rows_workgroup.wgsl.
// Twin: src/gpu/kernels/rmsnorm.ref.ts
struct Shape { n: u32, c: u32, eps: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> weight: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> rstd: array<f32>;

fn process_rows(first: u32, lane: u32) {
  if (first >= shape.n) { return; }
  let c4 = shape.c / 4u;
  var row: array<u32, ROWS>; // registers
  var base: array<u32, ROWS>; // registers
  var x: array<vec4f, ROWS>; // registers
  var squares: array<vec4f, ROWS>; // registers
  var r: array<f32, ROWS>; // registers
  for (var k = 0u; k < ROWS; k++) { // unroll
    // Past the end: the last row again. A lane then writes the same numbers twice.
    row[k] = min(first + k, shape.n - 1u);
    base[k] = row[k] * c4;
  }

  for (var i = lane; i < c4; i += LANES) {
    for (var k = 0u; k < ROWS; k++) { // unroll
      x[k] = inp[base[k] + i];
    }
    for (var k = 0u; k < ROWS; k++) { // unroll
      squares[k] = fma(x[k], x[k], squares[k]);
    }
  }
  var own = vec4f();
  for (var k = 0u; k < ROWS; k++) { // unroll
    own[k] = dot(squares[k], vec4f(1.0));
  }
  let sums = rows_sum(lane, own);

  for (var k = 0u; k < ROWS; k++) { // unroll
    r[k] = inverseSqrt(sums[k] / f32(shape.c) + shape.eps);
    if (lane == 0u) { rstd[row[k]] = r[k]; }
  }
  for (var i = lane; i < c4; i += LANES) {
    for (var k = 0u; k < ROWS; k++) { // unroll
      x[k] = inp[base[k] + i];
    }
    for (var k = 0u; k < ROWS; k++) { // unroll
      out[base[k] + i] = x[k] * r[k] * weight[i];
    }
  }
}
