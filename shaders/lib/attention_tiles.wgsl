// Tiles of keys and values that pass through workgroup memory (16 KiB at D = 128), for kernels in which a workgroup has QUERIES queries of
// a head, a lane each. The kernel declares HEAD_VEC4, QUERIES, `shape`, `qkv` and `span`.
const TILE: u32 = 16;
var<workgroup> keys: array<vec4f, TILE * HEAD_VEC4>;
var<workgroup> values: array<vec4f, TILE * HEAD_VEC4>;

// Vec4s of a row of `qkv`.
fn row_stride() -> u32 { return (shape.heads + 2u * shape.kv_heads) * HEAD_VEC4; }

// The first key that any of the workgroup's queries attends, and the one after the last. Every lane reads all the spans: the bounds must
// be uniform, since there are barriers in the loop over tiles.
fn keys_of_all(first_query: u32) -> vec2u {
  var all = vec2u(shape.n, 0u);
  for (var i = 0u; i < QUERIES; i++) {
    let one = span[min(first_query + i, shape.n - 1u)].xy;
    all = vec2u(min(all.x, one.x), max(all.y, one.y));
  }
  return all;
}

// Fills `keys` and `values` with the TILE tokens from `base` on.
fn load_tile(base: u32, head: u32, lane: u32) {
  let key_column = (shape.heads + head / (shape.heads / shape.kv_heads)) * HEAD_VEC4;
  workgroupBarrier();
  for (var i = lane; i < TILE * HEAD_VEC4; i += QUERIES) {
    let source = min(base + i / HEAD_VEC4, shape.n - 1u) * row_stride() + key_column + i % HEAD_VEC4;
    keys[i] = qkv[source];
    values[i] = qkv[source + shape.kv_heads * HEAD_VEC4];
  }
  workgroupBarrier();
}
