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
  var g: array<vec4f, COLS * 4u>; // registers
  for (var r = 0u; r < ROWS; r++) { // unroll
    a[r] = min(row4 + r, k4 - 1u);
  }
  for (var c = 0u; c < COLS; c++) { // unroll
    b[c] = min(col + c, n4 - 1u);
  }
  var i = first;
  // Four rows at a time: a sum is then loaded and stored once for four multiply-adds.
  for (; i + 3u < last; i += 4u) {
    let x_at = i * k4;
    let g_at = i * n4;
    for (var c = 0u; c < COLS; c++) { // unroll
      g[c * 4u] = dout[g_at + b[c]];
      g[c * 4u + 1u] = dout[g_at + n4 + b[c]];
      g[c * 4u + 2u] = dout[g_at + 2u * n4 + b[c]];
      g[c * 4u + 3u] = dout[g_at + 3u * n4 + b[c]];
    }
    for (var r = 0u; r < ROWS; r++) { // unroll
      let x0 = inp[x_at + a[r]];
      let x1 = inp[x_at + k4 + a[r]];
      let x2 = inp[x_at + 2u * k4 + a[r]];
      let x3 = inp[x_at + 3u * k4 + a[r]];
      for (var c = 0u; c < COLS; c++) { // unroll
        acc[r * COLS * 4u + c * 4u] = fma(vec4f(x3.x), g[c * 4u + 3u], fma(vec4f(x2.x), g[c * 4u + 2u], fma(vec4f(x1.x), g[c * 4u + 1u], fma(vec4f(x0.x), g[c * 4u], acc[r * COLS * 4u + c * 4u]))));
        acc[r * COLS * 4u + c * 4u + 1u] = fma(vec4f(x3.y), g[c * 4u + 3u], fma(vec4f(x2.y), g[c * 4u + 2u], fma(vec4f(x1.y), g[c * 4u + 1u], fma(vec4f(x0.y), g[c * 4u], acc[r * COLS * 4u + c * 4u + 1u]))));
        acc[r * COLS * 4u + c * 4u + 2u] = fma(vec4f(x3.z), g[c * 4u + 3u], fma(vec4f(x2.z), g[c * 4u + 2u], fma(vec4f(x1.z), g[c * 4u + 1u], fma(vec4f(x0.z), g[c * 4u], acc[r * COLS * 4u + c * 4u + 2u]))));
        acc[r * COLS * 4u + c * 4u + 3u] = fma(vec4f(x3.w), g[c * 4u + 3u], fma(vec4f(x2.w), g[c * 4u + 2u], fma(vec4f(x1.w), g[c * 4u + 1u], fma(vec4f(x0.w), g[c * 4u], acc[r * COLS * 4u + c * 4u + 3u]))));
      }
    }
  }
  for (; i < last; i++) {
    for (var c = 0u; c < COLS; c++) { // unroll
      let rest = dout[i * n4 + b[c]];
      for (var r = 0u; r < ROWS; r++) { // unroll
        let x = inp[i * k4 + a[r]];
        acc[r * COLS * 4u + c * 4u] += x.x * rest;
        acc[r * COLS * 4u + c * 4u + 1u] += x.y * rest;
        acc[r * COLS * 4u + c * 4u + 2u] += x.z * rest;
        acc[r * COLS * 4u + c * 4u + 3u] += x.w * rest;
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
