// CPU twins of the learned patch positions, in f64.

/** Twin of patch_position_forward: a copy of x (P, C) with both positions added. */
export function patchPositionForwardRef(
  x: ArrayLike<number>,
  rowsTable: ArrayLike<number>,
  colsTable: ArrayLike<number>,
  p: number,
  c: number,
  gridRows: number,
  gridCols: number,
): Float64Array {
  return Float64Array.from({ length: p * c }, (_, at) => {
    const cell = Math.floor(at / c) % (gridRows * gridCols);
    const row = Math.floor(cell / gridCols);
    return (
      (x[at] as number) +
      (rowsTable[row * c + (at % c)] as number) +
      (colsTable[(cell % gridCols) * c + (at % c)] as number)
    );
  });
}

/** Twin of patch_position_backward, without what the gradients held before. */
export function patchPositionBackwardRef(
  dx: ArrayLike<number>,
  p: number,
  c: number,
  gridRows: number,
  gridCols: number,
): { drows: Float64Array; dcols: Float64Array } {
  const drows = new Float64Array(gridRows * c);
  const dcols = new Float64Array(gridCols * c);
  for (let at = 0; at < p * c; at++) {
    const cell = Math.floor(at / c) % (gridRows * gridCols);
    const row = Math.floor(cell / gridCols) * c + (at % c);
    const column = (cell % gridCols) * c + (at % c);
    drows[row] = (drows[row] as number) + (dx[at] as number);
    dcols[column] = (dcols[column] as number) + (dx[at] as number);
  }
  return { drows, dcols };
}
