// A row has the BLOCK lanes of its workgroup, a power of two; each strides over it by LANES, and every lane must reach every
// reduction. Needs reduce.wgsl. lanes_serial.wgsl is the counterpart.
const LANES: u32 = BLOCK;
const LOWEST: f32 = -3.0e38;

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
