// GELU, forward, one invocation per four elements, in its tanh approximation (Hendrycks and Gimpel):
//   out = ½ x · (1 + tanh u),  u = √(2/π) · (x + 0.044715 x³)
//   inp, out: (N, C)   C is a multiple of 4
// Twin: src/gpu/kernels/gelu.ref.ts
struct Shape { n: u32, c: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 64u + id.x;
  if (index >= shape.n * shape.c / 4u) { return; }
  let x = inp[index];
  // tanh is 1 beyond 10 in f32, and some drivers overflow in computing it there.
  let u = clamp(0.7978845608 * (x + 0.044715 * x * x * x), vec4f(-10.0), vec4f(10.0));
  out[index] = 0.5 * x * (1.0 + tanh(u));
}
