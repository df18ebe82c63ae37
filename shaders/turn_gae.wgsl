// One advantage per turn: GAE from turn to turn, given to every token of the turn. One invocation per trajectory.
//   rewards, values, mask, end_mask (0 or 1, inside mask), advantages, returns: (Nb)
//   starts: (S + 1)   bootstrap: (S), value after the last turn
// The turn's value is read before its last token, or before its first with START 1, and that token alone has a return; every
// other return is 0 and must not be trained on; with DENSE 1 all tokens of the turn have that return. 0 outside the mask.
// With SUMMED 1 a turn earns the rewards of all its tokens, otherwise that of its last. LAMBDA_BY: λ follows from the number of
// turns (lib/lambda.wgsl). Twin: src/rl/advantage/turn-wise-gae.ts
const START: u32 = 0;
const SUMMED: u32 = 0;
const DENSE: u32 = 0;
const LAMBDA_BY: u32 = 0;

struct Shape { s: u32, turn_gamma: f32, turn_lam: f32, lam_param: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> rewards: array<f32>;
@group(0) @binding(2) var<storage, read> values: array<f32>;
@group(0) @binding(3) var<storage, read> mask: array<f32>;
@group(0) @binding(4) var<storage, read> end_mask: array<f32>;
@group(0) @binding(5) var<storage, read> starts: array<u32>;
@group(0) @binding(6) var<storage, read> bootstrap: array<f32>;
@group(0) @binding(7) var<storage, read_write> advantages: array<f32>;
@group(0) @binding(8) var<storage, read_write> returns: array<f32>;

// What the turn that ends at `end` earns.
fn turn_reward(end: u32, first: u32) -> f32 {
  if (SUMMED == 0u) { return rewards[end]; }
  var sum = 0.0;
  for (var i = turn_start(end, first); i <= end; i++) { sum += rewards[i]; }
  return sum;
}

fn turns_in(first: u32, end: u32) -> u32 {
  var turns = 0u;
  for (var i = first; i < end; i++) {
    if (mask[i] != 0.0 && end_mask[i] != 0.0) { turns++; }
  }
  return turns;
}

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= shape.s) { return; }
  var next_value = bootstrap[id.x];
  var advantage = 0.0;
  let first = starts[id.x];
  var lam = shape.turn_lam;
  if (LAMBDA_BY != 0u) { lam = lambda_of(LAMBDA_BY, lam, shape.lam_param, turns_in(first, starts[id.x + 1u])); }
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
    advantage = turn_reward(i, first) + shape.turn_gamma * next_value - value + shape.turn_gamma * lam * advantage;
    next_value = value;
    advantages[i] = advantage;
  }
  for (var i = first; i < starts[id.x + 1u]; i++) {
    if (mask[i] == 0.0 || end_mask[i] == 0.0) { continue; }
    let at = turn_anchor(START, i, first);
    returns[at] = advantages[at] + values[at];
    if (DENSE == 0u) { continue; }
    for (var j = turn_start(i, first); j <= i; j++) { returns[j] = returns[at]; }
  }
}
