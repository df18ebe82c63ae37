// Linear layer, forward, 64×64 tiles staged in workgroup memory. out = inp · weight (+ bias) (+ residual).
//   inp: (M, K)   weight: (K, N)   bias: (N)   residual, out: (M, N)   K and N are multiples of 4
// A workgroup of 16 × 16 invocations computes 64 × 64 outputs, each invocation 4 × 4, in steps of 16 along K.
// Uses lib/tile_product.wgsl. For real GPUs: operands are read from memory once per tile. Software adapters use
// linear_forward.wgsl instead, where a barrier costs more than the whole product. Twin: src/gpu/kernels/linear.ref.ts
const HAS_BIAS: u32 = 0;
const HAS_RESIDUAL: u32 = 0;

struct Shape { m: u32, k: u32, n: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> weight: array<vec4f>;
@group(0) @binding(3) var<storage, read> bias: array<vec4f>;
@group(0) @binding(4) var<storage, read> residual: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> out: array<vec4f>;

// The tiles of inp, a[row][k / 4], and of weight, b[k][column / 4]. The fifth vec4 of a row is padding: it puts the rows
// that a subgroup reads together into different banks.
var<workgroup> a: array<array<vec4f, 5>, 64>;
var<workgroup> b: array<array<vec4f, 16>, 16>;

@compute @workgroup_size(16, 16)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let n4 = shape.n / 4u;
  let k4 = shape.k / 4u;
  let lane = local.y * 16u + local.x;
  let row0 = group.y * 64u;
  let col4 = group.x * 16u;

  var acc0 = vec4f();
  var acc1 = vec4f();
  var acc2 = vec4f();
  var acc3 = vec4f();
  for (var step = 0u; step < shape.k; step += 16u) {
    // 256 invocations load 64 rows × 4 vec4 of inp and 16 rows × 16 vec4 of weight, zeros past the edges.
    let r = lane / 4u;
    let q = step / 4u + lane % 4u;
    var x = vec4f();
    if (row0 + r < shape.m && q < k4) { x = inp[(row0 + r) * k4 + q]; }
    a[r][lane % 4u] = x;
    var w = vec4f();
    if (step + lane / 16u < shape.k && col4 + lane % 16u < n4) { w = weight[(step + lane / 16u) * n4 + col4 + lane % 16u]; }
    b[lane / 16u][lane % 16u] = w;
    workgroupBarrier();
    for (var q4 = 0u; q4 < 4u; q4++) { // unroll
      let cols = mat4x4f(b[4u * q4][local.x], b[4u * q4 + 1u][local.x], b[4u * q4 + 2u][local.x], b[4u * q4 + 3u][local.x]);
      acc0 = add_product(a[4u * local.y][q4], cols, acc0);
      acc1 = add_product(a[4u * local.y + 1u][q4], cols, acc1);
      acc2 = add_product(a[4u * local.y + 2u][q4], cols, acc2);
      acc3 = add_product(a[4u * local.y + 3u][q4], cols, acc3);
    }
    workgroupBarrier();
  }
  let col = col4 + local.x;
  if (col >= n4) { return; }
  let row = row0 + local.y * 4u;
  store(row, col, n4, acc0);
  store(row + 1u, col, n4, acc1);
  store(row + 2u, col, n4, acc2);
  store(row + 3u, col, n4, acc3);
}

fn store(row: u32, col: u32, n4: u32, sum: vec4f) {
  if (row >= shape.m) { return; }
  var y = sum;
  if (HAS_BIAS == 1u) { y += bias[col]; }
  if (HAS_RESIDUAL == 1u) { y += residual[row * n4 + col]; }
  out[row * n4 + col] = y;
}
