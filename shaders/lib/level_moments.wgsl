// Moments of the level that a trajectory belongs to: 1 the batch, 2 its group. The kernel declares shape.s, groups and moments
// (count, mean and sum of squared distances from it, of each trajectory); combined without loss (Chan et al. 1979).

/// Count, mean and sum of squared distances from it.
fn level_moments(own: u32, level: u32) -> vec3f {
  var count = 0.0;
  var sum = 0.0;
  for (var s = 0u; s < shape.s; s++) {
    let m = moments[s];
    let inside = level == 1u || groups[s] == groups[own];
    count += select(0.0, m.x, inside);
    sum += select(0.0, m.x * m.y, inside);
  }
  let mean = sum / max(count, 1.0);
  var squares = 0.0;
  for (var s = 0u; s < shape.s; s++) {
    let m = moments[s];
    let d = m.y - mean;
    squares += select(0.0, m.z + m.x * d * d, level == 1u || groups[s] == groups[own]);
  }
  return vec3f(count, mean, squares);
}
