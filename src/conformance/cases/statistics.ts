// Cases of sums, moments, whitening and normalisation.
import { rng } from "../../core/rng.ts";
import { columnSumRef } from "../../gpu/kernels/column-sum.ref.ts";
import { columnSum } from "../../gpu/kernels/column-sum.ts";
import { trajectoryMomentsRef, trajectorySpreadRef } from "../../gpu/kernels/normalise.ref.ts";
import {
  NORM_LEVEL,
  type NormLevels,
  normaliseAdvantages,
  trajectoryMoments,
  trajectorySpread,
} from "../../gpu/kernels/normalise.ts";
import { sumStatsRef } from "../../gpu/kernels/stats.ref.ts";
import { axisStats, sumStats } from "../../gpu/kernels/stats.ts";
import { sumPartialsRef } from "../../gpu/kernels/sum-partials.ref.ts";
import { sumPartials } from "../../gpu/kernels/sum-partials.ts";
import { whitenApply } from "../../gpu/kernels/whiten.ts";
import { maskedMoments, whiten } from "../../rl/advantage/whiten.ts";
import { normalise } from "../../rl/normalise.ts";
import { added, ahead, both, casesOf, close, type KernelCase, only } from "../case.ts";
import { noise } from "../numbers.ts";

/** Around the 128 rows and 8 columns of a workgroup, and more rows than its lanes read at once; sums of numbers of order 1. */
const sums = (n: number, c: number): KernelCase[] => [
  ...casesOf(`${n} × ${c}`, both(columnSum), () => {
    const [inp, out] = [noise(n * c, 1), noise(c, 2)];
    return {
      uniforms: { n, c },
      arrays: { inp, out },
      want: { out: close(added(columnSumRef(inp, n, c), out), 1e-5, 1e-5) },
    };
  }),
  ...casesOf(`${n} splits of ${c}`, ahead(sumPartials), () => {
    const [partials, out] = [noise(n * c, 1), noise(c, 2)];
    return {
      uniforms: { splits: n, length: c },
      arrays: { partials, out },
      want: { out: close(added(sumPartialsRef(partials, n, c), out), 1e-5, 1e-5) },
    };
  }),
];

const totals = (r: number, COLS: number): KernelCase[] =>
  casesOf(`${r} rows of ${COLS} columns`, both(sumStats, { COLS }), () => {
    const [stats, before] = [noise(r * COLS, 1), noise(COLS, 2)];
    return {
      uniforms: { r },
      arrays: { stats, totals: before },
      want: { totals: close(sumStatsRef(stats, before, r, COLS), 1e-5, 1e-5) },
    };
  });

const listed = (x: ArrayLike<number>, mask: ArrayLike<number>) => {
  const { count, mean, variance, min, max, sum } = maskedMoments(x, mask);
  return Float32Array.of(count, mean, variance, min, max, sum, 0, 0);
};

/** `every` 0: nothing is inside the mask. */
function moments(n: number, every: number): KernelCase[] {
  const input = () => ({
    x: noise(n, 1, 3).map((value) => value + 2),
    mask: Float32Array.from({ length: n }, (_, i) => ((i * 7) % 5 < every ? 1 : 0)),
  });
  const title = `${n} tokens${every === 0 ? ", none inside the mask" : ""}`;
  return [
    ...casesOf(title, both(axisStats), () => {
      const { x, mask } = input();
      return {
        uniforms: { n },
        arrays: { x, mask, moments: noise(8, 99) },
        want: { moments: close(listed(x, mask), 2e-6, 1e-6) },
      };
    }),
    ...casesOf(title, only(whitenApply), () => {
      const { x, mask } = input();
      return {
        uniforms: { n },
        arrays: { x, mask, moments: listed(x, mask) },
        want: { x: close(whiten(x, mask), 1e-5, 1e-5) },
      };
    }),
  ];
}

