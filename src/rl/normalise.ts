// AReaL's normalisation of rewards and advantages: the mean and the deviation are taken over the batch, over the group of episodes
// that began alike, or not at all.
import { mean, variance } from "../core/statistics.ts";

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
export interface NormInput {
  readonly x: ArrayLike<number>;
  /** Of each element: equal numbers are one group. */
  readonly groups: ArrayLike<number>;
  /** Elements to normalise; the others become 0. Absent: all. */
  readonly mask?: ArrayLike<number>;
  /** Elements whose moments count, a part of the mask; absent: the mask. */
  readonly over?: ArrayLike<number>;
}

interface Moments {
  count: number;
  mean: number;
  /** Unbiased. */
  std: number;
}

/**
 * (x − mean) / (std + 1e-5), std unbiased. A level of one element has deviation 1, and without itself mean 0; where a moment is not
 * taken, nothing is subtracted or divided. Twin of shaders/trajectory_moments.wgsl and shaders/normalise_advantages.wgsl.
 */
export function normalise(input: NormInput, { mean, std, leaveOneOut }: NormOptions): Float64Array {
  const { x, groups, mask, over = mask } = input;
  const counts = (i: number) => over === undefined || over[i] !== 0;
  const centre = momentsBy(input, mean, counts);
  const spread = momentsBy(input, std, counts);
  return Float64Array.from(x, (value, i) => {
    if (mask && !mask[i]) return 0;
    const middle = centre(groups[i] as number);
    const subtracted = leaveOneOut && counts(i) ? meanWithout(value, middle) : middle.mean;
    const scale = std === "none" ? 1 : spread(groups[i] as number).std + NORM_EPS;
    return (value - (mean === "none" ? 0 : subtracted)) / scale;
  });
}

const meanWithout = (value: number, { count, mean }: Moments): number =>
  count > 1 ? (count * mean - value) / (count - 1) : 0;

/** The moments that an element of a group is normalised by. */
function momentsBy(
  { x, groups }: NormInput,
  level: NormLevel,
  counts: (i: number) => boolean,
): (group: number) => Moments {
  const members = new Map<number, number[]>();
  const keyOf = (group: number) => (level === "group" ? group : 0);
  Array.from(x).forEach((value, i) => {
    if (!counts(i)) return;
    const key = keyOf(groups[i] as number);
    const own = members.get(key);
    if (own) own.push(value);
    else members.set(key, [value]);
  });
  const moments = new Map([...members].map(([key, values]) => [key, momentsOf(values)]));
  return (group) => moments.get(keyOf(group)) ?? { count: 0, mean: 0, std: 1 };
}

function momentsOf(values: readonly number[]): Moments {
  const count = values.length;
  return { count, mean: mean(values), std: count > 1 ? Math.sqrt(variance(values)) : 1 };
}
