// RMSNorm, gradient of the weight. dweight += Σ over rows of dout · inp · rstd.
//   inp, dout: (N, C)   rstd: (N)   dweight: (C), accumulates   C is a multiple of 4
// A column kernel: joined with lib/column_serial.wgsl or lib/column_workgroup.wgsl.
// Twin: src/gpu/kernels/rmsnorm.ref.ts
struct Shape { n: u32, c: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> rstd: array<f32>;
@group(0) @binding(3) var<storage, read> dout: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> dweight: array<vec4f>;

fn process_column(column: u32, lane: u32) {
  let c4 = shape.c / 4u;
  let end = select(0u, shape.n, column < c4);
  var sum = vec4f();
  var x: array<vec4f, AHEAD>; // registers
  var d: array<vec4f, AHEAD>; // registers
  for (var first = lane; first < end; first += AHEAD * LANES) {
    for (var i = 0u; i < AHEAD; i++) { // unroll
      let row = first + i * LANES;
      let here = min(row, end - 1u);
      x[i] = inp[here * c4 + column];
      d[i] = dout[here * c4 + column] * select(0.0, rstd[here], row < end);
    }
    for (var i = 0u; i < AHEAD; i++) { // unroll
      sum = fma(d[i], x[i], sum);
    }
  }
  let total = column_total(column, lane, sum);
  if (lane == 0u && column < c4) { dweight[column] += total; }
}
