// x = (x − mean) / (std + 1e-5) inside the mask, 0 outside; mean and unbiased std of the batch, of the group, or not at all.
//   x, mask, over (0 or 1; part of the mask): (Nb)   groups: (S), equal numbers are one group   starts: (S + 1)
//   moments: (S, 4), of trajectory_moments.wgsl, and spreads: (S), of trajectory_spread.wgsl, over `over`
// MEAN, STD 0 not at all · 1 batch · 2 group. LEAVE_ONE_OUT 1: the mean is that of the others. The deviation is taken
// around what was subtracted (AReaL). A level of one element has std 1 and, without itself, mean 0. One invocation per trajectory. Twin: src/rl/normalise.ts
const MEAN: u32 = 1;
const STD: u32 = 1;
const LEAVE_ONE_OUT: u32 = 0;
const EPS: f32 = 1e-5;

struct Shape { s: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> groups: array<u32>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
@group(0) @binding(3) var<storage, read> moments: array<vec4f>;
@group(0) @binding(4) var<storage, read> spreads: array<f32>;
@group(0) @binding(5) var<storage, read> mask: array<f32>;
@group(0) @binding(6) var<storage, read> over: array<f32>;
@group(0) @binding(7) var<storage, read_write> x: array<f32>;

/// Deviation of the level that trajectory `own` belongs to, around what is subtracted from each element.
fn deviation_of(own: u32) -> f32 {
  var count = 0.0;
  var squares = 0.0;
  for (var s = 0u; s < shape.s; s++) {
    let inside = STD == 1u || groups[s] == groups[own];
    count += select(0.0, moments[s].x, inside);
    squares += select(0.0, spreads[s], inside);
  }
  return select(1.0, sqrt(squares / max(count - 1.0, 1.0)), count > 1.0);
}

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= shape.s) { return; }
  let centre = level_moments(id.x, MEAN);
  let deviation = deviation_of(id.x) + EPS;
  for (var i = starts[id.x]; i < starts[id.x + 1u]; i++) {
    var mean = centre.y;
    if (LEAVE_ONE_OUT == 1u && over[i] != 0.0) {
      mean = select(0.0, (centre.x * centre.y - x[i]) / max(centre.x - 1.0, 1.0), centre.x > 1.0);
    }
    let value = (x[i] - select(mean, 0.0, MEAN == 0u)) / select(deviation, 1.0, STD == 0u);
    x[i] = select(0.0, value, mask[i] != 0.0);
  }
}
