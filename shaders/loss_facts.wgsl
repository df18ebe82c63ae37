// What the policy loss reads about each token of a batch, gathered into one vector. One invocation per token.
//   old_logprobs, advantages, ref_logprobs, weights, rollout_logprobs: (Nb)
//   facts: (Nb, 4) = old log-probability, advantage · advantage_scale · b, ref policy log-probability, weight
// b corrects for tokens that another policy sampled (the decoupled objective of AReaL): e^(old − behaviour), where old is the
// proximal policy. BEHAVIOUR 0: b = 1 · 1: b, but 0 above cap · 2: min(b, cap). The loss is linear in the advantage's size, so
// scaling the one scales the other. A binding that is not read may be any other buffer. Twin: src/gpu/kernels/loss-facts.ref.ts
const BEHAVIOUR: u32 = 0;
const REF_POLICY: u32 = 0;

struct Shape { n: u32, advantage_scale: f32, cap: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> old_logprobs: array<f32>;
@group(0) @binding(2) var<storage, read> advantages: array<f32>;
@group(0) @binding(3) var<storage, read> ref_logprobs: array<f32>;
@group(0) @binding(4) var<storage, read> weights: array<f32>;
@group(0) @binding(5) var<storage, read> rollout_logprobs: array<f32>;
@group(0) @binding(6) var<storage, read_write> facts: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.y * groups.x * 64u + id.x;
  if (i >= shape.n) { return; }
  var correction = 1.0;
  if (BEHAVIOUR != 0u) {
    let ratio = exp(clamp(old_logprobs[i] - rollout_logprobs[i], -20.0, 20.0));
    correction = select(min(ratio, shape.cap), select(ratio, 0.0, ratio > shape.cap), BEHAVIOUR == 1u);
  }
  var ref_logprob = 0.0;
  if (REF_POLICY == 1u) { ref_logprob = ref_logprobs[i]; }
  facts[i] = vec4f(old_logprobs[i], advantages[i] * shape.advantage_scale * correction, ref_logprob, weights[i]);
}
