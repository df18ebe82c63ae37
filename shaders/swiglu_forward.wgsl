// SwiGLU, forward, one invocation per four outputs. out = silu(gate) · up, silu(x) = x / (1 + e⁻ˣ).
//   inp: (N, 2F), gate in the first F columns and up in the last F   out: (N, F)   F is a multiple of 4
// Twin: src/gpu/kernels/swiglu.ref.ts
struct Shape { n: u32, f: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 64u + id.x;
  let f4 = shape.f / 4u;
  if (index >= shape.n * f4) { return; }
  let at = index / f4 * 2u * f4 + index % f4;
  let gate = inp[at];
  // Beyond e⁸⁰ the quotient is 0 in f32 anyway, and the exponential must not overflow.
  out[index] = gate / (1.0 + exp(min(-gate, vec4f(80.0)))) * inp[at + f4];
}
