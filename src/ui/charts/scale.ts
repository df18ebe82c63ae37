// Axis ends and ticks on round numbers.

/** Ends of an axis and the values that are written at it. */
interface Scale {
  yDomain: readonly [number, number];
  yTicks: readonly number[];
}

/**
 * Round ends a little outside the data, and 4–6 ticks between them. `fromZero` pins the lower end to 0; `log` uses whole
 * powers of ten, in a single decade also 2 and 5 (and falls back to a linear scale when nothing is positive).
 */
export function niceScale(
  [low, high]: readonly [number, number],
  { fromZero = false, log = false }: { fromZero?: boolean; log?: boolean } = {},
): Scale {
  if (!(low <= high)) return { yDomain: [0, 1], yTicks: [0, 0.5, 1] };
  if (log && low > 0) {
    const from = Math.floor(Math.log10(low));
    const to = Math.max(from + 1, Math.ceil(Math.log10(high)));
    if (to === from + 1) {
      const yTicks = [1, 2, 5, 10].map((part) => round(part * 10 ** from));
      return { yDomain: [yTicks[0]!, yTicks[3]!], yTicks };
    }
    const every = Math.ceil((to - from + 1) / 6);
    const yTicks: number[] = [];
    for (let power = from; power <= to; power += every) yTicks.push(round(10 ** power));
    return { yDomain: [round(10 ** from), round(10 ** to)], yTicks };
  }
  const bottom = fromZero ? Math.min(0, low) : low;
  const padding = high === bottom ? Math.abs(high) * 0.1 || 1 : (high - bottom) * 0.05;
  const from = fromZero && bottom === 0 ? 0 : bottom - padding;
  const step = niceStep((high + padding - from) / 4);
  const first = Math.floor(from / step + 1e-9);
  const last = Math.ceil((high + padding) / step - 1e-9);
  const yTicks = Array.from({ length: last - first + 1 }, (_, i) => round((first + i) * step));
  return { yDomain: [yTicks[0]!, yTicks.at(-1)!], yTicks };
}

/** Round ticks inside a range, ends not included unless round; `whole` ones of what comes in ones, such as updates. */
export function ticksWithin([from, to]: readonly [number, number], count: number, whole = false): number[] {
  const wanted = (to - from) / count;
  const step = whole ? Math.max(1, wholeStep(wanted)) : niceStep(wanted);
  const ticks: number[] = [];
  for (let n = Math.ceil(from / step - 1e-9); n * step <= to * (1 + 1e-12); n++) ticks.push(round(n * step));
  return ticks;
}

/** 1, 2, 2.5 or 5 times a power of ten, not below `wanted`. */
function niceStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted));
  const factor = [1, 2, 2.5, 5, 10].find((f) => f * power >= wanted * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** The same without 2.5. */
function wholeStep(wanted: number): number {
  const step = niceStep(wanted);
  return Number.isInteger(step) ? step : niceStep(step * 1.01);
}

const round = (value: number) => Number(value.toPrecision(12));

const SHRINK_BELOW = 0.6;
const SHRINK_AFTER_MS = 5000;

/** An axis that grows at once but shrinks only when it has been far too large for a while, so that it does not jitter. */
export class SteadyScale {
  #current: Scale | null = null;
  #smallSince: number | null = null;

  /** The figure on the steady axis. Ticks go with their axis: those of a smaller one would lie upon each other. */
  next<T extends Scale>(figure: T, now: number): T {
    const { yDomain, yTicks } = this.#axisFor(figure, now);
    return { ...figure, yDomain, yTicks };
  }

  #axisFor(wanted: Scale, now: number): Scale {
    const current = this.#current;
    if (!current) return this.#take(wanted);
    const [[low, high], [from, to]] = [wanted.yDomain, current.yDomain];
    if (low < from || high > to) return this.#take(wanted);
    const small = high - low < SHRINK_BELOW * (to - from);
    if (!small) this.#smallSince = null;
    else if (this.#smallSince === null) this.#smallSince = now;
    else if (now - this.#smallSince >= SHRINK_AFTER_MS) return this.#take(wanted);
    return current;
  }

  #take({ yDomain, yTicks }: Scale): Scale {
    this.#smallSince = null;
    this.#current = { yDomain, yTicks };
    return this.#current;
  }
}
