// Axis ends and ticks on round numbers.

/**
 * Round ends a little outside the data, and 4–6 ticks between them. `fromZero` pins the lower end to 0; `log` uses whole
 * powers of ten (and falls back to a linear scale when nothing is positive).
 */
export function niceScale(
  [low, high]: readonly [number, number],
  { fromZero = false, log = false }: { fromZero?: boolean; log?: boolean } = {},
): { yDomain: readonly [number, number]; yTicks: readonly number[] } {
  if (!(low <= high)) return { yDomain: [0, 1], yTicks: [0, 0.5, 1] };
  if (log && low > 0) {
    const from = Math.floor(Math.log10(low));
    const to = Math.max(from + 1, Math.ceil(Math.log10(high)));
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

/** Round ticks inside a range, ends not included unless round. */
export function ticksWithin([from, to]: readonly [number, number], count: number): number[] {
  const step = niceStep((to - from) / count);
  const ticks: number[] = [];
  for (let n = Math.ceil(from / step - 1e-9); n * step <= to * (1 + 1e-12); n++) ticks.push(round(n * step));
  return ticks;
}

/** 1, 2, 2.5 or 5 times a power of ten, not below the wish. */
function niceStep(wish: number): number {
  const power = 10 ** Math.floor(Math.log10(wish));
  const factor = [1, 2, 2.5, 5, 10].find((f) => f * power >= wish * (1 - 1e-9)) ?? 10;
  return factor * power;
}

const round = (value: number) => Number(value.toPrecision(12));

const SHRINK_BELOW = 0.6;
const SHRINK_AFTER_MS = 5000;

/** An axis that grows at once but shrinks only when it has been far too large for a while, so that it does not jitter. */
export class SteadyDomain {
  #current: readonly [number, number] | null = null;
  #smallSince: number | null = null;

  next(wanted: readonly [number, number], now: number): readonly [number, number] {
    const current = this.#current;
    const outside = !current || wanted[0] < current[0] || wanted[1] > current[1];
    if (outside) return this.#take(wanted);
    const small = wanted[1] - wanted[0] < SHRINK_BELOW * (current[1] - current[0]);
    if (!small) this.#smallSince = null;
    else if (this.#smallSince === null) this.#smallSince = now;
    else if (now - this.#smallSince >= SHRINK_AFTER_MS) return this.#take(wanted);
    return current;
  }

  #take(domain: readonly [number, number]): readonly [number, number] {
    this.#smallSince = null;
    this.#current = domain;
    return domain;
  }
}
