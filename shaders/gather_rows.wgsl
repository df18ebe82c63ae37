// Rows by index, one invocation per four columns. out[r] (+)= inp[index[r]], zeros where index[r] is −1.
//   inp: (N, C)   index: (R) i32   out: (R, C), overwritten unless ACCUMULATE is 1   C is a multiple of 4
// With the inverse index this is its own gradient, as long as no row is taken twice.
// Twin: src/gpu/kernels/gather-rows.ref.ts
const ACCUMULATE: u32 = 0;

struct Shape { r: u32, c: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> index: array<i32>;
@group(0) @binding(3) var<storage, read_write> out: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let at = id.y * groups.x * 64u + id.x;
  let c4 = shape.c / 4u;
  if (at >= shape.r * c4) { return; }
  let row = index[at / c4];
  var x = vec4f();
  if (row >= 0) { x = inp[u32(row) * c4 + at % c4]; }
  if (ACCUMULATE == 1u) { x += out[at]; }
  out[at] = x;
}
