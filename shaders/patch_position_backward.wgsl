// Learned position of a patch, gradients of both tables, one invocation per four columns of a table row.
//   drows[r] += Σ of dx over the patches of grid row r,  dcols[c] += Σ of dx over the patches of grid column c
//   dx: (P, C)   drows: (grid_rows, C)   dcols: (grid_cols, C), both accumulate   C is a multiple of 4
// Each invocation owns its sums and walks the frames in order: deterministic without atomics.
// Twin: src/gpu/kernels/patch-position.ref.ts
struct Shape { p: u32, c: u32, grid_rows: u32, grid_cols: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> dx: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> drows: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> dcols: array<vec4f>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let c4 = shape.c / 4u;
  if (id.x >= (shape.grid_rows + shape.grid_cols) * c4) { return; }
  let line = id.x / c4;
  let column = id.x % c4;
  let cells = shape.grid_rows * shape.grid_cols;
  let is_row = line < shape.grid_rows;
  // The patches of grid row r are neighbours; those of a grid column are grid_cols apart.
  let first = select(line - shape.grid_rows, line * shape.grid_cols, is_row);
  let step = select(shape.grid_cols, 1u, is_row);
  let count = select(shape.grid_rows, shape.grid_cols, is_row);
  var sum = vec4f();
  for (var frame = 0u; frame < shape.p; frame += cells) {
    for (var i = 0u; i < count; i++) { sum += dx[(frame + first + i * step) * c4 + column]; }
  }
  if (is_row) {
    drows[id.x] += sum;
  } else {
    dcols[id.x - shape.grid_rows * c4] += sum;
  }
}
