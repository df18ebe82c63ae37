// Positions of the next input tokens, out of the decoding state. positions[b] = state[b].x
//   state: (B) vec4u (position, generated, done, rng key)   positions: (B)
// One invocation per sequence. It exists so that decoding reads positions where every other pass does.
struct Shape { b: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> state: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> positions: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < shape.b) { positions[id.x] = state[id.x].x; }
}
