// The pairing of two lists with the largest total weight.

/**
 * Weight of the best one-to-one pairing of rows with columns; either may stay unpaired. Weights are at least 0. Hungarian
 * method with potentials (Kuhn 1955, Munkres 1957; one row at a time as Jonker and Volgenant 1987). The shorter side is
 * paired into the longer one: a claim may name a thousand places, but a board has few, and time grows with the square of
 * those only.
 */
export function bestPairing(weights: readonly (readonly number[])[]): number {
  const [rows, cols] = [weights.length, weights[0]?.length ?? 0];
  const cost =
    rows <= cols
      ? (row: number, col: number) => -weights[row]![col]!
      : (row: number, col: number) => -weights[col]![row]!;
  const [few, many] = [Math.min(rows, cols), Math.max(rows, cols)];
  const zeros = (n: number) => new Array<number>(n).fill(0);
  const table: Table = { cost, rowOf: zeros(many).fill(-1), u: zeros(few), v: zeros(many) };
  for (let row = 0; row < few; row++) assignRow(row, table);
  return table.rowOf.reduce((sum, row, col) => (row < 0 ? sum : sum - cost(row, col)), 0);
}

interface Table {
  cost: (row: number, col: number) => number;
  /** Row that each column is paired with; -1: none yet. */
  rowOf: number[];
  /** Potentials: cost − u − v is never negative, and 0 for pairs. */
  u: number[];
  v: number[];
}

/** Pairs one more row, along the cheapest chain of columns that change their partners. */
function assignRow(start: number, table: Table): void {
  const { rowOf, u, v } = table;
  const slack = rowOf.map(() => Number.POSITIVE_INFINITY);
  const from = rowOf.map(() => -1);
  const reached: number[] = [];
  const isReached = rowOf.map(() => false);
  let last = -1;
  do {
    const next = closest(last < 0 ? start : rowOf[last]!, last, table, { slack, from, isReached });
    const delta = slack[next]!;
    u[start]! += delta;
    for (const col of reached) {
      u[rowOf[col]!]! += delta;
      v[col]! -= delta;
    }
    for (let col = 0; col < slack.length; col++) if (!isReached[col]) slack[col]! -= delta;
    reached.push(next);
    isReached[next] = true;
    last = next;
  } while (rowOf[last] !== -1);
  for (let col = last; col >= 0; col = from[col]!) rowOf[col] = from[col]! < 0 ? start : rowOf[from[col]!]!;
}

interface Search {
  /** Cheapest way found to each column, beyond what is paid already, and the column it comes from. */
  slack: number[];
  from: number[];
  isReached: boolean[];
}

/** The cheapest column that was not reached, once the ways over `row`, the partner of column `last`, are known. */
function closest(
  row: number,
  last: number,
  { cost, u, v }: Table,
  { slack, from, isReached }: Search,
): number {
  let next = -1;
  for (let col = 0; col < slack.length; col++) {
    if (isReached[col]) continue;
    const reduced = cost(row, col) - u[row]! - v[col]!;
    if (reduced < slack[col]!) [slack[col], from[col]] = [reduced, last];
    if (next < 0 || slack[col]! < slack[next]!) next = col;
  }
  return next;
}
