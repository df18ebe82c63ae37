// Replies without a dispatch for each layer: a workgroup decodes SEQUENCES conversations, up to `steps` tokens of each. Conversations do not
// meet, so nothing has to be synchronised beyond the workgroup, and activations never leave its memory.
// Per token: embed, then for each layer norm → qkv → rotate → cache → attend → out → norm → gate and up → SwiGLU → down, then
// final norm → head → sample (lib/sample_row.wgsl). It stops when all of its conversations have ended.
//   params: flat parameters; embed … value_out_bias and QKV … DOWN are offsets in vec4s   frequencies: (D / 2) u32 (ropeFrequencies)
//   cache_k, cache_v: (layers, slots, t_max, HKV · D), layers `cache_layer` vec4s apart   slot: (B) row of the cache
//   state: (B) position of the input token, tokens generated, done, rng key   ids: (B) next input tokens
//   drawn: (B, out_stride) token, its log-probability, entropy, and the critic's value before it: of the value head on the same
//     hidden state (VALUE_VEC4 is the width of its inner layer), or 0 where VALUE_VEC4 is 0
// D is a multiple of 8, the width is H · D, ffn and vocabulary stride are multiples of 8.
// Joined with lib/decode_serial.wgsl (software adapters) or lib/decode_workgroup.wgsl (real GPUs).
// Twin: src/gpu/kernels/decode-reply.ref.ts; the dispatches that it replaces give the same tokens.
const SEQUENCES: u32 = 8;
const BLOCK: u32 = 16;
const LAYERS: u32 = 2;
const WIDTH_VEC4: u32 = 8;
const HEADS: u32 = 2;
const KV_HEADS: u32 = 2;
const HEAD_VEC4: u32 = 4;
const FFN_VEC4: u32 = 20;
// Room for the logits of a sequence; the vocabulary has shape.logits_vec4 of them. So models that differ in vocabulary share a pipeline.
const LOGITS_ROOM_VEC4: u32 = 32;
// Lanes that share the sums of a column of `add_to_stream`; if several, SPLIT_PAIRS is SEQUENCES · HALF_WIDTH · SPLIT.
const SPLIT: u32 = 1;
const SPLIT_PAIRS: u32 = 1;
// The head is the transpose of the embedding.
const TIED: u32 = 0;
// The wider of width and ffn, in vec4s.
const WIDE_VEC4: u32 = 20;
// The length of a layer with padding, and its tensors relative to its first norm.
const LAYER_LENGTH: u32 = 0;
const QKV: u32 = 0;
const OUT: u32 = 0;
const NORM2: u32 = 0;
const GATE_UP: u32 = 0;
const DOWN: u32 = 0;
const VALUE_VEC4: u32 = 0;

struct Shape {
  b: u32,
  steps: u32,
  t_max: u32,
  cache_layer: u32,
  eps: f32,
  vocab: u32,
  max_tokens: u32,
  out_stride: u32,
  eos: u32,
  seed: u32,
  temperature: f32,
  top_p: f32,
  top_k: u32,
  logits_vec4: u32,
  embed: u32,
  head: u32,
  norm: u32,
  layer: u32,
  value_hidden: u32,
  value_hidden_bias: u32,
  value_out: u32,
  value_out_bias: u32,
}

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> params: array<vec4f>;
@group(0) @binding(2) var<storage, read> frequencies: array<vec4u>;
@group(0) @binding(3) var<storage, read> slot: array<u32>;
@group(0) @binding(4) var<storage, read_write> cache_k: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> cache_v: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> state: array<vec4u>;
@group(0) @binding(7) var<storage, read_write> ids: array<u32>;
@group(0) @binding(8) var<storage, read_write> drawn: array<vec4f>;

