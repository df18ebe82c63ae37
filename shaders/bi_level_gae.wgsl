// Bi-Level GAE (VAGEN-Full): GAE from turn end to turn end with the turn discount, then GAE over the tokens of each turn,
// where the turn's return replaces the reward of its last token. One invocation per trajectory.
//   rewards, values, mask, end_mask (0 or 1, inside mask), advantages, returns: (Nb)
//   starts: (S + 1)   bootstrap: (S), value after the last turn
// Both levels run in one backward walk: at a turn's last token the token-level chain restarts, and because the reward
// there is the turn's return, that token's advantage is the turn's. 0 outside the mask. With START 1 a turn's value is read
// before its first token instead of before its last. Twin: src/rl/advantage/bi-level-gae.ts
const START: u32 = 0;

struct Shape { s: u32, gamma: f32, lam: f32, turn_gamma: f32, turn_lam: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> rewards: array<f32>;
@group(0) @binding(2) var<storage, read> values: array<f32>;
@group(0) @binding(3) var<storage, read> mask: array<f32>;
@group(0) @binding(4) var<storage, read> end_mask: array<f32>;
@group(0) @binding(5) var<storage, read> starts: array<u32>;
@group(0) @binding(6) var<storage, read> bootstrap: array<f32>;
@group(0) @binding(7) var<storage, read_write> advantages: array<f32>;
@group(0) @binding(8) var<storage, read_write> returns: array<f32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= shape.s) { return; }
  var next_turn_value = bootstrap[id.x];
  var turn_advantage = 0.0;
  var next_value = next_turn_value;
  var advantage = 0.0;
  let first = starts[id.x];
  for (var i = starts[id.x + 1u]; i > first; ) {
    i--;
    if (mask[i] == 0.0) {
      advantages[i] = 0.0;
      returns[i] = 0.0;
      continue;
    }
    let value = values[i];
    if (end_mask[i] != 0.0) {
      let turn_value = values[turn_anchor(START, i, first)];
      let delta = rewards[i] + shape.turn_gamma * next_turn_value - turn_value;
      turn_advantage = delta + shape.turn_gamma * shape.turn_lam * turn_advantage;
      next_turn_value = turn_value;
      advantage = turn_advantage + turn_value - value;
    } else {
      let delta = rewards[i] + shape.gamma * next_value - value;
      advantage = delta + shape.gamma * shape.lam * advantage;
    }
    advantages[i] = advantage;
    returns[i] = advantage + value;
    next_value = value;
  }
}
