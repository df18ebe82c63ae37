// Runs a kernel of several rows with one row per invocation (ROWS is 1) and no barrier: for software adapters. The kernel supplies
// `fn process_rows(first: u32, lane: u32)`, whose single lane sees every element, so `rows_sum` has nothing to add.
// rows_workgroup.wgsl is the counterpart for real GPUs.
const BLOCK: u32 = 64;
const LANES: u32 = 1;
const ROWS: u32 = 1;

@compute @workgroup_size(BLOCK)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  process_rows(id.y * groups.x * BLOCK + id.x, 0u);
}

fn rows_sum(lane: u32, x: vec4f) -> vec4f { return x; }
