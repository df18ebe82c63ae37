// CPU twins of trajectory_moments and trajectory_spread, in f64. What they serve is defined by rl/normalise.ts.
import { NORM_LEVEL, type NormLevels } from "./normalise.ts";

type Numbers = ArrayLike<number>;
type Level = (typeof NORM_LEVEL)[keyof typeof NORM_LEVEL];

/** Twin of trajectory_moments: (S, 4) = count, mean and sum of squared distances from it of the marked elements, 0. */
export function trajectoryMomentsRef(x: Numbers, mask: Numbers, starts: Numbers): Float64Array {
  const moments = new Float64Array((starts.length - 1) * 4);
  for (let s = 0; s + 1 < starts.length; s++) {
    const marked = Array.from(x).filter((_, i) => i >= starts[s]! && i < starts[s + 1]! && mask[i] !== 0);
    const mean = marked.reduce((sum, value) => sum + value, 0) / Math.max(1, marked.length);
    const squares = marked.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    moments.set([marked.length, mean, squares, 0], s * 4);
  }
  return moments;
}

/** Count and mean over the batch (1) or over the group of trajectory `own` (2). */
function levelRef(moments: Numbers, groups: Numbers, own: number, level: Level) {
  let [count, sum] = [0, 0];
  for (let s = 0; s < groups.length; s++) {
    if (level !== NORM_LEVEL.batch && groups[s] !== groups[own]) continue;
    count += moments[s * 4] as number;
    sum += (moments[s * 4] as number) * (moments[s * 4 + 1] as number);
  }
  return { count, mean: sum / Math.max(1, count) };
}

/** Twin of trajectory_spread: (S), squared distances of each trajectory's elements from what is subtracted from them. */
export function trajectorySpreadRef(
  moments: Numbers,
  groups: Numbers,
  { mean, leaveOneOut }: Pick<NormLevels, "mean" | "leaveOneOut">,
): Float64Array {
  return Float64Array.from(groups, (_, s) => {
    const [count, own, squares] = [0, 1, 2].map((i) => moments[s * 4 + i]) as [number, number, number];
    const level = levelRef(moments, groups, s, NORM_LEVEL[mean]);
    const isAlone = leaveOneOut && level.count <= 1;
    const distance = own - (mean === "none" || isAlone ? 0 : level.mean);
    // Without itself, an element's distance from the mean grows by n / (n − 1).
    const stretch = leaveOneOut && mean !== "none" && !isAlone ? level.count / (level.count - 1) : 1;
    return stretch ** 2 * (squares + count * distance ** 2);
  });
}
