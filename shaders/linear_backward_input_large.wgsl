// Linear layer, gradient of the input, 128×64 tiles in workgroup memory, two of each. dinp = dout · weightᵀ, or += (ACCUMULATE).
//   dout: (M, N)   weight: (K, N)   dinp: (M, K)   K and N are multiples of 4
// A workgroup of 8 × 16 invocations computes 128 × 64 outputs, each invocation 8 rows × 2 vec4, in steps of 8 along N.
// Sums have the order of linear_backward_input_staged.wgsl, so both give the same bits. Uses lib/tile_product.wgsl.
// For real GPUs and large shapes. Twin: src/gpu/kernels/linear.ref.ts
const ACCUMULATE: u32 = 0;

struct Shape { m: u32, k: u32, n: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> dout: array<vec4f>;
@group(0) @binding(2) var<storage, read> weight: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> dinp: array<vec4f>;

// The tiles of dout, a[half][n / 4][row / 64][row % 64], and of weight, b[half][n / 4][k % 4][k / 4]: neighbouring invocations read
// neighbouring k / 4. Halves as in linear_forward_large.wgsl. Padding puts what neighbours write together into different banks.
var<workgroup> a: array<array<array<array<vec4f, 66>, 2>, 2>, 2>;
var<workgroup> b: array<array<array<array<vec4f, 17>, 4>, 2>, 2>;

@compute @workgroup_size(8, 16)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let lane = local.y * 8u + local.x;
  // What an invocation loads in every step: one vec4 of two rows of dout, and one vec4 of a row of weight.
  let q = lane % 2u;
  let r = lane / 2u;
  let row = group.y * 128u + r;
  let k = group.x * 64u + r;

  var acc: array<vec4f, 16>; // registers
  a[0u][q][0][r] = dout_at(row, q);
  a[0u][q][1][r] = dout_at(row + 64u, q);
  b[0u][q][r % 4u][r / 4u] = weight_at(k, q);
  workgroupBarrier();
  // Two steps a turn, the second one past the edge too: the zeros added are those of the 64×64 tiles.
  for (var step = 0u; step < shape.n; step += 16u) {
    for (var half = 0u; half < 2u; half++) { // unroll
      let next = step / 4u + 2u * half + 2u + q;
      let g0 = dout_at(row, next);
      let g1 = dout_at(row + 64u, next);
      let w = weight_at(k, next);
      for (var q4 = 0u; q4 < 2u; q4++) { // unroll
        let left = transpose(mat4x4f(b[half][q4][0][local.x], b[half][q4][1][local.x], b[half][q4][2][local.x], b[half][q4][3][local.x]));
        let right = transpose(mat4x4f(b[half][q4][0][local.x + 8u], b[half][q4][1][local.x + 8u], b[half][q4][2][local.x + 8u], b[half][q4][3][local.x + 8u]));
        for (var part = 0u; part < 2u; part++) { // unroll
          for (var i = 0u; i < 4u; i++) { // unroll
            let g = a[half][q4][part][local.y + 16u * i];
            acc[8u * part + 2u * i] = add_product(g, left, acc[8u * part + 2u * i]);
            acc[8u * part + 2u * i + 1u] = add_product(g, right, acc[8u * part + 2u * i + 1u]);
          }
        }
      }
      a[1u - half][q][0][r] = g0;
      a[1u - half][q][1][r] = g1;
      b[1u - half][q][r % 4u][r / 4u] = w;
      workgroupBarrier();
    }
  }
  for (var i = 0u; i < 8u; i++) { // unroll
    store(group.y * 128u + local.y + 16u * i, group.x * 16u + local.x, acc[2u * i]);
    store(group.y * 128u + local.y + 16u * i, group.x * 16u + local.x + 8u, acc[2u * i + 1u]);
  }
}

// Zeros past the edges.
fn dout_at(row: u32, q: u32) -> vec4f {
  let n4 = shape.n / 4u;
  if (row < shape.m && q < n4) { return dout[row * n4 + q]; }
  return vec4f();
}

fn weight_at(k: u32, q: u32) -> vec4f {
  let n4 = shape.n / 4u;
  if (k < shape.k && q < n4) { return weight[k * n4 + q]; }
  return vec4f();
}

fn store(row: u32, col: u32, sum: vec4f) {
  let k4 = shape.k / 4u;
  if (row >= shape.m || col >= k4) { return; }
  let at = row * k4 + col;
  if (ACCUMULATE == 1u) { dinp[at] += sum; } else { dinp[at] = sum; }
}
