// Learned position of a patch, forward, in place, one invocation per four columns of a patch.
//   x[p] += rows_table[grid row of p] + cols_table[grid column of p]
//   x: (P, C), frames of grid_rows × grid_cols patches   rows_table: (grid_rows, C)   cols_table: (grid_cols, C)
//   C is a multiple of 4
// Twin: src/gpu/kernels/patch-position.ref.ts
struct Shape { p: u32, c: u32, grid_rows: u32, grid_cols: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read_write> x: array<vec4f>;
@group(0) @binding(2) var<storage, read> rows_table: array<vec4f>;
@group(0) @binding(3) var<storage, read> cols_table: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 64u + id.x;
  let c4 = shape.c / 4u;
  if (index >= shape.p * c4) { return; }
  let cell = index / c4 % (shape.grid_rows * shape.grid_cols);
  let column = index % c4;
  let row_part = rows_table[cell / shape.grid_cols * c4 + column];
  let col_part = cols_table[cell % shape.grid_cols * c4 + column];
  x[index] += row_part + col_part;
}
