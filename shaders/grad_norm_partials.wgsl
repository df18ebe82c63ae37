// Gradient norm, first stage: partial sums of squares of the flat gradient over a fixed grid.
//   grads: (n), n a multiple of 4   block_table: (n / 64, 2), see adamw.wgsl   partials: (PARTIALS)
// OF 0 all of it · 1 the policy's parameters · 2 the critic's. block_table is not read for 0.
// A partial is −1 when any of its gradients is infinite or NaN (bit test: WGSL may assume that floats are finite).
// One "row" of lib/row_serial.wgsl or lib/row_workgroup.wgsl is one partial. Twin: src/gpu/kernels/optimizer.ref.ts
const PARTIALS: u32 = 1024;
const OF: u32 = 0;

struct Shape { n: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> grads: array<vec4f>;
@group(0) @binding(2) var<storage, read> block_table: array<vec2f>;
@group(0) @binding(3) var<storage, read_write> partials: array<f32>;

const EXPONENT = vec4u(0x7f800000u);

fn process_row(part: u32, lane: u32) {
  if (part >= PARTIALS) { return; }
  let n4 = shape.n / 4u;
  var squares = vec4f();
  var broken = 0.0;
  for (var i = part * LANES + lane; i < n4; i += PARTIALS * LANES) {
    if (OF != 0u && (block_table[i / 16u].x > 0.5) != (OF == 2u)) { continue; }
    let g = grads[i];
    let bad = (bitcast<vec4u>(g) & EXPONENT) == EXPONENT;
    if (any(bad)) { broken = 1.0; }
    squares += select(g * g, vec4f(), bad);
  }
  let sum = row_sum(lane, (squares.x + squares.y) + (squares.z + squares.w));
  let total_broken = row_sum(lane, broken);
  if (lane == 0u) { partials[part] = select(sum, -1.0, total_broken > 0.0); }
}
