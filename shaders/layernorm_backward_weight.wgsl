// LayerNorm, gradients of weight and bias.
//   dweight += Σ over rows of dout · (inp − mean) · rstd,  dbias += Σ over rows of dout
//   inp, dout: (N, C)   mean, rstd: (N)   dweight, dbias: (C), both accumulate   C is a multiple of 4
// A column kernel: joined with lib/column_serial.wgsl or lib/column_workgroup.wgsl.
// Twin: src/gpu/kernels/layernorm.ref.ts
struct Shape { n: u32, c: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> mean: array<f32>;
@group(0) @binding(3) var<storage, read> rstd: array<f32>;
@group(0) @binding(4) var<storage, read> dout: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> dweight: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> dbias: array<vec4f>;

fn process_column(column: u32, lane: u32) {
  let c4 = shape.c / 4u;
  let end = select(0u, shape.n, column < c4);
  var sum_weight = vec4f();
  var sum_bias = vec4f();
  var x: array<vec4f, AHEAD>; // registers
  var d: array<vec4f, AHEAD>; // registers
  var r: array<f32, AHEAD>; // registers
  for (var first = lane; first < end; first += AHEAD * LANES) {
    for (var i = 0u; i < AHEAD; i++) { // unroll
      let row = first + i * LANES;
      let here = min(row, end - 1u);
      x[i] = inp[here * c4 + column] - mean[here];
      d[i] = select(vec4f(), dout[here * c4 + column], row < end);
      r[i] = rstd[here];
    }
    for (var i = 0u; i < AHEAD; i++) { // unroll
      sum_weight = fma(d[i] * r[i], x[i], sum_weight);
      sum_bias += d[i];
    }
  }
  let total_weight = column_total(column, lane, sum_weight);
  let total_bias = column_total(column, lane, sum_bias);
  if (lane == 0u && column < c4) {
    dweight[column] += total_weight;
    dbias[column] += total_bias;
  }
}
