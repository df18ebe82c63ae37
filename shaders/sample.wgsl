// Next tokens of decoding sequences (lib/sample_row.wgsl). Finished sequences stay as they are.
//   logits: (B, stride)   ids: (B) next input tokens   drawn: (B, out_stride) token, its log-probability, entropy, 0
//   state: (B) = position of the input token, tokens generated, done, rng key
// Writes the token to ids[b], and with its numbers to drawn[b, generated]. Then position and generated advance; done
// after eos or max_tokens.
// Runs through lib/row_serial.wgsl or lib/row_workgroup.wgsl. Twin: src/gpu/kernels/sample.ref.ts
struct Shape {
  b: u32,
  vocab: u32,
  stride: u32,
  max_tokens: u32,
  out_stride: u32,
  eos: u32,
  seed: u32,
  temperature: f32,
  top_p: f32,
  top_k: u32,
}

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> logits: array<f32>;
@group(0) @binding(2) var<storage, read_write> state: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> ids: array<u32>;
@group(0) @binding(4) var<storage, read_write> drawn: array<vec4f>;

fn process_row(row: u32, lane: u32) {
  if (row >= shape.b) { return; }
  let done = row_uniform(lane, state[row].z);
  if (done != 0u) { return; }
  let position = row_uniform(lane, state[row].x);
  let rng_key = row_uniform(lane, state[row].w);
  let next = sample_row(row * shape.stride, lane, position, rng_key);
  // Every lane has read the row's state, which lane 0 overwrites.
  row_barrier();
  if (lane != 0u) { return; }

  let generated = state[row].y;
  let ended = next.token == shape.eos || generated + 1u >= shape.max_tokens;
  ids[row] = next.token;
  drawn[row * shape.out_stride + generated] = vec4f(f32(next.token), next.logprob, next.entropy, 0.0);
  state[row] = vec4u(position + 1u, generated + 1u, select(0u, 1u, ended), rng_key);
}
