// AdamW (Loshchilov and Hutter 2019, algorithm 2) on one flat parameter buffer, one vec4 per invocation.
//   params, grads, m, v: (n), n a multiple of 64   block_table: (n / 64, 2), one entry per block of 64 parameters:
//     [0 actor learning rate | 1 critic learning rate, 1 decays | 0 does not]
//   state, critic_state: (8) as written by grad_norm_finish.wgsl: scale and clock of the policy's and of the critic's parameters
// OF 0 all parameters · 1 the policy's · 2 the critic's; the others stay as they are, moments included.
// g = scale·grad;  m = β1·m + (1−β1)·g;  v = β2·v + (1−β2)·g²;  p −= lr·(m/bias1 / (√(v/bias2) + eps) + decay·p)
// A step whose gradient was not finite leaves everything untouched. Twin: src/gpu/kernels/optimizer.ref.ts
const OF: u32 = 0;

struct Shape {
  n: u32,
  actor_lr: f32,
  critic_lr: f32,
  beta1: f32,
  beta2: f32,
  eps: f32,
  weight_decay: f32,
}

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read_write> params: array<vec4f>;
@group(0) @binding(2) var<storage, read> grads: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> m: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> v: array<vec4f>;
@group(0) @binding(5) var<storage, read> block_table: array<vec2f>;
@group(0) @binding(6) var<storage, read> state: array<f32, 8>;
@group(0) @binding(7) var<storage, read> critic_state: array<f32, 8>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.y * groups.x * 64u + id.x;
  if (i >= shape.n / 4u) { return; }
  let block = block_table[i / 16u];
  let of_critic = block.x > 0.5;
  if (OF != 0u && of_critic != (OF == 2u)) { return; }
  // scale, finite, bias1, bias2
  let clock = select(
    vec4f(state[1], state[2], state[5], state[6]),
    vec4f(critic_state[1], critic_state[2], critic_state[5], critic_state[6]),
    of_critic,
  );
  if (clock.y == 0.0) { return; }
  let lr = select(shape.actor_lr, shape.critic_lr, of_critic);

  let g = grads[i] * clock.x;
  let first = shape.beta1 * m[i] + (1.0 - shape.beta1) * g;
  let second = shape.beta2 * v[i] + (1.0 - shape.beta2) * g * g;
  m[i] = first;
  v[i] = second;
  let p = params[i];
  let step = first / clock.z / (sqrt(second / clock.w) + shape.eps);
  params[i] = p - lr * (step + shape.weight_decay * block.y * p);
}
