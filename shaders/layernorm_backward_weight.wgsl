// LayerNorm, gradients of weight and bias, one invocation per four columns.
//   dweight += Σ over rows of dout · (inp − mean) · rstd,  dbias += Σ over rows of dout
//   inp, dout: (N, C)   mean, rstd: (N)   dweight, dbias: (C), both accumulate   C is a multiple of 4
// Workgroups are small, because C / 4 invocations must still occupy every core.
// No barrier: for software adapters; layernorm_backward_weight_group.wgsl is the variant for real GPUs.
// Twin: src/gpu/kernels/layernorm.ref.ts
struct Shape { n: u32, c: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> mean: array<f32>;
@group(0) @binding(3) var<storage, read> rstd: array<f32>;
@group(0) @binding(4) var<storage, read> dout: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> dweight: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> dbias: array<vec4f>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let c4 = shape.c / 4u;
  if (id.x >= c4) { return; }
  var sum_weight = vec4f();
  var sum_bias = vec4f();
  for (var row = 0u; row < shape.n; row++) {
    let d = dout[row * c4 + id.x];
    sum_weight = fma(d * rstd[row], inp[row * c4 + id.x] - mean[row], sum_weight);
    sum_bias += d;
  }
  dweight[id.x] += sum_weight;
  dbias[id.x] += sum_bias;
}
