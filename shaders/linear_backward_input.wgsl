// Linear layer, gradient of the input. dinp = dout · weightᵀ; overwrites, or adds when ACCUMULATE is 1.
//   dout: (M, N)   weight: (K, N)   dinp: (M, K)   K and N are multiples of 4
// One invocation computes ROWS × 4 outputs; a workgroup is 8 × 8 invocations (columns × rows).
// Twin: src/gpu/kernels/linear.ref.ts
const ROWS: u32 = 8;
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
  let row = id.y * ROWS;
  if (row >= shape.m || id.x >= k4) { return; }

  var acc: array<vec4f, ROWS>; // registers
  var base: array<u32, ROWS>; // registers
  for (var r = 0u; r < ROWS; r++) { // unroll
    base[r] = min(row + r, shape.m - 1u) * n4;
  }
  let w = id.x * 4u * n4;
  for (var i = 0u; i < n4; i++) {
    let w0 = weight[w + i];
    let w1 = weight[w + n4 + i];
    let w2 = weight[w + 2u * n4 + i];
    let w3 = weight[w + 3u * n4 + i];
    for (var r = 0u; r < ROWS; r++) { // unroll
      let g = dout[base[r] + i];
      acc[r] += vec4f(dot(g, w0), dot(g, w1), dot(g, w2), dot(g, w3));
    }
  }
  for (var r = 0u; r < ROWS; r++) { // unroll
    if (row + r < shape.m) {
      let at = (row + r) * k4 + id.x;
      if (ACCUMULATE == 1u) { dinp[at] += acc[r]; } else { dinp[at] = acc[r]; }
    }
  }
}
