// Bi-Level GAE of VAGEN 2026: GAE over the policy's tokens with γ_turn and λ_turn at the last token of a turn, and 1 and λ_token at
// the others, mixed with GAE that has 1 and λ_token everywhere. One invocation per trajectory; 0 outside the mask.
//   rewards, values, mask, end_mask (0 or 1, inside mask), advantages, returns: (Nb)
//   starts: (S + 1)   bootstrap: (S), value after the last token
// Twin: src/rl/advantage/variable-clock.ts
struct Shape { s: u32, gamma_turn: f32, lambda_turn: f32, lambda_token: f32, mix: f32 }

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
  var bi_level = 0.0;
  var token = 0.0;
  let first = starts[id.x];
  for (var i = starts[id.x + 1u]; i > first; ) {
    i--;
    if (mask[i] == 0.0) {
      advantages[i] = 0.0;
      returns[i] = 0.0;
      continue;
    }
    let value = values[i];
    let is_end = end_mask[i] != 0.0;
    let gamma = select(1.0, shape.gamma_turn, is_end);
    let lambda = select(shape.lambda_token, shape.lambda_turn, is_end);
    bi_level = rewards[i] + gamma * next_value - value + gamma * lambda * bi_level;
    token = rewards[i] + next_value - value + shape.lambda_token * token;
    let advantage = token + shape.mix * (bi_level - token);
    advantages[i] = advantage;
    returns[i] = advantage + value;
    next_value = value;
  }
}
