// Attention, backward, first step, one invocation per (token, head). delta = Σ over the head of dout · out:
// the part of the softmax gradient that all keys of a query share.
//   dout, out: (N, H · D)   delta: (N, H), overwritten   D = 4 · HEAD_VEC4
// Twin: src/gpu/kernels/attention.ref.ts
const HEAD_VEC4: u32 = 8;

struct Shape { n: u32, heads: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> dout: array<vec4f>;
@group(0) @binding(2) var<storage, read> out: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> delta: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 64u + id.x;
  if (index >= shape.n * shape.heads) { return; }
  var sum = vec4f();
  for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
    sum = fma(dout[index * HEAD_VEC4 + d], out[index * HEAD_VEC4 + d], sum);
  }
  delta[index] = dot(sum, vec4f(1.0));
}