// A row of each for every sequence. The residual stream holds its columns i and i + half together.
struct Pair { left: vec4f, right: vec4f }
var<workgroup> stream: array<Pair, SEQUENCES * HALF_WIDTH>;
var<workgroup> normed: array<vec4f, SEQUENCES * WIDTH_VEC4>;
// Queries, then what attention makes of them, then the activated inner layer.
var<workgroup> wide: array<vec4f, SEQUENCES * WIDE_VEC4>;
var<workgroup> logits: array<f32, SEQUENCES * LOGITS_ROOM_VEC4 * 4>;
// Position, first vec4 of the slot in the cache, row in the batch, and whether the sequence still runs.
var<workgroup> places: array<vec4u, SEQUENCES>;
var<workgroup> running: u32;
// What each lane adds to the stream of each sequence, where SPLIT lanes share a column.
var<workgroup> stream_parts: array<Pair, SPLIT_PAIRS>;
// What each lane adds to the value of each sequence.
var<workgroup> value_parts: array<f32, SEQUENCES * BLOCK>;

const HALF_WIDTH: u32 = WIDTH_VEC4 / 2;
const HALF_HEAD: u32 = HEAD_VEC4 / 2;
const CACHE_VEC4: u32 = KV_HEADS * HEAD_VEC4;

// Finds the places of the workgroup's sequences and embeds their input tokens; 0 when all of them have ended.
fn begin(first: u32, lane: u32) -> u32 {
  for (var s = lane; s < SEQUENCES; s += BLOCK) {
    // Past the last row the last one is repeated, and writes nothing.
    let row = min(first + s, shape.b - 1u);
    let now = state[row];
    let runs = first + s < shape.b && now.z == 0u && now.x < shape.t_max;
    places[s] = vec4u(now.x, slot[row] * shape.t_max * CACHE_VEC4, row, select(0u, 1u, runs));
  }
  workgroupBarrier();
  if (lane == 0u) {
    var any = 0u;
    for (var s = 0u; s < SEQUENCES; s++) { any |= places[s].w; }
    running = any;
  }
  for (var i = lane; i < SEQUENCES * HALF_WIDTH; i += BLOCK) {
    let at = shape.embed + ids[places[i / HALF_WIDTH].z] * WIDTH_VEC4 + i % HALF_WIDTH;
    stream[i] = Pair(params[at], params[at + HALF_WIDTH]);
  }
  return workgroupUniformLoad(&running);
}

// The norm of one sequence's row of the stream, with the weight at `weight`.
fn norm_row(s: u32, lane: u32, weight: u32) {
  var squares = vec4f();
  for (var i = lane; i < HALF_WIDTH; i += LANES) {
    let x = stream[s * HALF_WIDTH + i];
    squares = fma(x.left, x.left, fma(x.right, x.right, squares));
  }
  let r = inverseSqrt(row_sum(lane, dot(squares, vec4f(1.0))) / f32(4u * WIDTH_VEC4) + shape.eps);
  for (var i = lane; i < HALF_WIDTH; i += LANES) {
    let x = stream[s * HALF_WIDTH + i];
    let at = s * WIDTH_VEC4 + i;
    normed[at] = x.left * r * params[weight + i];
    normed[HALF_WIDTH + at] = x.right * r * params[weight + i + HALF_WIDTH];
  }
}

// Turns a pair of a query or key, stores queries in `wide`, and keys and values in the cache.
fn store_projection(layer: u32, task: u32, s: u32, left: vec4f, right: vec4f) {
  let head = task / HALF_HEAD;
  let pair = task % HALF_HEAD;
  let place = places[s];
  var x = left;
  var y = right;
  if (head < HEADS + KV_HEADS) {
    let turn = rotation_at(place.x, frequencies[pair]);
    x = left * turn.cosine - right * turn.sine;
    y = right * turn.cosine + left * turn.sine;
  }
  if (head < HEADS) {
    let at = s * WIDTH_VEC4 + head * HEAD_VEC4 + pair;
    wide[at] = x;
    wide[HALF_HEAD + at] = y;
    return;
  }
  if (place.w == 0u) { return; }
  let kv_head = (head - HEADS) % KV_HEADS;
  let at = layer * shape.cache_layer + place.y + place.x * CACHE_VEC4 + kv_head * HEAD_VEC4 + pair;
  if (head < HEADS + KV_HEADS) {
    cache_k[at] = x;
    cache_k[HALF_HEAD + at] = y;
  } else {
    cache_v[at] = x;
    cache_v[HALF_HEAD + at] = y;
  }
}

