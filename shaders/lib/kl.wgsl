// KL(π ‖ ref) estimated from one sampled token, d = log π − log ref: (estimate, its derivative in d).
//   kind 1: d   2: ½d²   3: e^−d + d − 1, capped at 10 as the reference implementation does   (Schulman 2020)   5: |d|
//   6, 7: the estimates 1 and 3 with the derivative of 2, whose expectation is that of the KL (veRL's k1+ and k3+)
fn kl_estimate(kind: u32, d: f32) -> vec2f {
  if (kind == 1u) { return vec2f(d, 1.0); }
  if (kind == 2u) { return vec2f(0.5 * d * d, d); }
  if (kind == 5u) { return vec2f(abs(d), sign(d)); }
  if (kind == 6u) { return vec2f(d, d); }
  let e = exp(clamp(-d, -20.0, 20.0));
  let estimate = e + d - 1.0;
  if (kind == 7u) { return vec2f(min(estimate, 10.0), d); }
  return select(vec2f(estimate, 1.0 - e), vec2f(10.0, 0.0), estimate > 10.0);
}
