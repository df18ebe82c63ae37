// The score of each trajectory: the sum of its rewards over the policy's tokens, or with EVERY 1 over all tokens. One invocation
// per trajectory.
//   rewards, mask (0 or 1): (Nb)   starts: (S + 1)   scores: (S)
// Twin: src/rl/advantage/group.ts
const EVERY: u32 = 0;

struct Shape { s: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> rewards: array<f32>;
@group(0) @binding(2) var<storage, read> mask: array<f32>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read_write> scores: array<f32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= shape.s) { return; }
  var score = 0.0;
  for (var i = starts[id.x]; i < starts[id.x + 1u]; i++) {
    score += select(0.0, rewards[i], mask[i] != 0.0 || EVERY == 1u);
  }
  scores[id.x] = score;
}
