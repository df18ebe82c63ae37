// Runs a column kernel with one workgroup per sixteen columns: for real GPUs. Its 256 invocations are 64 lanes × 4 vec4
// columns; the kernel supplies `fn process_column(column: u32, lane: u32)`, where `column` counts vec4s, and strides over the
// rows by LANES. Four neighbouring vec4s are one 64-byte piece of a row, so memory is still read in whole sectors.
// column_serial.wgsl is the counterpart for software adapters.
const LANES: u32 = 64;

var<workgroup> partials: array<vec4f, 4 * LANES>;

@compute @workgroup_size(4 * LANES)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) index: u32) {
  process_column(group.x * 4u + index % 4u, index / 4u);
}

// The sum of x over the lanes of a column, added as a tree in a fixed order. Every lane must call (uniform control flow)
// and gets the total of its own column.
fn column_total(column: u32, lane: u32, x: vec4f) -> vec4f {
  let index = lane * 4u + column % 4u;
  workgroupBarrier();
  partials[index] = x;
  workgroupBarrier();
  for (var stride = LANES / 2u; stride > 0u; stride /= 2u) {
    if (lane < stride) { partials[index] += partials[index + 4u * stride]; }
    workgroupBarrier();
  }
  return partials[column % 4u];
}
