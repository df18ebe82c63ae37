// Column sums across a workgroup of 256 lanes that stand as 64 rows × 4 vec4 columns (lane = row · 4 + column), in a
// fixed order. Every lane must call (uniform control flow) and gets the total of its own column.
// Four neighbouring vec4 are one 64-byte piece of a row, so memory is still read in whole sectors.
var<workgroup> column_lanes: array<vec4f, 256>;

fn column_total(lane: u32, x: vec4f) -> vec4f {
  workgroupBarrier();
  column_lanes[lane] = x;
  workgroupBarrier();
  for (var stride = 128u; stride >= 4u; stride /= 2u) {
    if (lane < stride) { column_lanes[lane] += column_lanes[lane + stride]; }
    workgroupBarrier();
  }
  return column_lanes[lane % 4u];
}
