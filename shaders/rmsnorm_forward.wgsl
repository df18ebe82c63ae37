// RMSNorm, forward. out = inp · rstd · weight, rstd = 1 / √(mean(inp²) + eps).
//   inp, out: (N, C)   weight: (C)   rstd: (N), kept for the backward pass   C is a multiple of 4
// A row kernel: joined with lib/row_serial.wgsl or lib/row_workgroup.wgsl.
// Twin: src/gpu/kernels/rmsnorm.ref.ts
struct Shape { n: u32, c: u32, eps: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> weight: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> rstd: array<f32>;

fn process_row(row: u32, lane: u32) {
  if (row >= shape.n) { return; }
  let c4 = shape.c / 4u;
  let base = row * c4;

  var squares = vec4f();
  for (var i = lane; i < c4; i += LANES) {
    let x = inp[base + i];
    squares = fma(x, x, squares);
  }
  let r = inverseSqrt(row_sum(lane, dot(squares, vec4f(1.0))) / f32(shape.c) + shape.eps);

  if (lane == 0u) { rstd[row] = r; }
  for (var i = lane; i < c4; i += LANES) { out[base + i] = inp[base + i] * r * weight[i]; }
}
