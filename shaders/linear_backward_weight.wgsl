// Linear layer, gradient of the weight. dweight += inpᵀ · dout, or one partial product per split when `splits` > 1.
//   inp: (M, K)   dout: (M, N)   dweight: (K, N), or (splits, K, N) partials that sum_partials.wgsl adds up in order
// The sum runs over rows, so a small weight with many rows is split over rows to keep every core busy.
// One invocation computes ROWS·4 × 4·COLS outputs; a workgroup is 8 × 8 invocations (columns × rows); z = split.
// Twin: src/gpu/kernels/linear.ref.ts
const ROWS: u32 = 2;
const COLS: u32 = 2;
const ACCUMULATE: u32 = 1;

struct Shape { m: u32, k: u32, n: u32, splits: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> dout: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> dweight: array<vec4f>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let n4 = shape.n / 4u;
  let k4 = shape.k / 4u;
  let col = id.x * COLS;
  let row4 = id.y * ROWS;
  if (row4 >= k4 || col >= n4) { return; }

  let per_split = (shape.m + shape.splits - 1u) / shape.splits;
  let first = id.z * per_split;
  let last = min(first + per_split, shape.m);

  var acc: array<vec4f, ROWS * COLS * 4u>; // registers
  var a: array<u32, ROWS>; // registers
  var b: array<u32, COLS>; // registers
  for (var r = 0u; r < ROWS; r++) { // unroll
    a[r] = min(row4 + r, k4 - 1u);
  }
  for (var c = 0u; c < COLS; c++) { // unroll
    b[c] = min(col + c, n4 - 1u);
  }
  for (var i = first; i < last; i++) {
    for (var c = 0u; c < COLS; c++) { // unroll
      let g = dout[i * n4 + b[c]];
      for (var r = 0u; r < ROWS; r++) { // unroll
        let x = inp[i * k4 + a[r]];
        acc[r * COLS * 4u + c * 4u] += x.x * g;
        acc[r * COLS * 4u + c * 4u + 1u] += x.y * g;
        acc[r * COLS * 4u + c * 4u + 2u] += x.z * g;
        acc[r * COLS * 4u + c * 4u + 3u] += x.w * g;
      }
    }
  }
  let split = id.z * shape.k * n4;
  for (var r = 0u; r < ROWS; r++) { // unroll
    for (var c = 0u; c < COLS; c++) { // unroll
      if (row4 + r < k4 && col + c < n4) {
        for (var j = 0u; j < 4u; j++) { // unroll
          let at = split + ((row4 + r) * 4u + j) * n4 + col + c;
          if (ACCUMULATE == 1u) { dweight[at] += acc[r * COLS * 4u + c * 4u + j]; } else { dweight[at] = acc[r * COLS * 4u + c * 4u + j]; }
        }
      }
    }
  }
}
