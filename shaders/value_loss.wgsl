// Clipped value loss, forward and backward, one invocation per row:
//   loss = ½·max((v − R)², (clip(v, v_old ± clip) − R)²), or ½·(v − R)² with CLIP 0   (as in PPO2 and VAGEN)
//   values: (R, 4), column 0   src: (R)   old_values, returns, value_mask: (Nb), read at src
//   dvalues: (R, 4) = scale·w·∂loss/∂v, 0, 0, 0   stats: (R, 4) = loss, 1 if the clipped branch won, v, R   (not scaled)
// All of it is 0 outside value_mask: some estimators have a return for one token of a turn only. WEIGHTED 1 reads it as the
// weight w of a value; otherwise w is 1. Twin: src/gpu/kernels/value-loss.ref.ts
const CLIP: u32 = 1;
const WEIGHTED: u32 = 0;

struct Shape { r: u32, scale: f32, clip: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> values: array<vec4f>;
@group(0) @binding(2) var<storage, read> src: array<u32>;
@group(0) @binding(3) var<storage, read> old_values: array<f32>;
@group(0) @binding(4) var<storage, read> returns: array<f32>;
@group(0) @binding(5) var<storage, read> value_mask: array<f32>;
@group(0) @binding(6) var<storage, read_write> dvalues: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> stats: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let row = id.y * groups.x * 64u + id.x;
  if (row >= shape.r) { return; }
  let at = src[row];
  if (value_mask[at] == 0.0) {
    dvalues[row] = vec4f();
    stats[row] = vec4f();
    return;
  }
  let v = values[row].x;
  let goal = returns[at];
  let error = v - goal;
  var loss = error * error;
  var gradient = error;
  var clipped = 0.0;
  if (CLIP == 1u) {
    let near = clamp(v, old_values[at] - shape.clip, old_values[at] + shape.clip);
    let near_error = near - goal;
    // Inside the range both branches are the same. Outside, the clipped one is constant in v: no gradient.
    if (near_error * near_error > loss) {
      loss = near_error * near_error;
      gradient = 0.0;
      clipped = 1.0;
    }
  }
  if (WEIGHTED == 1u) { gradient *= value_mask[at]; }
  dvalues[row] = vec4f(gradient * shape.scale, 0.0, 0.0, 0.0);
  stats[row] = vec4f(0.5 * loss, clipped, v, goal);
}
