// AdamW (Loshchilov and Hutter 2019, algorithm 2) on one flat parameter buffer, one vec4 per invocation.
//   params, grads, m, v: (n), n a multiple of 64   block_table: (n / 64, 2), one entry per block of 64 parameters:
//     [0 actor learning rate | 1 critic learning rate, 1 decays | 0 does not]
//   state: (8), critic_norm: (4) as written by grad_norm_finish.wgsl; SEPARATE 1 takes the critic's scale from critic_norm
// g = scale·grad;  m = β1·m + (1−β1)·g;  v = β2·v + (1−β2)·g²;  p −= lr·(m/bias1 / (√(v/bias2) + eps) + decay·p)
// A step whose gradient was not finite leaves everything untouched. Twin: src/gpu/kernels/optimizer.ref.ts
const SEPARATE: u32 = 0;

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
@group(0) @binding(7) var<storage, read> critic_norm: array<f32, 4>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.y * groups.x * 64u + id.x;
  if (i >= shape.n / 4u || state[2] == 0.0) { return; }
  let block = block_table[i / 16u];
  let lr = select(shape.actor_lr, shape.critic_lr, block.x > 0.5);

  var scale = state[1];
  if (SEPARATE == 1u && block.x > 0.5) { scale = critic_norm[1]; }
  let g = grads[i] * scale;
  let first = shape.beta1 * m[i] + (1.0 - shape.beta1) * g;
  let second = shape.beta2 * v[i] + (1.0 - shape.beta2) * g * g;
  m[i] = first;
  v[i] = second;
  let p = params[i];
  let step = first / state[5] / (sqrt(second / state[6]) + shape.eps);
  params[i] = p - lr * (step + shape.weight_decay * block.y * p);
}