// In each of the following products a lane computes two groups of four columns for all sequences: each weight is read once, and
// each activation serves two columns. Sums are cleared by hand: a driver was seen to clear a variable of a loop only once.

// Queries, keys and values: columns of a head that turn together.
fn project(layer: u32, lane: u32, weight: u32) {
  let n4 = (HEADS + 2u * KV_HEADS) * HEAD_VEC4;
  var left_q: array<vec4f, SEQUENCES>; // registers
  var right_q: array<vec4f, SEQUENCES>; // registers
  for (var task = lane; task < n4 / 2u; task += BLOCK) {
    for (var s = 0u; s < SEQUENCES; s++) { // unroll
      left_q[s] = vec4f();
      right_q[s] = vec4f();
    }
    let column = weight + task / HALF_HEAD * HEAD_VEC4 + task % HALF_HEAD;
    for (var i = 0u; i < WIDTH_VEC4; i++) {
      let a = weights_at(column + 4u * i * n4, n4);
      let b = weights_at(column + 4u * i * n4 + HALF_HEAD, n4);
      for (var s = 0u; s < SEQUENCES; s++) { // unroll
        let x = normed[s * WIDTH_VEC4 + i];
        left_q[s] = times(x, a, left_q[s]);
        right_q[s] = times(x, b, right_q[s]);
      }
    }
    for (var s = 0u; s < SEQUENCES; s++) { // unroll
      store_projection(layer, task, s, left_q[s], right_q[s]);
    }
  }
}

// stream += wide (rows of in4) · weight.
fn add_to_stream(lane: u32, in4: u32, weight: u32) {
  var left_d: array<vec4f, SEQUENCES>; // registers
  var right_d: array<vec4f, SEQUENCES>; // registers
  for (var task = lane; task < HALF_WIDTH * SPLIT; task += BLOCK) {
    for (var s = 0u; s < SEQUENCES; s++) { // unroll
      left_d[s] = vec4f();
      right_d[s] = vec4f();
    }
    let column = weight + task % HALF_WIDTH;
    for (var i = task / HALF_WIDTH; i < in4; i += SPLIT) {
      let a = weights_at(column + 4u * i * WIDTH_VEC4, WIDTH_VEC4);
      let b = weights_at(column + 4u * i * WIDTH_VEC4 + HALF_WIDTH, WIDTH_VEC4);
      for (var s = 0u; s < SEQUENCES; s++) { // unroll
        let x = wide[s * in4 + i];
        left_d[s] = times(x, a, left_d[s]);
        right_d[s] = times(x, b, right_d[s]);
      }
    }
    for (var s = 0u; s < SEQUENCES; s++) { // unroll
      if (SPLIT == 1u) {
        let at = s * HALF_WIDTH + task;
        stream[at] = Pair(left_d[s] + stream[at].left, right_d[s] + stream[at].right);
      } else {
        stream_parts[s * HALF_WIDTH * SPLIT + task] = Pair(left_d[s], right_d[s]);
      }
    }
  }
  if (SPLIT > 1u) { join_stream(lane); }
}

fn join_stream(lane: u32) {
  workgroupBarrier();
  for (var i = lane; i < SEQUENCES * HALF_WIDTH; i += BLOCK) {
    var sum = stream[i];
    for (var part = 0u; part < SPLIT; part++) {
      let add = stream_parts[(i / HALF_WIDTH * SPLIT + part) * HALF_WIDTH + i % HALF_WIDTH];
      sum = Pair(sum.left + add.left, sum.right + add.right);
    }
    stream[i] = sum;
  }
}

