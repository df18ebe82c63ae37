// Runs a row kernel with one invocation per row and no barrier: for software adapters, where one barrier costs more
// than the whole kernel. The kernel supplies `fn process_row(row: u32, lane: u32)`; its single lane sees every element,
// so each reduction is already complete. row_workgroup.wgsl is the counterpart for real GPUs.
const BLOCK: u32 = 16;
const LANES: u32 = 1;
const LOWEST: f32 = -3.0e38;

@compute @workgroup_size(BLOCK)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  process_row(id.y * groups.x * BLOCK + id.x, 0u);
}

fn row_sum(lane: u32, x: f32) -> f32 { return x; }

fn row_max(lane: u32, x: f32) -> f32 { return x; }

// One value for all lanes of the row, so that they may branch on it together.
fn row_uniform(lane: u32, x: u32) -> u32 { return x; }

// After it, every lane has finished its reads of the row, which may then be overwritten.
fn row_barrier() {}
