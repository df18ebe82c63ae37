// sum + Σᵢ xᵢ · rows[i], added in the order of i: a step of a product whose inner dimension is x.
fn add_product(x: vec4f, rows: mat4x4f, sum: vec4f) -> vec4f {
  let first = fma(vec4f(x.y), rows[1], fma(vec4f(x.x), rows[0], sum));
  return fma(vec4f(x.w), rows[3], fma(vec4f(x.z), rows[2], first));
}
