// A gradient times a factor, in place, one invocation per four elements. The forward pass is not scaled: the factor says how much of a
// loss reaches the layers before.
//   grad *= scale
//   grad: (N, C)   C is a multiple of 4
// Twin: src/gpu/kernels/scale-gradient.ref.ts
struct Shape { n: u32, c: u32, scale: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read_write> grad: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 64u + id.x;
  if (index >= shape.n * shape.c / 4u) { return; }
  grad[index] = grad[index] * shape.scale;
}
