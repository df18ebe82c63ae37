// Linear layer, gradient of the input. dinp = dout · weightᵀ; overwrites, or adds when ACCUMULATE is 1.
//   dout: (M, N)   weight: (K, N)   dinp: (M, K)   K and N are multiples of 4
// One invocation computes ROWS × 4·COLS outputs; a workgroup is 8 × 8 invocations (columns × rows).
// Twin: src/gpu/kernels/linear.ref.ts
const ROWS: u32 = 8;
const COLS: u32 = 2;
const ACCUMULATE: u32 = 0;

struct Shape { m: u32, k: u32, n: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> dout: array<vec4f>;
@group(0) @binding(2) var<storage, read> weight: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> dinp: array<vec4f>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let n4 = shape.n / 4u;
  let k4 = shape.k / 4u;
  let col = id.x * COLS;
  let row = id.y * ROWS;
  if (row >= shape.m || col >= k4) { return; }

  var acc: array<vec4f, ROWS * COLS>; // registers
  var base: array<u32, ROWS>; // registers
  var w: array<u32, COLS>; // registers
  // Rows and columns past the edge repeat the last one, so the inner loop needs no test.
  for (var r = 0u; r < ROWS; r++) { // unroll
    base[r] = min(row + r, shape.m - 1u) * n4;
  }
  for (var c = 0u; c < COLS; c++) { // unroll
    w[c] = min(col + c, k4 - 1u) * 4u * n4;
  }
  for (var i = 0u; i < n4; i++) {
    for (var c = 0u; c < COLS; c++) { // unroll
      // Transposed in registers: adapters that run one component at a time pay nothing for it, and a chain of
      // multiply-adds is cheaper there than dot products.
      let w0 = weight[w[c] + i];
      let w1 = weight[w[c] + n4 + i];
      let w2 = weight[w[c] + 2u * n4 + i];
      let w3 = weight[w[c] + 3u * n4 + i];
      let x = vec4f(w0.x, w1.x, w2.x, w3.x);
      let y = vec4f(w0.y, w1.y, w2.y, w3.y);
      let z = vec4f(w0.z, w1.z, w2.z, w3.z);
      let u = vec4f(w0.w, w1.w, w2.w, w3.w);
      for (var r = 0u; r < ROWS; r++) { // unroll
        let g = dout[base[r] + i];
        acc[r * COLS + c] = fma(vec4f(g.x), x, fma(vec4f(g.y), y, fma(vec4f(g.z), z, fma(vec4f(g.w), u, acc[r * COLS + c]))));
      }
    }
  }
  for (var r = 0u; r < ROWS; r++) { // unroll
    for (var c = 0u; c < COLS; c++) { // unroll
      if (row + r < shape.m && col + c < k4) {
        let at = (row + r) * k4 + col + c;
        if (ACCUMULATE == 1u) { dinp[at] += acc[r * COLS + c]; } else { dinp[at] = acc[r * COLS + c]; }
      }
    }
  }
}
