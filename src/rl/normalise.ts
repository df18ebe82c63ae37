// AReaL's normalisation of rewards and advantages: the mean and the deviation are taken over the batch, over the group of episodes
// that began alike, or not at all.

/** Over what a moment is taken. */
type NormLevel = "batch" | "group" | "none";

export interface NormOptions {
  readonly mean: NormLevel;
  readonly std: NormLevel;
  /** The mean is that of the others of its level. */
  readonly leaveOneOut: boolean;
}

/** Added to the deviation; AReaL's. */
export const NORM_EPS = 1e-5;

/** Whether anything is changed at all. */
export const isNormalised = ({ mean, std }: NormOptions): boolean => mean !== "none" || std !== "none";

/** What is normalised. */
interface NormInput {
  readonly x: ArrayLike<number>;
  /** Of each element: equal numbers are one group. */
  readonly groups: ArrayLike<number>;
  /** Elements to normalise; the others become 0. Absent: all. */
  readonly mask?: ArrayLike<number>;
  /** Elements whose moments count, a part of the mask; absent: the mask. */
  readonly over?: ArrayLike<number>;
}

/** What is subtracted from an element. */
type Centre = (i: number) => number;

/**
 * (x − mean) / (std + 1e-5). The deviation is taken around the mean that was subtracted from each element, whatever its level:
 * Σ (x − mean)² / (count − 1) over the elements of the deviation's level. A level of one element has deviation 1, and without
 * itself mean 0; where a moment is not taken, nothing is subtracted or divided (AReaL, `Normalization`). Twin of
 * shaders/trajectory_moments.wgsl and shaders/normalise_advantages.wgsl.
 */
export function normalise(input: NormInput, options: NormOptions): Float64Array {
  const { x, mask } = input;
  const centre = centreOf(input, options);
  const scale = scaleOf(input, options, centre);
  return Float64Array.from(x, (value, i) => (mask && !mask[i] ? 0 : (value - centre(i)) / scale(i)));
}

function centreOf(input: NormInput, { mean: level, leaveOneOut }: NormOptions): Centre {
  if (level === "none") return () => 0;
  const { x } = input;
  const counts = countsOf(input);
  const means = sumsBy(input, level, (i) => x[i] as number);
  return (i) => {
    const { count, sum } = means(i);
    if (!leaveOneOut || !counts(i)) return count > 0 ? sum / count : 0;
    return count > 1 ? (sum - (x[i] as number)) / (count - 1) : 0;
  };
}

function scaleOf(input: NormInput, { std: level }: NormOptions, centre: Centre): (i: number) => number {
  if (level === "none") return () => 1;
  const { x } = input;
  const squares = sumsBy(input, level, (i) => ((x[i] as number) - centre(i)) ** 2);
  return (i) => {
    const { count, sum } = squares(i);
    return (count > 1 ? Math.sqrt(sum / (count - 1)) : 1) + NORM_EPS;
  };
}

const countsOf =
  ({ mask, over = mask }: NormInput) =>
  (i: number): boolean =>
    over === undefined || over[i] !== 0;

/** Count and sum of a number over the counting elements of the level that an element belongs to. */
function sumsBy(input: NormInput, level: "batch" | "group", of: (i: number) => number) {
  const { x, groups } = input;
  const counts = countsOf(input);
  const keyOf = (i: number) => (level === "group" ? (groups[i] as number) : 0);
  const sums = new Map<number, { count: number; sum: number }>();
  for (let i = 0; i < x.length; i++) {
    if (!counts(i)) continue;
    const own = sums.get(keyOf(i)) ?? { count: 0, sum: 0 };
    sums.set(keyOf(i), { count: own.count + 1, sum: own.sum + of(i) });
  }
  return (i: number) => sums.get(keyOf(i)) ?? { count: 0, sum: 0 };
}
