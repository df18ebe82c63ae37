// Advantages without a critic: a trajectory's score against those of its group, given to every policy token.
//   scores: (S), of trajectory_score.wgsl   groups: (S), equal numbers are one group   starts: (S + 1)
//   mask (0 or 1), advantages, returns: (Nb); both are 0 outside the mask, returns equal advantages inside
// KIND 0 GRPO: (score − mean) / (std + 1e-6), std unbiased · 1 without the division · 2 RLOO: score − mean of the others.
// A group of one has mean 0 and std 1. 3 trajectory GRPO: (score − mean) / (std + 1e-6), std of the population, 0 where that is 0
// · 4 without the division; there a group of one has its own mean. One invocation per trajectory. Twin: src/rl/advantage/group.ts
const KIND: u32 = 0;
const EPS: f32 = 1e-6;

struct Shape { s: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> scores: array<f32>;
@group(0) @binding(2) var<storage, read> groups: array<u32>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read> mask: array<f32>;
@group(0) @binding(5) var<storage, read_write> advantages: array<f32>;
@group(0) @binding(6) var<storage, read_write> returns: array<f32>;

fn compare(own: u32) -> f32 {
  // Scores are counted from the own one. A mean of equal scores is a rounding or, since WGSL's division may be off by 2.5 ulp, more
  // away from them; over a deviation of nothing but that, it would be an advantage. Differences of equal scores are 0 everywhere.
  let origin = scores[own];
  var count = 0.0;
  var sum = 0.0;
  for (var s = 0u; s < shape.s; s++) {
    let inside = groups[s] == groups[own];
    count += select(0.0, 1.0, inside);
    sum += select(0.0, scores[s] - origin, inside);
  }
  if (count < 2.0 && KIND < 3u) {
    return origin / select(1.0, 1.0 + EPS, KIND == 0u);
  }
  let distance = -sum / count;
  if (KIND == 1u || KIND == 4u) { return distance; }
  if (KIND == 2u) { return distance * count / (count - 1.0); }
  var squares = 0.0;
  for (var s = 0u; s < shape.s; s++) {
    let d = scores[s] - origin + distance;
    squares += select(0.0, d * d, groups[s] == groups[own]);
  }
  if (KIND == 3u) {
    return select(distance / (sqrt(squares / count) + EPS), 0.0, squares == 0.0);
  }
  return distance / (sqrt(squares / (count - 1.0)) + EPS);
}

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= shape.s) { return; }
  let advantage = compare(id.x);
  for (var i = starts[id.x]; i < starts[id.x + 1u]; i++) {
    let value = select(0.0, advantage, mask[i] != 0.0);
    advantages[i] = value;
    returns[i] = value;
  }
}
