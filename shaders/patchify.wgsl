// Pictures to rows of patches, one invocation per pixel. Bytes 0…255 become −1…1.
//   pixels: RGBA bytes, one u32 per pixel, red lowest; frames of grid_rows·patch × grid_cols·patch one after another
//   out: (P, 3 · patch²), the patches of each frame row by row, within a patch pixels row by row, channels last
// Twin: src/gpu/kernels/patchify.ref.ts
struct Shape { p: u32, grid_rows: u32, grid_cols: u32, patch_size: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 64u + id.x;
  let area = shape.patch_size * shape.patch_size;
  if (index >= shape.p * area) { return; }
  let p = index / area;
  let inner = index % area;
  let frame = p / (shape.grid_rows * shape.grid_cols);
  let cell = p % (shape.grid_rows * shape.grid_cols);
  let y = (frame * shape.grid_rows + cell / shape.grid_cols) * shape.patch_size + inner / shape.patch_size;
  let x = cell % shape.grid_cols * shape.patch_size + inner % shape.patch_size;
  let rgb = unpack4x8unorm(pixels[y * shape.grid_cols * shape.patch_size + x]).rgb * 2.0 - 1.0;
  out[3u * index] = rgb.r;
  out[3u * index + 1u] = rgb.g;
  out[3u * index + 2u] = rgb.b;
}
