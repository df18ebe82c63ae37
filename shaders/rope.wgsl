// Rotary position embedding, in place on the query and key heads, one invocation per four pairs of a token.
//   qkv: (N, stride), of which the first heads · head_dim columns rotate   positions: (N) u32
//   frequencies: (head_dim / 2) u32, in 2⁻³² turns per position (ropeFrequencies)   head_dim is a multiple of 8
// Llama's pairing: element i turns with element i + head_dim / 2 by the angle position · theta^(−2i / head_dim).
// direction 1 rotates; −1 rotates back, which is the gradient.
// Phases are integers that wrap at one turn, so they stay exact however long the sequence; sine and cosine are
// polynomials, because WGSL promises only 2⁻¹¹ for its own and nothing outside [−π, π].
// Twin: src/gpu/kernels/rope.ref.ts
struct Shape { n: u32, heads: u32, stride: u32, head_dim: u32, direction: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read_write> qkv: array<vec4f>;
@group(0) @binding(2) var<storage, read> positions: array<u32>;
@group(0) @binding(3) var<storage, read> frequencies: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 64u + id.x;
  let half = shape.head_dim / 8u;
  if (index >= shape.n * half) { return; }
  let token = index / half;
  let pair = index % half;

  let phase = positions[token] * frequencies[pair];
  // The nearest quarter turn, and what remains within an eighth of a turn of it.
  let quarter = (phase + vec4u(0x20000000u)) >> vec4u(30u);
  let r = vec4f(bitcast<vec4i>(phase - (quarter << vec4u(30u)))) * 1.4629180792671596e-9; // 2π / 2³²
  let r2 = r * r;
  let s = r * (1.0 + r2 * (-1.0 / 6.0 + r2 * (1.0 / 120.0 + r2 * (-1.0 / 5040.0 + r2 * (1.0 / 362880.0)))));
  let c = 1.0 + r2 * (-0.5 + r2 * (1.0 / 24.0 + r2 * (-1.0 / 720.0 + r2 * (1.0 / 40320.0))));
  let odd = (quarter & vec4u(1u)) == vec4u(1u);
  let sine_sign = select(vec4f(1.0), vec4f(-1.0), quarter >= vec4u(2u));
  let cosine_sign = select(vec4f(1.0), vec4f(-1.0), ((quarter + vec4u(1u)) & vec4u(2u)) != vec4u(0u));
  let sine = select(s, c, odd) * sine_sign * shape.direction;
  let cosine = select(c, s, odd) * cosine_sign;

  var at = token * (shape.stride / 4u) + pair;
  for (var head = 0u; head < shape.heads; head++) {
    let a = qkv[at];
    let b = qkv[at + half];
    qkv[at] = a * cosine - b * sine;
    qkv[at + half] = b * cosine + a * sine;
    at += 2u * half;
  }
}
