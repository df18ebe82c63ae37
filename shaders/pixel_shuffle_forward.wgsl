// Merges s × s neighbouring patches into one wide token, one invocation per four elements; as SmolVLM's connector.
//   out[token (r, q) of a frame, (dy · s + dx) · C + c] = inp[patch (r · s + dy, q · s + dx) of the frame, c]
//   inp: (P, C), frames of grid_rows × grid_cols patches   out: (P / s², C · s²)
//   s divides grid_rows and grid_cols, C is a multiple of 4
// Twin: src/gpu/kernels/pixel-shuffle.ref.ts
struct Shape { p: u32, c: u32, grid_rows: u32, grid_cols: u32, s: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 64u + id.x;
  let c4 = shape.c / 4u;
  if (index >= shape.p * c4) { return; }
  out[shuffled(index / c4, c4) + index % c4] = inp[index];
}

// Where the first column of patch p is in out.
fn shuffled(p: u32, c4: u32) -> u32 {
  // Rows of patches follow each other from frame to frame, and s divides their number in a frame.
  let y = p / shape.grid_cols;
  let x = p % shape.grid_cols;
  let token = y / shape.s * (shape.grid_cols / shape.s) + x / shape.s;
  return ((token * shape.s + y % shape.s) * shape.s + x % shape.s) * c4;
}
