// Count, mean and sum of squared distances from it of each trajectory's marked elements, one invocation per trajectory.
//   x, mask (0 or 1): (Nb)   starts: (S + 1)   moments: (S, 4), the last 0
// Levels above combine them without loss (Chan et al. 1979): normalise_advantages.wgsl. Twin: src/rl/normalise.ts
struct Shape { s: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> mask: array<f32>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read_write> moments: array<vec4f>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= shape.s) { return; }
  let from_ = starts[id.x];
  let to = starts[id.x + 1u];
  var count = 0.0;
  var sum = 0.0;
  for (var i = from_; i < to; i++) {
    count += select(0.0, 1.0, mask[i] != 0.0);
    sum += select(0.0, x[i], mask[i] != 0.0);
  }
  let mean = sum / max(count, 1.0);
  var squares = 0.0;
  for (var i = from_; i < to; i++) {
    squares += select(0.0, (x[i] - mean) * (x[i] - mean), mask[i] != 0.0);
  }
  moments[id.x] = vec4f(count, mean, squares, 0.0);
}
