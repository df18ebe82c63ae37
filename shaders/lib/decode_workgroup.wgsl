// Rows of decode_reply.wgsl, each by all lanes of the workgroup: for real GPUs. BLOCK is a power of two and at least HEAD_VEC4.
// decode_serial.wgsl is the counterpart. Needs attend_workgroup.wgsl and reduce.wgsl.

fn query_part(i: u32) -> vec4f { return wide[i]; }

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
      let q = s * WIDTH_VEC4 + head * HEAD_VEC4;
      let first = cache + place.y + head / (HEADS / KV_HEADS) * HEAD_VEC4;
      let value = attend_query(q, first, CACHE_VEC4, count, lane);
      if (lane < HEAD_VEC4 && count > 0u) { wide[q + lane] = value; }
      // The next query shares the memory of this one.
      workgroupBarrier();
    }
  }
}
