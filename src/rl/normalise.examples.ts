// Worked examples of normalisation, for the function and its kernels: four elements in two groups, 2, 4 | 6, 12. By hand: group
// means 3 and 9, deviations √2 and √18; batch mean 6, deviation √(56 / 3). The deviation is taken around what was subtracted:
// around the group means that of the batch is √((1 + 1 + 9 + 9) / 3), around 0 those of the groups are √20 and √180.
import type { NormOptions } from "./normalise.ts";

const x = [2, 4, 6, 12];
const groups = [0, 0, 7, 7];
const batchStd = Math.sqrt(56 / 3);

const example = (
  mean: NormOptions["mean"],
  std: NormOptions["std"],
  leaveOneOut: boolean,
  wanted: readonly number[],
) => ({ x, groups, options: { mean, std, leaveOneOut }, wanted });

export const normExamples = [
  // AReaL's PPO and GRPO.
  example(
    "batch",
    "batch",
    false,
    [-4, -2, 0, 6].map((d) => d / batchStd),
  ),
  // Dr. GRPO.
  example("group", "none", false, [-1, 1, -3, 3]),
  // LitePPO.
  example(
    "group",
    "batch",
    false,
    [-1, 1, -3, 3].map((d) => d / Math.sqrt(20 / 3)),
  ),
  // RLOO: less the mean of the others.
  example("group", "none", true, [-2, 2, -6, 6]),
  example("group", "group", false, [-1 / Math.SQRT2, 1 / Math.SQRT2, -3 / Math.sqrt(18), 3 / Math.sqrt(18)]),
  // Distances from the others' mean are 2 times those from the mean of two.
  example(
    "group",
    "group",
    true,
    [-1, 1, -1, 1].map((d) => d / Math.SQRT2),
  ),
  // Others of 2 have mean 22/3, of 4: 20/3, of 6: 6, of 12: 4.
  example("batch", "none", true, [2 - 22 / 3, 4 - 20 / 3, 0, 8]),
  example("none", "group", false, [
    2 / Math.sqrt(20),
    4 / Math.sqrt(20),
    6 / Math.sqrt(180),
    12 / Math.sqrt(180),
  ]),
];
