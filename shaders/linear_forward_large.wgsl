// Linear layer, forward, 128×64 tiles in workgroup memory, two of each. out = inp · weight (+ bias) (+ residual).
//   inp: (M, K)   weight: (K, N)   bias: (N)   residual, out: (M, N)   K and N are multiples of 4
// A workgroup of 8 × 16 invocations computes 128 × 64 outputs, each invocation 8 rows × 2 vec4, in steps of 8 along K.
// Sums have the order of linear_forward_staged.wgsl, so both give the same bits. Uses lib/tile_product.wgsl.
// For real GPUs and large shapes. Twin: src/gpu/kernels/linear.ref.ts
const HAS_BIAS: u32 = 0;
const HAS_RESIDUAL: u32 = 0;

struct Shape { m: u32, k: u32, n: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> inp: array<vec4f>;
@group(0) @binding(2) var<storage, read> weight: array<vec4f>;
@group(0) @binding(3) var<storage, read> bias: array<vec4f>;
@group(0) @binding(4) var<storage, read> residual: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> out: array<vec4f>;

// The tiles of inp, a[half][k / 4][row / 64][row % 64], and of weight, b[half][k][column / 4]. While one half is multiplied, the
// other is filled for the next step, so one barrier a step is enough: it ends the reads of one half and the writes of the other.
// Padding puts the two vec4 of a row, which neighbouring invocations write together, into different banks.
var<workgroup> a: array<array<array<array<vec4f, 66>, 2>, 2>, 2>;
var<workgroup> b: array<array<array<vec4f, 16>, 8>, 2>;

@compute @workgroup_size(8, 16)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let lane = local.y * 8u + local.x;
  // What an invocation loads in every step, relative to the tiles: one vec4 of two rows of inp, and one vec4 of weight.
  let q = lane % 2u;
  let r = lane / 2u;
  let c = lane % 16u;
  let k = lane / 16u;
  let row = group.y * 128u + r;
  let col = group.x * 16u + c;

  var acc: array<vec4f, 16>; // registers
  a[0u][q][0][r] = inp_at(row, q);
  a[0u][q][1][r] = inp_at(row + 64u, q);
  b[0u][k][c] = weight_at(k, col);
  workgroupBarrier();
  // Two steps a turn, the second one past the edge too: the zeros added are those of the 64×64 tiles.
  for (var step = 0u; step < shape.k; step += 16u) {
    for (var half = 0u; half < 2u; half++) { // unroll
      let next = step + 8u * half + 8u;
      let x0 = inp_at(row, next / 4u + q);
      let x1 = inp_at(row + 64u, next / 4u + q);
      let w = weight_at(next + k, col);
      for (var q4 = 0u; q4 < 2u; q4++) { // unroll
        let left = mat4x4f(b[half][4u * q4][local.x], b[half][4u * q4 + 1u][local.x], b[half][4u * q4 + 2u][local.x], b[half][4u * q4 + 3u][local.x]);
        let right = mat4x4f(b[half][4u * q4][local.x + 8u], b[half][4u * q4 + 1u][local.x + 8u], b[half][4u * q4 + 2u][local.x + 8u], b[half][4u * q4 + 3u][local.x + 8u]);
        for (var part = 0u; part < 2u; part++) { // unroll
          for (var i = 0u; i < 4u; i++) { // unroll
            let x = a[half][q4][part][local.y + 16u * i];
            acc[8u * part + 2u * i] = add_product(x, left, acc[8u * part + 2u * i]);
            acc[8u * part + 2u * i + 1u] = add_product(x, right, acc[8u * part + 2u * i + 1u]);
          }
        }
      }
      a[1u - half][q][0][r] = x0;
      a[1u - half][q][1][r] = x1;
      b[1u - half][k][c] = w;
      workgroupBarrier();
    }
  }
  for (var i = 0u; i < 8u; i++) { // unroll
    store(group.y * 128u + local.y + 16u * i, group.x * 16u + local.x, acc[2u * i]);
    store(group.y * 128u + local.y + 16u * i, group.x * 16u + local.x + 8u, acc[2u * i + 1u]);
  }
}

// Zeros past the edges.
fn inp_at(row: u32, q: u32) -> vec4f {
  let k4 = shape.k / 4u;
  if (row < shape.m && q < k4) { return inp[row * k4 + q]; }
  return vec4f();
}

fn weight_at(k: u32, col: u32) -> vec4f {
  let n4 = shape.n / 4u;
  if (k < shape.k && col < n4) { return weight[k * n4 + col]; }
  return vec4f();
}

fn store(row: u32, col: u32, sum: vec4f) {
  let n4 = shape.n / 4u;
  if (row >= shape.m || col >= n4) { return; }
  var y = sum;
  if (HAS_BIAS == 1u) { y += bias[col]; }
  if (HAS_RESIDUAL == 1u) { y += residual[row * n4 + col]; }
  out[row * n4 + col] = y;
}
