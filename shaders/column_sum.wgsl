// Sum over rows: the gradient of a bias. out += Σ over rows of inp.
//   inp: (N, C)   out: (C), accumulates   C is a multiple of 4
// A column kernel: joined with lib/column_serial.wgsl or lib/column_workgroup.wgsl.
// Twin: src/gpu/kernels/column-sum.ref.ts
struct Shape { n: u32, c: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4f>;

fn process_column(column: u32, lane: u32) {
  let c4 = shape.c / 4u;
  let end = select(0u, shape.n, column < c4);
  var sum = vec4f();
  var x: array<vec4f, AHEAD>; // registers
  for (var first = lane; first < end; first += AHEAD * LANES) {
    for (var i = 0u; i < AHEAD; i++) { // unroll
      let row = first + i * LANES;
      x[i] = select(vec4f(), inp[min(row, end - 1u) * c4 + column], row < end);
    }
    for (var i = 0u; i < AHEAD; i++) { // unroll
      sum += x[i];
    }
  }
  let total = column_total(column, lane, sum);
  if (lane == 0u && column < c4) { out[column] += total; }
}
