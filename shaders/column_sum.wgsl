// Sum over rows, one invocation per four columns: the gradient of a bias. out += Σ over rows of inp.
//   inp: (N, C)   out: (C), accumulates   C is a multiple of 4
// Workgroups are small, because C / 4 invocations must still occupy every core.
// No barrier: for software adapters; column_sum_group.wgsl is the variant for real GPUs.
// Twin: src/gpu/kernels/column-sum.ref.ts
struct Shape { n: u32, c: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4f>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let c4 = shape.c / 4u;
  if (id.x >= c4) { return; }
  var sum = vec4f();
  for (var row = 0u; row < shape.n; row++) { sum += inp[row * c4 + id.x]; }
  out[id.x] += sum;
}
