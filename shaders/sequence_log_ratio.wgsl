// The logarithm of a ratio that several tokens share, at every token. One invocation per sequence.
//   new_logprobs, mask (0 or 1), turn_end_mask: (Nb)   facts: (Nb, 4) = old log-probability, advantage, …   starts: (S + 1)
//   group_ratio: (Nb, 2) = mean of new − old log-probability over the policy's tokens of the group, mean of their advantages
// The group is the sequence (GSPO, Zheng et al. 2025, eq. 7) or, with TURNS 1, the turn. PRODUCT 1 sums instead of averaging: the
// ratio of the group's probabilities. CLIPPED 1 clips each token's difference to −clip_low … clip_high where the advantage
// pushes it further, and counts it as 0 without an advantage (GMPO, Zhao et al. 2025).
// Twin: src/gpu/kernels/sequence-log-ratio.ref.ts
const TURNS: u32 = 0;
const PRODUCT: u32 = 0;
const CLIPPED: u32 = 0;

struct Shape { s: u32, clip_low: f32, clip_high: f32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> new_logprobs: array<f32>;
@group(0) @binding(2) var<storage, read> facts: array<vec4f>;
@group(0) @binding(3) var<storage, read> mask: array<f32>;
@group(0) @binding(4) var<storage, read> turn_end_mask: array<f32>;
@group(0) @binding(5) var<storage, read> starts: array<u32>;
@group(0) @binding(6) var<storage, read_write> group_ratio: array<vec2f>;

fn difference(i: u32) -> f32 {
  let d = new_logprobs[i] - facts[i].x;
  if (CLIPPED == 0u) { return d; }
  let side = sign(facts[i].y);
  let near = clamp(d, -20.0, 20.0);
  return side * min(side * near, side * clamp(near, -shape.clip_low, shape.clip_high));
}

fn write(begin: u32, end: u32, sum: vec2f, count: f32) {
  let over = max(count, 1.0);
  let mean = vec2f(select(sum.x / over, sum.x, PRODUCT == 1u), sum.y / over);
  for (var i = begin; i < end; i++) { group_ratio[i] = mean; }
}

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= shape.s) { return; }
  let end = starts[id.x + 1u];
  var begin = starts[id.x];
  var sum = vec2f();
  var count = 0.0;
  for (var i = begin; i < end; i++) {
    let inside = mask[i] != 0.0;
    sum += select(vec2f(), vec2f(difference(i), facts[i].y), inside);
    count += select(0.0, 1.0, inside);
    if (TURNS == 1u && turn_end_mask[i] != 0.0) {
      write(begin, i + 1u, sum, count);
      begin = i + 1u;
      sum = vec2f();
      count = 0.0;
    }
  }
  write(begin, end, sum, count);
}
