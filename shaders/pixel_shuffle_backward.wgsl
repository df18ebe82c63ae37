// Gradient of merging s × s neighbouring patches, one invocation per four elements: the same permutation backwards.
//   dinp[patch (r · s + dy, q · s + dx) of a frame, c] = dout[token (r, q) of the frame, (dy · s + dx) · C + c]
//   dout: (P / s², C · s²)   dinp: (P, C), overwritten   s divides grid_rows and grid_cols, C is a multiple of 4
// Twin: src/gpu/kernels/pixel-shuffle.ref.ts
struct Shape { p: u32, c: u32, grid_rows: u32, grid_cols: u32, s: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> dout: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> dinp: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 64u + id.x;
  let c4 = shape.c / 4u;
  if (index >= shape.p * c4) { return; }
  dinp[index] = dout[shuffled(index / c4, c4) + index % c4];
}

// Where the first column of patch p is in dout.
fn shuffled(p: u32, c4: u32) -> u32 {
  let y = p / shape.grid_cols;
  let x = p % shape.grid_cols;
  let token = y / shape.s * (shape.grid_cols / shape.s) + x / shape.s;
  return ((token * shape.s + y % shape.s) * shape.s + x % shape.s) * c4;
}
