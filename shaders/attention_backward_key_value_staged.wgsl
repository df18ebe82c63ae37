// Attention, gradients of the keys and values, one workgroup per 32 keys of a key head, two lanes per key.
//   over the queries of [q_begin, q_end) and the query heads of the group, with p and ds as for the queries:
//   dv = Σ p · dout,  dk = Σ ds · q
//   qkv, dqkv: (N, (H + 2·HKV) · D)   span: (N) vec4u   dout: (N, H · D)   lse, delta: (N, H)   D = 4 · HEAD_VEC4
// Of the two lanes of a key, role 0 holds k and sums dv, role 1 holds v and sums dk: half the registers each.
// Role 0 finds q·k and role 1 dout·v; both numbers pass through workgroup memory to the other. So do tiles of 8
// rows of q and dout (10 KiB at D = 128 in all). Overwrites the key and value columns of dqkv; no atomics.
// For real GPUs; attention_backward_key_value.wgsl is the variant for software adapters.
// Twin: src/gpu/kernels/attention.ref.ts
const HEAD_VEC4: u32 = 8;
const KEYS: u32 = 32;
const TILE: u32 = 8;
const LANES: u32 = 64;

struct Shape { n: u32, heads: u32, kv_heads: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> qkv: array<vec4f>;
@group(0) @binding(2) var<storage, read> span: array<vec4u>;
@group(0) @binding(3) var<storage, read> dout: array<vec4f>;
@group(0) @binding(4) var<storage, read> lse: array<f32>;
@group(0) @binding(5) var<storage, read> delta: array<f32>;
@group(0) @binding(6) var<storage, read_write> dqkv: array<vec4f>;

// Rows of q, then rows of dout: a role's own half is at role · TILE · HEAD_VEC4.
var<workgroup> rows: array<vec4f, 2 * TILE * HEAD_VEC4>;
// q·k of every (query, key) of the tile, then dout·v.
var<workgroup> products: array<f32, TILE * LANES>;

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let kv_head = group.y;
  let heads_per_key = shape.heads / shape.kv_heads;
  let stride = (shape.heads + 2u * shape.kv_heads) * HEAD_VEC4;
  let last = shape.n - 1u;
  let role = lane / KEYS;
  let column = lane % KEYS;
  // Lanes past the last token repeat it and write nothing.
  let token = min(group.x * KEYS + column, last);
  let at = token * stride + (shape.heads + kv_head + role * shape.kv_heads) * HEAD_VEC4;
  let mine = span[token].zw;
  // Every lane reads all the spans: the bounds must be uniform, since there are barriers in the loop.
  var begin = shape.n;
  var end = 0u;
  for (var i = 0u; i < KEYS; i++) {
    let other = span[min(group.x * KEYS + i, last)].zw;
    begin = min(begin, other.x);
    end = max(end, other.y);
  }

  var own: array<vec4f, HEAD_VEC4>; // registers
  var gradient: array<vec4f, HEAD_VEC4>; // registers
  for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
    own[d] = qkv[at + d];
  }
  let scale = inverseSqrt(f32(4u * HEAD_VEC4));
  let own_rows = role * TILE * HEAD_VEC4;
  let other_rows = (1u - role) * TILE * HEAD_VEC4;
  for (var head = kv_head * heads_per_key; head < (kv_head + 1u) * heads_per_key; head++) {
    for (var base = begin; base < end; base += TILE) {
      workgroupBarrier();
      for (var i = lane; i < TILE * HEAD_VEC4; i += LANES) {
        let query = min(base + i / HEAD_VEC4, last);
        rows[i] = qkv[query * stride + head * HEAD_VEC4 + i % HEAD_VEC4];
        rows[TILE * HEAD_VEC4 + i] = dout[(query * shape.heads + head) * HEAD_VEC4 + i % HEAD_VEC4];
      }
      workgroupBarrier();
      for (var t = 0u; t < TILE; t++) {
        var sums = vec4f();
        for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
          sums = fma(own[d], rows[own_rows + t * HEAD_VEC4 + d], sums);
        }
        products[t * LANES + lane] = dot(sums, vec4f(1.0));
      }
      workgroupBarrier();
      let stop = min(base + TILE, mine.y);
      for (var query = max(base, mine.x); query < stop; query++) {
        let t = query - base;
        let row = query * shape.heads + head;
        let p = exp(products[t * LANES + column] * scale - lse[row]);
        let ds = p * (products[t * LANES + KEYS + column] - delta[row]) * scale;
        let factor = vec4f(select(ds, p, role == 0u));
        for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
          gradient[d] = fma(factor, rows[other_rows + t * HEAD_VEC4 + d], gradient[d]);
        }
      }
    }
  }
  // Role 0 has summed dv and role 1 dk: each writes the columns that the other one read.
  if (group.x * KEYS + column < shape.n) {
    let to = token * stride + (shape.heads + kv_head + (1u - role) * shape.kv_heads) * HEAD_VEC4;
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      dqkv[to + d] = gradient[d];
    }
  }
}
