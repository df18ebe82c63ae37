// Counter-based random numbers: the same words for the same key on every adapter. Twin: src/gpu/kernels/rng.ref.ts
// pcg4d of Jarzynski and Olano 2020, Hash Functions for GPU Rendering, JCGT 9(3).
fn pcg4d(key: vec4u) -> vec4u {
  var v = key * 1664525u + 1013904223u;
  v.x += v.y * v.w;
  v.y += v.z * v.x;
  v.z += v.x * v.y;
  v.w += v.y * v.z;
  v ^= v >> vec4u(16u);
  v.x += v.y * v.w;
  v.y += v.z * v.x;
  v.z += v.x * v.y;
  v.w += v.y * v.z;
  return v;
}

// Uniform in (0, 1). 23 bits and a half are exact in f32; with 24 bits the largest would round to 1.
fn unit_interval(bits: u32) -> f32 {
  return (f32(bits >> 9u) + 0.5) * 0x1p-23;
}

// Standard Gumbel noise −log(−log u).
fn gumbel(bits: u32) -> f32 {
  let u = unit_interval(bits);
  // log is only promised to 2^-21 near 1, which is where the large draws are: a series in 1 − u (exact) instead.
  let q = 1.0 - u;
  let e = select(-log(u), q * (1.0 + q * (0.5 + q * 0.33333334)), q < 0.01);
  return -log(e);
}
