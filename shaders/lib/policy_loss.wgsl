// The policy losses besides PPO's, of one token. `shape` is that of ppo_loss.wgsl; a is the advantage, d = log π − log π_old.
//   OBJECTIVE 1 gpg       −a·log π                                                         Chu et al. 2025
//   2 cispo     −clip(ρ)·a·log π, without a gradient through clip(ρ)                       MiniMax 2025
//   3 sapo      −a·(4/τ)·σ(τ(ρ − 1)), τ = tau_pos where a > 0, else tau_neg                Gao et al. 2025
//   4 clip_cov  PPO's with one clip, but 0 at the chosen tokens                            Cui et al. 2025
//   5 kl_cov    −a·ρ, plus cov_kl_coef·|d| at the chosen tokens                            Cui et al. 2025
//   6 geo_mean  −ā·e^(mean of clipped d) of a sequence, at each of its tokens              Zhao et al. 2025
// group: (1, 0) at chosen tokens for 4 and 5; (mean of clipped d, mean advantage ā) of the sequence for 6.
// Twin: src/gpu/kernels/policy-loss.ref.ts
struct TokenLoss {
  loss: f32,
  // Its derivative in log π.
  slope: f32,
  // 1 if a clip won; 1 if one did on the side of negative advantages.
  clipped: f32,
  capped: f32,
}

fn flag(condition: bool) -> f32 { return select(0.0, 1.0, condition); }

// `free`: the ratio is not at the limits that keep it finite.
fn other_loss(logp: f32, a: f32, d: f32, ratio: f32, free: bool, group: vec2f) -> TokenLoss {
  let near = clamp(ratio, 1.0 - shape.clip_low, 1.0 + shape.clip_high);
  let plain = -a * ratio;
  let plain_slope = select(0.0, plain, free);
  if (OBJECTIVE == 1u) { return TokenLoss(-a * logp, -a, 0.0, 0.0); }
  if (OBJECTIVE == 2u) { return TokenLoss(-a * near * logp, -a * near, flag(near != ratio), 0.0); }
  if (OBJECTIVE == 3u) {
    let tau = select(shape.tau_neg, shape.tau_pos, a > 0.0);
    let gate = 1.0 / (1.0 + exp(-tau * (ratio - 1.0)));
    return TokenLoss(-a * 4.0 / tau * gate, plain_slope * 4.0 * gate * (1.0 - gate), 0.0, 0.0);
  }
  let chosen = group.x == 1.0;
  if (OBJECTIVE == 4u) {
    let bounded = -a * near;
    let slope = select(plain_slope, 0.0, chosen || bounded > plain);
    return TokenLoss(select(max(plain, bounded), 0.0, chosen), slope, flag(chosen), 0.0);
  }
  if (OBJECTIVE == 5u) {
    let weight = select(0.0, shape.cov_kl_coef, chosen);
    return TokenLoss(plain + weight * abs(d), plain_slope + weight * sign(d), 0.0, 0.0);
  }
  // 6: a token whose log-ratio was clipped where its advantage pushes it has no part in the mean.
  let above = d > shape.clip_high;
  let below = d < -shape.clip_low;
  let stopped = a == 0.0 || (a > 0.0 && above) || (a < 0.0 && below);
  let whole = -group.y * ratio;
  return TokenLoss(whole, select(whole, 0.0, stopped), flag(a > 0.0 && (above || below)), flag(a < 0.0 && (above || below)));
}
