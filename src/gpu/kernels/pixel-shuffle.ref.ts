// CPU twins of pixel shuffle, in f64.

/** For every element of out, where it comes from in inp. Written from the side of the tokens, unlike the shaders. */
function sources(p: number, c: number, gridRows: number, gridCols: number, s: number): number[] {
  const from: number[] = [];
  for (let frame = 0; frame < p; frame += gridRows * gridCols)
    for (let row = 0; row < gridRows; row += s)
      for (let column = 0; column < gridCols; column += s)
        for (let dy = 0; dy < s; dy++)
          for (let dx = 0; dx < s; dx++)
            for (let channel = 0; channel < c; channel++)
              from.push((frame + (row + dy) * gridCols + column + dx) * c + channel);
  return from;
}

/** Twin of pixel_shuffle_forward: out (P / s², C · s²). */
export function pixelShuffleForwardRef(
  inp: ArrayLike<number>,
  p: number,
  c: number,
  gridRows: number,
  gridCols: number,
  s: number,
): Float64Array {
  return Float64Array.from(sources(p, c, gridRows, gridCols, s), (from) => inp[from] as number);
}

/** Twin of pixel_shuffle_backward: dinp (P, C). */
export function pixelShuffleBackwardRef(
  dout: ArrayLike<number>,
  p: number,
  c: number,
  gridRows: number,
  gridCols: number,
  s: number,
): Float64Array {
  const dinp = new Float64Array(p * c);
  sources(p, c, gridRows, gridCols, s).forEach((from, at) => {
    dinp[from] = dout[at] as number;
  });
  return dinp;
}
