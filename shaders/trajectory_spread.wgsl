// Each trajectory's sum of squared distances from what is subtracted from its elements, one invocation per trajectory.
//   moments: (S, 4), of trajectory_moments.wgsl   groups: (S), equal numbers are one group   spreads: (S)
// MEAN 0 nothing is subtracted · 1 the mean of the batch · 2 of the group. LEAVE_ONE_OUT 1: the mean of the others, which makes every
// distance n / (n - 1) times that from the mean of all n; nothing is subtracted from a single element. Twin: src/rl/normalise.ts
const MEAN: u32 = 1;
const LEAVE_ONE_OUT: u32 = 0;

struct Shape { s: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> groups: array<u32>;
@group(0) @binding(2) var<storage, read> moments: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> spreads: array<f32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= shape.s) { return; }
  let level = level_moments(id.x, MEAN);
  let is_alone = LEAVE_ONE_OUT == 1u && level.x <= 1.0;
  let distance = moments[id.x].y - select(level.y, 0.0, MEAN == 0u || is_alone);
  let is_stretched = LEAVE_ONE_OUT == 1u && MEAN != 0u && !is_alone;
  let factor = select(1.0, level.x / max(level.x - 1.0, 1.0), is_stretched);
  spreads[id.x] = factor * factor * (moments[id.x].z + moments[id.x].x * distance * distance);
}
