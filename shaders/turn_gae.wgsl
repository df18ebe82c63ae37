// One advantage per turn: GAE from turn to turn, given to every token of the turn. One invocation per trajectory.
//   rewards, values, mask, end_mask (0 or 1, inside mask), advantages, returns: (Nb)
//   starts: (S + 1)   bootstrap: (S), value after the last turn
// The turn's value is read before its last token, or before its first with START 1, and that token alone has a return; every
// other return is 0 and must not be trained on. 0 outside the mask. Twin: src/rl/advantage/turn-wise-gae.ts
const START: u32 = 0;

struct Shape { s: u32, turn_gamma: f32, turn_lam: f32 }

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
  var next_value = bootstrap[id.x];
  var advantage = 0.0;
  let first = starts[id.x];
  for (var i = starts[id.x + 1u]; i > first; ) {
    i--;
    returns[i] = 0.0;
    if (mask[i] == 0.0) {
      advantages[i] = 0.0;
      continue;
    }
    if (end_mask[i] == 0.0) {
      // The walk has passed this turn's end: the advantage is that of the turn.
      advantages[i] = advantage;
      continue;
    }
    let value = values[turn_anchor(START, i, first)];
    advantage = rewards[i] + shape.turn_gamma * next_value - value + shape.turn_gamma * shape.turn_lam * advantage;
    next_value = value;
    advantages[i] = advantage;
  }
  for (var i = first; i < starts[id.x + 1u]; i++) {
    if (mask[i] == 0.0 || end_mask[i] == 0.0) { continue; }
    let at = turn_anchor(START, i, first);
    returns[at] = advantages[at] + values[at];
  }
}
