// CPU twin of lib/rng.wgsl: bit for bit the same words and the same uniform numbers.

type Words = readonly [number, number, number, number];

/** pcg4d of Jarzynski and Olano 2020, Hash Functions for GPU Rendering, JCGT 9(3). */
export function pcg4dRef(key: Words): Words {
  let [x, y, z, w] = key.map((k) => (Math.imul(k, 1664525) + 1013904223) >>> 0) as [
    number,
    number,
    number,
    number,
  ];
  const mix = () => {
    x = (x + Math.imul(y, w)) >>> 0;
    y = (y + Math.imul(z, x)) >>> 0;
    z = (z + Math.imul(x, y)) >>> 0;
    w = (w + Math.imul(y, z)) >>> 0;
  };
  mix();
  x ^= x >>> 16;
  y ^= y >>> 16;
  z ^= z >>> 16;
  w ^= w >>> 16;
  mix();
  return [x, y, z, w];
}

/** Uniform in (0, 1), exact in f32. */
export const unitIntervalRef = (bits: number) => ((bits >>> 9) + 0.5) / 2 ** 23;

/** Standard Gumbel noise −log(−log u). */
export const gumbelRef = (bits: number) => -Math.log(-Math.log(unitIntervalRef(bits)));
