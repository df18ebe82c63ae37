// Sum over rows, one workgroup per sixteen columns: the gradient of a bias. out += Σ over rows of inp.
//   inp: (N, C)   out: (C), accumulates   C is a multiple of 4
// 64 rows of lanes stride over the rows, then a tree in a fixed order joins them. Uses lib/reduce_columns.wgsl.
// For real GPUs; column_sum.wgsl is the variant for software adapters.
// Twin: src/gpu/kernels/column-sum.ref.ts
struct Shape { n: u32, c: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let c4 = shape.c / 4u;
  let column = group.x * 4u + lane % 4u;
  let end = select(0u, shape.n, column < c4);
  var sum = vec4f();
  for (var row = lane / 4u; row < end; row += 64u) { sum += inp[row * c4 + column]; }
  let total = column_total(lane, sum);
  if (lane < 4u && column < c4) { out[column] += total; }
}
