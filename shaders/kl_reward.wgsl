// KL penalty in the reward: rewards −= kl_coef·KL(old ‖ ref) at the policy's own tokens, one invocation per token.
//   rewards, old_logprobs, ref_logprobs, mask (0 or 1): (n)   KIND 1, 2, 3 or 5: an estimator of lib/kl.wgsl
// Twin: src/gpu/kernels/kl.ref.ts
// With EVERY 1 at all tokens, whatever the mask says.
const KIND: u32 = 1;
const EVERY: u32 = 0;

struct Shape { n: u32, kl_coef: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read_write> rewards: array<f32>;
@group(0) @binding(2) var<storage, read> old_logprobs: array<f32>;
@group(0) @binding(3) var<storage, read> ref_logprobs: array<f32>;
@group(0) @binding(4) var<storage, read> mask: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.y * groups.x * 64u + id.x;
  if (i >= shape.n || (mask[i] == 0.0 && EVERY == 0u)) { return; }
  rewards[i] -= shape.kl_coef * kl_estimate(KIND, old_logprobs[i] - ref_logprobs[i]).x;
}
