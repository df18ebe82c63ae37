// CPU twin of patchify, in f64.

/** Twin of patchify: out (P, 3 · patch²) from one u32 per pixel, red in the lowest byte. */
export function patchifyRef(
  pixels: ArrayLike<number>,
  p: number,
  gridRows: number,
  gridCols: number,
  patch: number,
): Float64Array {
  const out = new Float64Array(p * 3 * patch * patch);
  let at = 0;
  for (let i = 0; i < p; i++) {
    const frame = Math.floor(i / (gridRows * gridCols));
    const row = Math.floor((i % (gridRows * gridCols)) / gridCols);
    const column = i % gridCols;
    for (let dy = 0; dy < patch; dy++) {
      for (let dx = 0; dx < patch; dx++) {
        const y = (frame * gridRows + row) * patch + dy;
        const pixel = pixels[y * gridCols * patch + column * patch + dx] as number;
        for (let channel = 0; channel < 3; channel++)
          out[at++] = ((pixel >>> (8 * channel)) & 255) / 127.5 - 1;
      }
    }
  }
  return out;
}
