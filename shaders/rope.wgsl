// Rotary position embedding, in place on the query and key heads, one invocation per four pairs of a token.
//   qkv: (N, stride), of which the first heads · head_dim columns rotate   positions: (N) u32
//   frequencies: (head_dim / 2) u32, in 2⁻³² turns per position (ropeFrequencies)   head_dim is a multiple of 8
// Llama's pairing: element i turns with element i + head_dim / 2 by the angle position · theta^(−2i / head_dim).
// direction 1 rotates; −1 rotates back, which is the gradient.
// Joined with lib/rotation.wgsl.
// Twin: src/gpu/kernels/rope.ref.ts
// Heads that an invocation reads before it writes the first of them, so that their latencies overlap.
const AHEAD: u32 = 1;

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

  let turn = rotation_at(positions[token], frequencies[pair]);
  let sine = turn.sine * shape.direction;

  var at = token * (shape.stride / 4u) + pair;
  var first: array<vec4f, AHEAD>; // registers
  var second: array<vec4f, AHEAD>; // registers
  var head = 0u;
  for (; AHEAD > 1u && head + AHEAD <= shape.heads; head += AHEAD) {
    for (var i = 0u; i < AHEAD; i++) { // unroll
      first[i] = qkv[at + i * 2u * half];
      second[i] = qkv[at + i * 2u * half + half];
    }
    for (var i = 0u; i < AHEAD; i++) { // unroll
      qkv[at + i * 2u * half] = first[i] * turn.cosine - second[i] * sine;
      qkv[at + i * 2u * half + half] = second[i] * turn.cosine + first[i] * sine;
    }
    at += AHEAD * 2u * half;
  }
  for (; head < shape.heads; head++) {
    let a = qkv[at];
    let b = qkv[at + half];
    qkv[at] = a * turn.cosine - b * sine;
    qkv[at + half] = b * turn.cosine + a * sine;
    at += 2u * half;
  }
}
