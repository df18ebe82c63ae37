// Counts of exact texts over a run, to find the texts that a policy repeats.

/** Counts in the order in which texts were first seen, as plain data. */
export type TextCounts = readonly (readonly [text: string, count: number])[];

/** Remembers the `capacity` most frequent texts; the count of a dropped text starts at 0 again. Ties go to the text seen first. */
export class FrequentTexts {
  private counts: Map<string, number>;

  constructor(
    private readonly capacity: number,
    saved: TextCounts = [],
  ) {
    this.counts = new Map(saved);
  }

  /** Counts a whole batch before dropping the rarest. */
  add(texts: readonly string[]): void {
    for (const text of texts) this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
    if (this.counts.size <= this.capacity) return;
    const kept = new Set(this.top(this.capacity));
    // Filtered rather than rebuilt from the sorted list: the order of first sight decides later ties.
    this.counts = new Map([...this.counts].filter(([text]) => kept.has(text)));
  }

  /** The `k` most frequent, most frequent first. */
  top(k: number): string[] {
    return [...this.counts]
      .sort(([, a], [, b]) => b - a)
      .slice(0, k)
      .map(([text]) => text);
  }

  save(): TextCounts {
    return [...this.counts];
  }
}
