// Linear layer, forward, register tiles without workgroup memory. out = inp · weight (+ bias) (+ residual).
//   inp: (M, K)   weight: (K, N)   bias: (N)   residual, out: (M, N)   K and N are multiples of 4
// One invocation computes ROWS × 4·COLS outputs; a workgroup is 8 × 8 invocations (columns × rows).
// Good on every adapter; real GPUs may prefer linear_forward_staged.wgsl.
// Twin: src/gpu/kernels/linear.ref.ts
const ROWS: u32 = 8;
const COLS: u32 = 2;
const HAS_BIAS: u32 = 0;
const HAS_RESIDUAL: u32 = 0;

struct Shape { m: u32, k: u32, n: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> weight: array<vec4f>;
@group(0) @binding(3) var<storage, read> bias: array<vec4f>;
@group(0) @binding(4) var<storage, read> residual: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> out: array<vec4f>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let n4 = shape.n / 4u;
  let k4 = shape.k / 4u;
  let col = id.x * COLS;
  let row = id.y * ROWS;
  if (row >= shape.m || col >= n4) { return; }

  var acc: array<vec4f, ROWS * COLS>; // registers
  var base: array<u32, ROWS>; // registers
  var column: array<u32, COLS>; // registers
  // Rows and columns past the edge repeat the last one, so the inner loop needs no test.
  for (var r = 0u; r < ROWS; r++) { // unroll
    base[r] = min(row + r, shape.m - 1u) * k4;
  }
  for (var c = 0u; c < COLS; c++) { // unroll
    column[c] = min(col + c, n4 - 1u);
  }
  for (var i = 0u; i < k4; i++) {
    for (var c = 0u; c < COLS; c++) { // unroll
      let at = i * 4u * n4 + column[c];
      let w0 = weight[at];
      let w1 = weight[at + n4];
      let w2 = weight[at + 2u * n4];
      let w3 = weight[at + 3u * n4];
      for (var r = 0u; r < ROWS; r++) { // unroll
        let x = inp[base[r] + i];
        acc[r * COLS + c] = fma(vec4f(x.x), w0, fma(vec4f(x.y), w1, fma(vec4f(x.z), w2, fma(vec4f(x.w), w3, acc[r * COLS + c]))));
      }
    }
  }
  for (var r = 0u; r < ROWS; r++) { // unroll
    for (var c = 0u; c < COLS; c++) { // unroll
      if (row + r < shape.m && col + c < n4) {
        let at = (row + r) * n4 + col + c;
        var y = acc[r * COLS + c];
        if (HAS_BIAS == 1u) { y += bias[col + c]; }
        if (HAS_RESIDUAL == 1u) { y += residual[at]; }
        out[at] = y;
      }
    }
  }
}
