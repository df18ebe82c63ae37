// Log-probabilities of every id of the vocabulary, row by row, scattered to the batch axis.
//   logits: (R, stride)   src: (R)   out: (Nb, stride), row src[r]; padded columns 0
// Logits are divided by the sampling temperature first, as the sampler did.
// Runs through lib/row_serial.wgsl or lib/row_workgroup.wgsl. Twin: src/gpu/kernels/log-softmax.ref.ts
struct Shape { r: u32, vocab: u32, stride: u32, temperature: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> logits: array<f32>;
@group(0) @binding(2) var<storage, read> src: array<u32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

fn process_row(row: u32, lane: u32) {
  if (row >= shape.r) { return; }
  let base = row * shape.stride;
  let softmax = softmax_row(base, lane, inverse_temperature(shape.temperature));
  let at = src[row] * shape.stride;
  for (var i = lane; i < shape.stride; i += LANES) {
    out[at + i] = select(0.0, log_prob(softmax, logits[base + i]), i < shape.vocab);
  }
}
