// GELU, gradient of the input, one invocation per four elements. With t = tanh u of the forward pass:
//   dinp = dout · (½ (1 + t) + ½ x · (1 − t²) · √(2/π) · (1 + 3 · 0.044715 x²))
//   inp, dout, dinp: (N, C)   dinp is overwritten   C is a multiple of 4
// Twin: src/gpu/kernels/gelu.ref.ts
struct Shape { n: u32, c: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> dout: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> dinp: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 64u + id.x;
  if (index >= shape.n * shape.c / 4u) { return; }
  let x = inp[index];
  // tanh is 1 beyond 10 in f32, and some drivers overflow in computing it there.
  let u = clamp(0.7978845608 * (x + 0.044715 * x * x * x), vec4f(-10.0), vec4f(10.0));
  let t = tanh(u);
  let slope = 0.7978845608 * (1.0 + 0.134145 * x * x);
  dinp[index] = dout[index] * (0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * slope);
}
