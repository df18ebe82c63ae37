// log π(target), entropy and value of every row, scattered to the batch axis.
//   logits: (R, stride)   targets, src: (R)   values: (R, 4), column 0   logprobs, entropy, values_out: (Nb), at src
// Logits are divided by the sampling temperature first, as the sampler did. Entropy is of the same distribution.
// Runs through lib/row_serial.wgsl or lib/row_workgroup.wgsl. Twin: src/gpu/kernels/log-prob.ref.ts
struct Shape { r: u32, vocab: u32, stride: u32, temperature: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> logits: array<f32>;
@group(0) @binding(2) var<storage, read> targets: array<u32>;
@group(0) @binding(3) var<storage, read> src: array<u32>;
@group(0) @binding(4) var<storage, read> values: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> logprobs: array<f32>;
@group(0) @binding(6) var<storage, read_write> entropy: array<f32>;
@group(0) @binding(7) var<storage, read_write> values_out: array<f32>;

fn process_row(row: u32, lane: u32) {
  if (row >= shape.r) { return; }
  let base = row * shape.stride;
  let softmax = softmax_row(base, lane, inverse_temperature(shape.temperature));
  if (lane != 0u) { return; }
  let at = src[row];
  logprobs[at] = log_prob(softmax, logits[base + targets[row]]);
  entropy[at] = softmax.entropy;
  values_out[at] = values[row].x;
}
