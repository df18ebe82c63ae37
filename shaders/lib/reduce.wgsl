// Sums and maxima of one value per lane across a workgroup of BLOCK lanes (a power of two), in a fixed order.
// Every lane must call (uniform control flow) and every lane gets the result. The kernel declares BLOCK.
var<workgroup> lanes: array<f32, BLOCK>;

fn workgroup_sum(lane: u32, x: f32) -> f32 {
  workgroupBarrier();
  lanes[lane] = x;
  workgroupBarrier();
  for (var stride = BLOCK / 2u; stride > 0u; stride /= 2u) {
    if (lane < stride) { lanes[lane] += lanes[lane + stride]; }
    workgroupBarrier();
  }
  return lanes[0];
}

fn workgroup_max(lane: u32, x: f32) -> f32 {
  workgroupBarrier();
  lanes[lane] = x;
  workgroupBarrier();
  for (var stride = BLOCK / 2u; stride > 0u; stride /= 2u) {
    if (lane < stride) { lanes[lane] = max(lanes[lane], lanes[lane + stride]); }
    workgroupBarrier();
  }
  return lanes[0];
}
