// Generalised advantage estimation over every token (Schulman et al. 2016, eq. 16), one invocation per trajectory.
//   rewards, values, advantages, returns: (Nb), packed; trajectory k is [starts[k], starts[k + 1])
//   starts: (S + 1)   bootstrap: (S), value after the last token (0 for an episode that ended)
// returns = advantages + values. Twin: src/rl/advantage/gae.ts
struct Shape { s: u32, gamma: f32, lam: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> rewards: array<f32>;
@group(0) @binding(2) var<storage, read> values: array<f32>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read> bootstrap: array<f32>;
@group(0) @binding(5) var<storage, read_write> advantages: array<f32>;
@group(0) @binding(6) var<storage, read_write> returns: array<f32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= shape.s) { return; }
  var next_value = bootstrap[id.x];
  var advantage = 0.0;
  let first = starts[id.x];
  for (var i = starts[id.x + 1u]; i > first; ) {
    i--;
    let value = values[i];
    let delta = rewards[i] + shape.gamma * next_value - value;
    advantage = delta + shape.gamma * shape.lam * advantage;
    advantages[i] = advantage;
    returns[i] = advantage + value;
    next_value = value;
  }
}
