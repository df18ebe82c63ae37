// Gradient norm, second stage, and the optimiser's clocks, the policy's in state and the critic's in critic_state.
//   partials, critic_partials: (PARTIALS)   state, critic_state: (8) = norm, scale, finite, skipped, t, bias1, bias2, run
//   OF 0   partials are those of all parameters; both clocks advance, and the critic's norm and scale are the common ones
//   OF 1   partials are the policy's and critic_partials the critic's, and each is scaled by its own norm; both clocks advance
//   OF 2   partials are those of one of the two, and state is its own; critic_state is neither read nor written
//   norm     √Σ partials; 0 when the gradient is not finite
//   scale    min(1, clip / (norm + 1e-6)), what AdamW multiplies gradients with
//   finite   1 or 0; with 0 AdamW changes nothing and `skipped` counts up; 0 as well where norm ≥ threshold > 0. A step of both
//            is skipped for both, and counts in state alone
//   t        steps taken, bias1 = 1 − β1^t, bias2 = 1 − β2^t; all start at 0
//   run      steps whose gradient was not finite in a row, this one included; from STOP on it stays, since the run is then to be stopped
// The clock lives here because the CPU learns of a skipped step too late. bias is advanced as β·bias + (1 − β), a sum of
// positive terms that keeps full relative precision where 1 − exp(t·log β) cancels.
// Runs as one row of lib/row_serial.wgsl or lib/row_workgroup.wgsl. Twin: src/gpu/kernels/optimizer.ref.ts
const PARTIALS: u32 = 1024;
const STOP: f32 = 3.0;
const OF: u32 = 0;

struct Shape { clip: f32, beta1: f32, beta2: f32, critic_clip: f32, threshold: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> partials: array<vec4f>;
@group(0) @binding(2) var<storage, read> critic_partials: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> state: array<f32, 8>;
@group(0) @binding(4) var<storage, read_write> critic_state: array<f32, 8>;

fn process_row(row: u32, lane: u32) {
  if (row > 0u) { return; }
  var squares = vec4f();
  var broken = 0.0;
  for (var i = lane; i < PARTIALS / 4u; i += LANES) {
    let part = partials[i];
    if (any(part < vec4f())) { broken = 1.0; }
    squares += max(part, vec4f());
  }
  let sum = row_sum(lane, (squares.x + squares.y) + (squares.z + squares.w));
  var critic = vec4f();
  if (OF == 1u) {
    for (var i = lane; i < PARTIALS / 4u; i += LANES) {
      let part = critic_partials[i];
      if (any(part < vec4f())) { broken = 1.0; }
      critic += max(part, vec4f());
    }
  }
  let total_broken = row_sum(lane, broken);
  var critic_sum = 0.0;
  if (OF == 1u) { critic_sum = row_sum(lane, (critic.x + critic.y) + (critic.z + critic.w)); }
  if (lane != 0u) { return; }

  // Squares of finite gradients may still overflow.
  let overflow = (bitcast<u32>(sum + critic_sum) & 0x7f800000u) == 0x7f800000u;
  if (overflow || total_broken > 0.0) {
    state[0] = 0.0;
    state[1] = 0.0;
    state[2] = 0.0;
    state[3] += 1.0;
    state[7] += 1.0;
    skip_critic(0.0);
    return;
  }
  let norm = sqrt(sum);
  var critic_norm = norm;
  if (OF == 1u) { critic_norm = sqrt(critic_sum); }
  state[0] = norm;
  if (state[7] < STOP) { state[7] = 0.0; }
  if (shape.threshold > 0.0 && norm >= shape.threshold) {
    state[1] = 0.0;
    state[2] = 0.0;
    state[3] += 1.0;
    skip_critic(critic_norm);
    return;
  }
  state[1] = min(1.0, shape.clip / (norm + 1e-6));
  state[2] = 1.0;
  state[4] += 1.0;
  state[5] = shape.beta1 * state[5] + (1.0 - shape.beta1);
  state[6] = shape.beta2 * state[6] + (1.0 - shape.beta2);
  if (OF == 2u) { return; }
  critic_state[0] = critic_norm;
  if (critic_state[7] < STOP) { critic_state[7] = 0.0; }
  var critic_clip = shape.clip;
  if (OF == 1u) { critic_clip = shape.critic_clip; }
  critic_state[1] = min(1.0, critic_clip / (critic_norm + 1e-6));
  critic_state[2] = 1.0;
  critic_state[4] += 1.0;
  critic_state[5] = shape.beta1 * critic_state[5] + (1.0 - shape.beta1);
  critic_state[6] = shape.beta2 * critic_state[6] + (1.0 - shape.beta2);
}

// The critic takes no step either.
fn skip_critic(norm: f32) {
  if (OF == 2u) { return; }
  critic_state[0] = norm;
  critic_state[1] = 0.0;
  critic_state[2] = 0.0;
}
