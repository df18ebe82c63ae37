// Runs a kernel over ROWS rows at a time, at most four, with a workgroup of BLOCK lanes, a power of two: for real GPUs. Reads of
// several rows are under way together, and one reduction serves all of them. The kernel supplies
// `fn process_rows(first: u32, lane: u32)` and strides over each row by LANES.
// rows_serial.wgsl is the counterpart for software adapters.
const BLOCK: u32 = 64;
const LANES: u32 = BLOCK;
const ROWS: u32 = 4;

var<workgroup> lanes: array<vec4f, BLOCK>;

@compute @workgroup_size(BLOCK)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_id) local: vec3u,
) {
  process_rows((group.y * groups.x + group.x) * ROWS, local.x);
}

// The sums over all lanes of one number for each row, added as a tree in a fixed order. Every lane must call, once (uniform
// control flow), and every lane gets the result.
fn rows_sum(lane: u32, x: vec4f) -> vec4f {
  lanes[lane] = x;
  workgroupBarrier();
  for (var stride = BLOCK / 2u; stride > 0u; stride /= 2u) {
    if (lane < stride) { lanes[lane] += lanes[lane + stride]; }
    workgroupBarrier();
  }
  return lanes[0];
}