/** Trajectories of random lengths, some of them empty, in random groups. */
function trajectories(s: number) {
  const random = rng(s);
  const lengths = Array.from({ length: s }, () => random.int(12));
  const starts = [0];
  for (const length of lengths) starts.push((starts.at(-1) as number) + length);
  const groups = lengths.map(() => random.int(4));
  const mask = Float32Array.from({ length: starts.at(-1) as number }, () => (random.int(3) ? 1 : 0));
  return {
    starts: Uint32Array.from(starts),
    groups: Uint32Array.from(groups),
    perToken: lengths.flatMap((length, i) => Array<number>(length).fill(groups[i] as number)),
    mask,
    over: mask.map((marked) => (marked && random.int(3) ? 1 : 0)),
    // Far from 0, where a one-pass variance would lose its digits.
    x: mask.map(() => 100 + random.float()),
  };
}

function normalised(s: number, options: NormLevels): KernelCase[] {
  const { mean, std, leaveOneOut } = options;
  const subtracted = { MEAN: NORM_LEVEL[mean], LEAVE_ONE_OUT: leaveOneOut ? 1 : 0 };
  const title = `${s} trajectories, mean ${mean}, std ${std}${leaveOneOut ? ", without itself" : ""}`;
  return casesOf(title, only(normaliseAdvantages, { ...subtracted, STD: NORM_LEVEL[std] }), () => {
    const { starts, groups, perToken, mask, over, x } = trajectories(s);
    const found = Float32Array.from(trajectoryMomentsRef(x, over, starts));
    const spreads = Float32Array.from(trajectorySpreadRef(found, groups, options));
    return {
      uniforms: { s },
      arrays: { groups, starts, moments: found, spreads, mask, over, x },
      want: { x: close(normalise({ x, groups: perToken, mask, over }, options), 1e-3, 1e-3) },
    };
  });
}

function spread(s: number, options: Pick<NormLevels, "mean" | "leaveOneOut">): KernelCase[] {
  const constants = { MEAN: NORM_LEVEL[options.mean], LEAVE_ONE_OUT: options.leaveOneOut ? 1 : 0 };
  const title = `${s} trajectories, mean ${options.mean}${options.leaveOneOut ? ", without itself" : ""}`;
  return casesOf(title, only(trajectorySpread, constants), () => {
    const { starts, groups, over, x } = trajectories(s);
    const found = Float32Array.from(trajectoryMomentsRef(x, over, starts));
    return {
      uniforms: { s },
      arrays: { groups, moments: found, spreads: noise(s, 6) },
      // Means of 100 are rounded to 8e-6, which enters the distances from them.
      want: { spreads: close(trajectorySpreadRef(found, groups, options), 1e-4, 1e-4) },
    };
  });
}

const ofTrajectories = (s: number): KernelCase[] =>
  casesOf(`${s} trajectories`, only(trajectoryMoments), () => {
    const { starts, over, x } = trajectories(s);
    return {
      uniforms: { s },
      arrays: { x, mask: over, starts, moments: noise(s * 4, 5) },
      want: { moments: close(trajectoryMomentsRef(x, over, starts), 1e-4, 1e-4) },
    };
  });

const LEVELS = ["none", "batch", "group"] as const;
const everyMean = LEVELS.flatMap((mean) => [false, true].map((leaveOneOut) => ({ mean, leaveOneOut })));

export const statisticsCases: readonly KernelCase[] = [
  ...sums(1, 4),
  ...sums(63, 12),
  ...sums(65, 16),
  ...sums(200, 36),
  ...sums(1030, 8),
  ...totals(1, 8),
  ...totals(2, 4),
  ...totals(127, 8),
  ...totals(513, 4),
  ...[1, 2, 63, 65, 20_000].flatMap((n) => moments(n, 3)),
  ...moments(70, 0),
  ...[1, 15, 17].flatMap((s) => [
    ...ofTrajectories(s),
    ...everyMean.flatMap((options) => [
      ...spread(s, options),
      ...LEVELS.flatMap((std) => normalised(s, { ...options, std })),
    ]),
  ]),
];
