// A row has one lane, which sees every element: each reduction is already complete. lanes_workgroup.wgsl is the counterpart.
const LANES: u32 = 1;
const LOWEST: f32 = -3.0e38;

fn row_sum(lane: u32, x: f32) -> f32 { return x; }

fn row_max(lane: u32, x: f32) -> f32 { return x; }

// One value for all lanes of the row, so that they may branch on it together.
fn row_uniform(lane: u32, x: u32) -> u32 { return x; }

// After it, every lane has finished its reads of the row, which may then be overwritten.
fn row_barrier() {}
