// The next token of one row of logits: temperature, top-k, top-p, then the Gumbel-max draw. The kernel declares logits and shape
// (vocab, seed, temperature, top_p, top_k). Needs softmax_row.wgsl, rng.wgsl, and lanes_serial.wgsl or lanes_workgroup.wgsl.
// top_k 0 and top_p ≥ 1 switch those filters off; tokens tied with the last kept one are kept too.

// Unsigned integers that order as the floats do.
fn order_key(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  return bits ^ select(0x80000000u, 0xffffffffu, bits >= 0x80000000u);
}

// The largest key that at least top_k logits reach, built from its highest bit down: exact, and needs no sort.
fn top_k_key(base: u32, lane: u32) -> u32 {
  var key = 0u;
  for (var bit = 0u; bit < 32u; bit++) {
    let candidate = key | (0x80000000u >> bit);
    var count = 0.0;
    for (var i = lane; i < shape.vocab; i += LANES) {
      count += select(0.0, 1.0, order_key(logits[base + i]) >= candidate);
    }
    count = row_sum(lane, count);
    if (count >= f32(shape.top_k)) { key = candidate; }
  }
  return key;
}

// Probability mass of the logits whose key reaches `key`.
fn mass(base: u32, lane: u32, softmax: SoftmaxRow, key: u32) -> f32 {
  var sum = 0.0;
  for (var i = lane; i < shape.vocab; i += LANES) {
    let x = logits[base + i];
    sum += select(0.0, prob(softmax, x), order_key(x) >= key);
  }
  return row_sum(lane, sum);
}

// The largest key whose logits hold a share of top_p of the mass that `floor_key` leaves.
fn top_p_key(base: u32, lane: u32, softmax: SoftmaxRow, floor_key: u32) -> u32 {
  let wanted = shape.top_p * mass(base, lane, softmax, floor_key);
  var key = 0u;
  for (var bit = 0u; bit < 32u; bit++) {
    let candidate = key | (0x80000000u >> bit);
    let share = mass(base, lane, softmax, max(candidate, floor_key));
    if (share >= wanted) { key = candidate; }
  }
  // The most likely token always survives, also with top_p 0.
  return clamp(key, floor_key, order_key(softmax.peak));
}

struct Sampled {
  token: u32,
  // Both of the whole distribution at this temperature, or at temperature 1 when temperature is 0, which is greedy.
  logprob: f32,
  entropy: f32,
}

// Noise is keyed by (seed, rng key, position, token), so a sequence draws the same in any slot and any batch.
fn sample_row(base: u32, lane: u32, position: u32, rng_key: u32) -> Sampled {
  let softmax = softmax_row(base, lane, inverse_temperature(shape.temperature));

  let greedy = shape.temperature <= 0.0;
  var key = 0u;
  if (!greedy && shape.top_k > 0u && shape.top_k < shape.vocab) { key = top_k_key(base, lane); }
  if (!greedy && shape.top_p < 1.0) { key = top_p_key(base, lane, softmax, key); }

  var best = LOWEST;
  var winner = 0u;
  for (var i = lane; i < shape.vocab; i += LANES) {
    let x = logits[base + i];
    if (order_key(x) >= key) {
      var score = (x - softmax.peak) * softmax.inverse_t;
      if (!greedy) { score += gumbel(pcg4d(vec4u(shape.seed, rng_key, position, i)).x); }
      if (score > best) {
        best = score;
        winner = i;
      }
    }
  }
  // Of equal scores the lowest token wins; token numbers are exact in f32. Logits that are not finite leave any number here, and
  // WGSL promises nothing about comparisons with them: whatever they make of it must be a token of the vocabulary.
  let overall = row_max(lane, best);
  let lowest = -row_max(lane, select(LOWEST, -f32(winner), best == overall));
  let token = min(u32(clamp(lowest, 0.0, 16777216.0)), shape.vocab - 1u);
  return Sampled(token, log_prob(softmax, logits[base + token]), softmax.entropy);
}
