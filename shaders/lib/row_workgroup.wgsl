// Runs a row kernel with one workgroup of BLOCK lanes per row: for real GPUs. The kernel supplies
// `fn process_row(row: u32, lane: u32)` and strides over the row by LANES; every lane must reach every reduction.
// Needs reduce.wgsl. BLOCK is a power of two. row_serial.wgsl is the counterpart for software adapters.
const BLOCK: u32 = 128;
const LANES: u32 = BLOCK;
const LOWEST: f32 = -3.0e38;

@compute @workgroup_size(BLOCK)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_id) local: vec3u,
) {
  process_row(group.y * groups.x + group.x, local.x);
}

fn row_sum(lane: u32, x: f32) -> f32 { return workgroup_sum(lane, x); }

fn row_max(lane: u32, x: f32) -> f32 { return workgroup_max(lane, x); }

var<workgroup> shared_word: u32;

// The value of lane 0 for all lanes of the row, so that they may branch on it together.
fn row_uniform(lane: u32, x: u32) -> u32 {
  if (lane == 0u) { shared_word = x; }
  return workgroupUniformLoad(&shared_word);
}

// After it, every lane has finished its reads of the row, which may then be overwritten.
fn row_barrier() { storageBarrier(); }
