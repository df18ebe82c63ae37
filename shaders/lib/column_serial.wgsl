// Runs a column kernel with one invocation per four columns and no barrier: for software adapters. The kernel supplies
// `fn process_column(column: u32, lane: u32)`, where `column` counts vec4s; its single lane sees every row, so each sum is
// already complete. Workgroups are small, because C / 4 invocations must still occupy every core.
// column_workgroup.wgsl is the counterpart for real GPUs.
const LANES: u32 = 1;
// Rows that a lane reads before it adds the first of them.
const AHEAD: u32 = 1;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  process_column(id.x, 0u);
}

fn column_total(column: u32, lane: u32, x: vec4f) -> vec4f { return x; }
