// Rows of decode_reply.wgsl, each by one lane of the workgroup: for software adapters. decode_workgroup.wgsl is the counterpart.

fn norm_rows(lane: u32, weight: u32) {
  for (var s = lane; s < SEQUENCES; s += BLOCK) { norm_row(s, 0u, weight); }
}

fn sample_rows(lane: u32) {
  for (var s = lane; s < SEQUENCES; s += BLOCK) { sample_next(s, 0u); }
}

// Attention of the queries over the cache of one layer, one lane per (sequence, head), online softmax as in attention_cached.wgsl.
fn attend(cache: u32, lane: u32) {
  var query: array<vec4f, HEAD_VEC4>; // registers
  var acc: array<vec4f, HEAD_VEC4>; // registers
  for (var task = lane; task < SEQUENCES * HEADS; task += BLOCK) {
    let s = task / HEADS;
    let head = task % HEADS;
    let place = places[s];
    let q = s * WIDTH_VEC4 + head * HEAD_VEC4;
    let first = cache + place.y + head / (HEADS / KV_HEADS) * HEAD_VEC4;
    let count = select(0u, place.x + 1u, place.w != 0u);
    let scale = inverseSqrt(f32(4u * HEAD_VEC4));
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      query[d] = wide[q + d] * scale;
      acc[d] = vec4f();
    }
    var most = -1e30;
    var sum = 0.0;
    for (var key = 0u; key < count; key++) {
      let k = first + key * CACHE_VEC4;
      var products = vec4f();
      for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
        products = fma(query[d], cache_k[k + d], products);
      }
      let score = dot(products, vec4f(1.0));
      // Of the old total and the new term the smaller one shrinks: one exponential serves both cases.
      let shrink = exp(-abs(score - most));
      let keep = select(1.0, shrink, score > most);
      let p = select(shrink, 1.0, score > most);
      most = max(most, score);
      sum = fma(sum, keep, p);
      for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
        acc[d] = fma(vec4f(p), cache_v[k + d], acc[d] * keep);
      }
    }
    if (count == 0u) { continue; }
    for (var d = 0u; d < HEAD_VEC4; d++) { // unroll
      wide[q + d] = acc[d] / sum;
    }
  }
}
