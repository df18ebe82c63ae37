// Softmax of one row of the kernel's `logits` (R, stride), over its first `shape.vocab` columns only.
// Everything downstream reads log-probabilities: log p(i) = (logits[i] − peak)·inverse_t − log_sum.
struct SoftmaxRow {
  peak: f32,
  inverse_t: f32,
  log_sum: f32,
  entropy: f32,
}

// 1 / temperature; temperature 0 means greedy sampling, whose log-probabilities are reported at temperature 1.
fn inverse_temperature(temperature: f32) -> f32 {
  return select(1.0, 1.0 / max(temperature, 1e-6), temperature > 0.0);
}

fn softmax_row(base: u32, lane: u32, inverse_t: f32) -> SoftmaxRow {
  var peak = LOWEST;
  for (var i = lane; i < shape.vocab; i += LANES) { peak = max(peak, logits[base + i]); }
  peak = row_max(lane, peak);

  var sum = 0.0;
  var weighted = 0.0;
  for (var i = lane; i < shape.vocab; i += LANES) {
    // Below −80 the term is under 1e-34 of the sum; the clamp keeps exp away from its denormal and overflow edges.
    let z = max((logits[base + i] - peak) * inverse_t, -80.0);
    let e = exp(z);
    sum += e;
    weighted += e * z;
  }
  sum = row_sum(lane, sum);
  weighted = row_sum(lane, weighted);
  // H = log Σe^z − Σ z·e^z / Σe^z. Rounding may leave −1e-7 for a one-hot row.
  let log_sum = log(sum);
  return SoftmaxRow(peak, inverse_t, log_sum, max(log_sum - weighted / sum, 0.0));
}

fn log_prob(row: SoftmaxRow, logit: f32) -> f32 {
  return (logit - row.peak) * row.inverse_t - row.log_sum;
}

fn prob(row: SoftmaxRow, logit: f32) -> f32 {
  return exp(max(log_prob(row, logit), -80.0));
}
