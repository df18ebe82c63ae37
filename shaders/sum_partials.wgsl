// Joins partial results, one invocation per four elements. out += Σ over splits of partials, in their order.
//   partials: (splits, length)   out: (length), accumulates   length is a multiple of 4
// Twin: src/gpu/kernels/sum-partials.ref.ts
// Partials that an invocation reads before it adds the first of them, so that their latencies overlap.
const AHEAD: u32 = 1;

struct Shape { splits: u32, length: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> partials: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 64u + id.x;
  let length4 = shape.length / 4u;
  if (index >= length4) { return; }
  var sum = vec4f();
  var x: array<vec4f, AHEAD>; // registers
  var split = 0u;
  for (; AHEAD > 1u && split + AHEAD <= shape.splits; split += AHEAD) {
    for (var i = 0u; i < AHEAD; i++) { // unroll
      x[i] = partials[(split + i) * length4 + index];
    }
    for (var i = 0u; i < AHEAD; i++) { // unroll
      sum += x[i];
    }
  }
  for (; split < shape.splits; split++) { sum += partials[split * length4 + index]; }
  out[index] += sum;
}
