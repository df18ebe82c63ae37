// Linear layer, gradient of the input, 64×64 tiles staged in workgroup memory. dinp = dout · weightᵀ, or += (ACCUMULATE).
//   dout: (M, N)   weight: (K, N)   dinp: (M, K)   K and N are multiples of 4
// A workgroup of 16 × 16 invocations computes 64 × 64 outputs, each invocation 4 × 4, in steps of 16 along N.
// Uses lib/tile_product.wgsl. For real GPUs. Twin: src/gpu/kernels/linear.ref.ts
const ACCUMULATE: u32 = 0;

struct Shape { m: u32, k: u32, n: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> dout: array<vec4f>;
@group(0) @binding(2) var<storage, read> weight: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> dinp: array<vec4f>;

// The tiles of dout, a[row][n / 4], and of weight, b[k % 4][k / 4][n / 4]: neighbouring invocations read neighbouring k / 4.
// The fifth vec4 is padding: it puts what a subgroup reads together into different banks.
var<workgroup> a: array<array<vec4f, 5>, 64>;
var<workgroup> b: array<array<array<vec4f, 5>, 16>, 4>;

@compute @workgroup_size(16, 16)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let n4 = shape.n / 4u;
  let k4 = shape.k / 4u;
  let lane = local.y * 16u + local.x;
  let row0 = group.y * 64u;
  let out0 = group.x * 64u;

  var acc0 = vec4f();
  var acc1 = vec4f();
  var acc2 = vec4f();
  var acc3 = vec4f();
  for (var step = 0u; step < shape.n; step += 16u) {
    let r = lane / 4u;
    let q = step / 4u + lane % 4u;
    var g = vec4f();
    if (row0 + r < shape.m && q < n4) { g = dout[(row0 + r) * n4 + q]; }
    a[r][lane % 4u] = g;
    var w = vec4f();
    if (out0 + r < shape.k && q < n4) { w = weight[(out0 + r) * n4 + q]; }
    b[r % 4u][r / 4u][lane % 4u] = w;
    workgroupBarrier();
    for (var q4 = 0u; q4 < 4u; q4++) { // unroll
      let cols = transpose(mat4x4f(b[0][local.x][q4], b[1][local.x][q4], b[2][local.x][q4], b[3][local.x][q4]));
      acc0 = add_product(a[4u * local.y][q4], cols, acc0);
      acc1 = add_product(a[4u * local.y + 1u][q4], cols, acc1);
      acc2 = add_product(a[4u * local.y + 2u][q4], cols, acc2);
      acc3 = add_product(a[4u * local.y + 3u][q4], cols, acc3);
    }
    workgroupBarrier();
  }
  let col = group.x * 16u + local.x;
  if (col >= k4) { return; }
  let row = row0 + local.y * 4u;
  store(row, col, k4, acc0);
  store(row + 1u, col, k4, acc1);
  store(row + 2u, col, k4, acc2);
  store(row + 3u, col, k4, acc3);
}

fn store(row: u32, col: u32, k4: u32, sum: vec4f) {
  if (row >= shape.m) { return; }
  let at = row * k4 + col;
  if (ACCUMULATE == 1u) { dinp[at] += sum; } else { dinp[at] = sum; }
}
