// Runs a row kernel with one workgroup of BLOCK lanes per row: for real GPUs. The kernel supplies
// `fn process_row(row: u32, lane: u32)` and strides over the row by LANES. Needs lanes_workgroup.wgsl and reduce.wgsl.
// row_serial.wgsl is the counterpart for software adapters.
const BLOCK: u32 = 128;

@compute @workgroup_size(BLOCK)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_id) local: vec3u,
) {
  process_row(group.y * groups.x + group.x, local.x);
}
