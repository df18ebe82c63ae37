// PPO policy loss over rows, forward and backward in place. Per row, with lp = log π(target) and weight w:
//   P = max(−Aρ, −A·clip(ρ, 1 − clip_low, 1 + clip_high)),  ρ = e^(lp − old);  where A < 0 and clip_c > 0: min(P, −A·clip_c)
//   loss = scale·w·( P − entropy_coef·H + kl_coef·KL )
//   logits, ref_logits: (R, stride)   targets, src: (R)   read at src, on the batch axis (Nb):
//   facts: (4) = old log-probability, A, ref policy log-probability, w   groups: (2), see GROUPED   policy_weights, see OWN_MEAN
//   logits become ∂loss/∂logits, padded columns 0
//   stats: (R, 8) = P, ppo_kl (old − lp), 1 if clipping won, H, KL, ρ, lp, 1 if clip_c won   (not scaled, not weighted)
// KL 0 none · 1, 2, 3, 5, 6, 7 the estimators of lib/kl.wgsl at the target · 4 KL(π ‖ ref) summed over the vocabulary, which reads
// ref_logits. With KEPT_REF 1 these are log-probabilities at the training temperature, on the batch axis (Nb, stride), read at src.
// GROUPED 1 takes ρ = e^groups.x, that of several tokens, with the gradient of ρ·lp (GSPO, Zheng et al. 2025, eq. 13).
// OBJECTIVE other than 0 takes P from lib/policy_loss.wgsl. OWN_MEAN 1 gives P a mean of its own, policy_scale·policy_weights, and
// leaves scale·w to entropy and KL. PIVOT 1 adds scale·w·pivot_coef·g·(ℓ_tea − lp) with g = σ(pivot_beta·(ℓ_tea − lp)), both ℓ_tea
// and g constants of the gradient (PIVOT, arXiv 2609.35303): the teacher's log-probability ℓ_tea of a token is read at
// policy_weights[teacher_from + src], and 1, which no log-probability is, marks a token without a teacher. The term is in no column
// of stats. A binding that is not read may be any buffer but `logits`.
// Schulman et al. 2017, eq. 7; the second clip is that of Ye et al. 2020, eq. 5; derivatives in x = logits / temperature:
//   ∂lp/∂x_i = 1[i = target] − p_i    ∂H/∂x_i = −p_i (log p_i + H)    ∂KL/∂x_i = p_i (log p_i − log q_i − KL)
// Runs through lib/row_serial.wgsl or lib/row_workgroup.wgsl. Twin: src/gpu/kernels/ppo-loss.ref.ts
const KL: u32 = 0;
const OBJECTIVE: u32 = 0;
const GROUPED: u32 = 0;
const OWN_MEAN: u32 = 0;
const PIVOT: u32 = 0;
const KEPT_REF: u32 = 0;

struct Shape {
  r: u32,
  vocab: u32,
  stride: u32,
  scale: f32,
  temperature: f32,
  clip_low: f32,
  clip_high: f32,
  clip_c: f32,
  entropy_coef: f32,
  kl_coef: f32,
  policy_scale: f32,
  tau_pos: f32,
  tau_neg: f32,
  cov_kl_coef: f32,
  teacher_from: u32,
  pivot_coef: f32,
  pivot_beta: f32,
}

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read_write> logits: array<f32>;
@group(0) @binding(2) var<storage, read> ref_logits: array<f32>;
@group(0) @binding(3) var<storage, read> targets: array<u32>;
@group(0) @binding(4) var<storage, read> src: array<u32>;
@group(0) @binding(5) var<storage, read> facts: array<vec4f>;
@group(0) @binding(6) var<storage, read> groups: array<vec2f>;
@group(0) @binding(7) var<storage, read> policy_weights: array<f32>;
@group(0) @binding(8) var<storage, read_write> stats: array<vec4f>;

// log q of an id is scale·ref_logits[base + id] − log_sum.
struct RefRow { base: u32, scale: f32, log_sum: f32 }

fn ref_row(row: u32, at: u32, lane: u32, inverse_t: f32) -> RefRow {
  if (KEPT_REF == 1u) { return RefRow(at * shape.stride, 1.0, 0.0); }
  let base = row * shape.stride;
  return RefRow(base, inverse_t, ref_log_sum(base, lane, inverse_t));
}

