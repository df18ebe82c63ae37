// Moments of a token array inside a mask, for whitening and for metrics.
//   x, mask (0 or 1): (n)   moments: (8) = count, mean, unbiased variance, min, max, sum, 0, 0; all 0 for an empty mask
// Two passes, mean before squares, so that a large mean costs no precision; sums in chunks of 64 per lane, so that a long
// array costs little either. Fixed order. Runs as one row of lib/row_serial.wgsl or lib/row_workgroup.wgsl: a batch has
// some ten thousand tokens, not worth a second dispatch. Twin: maskedMoments in src/rl/advantage/whiten.ts
const CHUNK: u32 = 64;

struct Shape { n: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> mask: array<f32>;
@group(0) @binding(3) var<storage, read_write> moments: array<vec4f>;

fn process_row(row: u32, lane: u32) {
  if (row > 0u) { return; }
  var count = 0.0;
  var sum = 0.0;
  var lowest = -LOWEST;
  var highest = LOWEST;
  for (var start = lane; start < shape.n; start += LANES * CHUNK) {
    var chunk_count = 0.0;
    var chunk_sum = 0.0;
    for (var i = start; i < min(start + LANES * CHUNK, shape.n); i += LANES) {
      let inside = mask[i] != 0.0;
      let value = x[i];
      chunk_count += select(0.0, 1.0, inside);
      chunk_sum += select(0.0, value, inside);
      lowest = select(lowest, min(lowest, value), inside);
      highest = select(highest, max(highest, value), inside);
    }
    count += chunk_count;
    sum += chunk_sum;
  }
  count = row_sum(lane, count);
  sum = row_sum(lane, sum);
  lowest = -row_max(lane, -lowest);
  highest = row_max(lane, highest);
  let mean = sum / max(count, 1.0);

  var squares = 0.0;
  for (var start = lane; start < shape.n; start += LANES * CHUNK) {
    var chunk_squares = 0.0;
    for (var i = start; i < min(start + LANES * CHUNK, shape.n); i += LANES) {
      let distance = x[i] - mean;
      chunk_squares += select(0.0, distance * distance, mask[i] != 0.0);
    }
    squares += chunk_squares;
  }
  squares = row_sum(lane, squares);
  if (lane != 0u) { return; }
  let any_inside = count > 0.0;
  moments[0] = select(vec4f(), vec4f(count, mean, squares / max(count - 1.0, 1.0), lowest), any_inside);
  moments[1] = select(vec4f(), vec4f(highest, sum, 0.0, 0.0), any_inside);
}
