// Means of returns by state, from general to particular: a critic for states that a few words describe.

/** One cell as it is stored: its key, the weight of its returns and their weighted sum. */
type ValueCell = readonly [key: string, weight: number, sum: number];

/** What a table knows, as plain JSON. */
export interface ValueTableState {
  cells: readonly ValueCell[];
}

/** A cell counts as if its more general one had said its mean this often. */
const PRIOR_WEIGHT = 2;
/** Cells whose weight has faded below this are dropped. */
const LEAST_WEIGHT = 1e-3;

/**
 * Expected returns of states that are described by several keys, the most general first. The mean of a cell is drawn towards that of
 * the more general cell, so a state that is new has the value of its kind. Deterministic, and stored exactly.
 */
export class ValueTable {
  private readonly cells: Map<string, { weight: number; sum: number }>;

  constructor(stored?: ValueTableState) {
    this.cells = new Map(stored?.cells.map(([key, weight, sum]) => [key, { weight, sum }]));
  }

  /** The value of a state; 0 where nothing is known. */
  value(keys: readonly string[]): number {
    let value = 0;
    let prior = 0;
    for (const key of keys) {
      const { weight, sum } = this.cells.get(key) ?? { weight: 0, sum: 0 };
      if (prior + weight > 0) value = (sum + prior * value) / (weight + prior);
      // Before the first cell there is nothing to be drawn towards.
      prior = PRIOR_WEIGHT;
    }
    return value;
  }

  /** Adds one return to each of a state's cells. */
  learn(keys: readonly string[], target: number): void {
    for (const key of keys) {
      const { weight, sum } = this.cells.get(key) ?? { weight: 0, sum: 0 };
      this.cells.set(key, { weight: weight + 1, sum: sum + target });
    }
  }

  /** Lets what was learned so far count `factor` times as much, because the policy has changed since. */
  fade(factor: number): void {
    for (const [key, { weight, sum }] of this.cells)
      if (weight * factor < LEAST_WEIGHT) this.cells.delete(key);
      else this.cells.set(key, { weight: weight * factor, sum: sum * factor });
  }

  toJSON(): ValueTableState {
    return { cells: [...this.cells].map(([key, { weight, sum }]) => [key, weight, sum]) };
  }
}