fn ref_log_prob(row: RefRow, id: u32) -> f32 {
  return ref_logits[row.base + id] * row.scale - row.log_sum;
}

fn ref_log_sum(base: u32, lane: u32, inverse_t: f32) -> f32 {
  var peak = LOWEST;
  for (var i = lane; i < shape.vocab; i += LANES) { peak = max(peak, ref_logits[base + i]); }
  peak = row_max(lane, peak);
  var sum = 0.0;
  for (var i = lane; i < shape.vocab; i += LANES) { sum += exp(max((ref_logits[base + i] - peak) * inverse_t, -80.0)); }
  return peak * inverse_t + log(row_sum(lane, sum));
}

fn process_row(row: u32, lane: u32) {
  if (row >= shape.r) { return; }
  let base = row * shape.stride;
  let label = targets[row];
  let at = src[row];
  let inverse_t = inverse_temperature(shape.temperature);
  let softmax = softmax_row(base, lane, inverse_t);
  let logp = log_prob(softmax, logits[base + label]);

  // The clipped objective and its derivative in logp.
  let fact = facts[at];
  var group = vec2f();
  if (GROUPED == 1u || OBJECTIVE >= 4u) { group = groups[at]; }
  let difference = select(logp - fact.x, group.x, GROUPED == 1u);
  let log_ratio = clamp(difference, -20.0, select(20.0, 10.0, GROUPED == 1u));
  let ratio = exp(log_ratio);
  let advantage = fact.y;
  let plain = -advantage * ratio;
  let bounded = -advantage * clamp(ratio, 1.0 - shape.clip_low, 1.0 + shape.clip_high);
  var clipped = bounded > plain;
  var capped = shape.clip_c > 0.0 && advantage < 0.0 && max(plain, bounded) > -advantage * shape.clip_c;
  var loss = select(max(plain, bounded), -advantage * shape.clip_c, capped);
  var slope = select(plain, 0.0, clipped || capped || difference != log_ratio);

  if (OBJECTIVE != 0u) {
    let other = other_loss(logp, advantage, logp - fact.x, ratio, difference == log_ratio, group);
    loss = other.loss;
    slope = other.slope;
    clipped = other.clipped == 1.0;
    capped = other.capped == 1.0;
  }
  if (OWN_MEAN == 1u) { slope *= shape.policy_scale * policy_weights[at] / (shape.scale * fact.w); }

  if (PIVOT == 1u) {
    let teacher = policy_weights[shape.teacher_from + at];
    let gate = 1.0 / (1.0 + exp(clamp(shape.pivot_beta * (logp - teacher), -80.0, 80.0)));
    slope -= select(0.0, shape.pivot_coef * gate, teacher <= 0.0);
  }

  var kl = 0.0;
  var ref_policy = RefRow();
  if (KL == 4u) {
    ref_policy = ref_row(row, at, lane, inverse_t);
    for (var i = lane; i < shape.vocab; i += LANES) {
      let x = logits[base + i];
      kl += prob(softmax, x) * (log_prob(softmax, x) - ref_log_prob(ref_policy, i));
    }
    kl = row_sum(lane, kl);
  } else if (KL != 0u) {
    let estimate = kl_estimate(KL, logp - fact.z);
    kl = estimate.x;
    slope += shape.kl_coef * estimate.y;
  }

  row_barrier();
  let factor = shape.scale * fact.w * inverse_t;
  for (var i = lane; i < shape.stride; i += LANES) {
    var gradient = 0.0;
    if (i < shape.vocab) {
      let x = logits[base + i];
      let p = prob(softmax, x);
      let lp = log_prob(softmax, x);
      gradient = slope * (select(0.0, 1.0, i == label) - p) + shape.entropy_coef * p * (lp + softmax.entropy);
      if (KL == 4u) {
        gradient += shape.kl_coef * p * (lp - ref_log_prob(ref_policy, i) - kl);
      }
    }
    logits[base + i] = gradient * factor;
  }
  if (lane == 0u) {
    stats[row * 2u] = vec4f(loss, select(-log_ratio, fact.x - logp, GROUPED == 1u), select(0.0, 1.0, clipped), softmax.entropy);
    stats[row * 2u + 1u] = vec4f(kl, ratio, logp, select(0.0, 1.0, capped));
  }
}
