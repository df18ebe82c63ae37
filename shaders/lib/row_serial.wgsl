// Runs a row kernel with one invocation per row and no barrier: for software adapters, where one barrier costs more
// than the whole kernel. The kernel supplies `fn process_row(row: u32, lane: u32)`. Needs lanes_serial.wgsl.
// row_workgroup.wgsl is the counterpart for real GPUs.
const BLOCK: u32 = 16;

@compute @workgroup_size(BLOCK)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  process_row(id.y * groups.x * BLOCK + id.x, 0u);
}
