// Runs a column kernel with one workgroup per eight columns: for real GPUs. Its 256 invocations are 128 lanes × 2 vec4
// columns; the kernel supplies `fn process_column(column: u32, lane: u32)`, where `column` counts vec4s, and strides over the
// rows by LANES. Two neighbouring vec4s are one 32-byte piece of a row, so memory is still read in whole sectors.
// column_serial.wgsl is the counterpart for software adapters.
const LANES: u32 = 128;
// Rows that a lane reads before it adds the first of them: their latencies overlap.
const AHEAD: u32 = 8;

var<workgroup> partials: array<vec4f, 2 * LANES>;

@compute @workgroup_size(2 * LANES)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) index: u32) {
  process_column(group.x * 2u + index % 2u, index / 2u);
}

// The sum of x over the lanes of a column, added as a tree in a fixed order. Every lane must call (uniform control flow)
// and gets the total of its own column.
fn column_total(column: u32, lane: u32, x: vec4f) -> vec4f {
  let index = lane * 2u + column % 2u;
  workgroupBarrier();
  partials[index] = x;
  workgroupBarrier();
  for (var stride = LANES / 2u; stride > 0u; stride /= 2u) {
    if (lane < stride) { partials[index] += partials[index + 2u * stride]; }
    workgroupBarrier();
  }
  return partials[column % 2u];
}
