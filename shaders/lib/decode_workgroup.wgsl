// Rows of decode_reply.wgsl, each by all lanes of the workgroup: for real GPUs. BLOCK is a power of two and at least HEAD_VEC4.
// decode_serial.wgsl is the counterpart. Needs reduce.wgsl.
const CHUNK: u32 = 256;
var<workgroup> weights: array<f32, CHUNK>;
var<workgroup> parts: array<vec4f, BLOCK>;

fn norm_rows(lane: u32, weight: u32) {
  for (var s = 0u; s < SEQUENCES; s++) { norm_row(s, lane, weight); }
}

fn sample_rows(lane: u32) {
  for (var s = 0u; s < SEQUENCES; s++) { sample_next(s, lane); }
}

// Attention of the queries over the cache of one layer.
fn attend(cache: u32, lane: u32) {
  for (var s = 0u; s < SEQUENCES; s++) {
    let place = workgroupUniformLoad(&places[s]);
    let count = select(0u, place.x + 1u, place.w != 0u);
    for (var head = 0u; head < HEADS; head++) {
      attend_row(s * WIDTH_VEC4 + head * HEAD_VEC4, cache + place.y + head / (HEADS / KV_HEADS) * HEAD_VEC4, count, lane);
    }
  }
}

// One query, as in attention_cached_group.wgsl: per chunk of keys the lanes score one key each, then each sums its part of the values
// for its column. Parts are joined at the end.
fn attend_row(q: u32, first: u32, count: u32, lane: u32) {
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
      let k = first + key * CACHE_VEC4;
      var products = vec4f();
      for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
        products = fma(wide[q + d], cache_k[k + d], products);
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
        part_sum = fma(vec4f(weights[key - start]), cache_v[first + key * CACHE_VEC4 + column], part_sum);
      }
    }
    workgroupBarrier();
  }
  parts[lane] = part_sum;
  let total = workgroup_sum(lane, sum);
  if (lane < HEAD_VEC4 && count > 0u) {
    var joined = parts[lane];
    for (var other = 1u; other < part_count; other++) { joined += parts[other * HEAD_VEC4 + lane]; }
    wide[q + lane] = joined / total;
  }
  // `parts` is written again for the next query.
  workgroupBarrier();
}
