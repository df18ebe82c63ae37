// Token embedding, gradient of the table, one invocation per four columns of a vocabulary row.
//   dtable[id] += Σ of dout over the tokens with that id, in the order of `order`: deterministic without atomics
//   dout: (N, C)   order: text token positions sorted by id   offsets: (V + 1), where each id's positions begin in
//   order   dtable: (V, C), accumulates   C is a multiple of 4
// Image tokens are not in `order`; their gradient goes to the patches (gather_rows with the inverse index).
// Twin: src/gpu/kernels/embedding.ref.ts
struct Shape { v: u32, c: u32 }

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> dout: array<vec4f>;
@group(0) @binding(2) var<storage, read> order: array<u32>;
@group(0) @binding(3) var<storage, read> offsets: array<u32>;
@group(0) @binding(4) var<storage, read_write> dtable: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = id.y * groups.x * 64u + id.x;
  let c4 = shape.c / 4u;
  if (index >= shape.v * c4) { return; }
  let row = index / c4;
  let column = index % c4;
  let begin = offsets[row];
  let end = offsets[row + 1u];
  if (begin == end) { return; }
  var sum = vec4f();
  for (var i = begin; i < end; i++) { sum += dout[order[i] * c4 + column]; }
  dtable[index] += sum;
}
