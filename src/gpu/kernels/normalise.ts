// Normalisation of advantages by levels: moments of each trajectory, then every token by those of its batch or group.

import levelCode from "#shaders/lib/level_moments.wgsl?raw";
import normaliseCode from "#shaders/normalise_advantages.wgsl?raw";
import momentsCode from "#shaders/trajectory_moments.wgsl?raw";
import spreadCode from "#shaders/trajectory_spread.wgsl?raw";
import { defineKernel } from "../kernel.ts";

/** Count, mean and squared distances (S, 4) of the marked elements of each trajectory. */
export const trajectoryMoments = defineKernel({
  label: "trajectory_moments",
  code: [momentsCode],
  uniforms: { s: "u32" },
  bindings: { x: "read", mask: "read", starts: "read", moments: "read_write" },
  grid: ({ s }) => [Math.ceil(s / 16)],
});

/** Squared distances of each trajectory's elements from what is subtracted from them, (S). */
export const trajectorySpread = defineKernel({
  label: "trajectory_spread",
  code: [levelCode, spreadCode],
  constants: { MEAN: 1, LEAVE_ONE_OUT: 0 },
  uniforms: { s: "u32" },
  bindings: { groups: "read", moments: "read", spreads: "read_write" },
  grid: ({ s }) => [Math.ceil(s / 16)],
});

/** Values of the constants MEAN and STD of `normaliseAdvantages`. */
export const NORM_LEVEL = { none: 0, batch: 1, group: 2 } as const;

/** How advantages are normalised; as in rl/normalise.ts. */
export interface NormLevels {
  mean: keyof typeof NORM_LEVEL;
  std: keyof typeof NORM_LEVEL;
  leaveOneOut: boolean;
}

/** x (n) less the mean of its level, over the deviation of its level; 0 outside the mask. */
export const normaliseAdvantages = defineKernel({
  label: "normalise_advantages",
  code: [levelCode, normaliseCode],
  constants: { MEAN: 1, STD: 1, LEAVE_ONE_OUT: 0 },
  uniforms: { s: "u32" },
  bindings: {
    groups: "read",
    starts: "read",
    moments: "read",
    spreads: "read",
    mask: "read",
    over: "read",
    x: "read_write",
  },
  grid: ({ s }) => [Math.ceil(s / 16)],
});
