// Column sums of per-row statistics, added to running totals: totals[c] += Σ_r stats[r, c].
//   stats: (R, COLS)   totals: (COLS)
// One "row" of lib/row_serial.wgsl or lib/row_workgroup.wgsl is one column here. Four partial sums per lane in a fixed
// order: deterministic, and a long column loses less to rounding. Twin: src/gpu/kernels/stats.ref.ts
const COLS: u32 = 8;

struct Shape { r: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> stats: array<f32>;
@group(0) @binding(2) var<storage, read_write> totals: array<f32>;

fn cell(row: u32, column: u32) -> f32 {
  return select(0.0, stats[min(row, shape.r - 1u) * COLS + column], row < shape.r);
}

fn process_row(column: u32, lane: u32) {
  if (column >= COLS || shape.r == 0u) { return; }
  var partial = vec4f();
  for (var i = lane * 4u; i < shape.r; i += LANES * 4u) {
    partial += vec4f(cell(i, column), cell(i + 1u, column), cell(i + 2u, column), cell(i + 3u, column));
  }
  let sum = row_sum(lane, (partial.x + partial.y) + (partial.z + partial.w));
  if (lane == 0u) { totals[column] += sum; }
}
