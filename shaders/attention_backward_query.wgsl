// Attention, gradient of the queries, one invocation per (TILE consecutive tokens, query head).
//   p = exp(q·k / √D − lse),  ds = p · (dout·v − delta) / √D,  dq = Σ over the keys of [kv_begin, kv_end) of ds · k
//   qkv, dqkv: (N, (H + 2·HKV) · D)   span: (N) vec4u   dout: (N, H · D)   lse, delta: (N, H)   D = 4 · HEAD_VEC4
// Overwrites the query columns of dqkv and leaves the others to attention_backward_key_value.wgsl.
// Tiled as attention_forward.wgsl: rows loaded once for the tile, p = 0 outside a token's own span.
// No workgroup memory: for software adapters; attention_backward_query_staged.wgsl is the variant for real GPUs.
// Twin: src/gpu/kernels/attention.ref.ts
const HEAD_VEC4: u32 = 8;
const TILE: u32 = 4;

struct Shape { n: u32, heads: u32, kv_heads: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> qkv: array<vec4f>;
@group(0) @binding(2) var<storage, read> span: array<vec4u>;
@group(0) @binding(3) var<storage, read> dout: array<vec4f>;
@group(0) @binding(4) var<storage, read> lse: array<f32>;
@group(0) @binding(5) var<storage, read> delta: array<f32>;
@group(0) @binding(6) var<storage, read_write> dqkv: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 64u + id.x;
  let first = index / shape.heads * TILE;
  if (first >= shape.n) { return; }
  let head = index % shape.heads;
  let kv_head = head / (shape.heads / shape.kv_heads);
  let stride = (shape.heads + 2u * shape.kv_heads) * HEAD_VEC4;
  let key_column = (shape.heads + kv_head) * HEAD_VEC4;
  let value_offset = shape.kv_heads * HEAD_VEC4;

  var begin: array<u32, TILE>; // registers
  var end: array<u32, TILE>; // registers
  var query: array<vec4f, TILE * HEAD_VEC4>; // registers
  var dvalue: array<vec4f, TILE * HEAD_VEC4>; // registers
  var dquery: array<vec4f, TILE * HEAD_VEC4>; // registers
  var total: array<f32, TILE>; // registers
  var shared_part: array<f32, TILE>; // registers
  var scores: array<vec4f, TILE>; // registers
  var dps: array<vec4f, TILE>; // registers
  var ds: array<f32, TILE>; // registers
  let scale = inverseSqrt(f32(4u * HEAD_VEC4));
  var low = shape.n;
  var high = 0u;
  for (var t = 0u; t < TILE; t++) { // unroll
    // Tokens past the end repeat the last one and are not written.
    let token = min(first + t, shape.n - 1u);
    let row = token * shape.heads + head;
    let keys = span[token];
    begin[t] = keys.x;
    end[t] = keys.y;
    low = min(low, keys.x);
    high = max(high, keys.y);
    total[t] = lse[row];
    shared_part[t] = delta[row];
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      query[t * HEAD_VEC4 + d] = qkv[token * stride + head * HEAD_VEC4 + d] * scale;
      dvalue[t * HEAD_VEC4 + d] = dout[row * HEAD_VEC4 + d];
    }
  }
  for (var key = low; key < high; key++) {
    let k = key * stride + key_column;
    for (var t = 0u; t < TILE; t++) { // unroll
      scores[t] = vec4f();
      dps[t] = vec4f();
    }
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      let x = qkv[k + d];
      let y = qkv[k + value_offset + d];
      for (var t = 0u; t < TILE; t++) { // unroll
        scores[t] = fma(query[t * HEAD_VEC4 + d], x, scores[t]);
        dps[t] = fma(dvalue[t * HEAD_VEC4 + d], y, dps[t]);
      }
    }
    for (var t = 0u; t < TILE; t++) { // unroll
      let inside = key >= begin[t] && key < end[t];
      let p = exp(select(-1e30, dot(scores[t], vec4f(1.0)) - total[t], inside));
      ds[t] = p * (dot(dps[t], vec4f(1.0)) - shared_part[t]);
    }
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      let x = qkv[k + d];
      for (var t = 0u; t < TILE; t++) { // unroll
        dquery[t * HEAD_VEC4 + d] = fma(vec4f(ds[t]), x, dquery[t * HEAD_VEC4 + d]);
      }
    }
  }
  for (var t = 0u; t < TILE; t++) { // unroll
    if (first + t < shape.n) {
      for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
        dqkv[(first + t) * stride + head * HEAD_VEC4 + d] = dquery[t * HEAD_VEC4 + d] * scale;
      }
    }
  }
}
