// Mean of new − old log-probability over the policy's tokens of each sequence, at every one of them: the logarithm of GSPO's
// ratio (Zheng et al. 2025, eq. 7). One invocation per sequence.
//   new_logprobs, mask (0 or 1), log_ratio: (Nb)   facts: (Nb, 4), old log-probability first   starts: (S + 1)
// Twin: src/gpu/kernels/sequence-log-ratio.ref.ts
struct Shape { s: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> new_logprobs: array<f32>;
@group(0) @binding(2) var<storage, read> facts: array<vec4f>;
@group(0) @binding(3) var<storage, read> mask: array<f32>;
@group(0) @binding(4) var<storage, read> starts: array<u32>;
@group(0) @binding(5) var<storage, read_write> log_ratio: array<f32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= shape.s) { return; }
  var sum = 0.0;
  var count = 0.0;
  for (var i = starts[id.x]; i < starts[id.x + 1u]; i++) {
    let inside = mask[i] != 0.0;
    sum += select(0.0, new_logprobs[i] - facts[i].x, inside);
    count += select(0.0, 1.0, inside);
  }
  let mean = sum / max(count, 1.0);
  for (var i = starts[id.x]; i < starts[id.x + 1u]; i++) { log_ratio[i] = mean; }
}