// SwiGLU of the columns of gate and up.
fn activate(lane: u32, weight: u32) {
  var gate: array<vec4f, SEQUENCES>; // registers
  var up: array<vec4f, SEQUENCES>; // registers
  for (var task = lane; task < FFN_VEC4; task += BLOCK) {
    for (var s = 0u; s < SEQUENCES; s++) { // unroll
      gate[s] = vec4f();
      up[s] = vec4f();
    }
    for (var i = 0u; i < WIDTH_VEC4; i++) {
      let a = weights_at(weight + task + 8u * i * FFN_VEC4, 2u * FFN_VEC4);
      let b = weights_at(weight + task + 8u * i * FFN_VEC4 + FFN_VEC4, 2u * FFN_VEC4);
      for (var s = 0u; s < SEQUENCES; s++) { // unroll
        let x = normed[s * WIDTH_VEC4 + i];
        gate[s] = times(x, a, gate[s]);
        up[s] = times(x, b, up[s]);
      }
    }
    for (var s = 0u; s < SEQUENCES; s++) { // unroll
      // Beyond e⁸⁰ the quotient is 0 in f32 anyway, and the exponential must not overflow.
      wide[s * FFN_VEC4 + task] = gate[s] / (1.0 + exp(min(-gate[s], vec4f(80.0)))) * up[s];
    }
  }
}

fn predict(lane: u32) {
  var left_p: array<vec4f, SEQUENCES>; // registers
  var right_p: array<vec4f, SEQUENCES>; // registers
  for (var task = lane; task < shape.logits_vec4 / 2u; task += BLOCK) {
    for (var s = 0u; s < SEQUENCES; s++) { // unroll
      left_p[s] = vec4f();
      right_p[s] = vec4f();
    }
    for (var i = 0u; i < WIDTH_VEC4; i++) {
      var a: mat4x4f;
      var b: mat4x4f;
      if (TIED == 1u) {
        // Rows of the embedding are columns of the head.
        a = transpose(weights_at(shape.embed + 4u * task * WIDTH_VEC4 + i, WIDTH_VEC4));
        b = transpose(weights_at(shape.embed + (4u * task + 2u * shape.logits_vec4) * WIDTH_VEC4 + i, WIDTH_VEC4));
      } else {
        a = weights_at(shape.head + task + 4u * i * shape.logits_vec4, shape.logits_vec4);
        b = weights_at(shape.head + task + 4u * i * shape.logits_vec4 + shape.logits_vec4 / 2u, shape.logits_vec4);
      }
      for (var s = 0u; s < SEQUENCES; s++) { // unroll
        let x = normed[s * WIDTH_VEC4 + i];
        left_p[s] = times(x, a, left_p[s]);
        right_p[s] = times(x, b, right_p[s]);
      }
    }
    for (var s = 0u; s < SEQUENCES; s++) { // unroll
      for (var c = 0u; c < 4u; c++) {
        let at = (s * LOGITS_ROOM_VEC4 + task) * 4u + c;
        logits[at] = left_p[s][c];
        logits[2u * shape.logits_vec4 + at] = right_p[s][c];
      }
    }
  }
}

