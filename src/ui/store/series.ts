// Metric series as growing columns outside React: appended in place, never copied, drawn when their revision changes.

/** Numbers added at a time. Doubling would hold twice what a long run needs. */
const CHUNK = 256;

/** Values of a metric: in half the room while each of them is a 32-bit number, as shares of a few episodes are. */
export type Numbers = Float32Array | Float64Array;

const isShort = (y: number): boolean => Object.is(Math.fround(y), y);

/** The same numbers in a larger array of a kind. */
function grown<T extends Numbers>(values: Numbers, Kind: new (length: number) => T): T {
  const more = new Kind(values.length + CHUNK);
  more.set(values);
  return more;
}

/** A list of x that metrics logged together share, because it is as long as each of them. It is only appended to. */
class Column {
  xs: Float64Array = new Float64Array(CHUNK);
  length = 0;

  /** Whether x is at an index, or comes there now. */
  holds(index: number, x: number): boolean {
    if (index < this.length) return this.xs[index] === x;
    if (index > this.length) return false;
    if (this.length === this.xs.length) this.xs = grown(this.xs, Float64Array);
    this.xs[this.length++] = x;
    return true;
  }
}

/** One metric over updates, ascending in x. A value may be NaN or infinite: it is kept, and drawn as a gap. */
export class Series {
  #column: Column;
  /** Where the series begins in its column. */
  #from: number;
  #ys: Numbers = new Float32Array(CHUNK);
  #length = 0;

  constructor(column = new Column(), from = column.length) {
    this.#column = column;
    this.#from = from;
  }

  get length(): number {
    return this.#length;
  }
  /**
   * The columns themselves, not a copy: read only. A point that is added at the end leaves earlier reads as they were;
   * any other change may not.
   */
  get xs(): Float64Array {
    return this.#column.xs.subarray(this.#from, this.#from + this.#length);
  }
  get ys(): Numbers {
    return this.#ys.subarray(0, this.#length);
  }

  /** Add a point; a point at the same x is replaced (an update that is replayed after a resume). */
  set(x: number, y: number): void {
    const at = this.#lowerBound(x);
    if (at === this.#length) this.#append(x, y);
    else if (this.#x(at) === x) this.#write(at, y);
    else this.#insert(at, x, y);
  }

  /** Drop every point after x. */
  truncate(x: number): void {
    const at = this.#lowerBound(x);
    this.#length = at < this.#length && this.#x(at) === x ? at + 1 : at;
  }

  /** The value at x, or the nearest earlier one; undefined before the first point. */
  at(x: number): number | undefined {
    const index = this.#lowerBound(x);
    if (index < this.#length && this.#x(index) === x) return this.#ys[index];
    return index > 0 ? this.#ys[index - 1] : undefined;
  }

  /** The value at x itself. */
  exactlyAt(x: number): number | undefined {
    const index = this.#lowerBound(x);
    return index < this.#length && this.#x(index) === x ? this.#ys[index] : undefined;
  }

  #x(index: number): number {
    return this.#column.xs[this.#from + index]!;
  }

  #lowerBound(x: number): number {
    if (this.#length === 0 || x > this.#x(this.#length - 1)) return this.#length;
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#x(middle) < x) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #append(x: number, y: number): void {
    if (!this.#column.holds(this.#from + this.#length, x)) this.#leaveColumn(this.xs, x);
    this.#write(this.#length++, y);
  }

  /** Points arrive in order, except in a replayed stretch with a gap. */
  #insert(at: number, x: number, y: number): void {
    const xs = this.xs;
    this.#leaveColumn(xs.subarray(0, at), x, ...xs.subarray(at));
    this.#write(this.#length++, y);
    this.#ys.copyWithin(at + 1, at, this.#length - 1);
    this.#ys[at] = y;
  }

  #write(at: number, y: number): void {
    const isTooShort = this.#ys instanceof Float32Array && !isShort(y);
    if (isTooShort || at === this.#ys.length) this.#ys = this.#withRoom(isTooShort);
    this.#ys[at] = y;
  }

  #withRoom(forLong: boolean): Numbers {
    const isLong = forLong || this.#ys instanceof Float64Array;
    return isLong ? grown(this.#ys, Float64Array) : grown(this.#ys, Float32Array);
  }

  /** Other metrics keep the column; this one was logged at other updates and has its own from here on. */
  #leaveColumn(before: Float64Array, ...after: readonly number[]): void {
    const own = new Column();
    for (const x of before) own.holds(own.length, x);
    for (const x of after) own.holds(own.length, x);
    this.#column = own;
    this.#from = 0;
  }
}

/** Every metric of a run, by its key. */
export class SeriesTable {
  readonly #byKey = new Map<string, Series>();
  readonly #columns: Column[] = [];

  get keys(): readonly string[] {
    return [...this.#byKey.keys()];
  }
  get(key: string): Series | undefined {
    return this.#byKey.get(key);
  }
  set(key: string, x: number, y: number): void {
    let series = this.#byKey.get(key);
    if (!series) {
      series = this.#newSeries(x);
      this.#byKey.set(key, series);
    }
    series.set(x, y);
  }

  /** A metric that begins at x shares the column of one that has just been logged there. */
  #newSeries(x: number): Series {
    const shared = this.#columns.find(({ xs, length }) => length > 0 && xs[length - 1] === x);
    if (shared) return new Series(shared, shared.length - 1);
    const own = new Column();
    this.#columns.push(own);
    return new Series(own);
  }

  /** Drop every point after x, and metrics that have none left. */
  truncate(x: number): void {
    for (const [key, series] of this.#byKey) {
      series.truncate(x);
      if (series.length === 0) this.#byKey.delete(key);
    }
  }
}
