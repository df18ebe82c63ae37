// Rotary angles. Phases are integers that wrap at one turn, so they stay exact however long the sequence; sine and cosine are
// polynomials, because WGSL promises only 2⁻¹¹ for its own and nothing outside [−π, π].
struct Rotation { sine: vec4f, cosine: vec4f }

// Of four pairs at `position`; `frequencies` in 2⁻³² turns per position (ropeFrequencies).
fn rotation_at(position: u32, frequencies: vec4u) -> Rotation {
  let phase = position * frequencies;
  // The nearest quarter turn, and what remains within an eighth of a turn of it.
  let quarter = (phase + vec4u(0x20000000u)) >> vec4u(30u);
  let r = vec4f(bitcast<vec4i>(phase - (quarter << vec4u(30u)))) * 1.4629180792671596e-9; // 2π / 2³²
  let r2 = r * r;
  let s = r * (1.0 + r2 * (-1.0 / 6.0 + r2 * (1.0 / 120.0 + r2 * (-1.0 / 5040.0 + r2 * (1.0 / 362880.0)))));
  let c = 1.0 + r2 * (-0.5 + r2 * (1.0 / 24.0 + r2 * (-1.0 / 720.0 + r2 * (1.0 / 40320.0))));
  let odd = (quarter & vec4u(1u)) == vec4u(1u);
  let sine_sign = select(vec4f(1.0), vec4f(-1.0), quarter >= vec4u(2u));
  let cosine_sign = select(vec4f(1.0), vec4f(-1.0), ((quarter + vec4u(1u)) & vec4u(2u)) != vec4u(0u));
  return Rotation(select(s, c, odd) * sine_sign, select(c, s, odd) * cosine_sign);
}