// The value head: linear, GELU as in gelu_forward.wgsl, linear, of which column 0 is the value.
fn evaluate(lane: u32) {
  var inner: array<vec4f, SEQUENCES>; // registers
  var parts_v: array<f32, SEQUENCES>; // registers
  for (var s = 0u; s < SEQUENCES; s++) { // unroll
    parts_v[s] = 0.0;
  }
  for (var task = lane; task < VALUE_VEC4; task += BLOCK) {
    for (var s = 0u; s < SEQUENCES; s++) { // unroll
      inner[s] = params[shape.value_hidden_bias + task];
    }
    for (var i = 0u; i < WIDTH_VEC4; i++) {
      let rows = weights_at(shape.value_hidden + task + 4u * i * VALUE_VEC4, VALUE_VEC4);
      for (var s = 0u; s < SEQUENCES; s++) { // unroll
        inner[s] = times(normed[s * WIDTH_VEC4 + i], rows, inner[s]);
      }
    }
    let rows = weights_at(shape.value_out + 4u * task, 1u);
    let column = vec4f(rows[0].x, rows[1].x, rows[2].x, rows[3].x);
    for (var s = 0u; s < SEQUENCES; s++) { // unroll
      let x = inner[s];
      let u = clamp(0.7978845608 * (x + 0.044715 * x * x * x), vec4f(-10.0), vec4f(10.0));
      parts_v[s] += dot(0.5 * x * (1.0 + tanh(u)), column);
    }
  }
  for (var s = 0u; s < SEQUENCES; s++) { // unroll
    value_parts[s * BLOCK + lane] = parts_v[s];
  }
}

fn value_of(s: u32) -> f32 {
  if (VALUE_VEC4 == 0u) { return 0.0; }
  var value = params[shape.value_out_bias].x;
  for (var lane = 0u; lane < BLOCK; lane++) { value += value_parts[s * BLOCK + lane]; }
  return value;
}

// Four rows of a weight, `n4` vec4s apart.
fn weights_at(at: u32, n4: u32) -> mat4x4f {
  return mat4x4f(params[at], params[at + n4], params[at + 2u * n4], params[at + 3u * n4]);
}

// sum + x · rows.
fn times(x: vec4f, rows: mat4x4f, sum: vec4f) -> vec4f {
  return fma(vec4f(x.x), rows[0], fma(vec4f(x.y), rows[1], fma(vec4f(x.z), rows[2], fma(vec4f(x.w), rows[3], sum))));
}

// The next token of sequence s.
fn sample_next(s: u32, lane: u32) {
  let row = row_uniform(lane, places[s].z);
  let runs = row_uniform(lane, places[s].w);
  if (runs == 0u) { return; }
  let position = row_uniform(lane, state[row].x);
  let rng_key = row_uniform(lane, state[row].w);
  let next = sample_row(s * LOGITS_ROOM_VEC4 * 4u, lane, position, rng_key);
  // Every lane has read the row's state, which lane 0 overwrites.
  row_barrier();
  if (lane != 0u) { return; }
  let generated = state[row].y;
  let ended = next.token == shape.eos || generated + 1u >= shape.max_tokens;
  ids[row] = next.token;
  drawn[row * shape.out_stride + generated] = vec4f(f32(next.token), next.logprob, next.entropy, value_of(s));
  state[row] = vec4u(position + 1u, generated + 1u, select(0u, 1u, ended), rng_key);
}

fn run_layer(layer: u32, lane: u32) {
  let at = shape.layer + layer * LAYER_LENGTH;
  norm_rows(lane, at);
  workgroupBarrier();
  project(layer, lane, at + QKV);
  storageBarrier();
  workgroupBarrier();
  attend(layer * shape.cache_layer, lane);
  storageBarrier();
  workgroupBarrier();
  add_to_stream(lane, WIDTH_VEC4, at + OUT);
  workgroupBarrier();
  norm_rows(lane, at + NORM2);
  workgroupBarrier();
  activate(lane, at + GATE_UP);
  workgroupBarrier();
  add_to_stream(lane, FFN_VEC4, at + DOWN);
  workgroupBarrier();
}

@compute @workgroup_size(BLOCK)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  for (var step = 0u; step < shape.steps; step++) {
    if (begin(group.x * SEQUENCES, lane) == 0u) { return; }
    for (var layer = 0u; layer < LAYERS; layer++) { run_layer(layer, lane); }
    norm_rows(lane, shape.norm);
    workgroupBarrier();
    predict(lane);
    if (VALUE_VEC4 > 0u) { evaluate(lane); }
    workgroupBarrier();
    sample_rows(lane);
    storageBarrier();
  }
}
