// Attention, gradients of the keys and values, one invocation per (token, key head).
//   over the queries of [q_begin, q_end) and the query heads of the group, with p and ds as for the queries:
//   dv = Σ p · dout,  dk = Σ ds · q
//   qkv, dqkv: (N, (H + 2·HKV) · D)   span: (N) vec4u   dout: (N, H · D)   lse, delta: (N, H)   D = 4 · HEAD_VEC4
// Overwrites the key and value columns of dqkv. One owner per sum, in a fixed order: no atomics.
// No workgroup memory: for software adapters; attention_backward_key_value_staged.wgsl is for real GPUs.
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
  if (index >= shape.n * shape.kv_heads) { return; }
  let token = index / shape.kv_heads;
  let kv_head = index % shape.kv_heads;
  let group = shape.heads / shape.kv_heads;
  let stride = (shape.heads + 2u * shape.kv_heads) * HEAD_VEC4;
  let at = token * stride + (shape.heads + kv_head) * HEAD_VEC4;
  let value_offset = shape.kv_heads * HEAD_VEC4;
  let queries = span[token].zw;

  var key: array<vec4f, HEAD_VEC4>; // registers
  var value: array<vec4f, HEAD_VEC4>; // registers
  var dkey: array<vec4f, HEAD_VEC4>; // registers
  var dvalue: array<vec4f, HEAD_VEC4>; // registers
  let scale = inverseSqrt(f32(4u * HEAD_VEC4));
  for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
    key[d] = qkv[at + d] * scale;
    value[d] = qkv[at + value_offset + d];
  }
  for (var token_q = queries.x; token_q < queries.y; token_q++) {
    for (var head = kv_head * group; head < (kv_head + 1u) * group; head++) {
      let row = token_q * shape.heads + head;
      let q = token_q * stride + head * HEAD_VEC4;
      var scores = vec4f();
      var dps = vec4f();
      for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
        scores = fma(key[d], qkv[q + d], scores);
        dps = fma(value[d], dout[row * HEAD_VEC4 + d], dps);
      }
      let p = exp(dot(scores, vec4f(1.0)) - lse[row]);
      let ds = p * (dot(dps, vec4f(1.0)) - delta[row]);
      for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
        dkey[d] = fma(vec4f(ds), qkv[q + d], dkey[d]);
        dvalue[d] = fma(vec4f(p), dout[row * HEAD_VEC4 + d], dvalue[d]);
      }
    }
  }
  for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
    dqkv[at + d] = dkey[d] * scale;
    dqkv[at + value_offset + d] = dvalue[d];
  }
}
