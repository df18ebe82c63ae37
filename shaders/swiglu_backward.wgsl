// SwiGLU, gradient of the input, one invocation per four outputs. With s = sigmoid(gate):
//   dgate = dout · up · s · (1 + gate · (1 − s))      dup = dout · gate · s
//   inp, dinp: (N, 2F), gate first, then up   dout: (N, F)   dinp is overwritten   F is a multiple of 4
// Twin: src/gpu/kernels/swiglu.ref.ts
struct Shape { n: u32, f: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> dout: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> dinp: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 64u + id.x;
  let f4 = shape.f / 4u;
  if (index >= shape.n * f4) { return; }
  let at = index / f4 * 2u * f4 + index % f4;
  let gate = inp[at];
  let d = dout[index];
  let s = 1.0 / (1.0 + exp(min(-gate, vec4f(80.0))));
  dinp[at] = d * inp[at + f4] * s * (1.0 + gate * (1.0 - s));
  dinp[at + f4] = d * gate * s;
}
