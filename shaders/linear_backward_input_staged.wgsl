// Linear layer, gradient of the input, 64×64 tiles staged in workgroup memory. dinp = dout · weightᵀ, or += (ACCUMULATE).
//   dout: (M, N)   weight: (K, N)   dinp: (M, K)   K and N are multiples of 4
// A workgroup of 16 × 16 invocations computes 64 × 64 outputs, each invocation 4 × 4, in steps of 16 along N. Both
// operands are transposed while they are staged. For real GPUs. Twin: src/gpu/kernels/linear.ref.ts
const ACCUMULATE: u32 = 0;

struct Shape { m: u32, k: u32, n: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> dout: array<vec4f>;
@group(0) @binding(2) var<storage, read> weight: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> dinp: array<vec4f>;

var<workgroup> a: array<array<vec4f, 17>, 16>;
var<workgroup> b: array<array<vec4f, 17>, 16>;

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
    let at = (lane % 4u) * 4u;
    var g = vec4f();
    if (row0 + r < shape.m && q < n4) { g = dout[(row0 + r) * n4 + q]; }
    a[at][r / 4u][r % 4u] = g.x;
    a[at + 1u][r / 4u][r % 4u] = g.y;
    a[at + 2u][r / 4u][r % 4u] = g.z;
    a[at + 3u][r / 4u][r % 4u] = g.w;
    var w = vec4f();
    if (out0 + r < shape.k && q < n4) { w = weight[(out0 + r) * n4 + q]; }
    b[at][r / 4u][r % 4u] = w.x;
    b[at + 1u][r / 4u][r % 4u] = w.y;
    b[at + 2u][r / 4u][r % 4u] = w.z;
    b[at + 3u][r / 4u][r % 4u] = w.w;
    workgroupBarrier();
    for (var k = 0u; k < 16u; k++) { // unroll
      let rows = a[k][local.y];
      let cols = b[k][local.x];
      acc0 = fma(vec4f(rows.x), cols, acc0);
      acc1 = fma(vec4f(rows.y), cols, acc1);
      acc2 = fma(vec4f(rows.z), cols, acc2);
      acc3 = fma(vec4f(rows.w), cols, acc3);
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
