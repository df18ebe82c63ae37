// λ of a trajectory of `length` steps. by 0: `lam` · 1 vapo: 1 − 1/(param·length), at least 0 · 2 relative position:
// param^(1/(length − 1)), 1 for a length of 1. Both functions are 0 for length 0. Twin: src/rl/advantage/lambda.ts
fn lambda_of(by: u32, lam: f32, param: f32, length: u32) -> f32 {
  if (by == 0u) { return lam; }
  if (length == 0u) { return 0.0; }
  if (by == 1u) { return max(0.0, 1.0 - 1.0 / (param * f32(length))); }
  if (length == 1u) { return 1.0; }
  return pow(param, 1.0 / f32(length - 1u));
}
