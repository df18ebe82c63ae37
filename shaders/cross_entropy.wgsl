// Cross-entropy over rows, forward and backward in place: logits become scale·w·(softmax(logits) − onehot(target)).
//   logits: (R, stride), the padded columns vocab… become 0   targets, src: (R)
//   weights: read at src, on the batch axis (Nb): a row's weight w
//   stats: (R, 8) = −log p(target), 1 if the target is the arg max (first of equals), 0 …   (not scaled, not weighted)
// Runs through lib/row_serial.wgsl or lib/row_workgroup.wgsl. Twin: src/gpu/kernels/cross-entropy.ref.ts
struct Shape { r: u32, vocab: u32, stride: u32, scale: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read_write> logits: array<f32>;
@group(0) @binding(2) var<storage, read> targets: array<u32>;
@group(0) @binding(3) var<storage, read> src: array<u32>;
@group(0) @binding(4) var<storage, read> weights: array<f32>;
@group(0) @binding(5) var<storage, read_write> stats: array<vec4f>;

fn process_row(row: u32, lane: u32) {
  if (row >= shape.r) { return; }
  let base = row * shape.stride;
  let softmax = softmax_row(base, lane, 1.0);
  let label = targets[row];
  let label_logit = logits[base + label];

  // Columns that beat the target: larger, or equal and earlier.
  var better = 0.0;
  for (var i = lane; i < shape.vocab; i += LANES) {
    let x = logits[base + i];
    better += select(0.0, 1.0, x > label_logit || (x == label_logit && i < label));
  }
  better = row_sum(lane, better);
  row_barrier();

  let factor = shape.scale * weights[src[row]];
  for (var i = lane; i < shape.stride; i += LANES) {
    var gradient = 0.0;
    if (i < shape.vocab) { gradient = prob(softmax, logits[base + i]) - select(0.0, 1.0, i == label); }
    logits[base + i] = gradient * factor;
  }
  if (lane == 0u) {
    stats[row * 2u] = vec4f(-log_prob(softmax, label_logit), select(0.0, 1.0, better == 0.0), 0.0, 0.0);
    stats[row * 2u + 1u] = vec4f();
  }
}
