/** Twin of stats_sum: totals (cols) plus the column sums of stats (R, cols). */
export function sumStatsRef(
  stats: ArrayLike<number>,
  totals: ArrayLike<number>,
  r: number,
  cols: number,
): Float64Array {
  const sums = Float64Array.from(totals as ArrayLike<number>);
  for (let row = 0; row < r; row++)
    for (let c = 0; c < cols; c++) sums[c] = (sums[c] as number) + (stats[row * cols + c] as number);
  return sums;
}
