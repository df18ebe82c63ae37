// RMSNorm, gradient of the weight, one workgroup per sixteen columns. dweight += Σ over rows of dout · inp · rstd.
//   inp, dout: (N, C)   rstd: (N)   dweight: (C), accumulates   C is a multiple of 4
// 64 rows of lanes stride over the rows, then a tree in a fixed order joins them. Uses lib/reduce_columns.wgsl.
// For real GPUs; rmsnorm_backward_weight.wgsl is the variant for software adapters.
// Twin: src/gpu/kernels/rmsnorm.ref.ts
struct Shape { n: u32, c: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> rstd: array<f32>;
@group(0) @binding(3) var<storage, read> dout: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> dweight: array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let c4 = shape.c / 4u;
  let column = group.x * 4u + lane % 4u;
  let end = select(0u, shape.n, column < c4);

  var sum = vec4f();
  for (var row = lane / 4u; row < end; row += 64u) {
    let at = row * c4 + column;
    sum = fma(dout[at] * rstd[row], inp[at], sum);
  }
  let total = column_total(lane, sum);
  if (lane < 4u && column < c4) { dweight[column] += total; }
}
