// Linear layer, gradient of the weight, 128×64 tiles in workgroup memory, two of each.
// dweight += inpᵀ · dout, or one partial product per split when `splits` > 1 (sum_partials.wgsl adds them in order).
//   inp: (M, K)   dout: (M, N)   dweight: (K, N) or (splits, K, N)   K and N are multiples of 4
// A workgroup of 8 × 16 invocations computes 128 × 64 outputs, each invocation 8 rows × 2 vec4, in steps of 8 rows; z = split.
// Sums have the order of linear_backward_weight_staged.wgsl, so both give the same bits.
// For real GPUs and large shapes. Twin: src/gpu/kernels/linear.ref.ts
const ACCUMULATE: u32 = 1;

struct Shape { m: u32, k: u32, n: u32, splits: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> dout: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> dweight: array<vec4f>;

// The tiles of inp, a[half][row][k / 64][k % 64 / 4], and of dout, b[half][row][n / 4]. Halves as in linear_forward_large.wgsl.
var<workgroup> a: array<array<array<array<vec4f, 16>, 2>, 8>, 2>;
var<workgroup> b: array<array<array<vec4f, 16>, 8>, 2>;

@compute @workgroup_size(8, 16)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let lane = local.y * 8u + local.x;
  let per_split = (shape.m + shape.splits - 1u) / shape.splits;
  let first = group.z * per_split;
  let last = min(first + per_split, shape.m);
  // What an invocation loads in every step: two vec4 of a row of inp, and one vec4 of that row of dout.
  let c = lane % 16u;
  let r = lane / 16u;
  let k = group.y * 32u + c;
  let col = group.x * 16u + c;

  var acc: array<vec4f, 16>; // registers
  a[0u][r][0][c] = inp_at(first + r, last, k);
  a[0u][r][1][c] = inp_at(first + r, last, k + 16u);
  b[0u][r][c] = dout_at(first + r, last, col);
  workgroupBarrier();
  // Two steps a turn, the second one past the edge too: the zeros added are those of the 64×64 tiles.
  for (var step = first; step < last; step += 16u) {
    for (var half = 0u; half < 2u; half++) { // unroll
      let next = step + 8u * half + 8u + r;
      let x0 = inp_at(next, last, k);
      let x1 = inp_at(next, last, k + 16u);
      let g = dout_at(next, last, col);
      for (var row = 0u; row < 8u; row++) { // unroll
        let left = b[half][row][local.x];
        let right = b[half][row][local.x + 8u];
        for (var part = 0u; part < 2u; part++) { // unroll
          let rows = a[half][row][part][local.y];
          acc[8u * part] = fma(vec4f(rows.x), left, acc[8u * part]);
          acc[8u * part + 1u] = fma(vec4f(rows.x), right, acc[8u * part + 1u]);
          acc[8u * part + 2u] = fma(vec4f(rows.y), left, acc[8u * part + 2u]);
          acc[8u * part + 3u] = fma(vec4f(rows.y), right, acc[8u * part + 3u]);
          acc[8u * part + 4u] = fma(vec4f(rows.z), left, acc[8u * part + 4u]);
          acc[8u * part + 5u] = fma(vec4f(rows.z), right, acc[8u * part + 5u]);
          acc[8u * part + 6u] = fma(vec4f(rows.w), left, acc[8u * part + 6u]);
          acc[8u * part + 7u] = fma(vec4f(rows.w), right, acc[8u * part + 7u]);
        }
      }
      a[1u - half][r][0][c] = x0;
      a[1u - half][r][1][c] = x1;
      b[1u - half][r][c] = g;
      workgroupBarrier();
    }
  }
  for (var part = 0u; part < 2u; part++) { // unroll
    for (var j = 0u; j < 4u; j++) { // unroll
      let row = 4u * (group.y * 32u + 16u * part + local.y) + j;
      store(group.z, row, group.x * 16u + local.x, acc[8u * part + 2u * j]);
      store(group.z, row, group.x * 16u + local.x + 8u, acc[8u * part + 2u * j + 1u]);
    }
  }
}

// Zeros past the edges and past the rows of the split.
fn inp_at(row: u32, last: u32, q: u32) -> vec4f {
  let k4 = shape.k / 4u;
  if (row < last && q < k4) { return inp[row * k4 + q]; }
  return vec4f();
}

fn dout_at(row: u32, last: u32, q: u32) -> vec4f {
  let n4 = shape.n / 4u;
  if (row < last && q < n4) { return dout[row * n4 + q]; }
  return vec4f();
}

fn store(split: u32, row: u32, col: u32, sum: vec4f) {
  let n4 = shape.n / 4u;
  if (row >= shape.k || col >= n4) { return; }
  let at = (split * shape.k + row) * n4 + col;
  if (ACCUMULATE == 1u) { dweight[at] += sum; } else { dweight[at] = sum; }
}
