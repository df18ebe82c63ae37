// Masked GAE (VAGEN-Base): as gae.wgsl, but a token that the policy did not sample carries no advantage; the successor of a
// policy token is the next *policy* token. One invocation per trajectory; advantages and returns are 0 outside the mask.
//   rewards, values, mask (0 or 1), advantages, returns: (Nb)   starts: (S + 1)   bootstrap: (S)
// With CRITIC 0 every value counts as 0, the bootstrap too: at lam = 1 these are the discounted rewards to come. With RESET 1 they
// begin again behind every token outside the mask. With LUMPED 1 the last policy token has all rewards of its trajectory.
// LAMBDA_BY: λ follows from the number of policy tokens (lib/lambda.wgsl).
// Twins: src/rl/advantage/masked-gae.ts, src/rl/advantage/reinforce-plus-plus.ts
const CRITIC: u32 = 1;
const RESET: u32 = 0;
const LUMPED: u32 = 0;
const LAMBDA_BY: u32 = 0;

struct Shape { s: u32, gamma: f32, lam: f32, lam_param: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> rewards: array<f32>;
@group(0) @binding(2) var<storage, read> values: array<f32>;
@group(0) @binding(3) var<storage, read> mask: array<f32>;
@group(0) @binding(4) var<storage, read> starts: array<u32>;
@group(0) @binding(5) var<storage, read> bootstrap: array<f32>;
@group(0) @binding(6) var<storage, read_write> advantages: array<f32>;
@group(0) @binding(7) var<storage, read_write> returns: array<f32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= shape.s) { return; }
  var next_value = 0.0;
  if (CRITIC == 1u) { next_value = bootstrap[id.x]; }
  var advantage = 0.0;
  let first = starts[id.x];
  let end = starts[id.x + 1u];
  var lam = shape.lam;
  var left = 0.0;
  if (LUMPED == 1u || LAMBDA_BY != 0u) {
    var steps = 0u;
    for (var i = first; i < end; i++) {
      if (mask[i] == 0.0) { continue; }
      steps++;
      left += rewards[i];
    }
    lam = lambda_of(LAMBDA_BY, shape.lam, shape.lam_param, steps);
  }
  for (var i = end; i > first; ) {
    i--;
    if (mask[i] == 0.0) {
      advantages[i] = 0.0;
      returns[i] = 0.0;
      if (RESET == 1u) { advantage = 0.0; }
      continue;
    }
    var value = 0.0;
    if (CRITIC == 1u) { value = values[i]; }
    var reward = rewards[i];
    if (LUMPED == 1u) {
      reward = left;
      left = 0.0;
    }
    let delta = reward + shape.gamma * next_value - value;
    advantage = delta + shape.gamma * lam * advantage;
    advantages[i] = advantage;
    returns[i] = advantage + value;
    next_value = value;
  }
}
