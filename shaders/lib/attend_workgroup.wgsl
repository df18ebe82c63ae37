// Attention of one query over rows of the key-value cache, by all lanes of a workgroup: for real GPUs.
// Joined with a kernel that has BLOCK ≥ HEAD_VEC4, `cache_k`, `cache_v` and `query_part`, which reads its queries. Needs reduce.wgsl.
const CHUNK: u32 = 256;
var<workgroup> weights: array<f32, CHUNK>;
var<workgroup> parts: array<vec4f, BLOCK>;

// The query begins at vec4 `q`; its keys and values are the `count` rows of `width` vec4s from `first` on. Lanes below HEAD_VEC4 return
// their column of the result, if count > 0. Per chunk of 256 keys: first the lanes score a key each; then they are arranged as
// (part, column of D / 4), and each sums its part of the values for its column. Parts are joined once, at the end. Before another call
// the workgroup needs a barrier.
fn attend_query(q: u32, first: u32, width: u32, count: u32, lane: u32) -> vec4f {
  let part_count = BLOCK / HEAD_VEC4;
  let part = lane / HEAD_VEC4;
  let column = lane % HEAD_VEC4;
  let scale = inverseSqrt(f32(4u * HEAD_VEC4));
  var most = -1e30;
  var sum = 0.0;
  var part_sum = vec4f();
  for (var start = 0u; start < count; start += CHUNK) {
    let end = min(start + CHUNK, count);
    var lane_most = -1e30;
    for (var key = start + lane; key < end; key += BLOCK) {
      let k = first + key * width;
      var products = vec4f();
      for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
        products = fma(query_part(q + d), cache_k[k + d], products);
      }
      let score = dot(products, vec4f(scale));
      weights[key - start] = score;
      lane_most = max(lane_most, score);
    }
    let now = max(most, workgroup_max(lane, lane_most));
    let keep = exp(most - now);
    most = now;
    sum *= keep;
    // Each lane turns the scores that it wrote itself into weights.
    for (var key = start + lane; key < end; key += BLOCK) {
      let p = exp(weights[key - start] - now);
      weights[key - start] = p;
      sum += p;
    }
    workgroupBarrier();
    part_sum *= keep;
    if (part < part_count) {
      for (var key = start + part; key < end; key += part_count) {
        part_sum = fma(vec4f(weights[key - start]), cache_v[first + key * width + column], part_sum);
      }
    }
    workgroupBarrier();
  }
  parts[lane] = part_sum;
  let total = workgroup_sum(lane, sum);
  var joined = parts[column];
  for (var other = 1u; other < part_count; other++) { joined += parts[other * HEAD_VEC4 + column]; }
  return joined / total;
}
