// Linear layer, gradient of the weight, 64×64 tiles staged in workgroup memory.
// dweight += inpᵀ · dout, or one partial product per split when `splits` > 1 (sum_partials.wgsl adds them in order).
//   inp: (M, K)   dout: (M, N)   dweight: (K, N) or (splits, K, N)   K and N are multiples of 4
// A workgroup of 16 × 16 invocations computes 64 × 64 outputs, each invocation 4 × 4, in steps of 16 rows; z = split.
// For real GPUs. Twin: src/gpu/kernels/linear.ref.ts
const ACCUMULATE: u32 = 1;

struct Shape { m: u32, k: u32, n: u32, splits: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> dout: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> dweight: array<vec4f>;

var<workgroup> a: array<array<vec4f, 16>, 16>;
var<workgroup> b: array<array<vec4f, 16>, 16>;

@compute @workgroup_size(16, 16)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let n4 = shape.n / 4u;
  let k4 = shape.k / 4u;
  let lane = local.y * 16u + local.x;
  let row4 = group.y * 16u;
  let col4 = group.x * 16u;
  let per_split = (shape.m + shape.splits - 1u) / shape.splits;
  let first = group.z * per_split;
  let last = min(first + per_split, shape.m);

  var acc0 = vec4f();
  var acc1 = vec4f();
  var acc2 = vec4f();
  var acc3 = vec4f();
  for (var step = first; step < last; step += 16u) {
    let row = step + lane / 16u;
    let q = lane % 16u;
    var x = vec4f();
    if (row < last && row4 + q < k4) { x = inp[row * k4 + row4 + q]; }
    a[lane / 16u][q] = x;
    var g = vec4f();
    if (row < last && col4 + q < n4) { g = dout[row * n4 + col4 + q]; }
    b[lane / 16u][q] = g;
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
  let col = col4 + local.x;
  let row = row4 + local.y;
  if (col >= n4 || row >= k4) { return; }
  let base = group.z * shape.k * n4 + row * 4u * n4 + col;
  store(base, acc0);
  store(base + n4, acc1);
  store(base + 2u * n4, acc2);
  store(base + 3u * n4, acc3);
}

fn store(at: u32, sum: vec4f) {
  if (ACCUMULATE == 1u) { dweight[at] += sum; } else { dweight[at] = sum; }
}
