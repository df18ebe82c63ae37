// Which of two lists belong together: the pairing of largest total weight.

/**
 * Weight of the best one-to-one pairing of rows with columns; either may stay alone. Weights are at least 0. Hungarian
 * method with potentials (Kuhn 1955, Munkres 1957; in the O(n³) form of Jonker and Volgenant 1987).
 */
export function bestPairing(weights: readonly (readonly number[])[]): number {
  const n = Math.max(weights.length, weights[0]?.length ?? 0);
  // Costs are to be minimised; rows and columns that are missing cost nothing, so the table is square.
  const cost = (row: number, col: number) => -(weights[row]?.[col] ?? 0);
  const rowOf = new Array<number>(n).fill(-1);
  const [u, v] = [new Array<number>(n).fill(0), new Array<number>(n).fill(0)];
  for (let row = 0; row < n; row++) assignRow(row, { n, cost, rowOf, u, v });
  return rowOf.reduce((sum, row, col) => sum - cost(row, col), 0);
}

interface Table {
  n: number;
  cost: (row: number, col: number) => number;
  /** Row that each column is paired with; -1: none yet. */
  rowOf: number[];
  /** Potentials: cost − u − v is never negative, and 0 for pairs. */
  u: number[];
  v: number[];
}

/** Pairs one more row, along the cheapest chain of columns that change their partners. */
function assignRow(start: number, { n, cost, rowOf, u, v }: Table): void {
  const slack = new Array<number>(n).fill(Number.POSITIVE_INFINITY);
  const from = new Array<number>(n).fill(-1);
  const reached: number[] = [];
  let [row, last] = [start, -1];
  while (true) {
    let next = -1;
    for (let col = 0; col < n; col++) {
      if (reached.includes(col)) continue;
      const reduced = cost(row, col) - u[row]! - v[col]!;
      if (reduced < slack[col]!) [slack[col], from[col]] = [reduced, last];
      if (next < 0 || slack[col]! < slack[next]!) next = col;
    }
    const delta = slack[next]!;
    u[start]! += delta;
    for (const col of reached) {
      u[rowOf[col]!]! += delta;
      v[col]! -= delta;
    }
    for (let col = 0; col < n; col++) if (!reached.includes(col)) slack[col]! -= delta;
    reached.push(next);
    last = next;
    if (rowOf[next] === -1) break;
    row = rowOf[next]!;
  }
  for (let col = last; col >= 0; col = from[col]!) rowOf[col] = from[col]! < 0 ? start : rowOf[from[col]!]!;
}
