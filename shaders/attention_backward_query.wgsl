// Attention, gradient of the queries, one invocation per (token, query head).
//   p = exp(q·k / √D − lse),  ds = p · (dout·v − delta) / √D,  dq = Σ over the keys of [kv_begin, kv_end) of ds · k
//   qkv, dqkv: (N, (H + 2·HKV) · D)   span: (N) vec4u   dout: (N, H · D)   lse, delta: (N, H)   D = 4 · HEAD_VEC4
// Overwrites the query columns of dqkv and leaves the others to attention_backward_key_value.wgsl.
// No workgroup memory: for software adapters; attention_backward_query_staged.wgsl is the variant for real GPUs.
// Twin: src/gpu/kernels/attention.ref.ts
const HEAD_VEC4: u32 = 8;

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
  if (index >= shape.n * shape.heads) { return; }
  let token = index / shape.heads;
  let head = index % shape.heads;
  let kv_head = head / (shape.heads / shape.kv_heads);
  let stride = (shape.heads + 2u * shape.kv_heads) * HEAD_VEC4;
  let key_column = (shape.heads + kv_head) * HEAD_VEC4;
  let value_offset = shape.kv_heads * HEAD_VEC4;
  let keys = span[token].xy;
  let at = token * stride + head * HEAD_VEC4;

  var query: array<vec4f, HEAD_VEC4>; // registers
  var dvalue: array<vec4f, HEAD_VEC4>; // registers
  var dquery: array<vec4f, HEAD_VEC4>; // registers
  let scale = inverseSqrt(f32(4u * HEAD_VEC4));
  for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
    query[d] = qkv[at + d] * scale;
    dvalue[d] = dout[index * HEAD_VEC4 + d];
  }
  let total = lse[index];
  let shared_part = delta[index];
  for (var key = keys.x; key < keys.y; key++) {
    let k = key * stride + key_column;
    var scores = vec4f();
    var dps = vec4f();
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      scores = fma(query[d], qkv[k + d], scores);
      dps = fma(dvalue[d], qkv[k + value_offset + d], dps);
    }
    let p = exp(dot(scores, vec4f(1.0)) - total);
    let ds = p * (dot(dps, vec4f(1.0)) - shared_part);
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      dquery[d] = fma(vec4f(ds), qkv[k + d], dquery[d]);
    }
  }
  for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
    dqkv[at + d] = dquery[d] * scale;
  }
}
