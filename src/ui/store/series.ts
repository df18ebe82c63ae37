// Metric series as growing columns outside React: appended in place, never copied, drawn when their revision changes.

/** One metric over updates, ascending in x. A value may be NaN or infinite: it is kept, and drawn as a gap. */
export class Series {
  #xs = new Float64Array(64);
  #ys = new Float64Array(64);
  #length = 0;

  get length(): number {
    return this.#length;
  }
  /** The columns themselves, not a copy: read only, valid until the next `set`. */
  get xs(): Float64Array {
    return this.#xs.subarray(0, this.#length);
  }
  get ys(): Float64Array {
    return this.#ys.subarray(0, this.#length);
  }

  /** Add a point; a point at the same x is replaced (an update that is replayed after a resume). */
  set(x: number, y: number): void {
    const at = this.#lowerBound(x);
    if (at < this.#length && this.#xs[at] === x) {
      this.#ys[at] = y;
      return;
    }
    if (this.#length === this.#xs.length) this.#grow();
    // Points arrive in order, so this moves nothing except in a replayed stretch with a gap.
    this.#xs.copyWithin(at + 1, at, this.#length);
    this.#ys.copyWithin(at + 1, at, this.#length);
    this.#xs[at] = x;
    this.#ys[at] = y;
    this.#length++;
  }

  /** Drop every point after x. */
  truncate(x: number): void {
    const at = this.#lowerBound(x);
    this.#length = at < this.#length && this.#xs[at] === x ? at + 1 : at;
  }

  /** The value at x, or the nearest earlier one; undefined before the first point. */
  at(x: number): number | undefined {
    const index = this.#lowerBound(x);
    if (index < this.#length && this.#xs[index] === x) return this.#ys[index];
    return index > 0 ? this.#ys[index - 1] : undefined;
  }

  get last(): number | undefined {
    return this.#length > 0 ? this.#ys[this.#length - 1] : undefined;
  }

  #lowerBound(x: number): number {
    if (this.#length === 0 || x > this.#xs[this.#length - 1]!) return this.#length;
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#xs[middle]! < x) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #grow(): void {
    const [xs, ys] = [this.#xs, this.#ys];
    this.#xs = new Float64Array(xs.length * 2);
    this.#ys = new Float64Array(ys.length * 2);
    this.#xs.set(xs);
    this.#ys.set(ys);
  }
}

/** Every metric of a run, by its key. */
export class SeriesTable {
  readonly #byKey = new Map<string, Series>();

  get keys(): readonly string[] {
    return [...this.#byKey.keys()];
  }
  get(key: string): Series | undefined {
    return this.#byKey.get(key);
  }
  set(key: string, x: number, y: number): void {
    let series = this.#byKey.get(key);
    if (!series) {
      series = new Series();
      this.#byKey.set(key, series);
    }
    series.set(x, y);
  }
  /** Drop every point after x, and metrics that have none left. */
  truncate(x: number): void {
    for (const [key, series] of this.#byKey) {
      series.truncate(x);
      if (series.length === 0) this.#byKey.delete(key);
    }
  }
}
