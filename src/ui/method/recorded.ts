// Recorded advantages against those that the page computes. A run stores them whitened over its batch, which one episode does
// not contain; but whitening is (A − mean) / deviation, so two numbers that fit every token undo it.

/** How well computed advantages explain the recorded ones. */
interface RecordedFit {
  /** What whitening subtracted and divided by; 0 and 1 where nothing was whitened. */
  readonly mean: number;
  readonly deviation: number;
  /** Largest |recorded, with whitening undone, less computed|. */
  readonly error: number;
}

/**
 * Least squares of recorded = (computed − mean) / deviation over the tokens at `positions`.
 * Null where the record holds no advantages, or where computed ones do not vary, which leaves the deviation open.
 */
export function fitRecorded(
  recorded: ArrayLike<number>,
  computed: ArrayLike<number>,
  positions: readonly number[],
): RecordedFit | null {
  if (!positions.some((i) => recorded[i])) return null;
  const xs = positions.map((i) => computed[i] as number);
  const ys = positions.map((i) => recorded[i] as number);
  const direct = largestOf(xs.map((x, k) => x - ys[k]!));
  if (direct <= ROUNDED * largestOf(xs)) return { mean: 0, deviation: 1, error: direct };
  const [mx, my] = [average(xs), average(ys)];
  const covariance = average(xs.map((x, k) => (x - mx) * (ys[k]! - my)));
  const spread = average(xs.map((x) => (x - mx) ** 2));
  if (spread === 0 || covariance <= 0) return null;
  const deviation = spread / covariance;
  const mean = mx - my * deviation;
  if (Math.abs(mean) < UNSEEN && Math.abs(deviation - 1) < UNSEEN)
    return { mean: 0, deviation: 1, error: direct };
  return { mean, deviation, error: largestOf(xs.map((x, k) => ys[k]! * deviation + mean - x)) };
}

/** What the three decimals of a formula do not show: undoing so little would read like undoing nothing. */
const UNSEEN = 5e-4;

/** Files keep five digits of a number. */
const ROUNDED = 1e-4;

const average = (xs: readonly number[]) => xs.reduce((sum, x) => sum + x, 0) / xs.length;
const largestOf = (xs: readonly number[]) => xs.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
