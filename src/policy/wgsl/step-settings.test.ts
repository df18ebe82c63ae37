import { expect, test } from "vitest";
import type { Sequence } from "./pack.ts";
import { type LossMean, type StepSettings, stepValues } from "./step-settings.ts";

const per = (over: LossMean["per"], divisor = 1): LossMean => ({ per: over, divisor });
const settings = { vfCoef: 0.5, klCoef: 0.1 } as StepSettings;
/** Marks of each token; the first has no target position and never counts. */
const sequence = (targetMask: number[], valueMask?: number[]) =>
  ({
    targetMask: Uint8Array.from(targetMask),
    ...(valueMask && { valueMask: Uint8Array.from(valueMask) }),
  }) as Sequence;
const scales = (sequences: Sequence[], mean = per("token"), valueMean = per("token")) => {
  const { scale, valueScale } = stepValues({ ...settings, mean, policyMean: mean, valueMean }, sequences);
  return [scale, valueScale];
};

test("the policy loss is a mean over marked tokens, the value loss over those whose value is trained", () => {
  expect(scales([sequence([1, 1, 0, 1]), sequence([0, 1, 1])])).toEqual([1 / 4, 0.5 / 4]);
  expect(scales([sequence([1, 1, 0, 1], [0, 0, 0, 1]), sequence([0, 1, 1])])).toEqual([1 / 4, 0.5 / 3]);
});

test("either loss counts sequences by itself, and only those with a token of its own", () => {
  const both = [sequence([0, 1, 1, 1]), sequence([0, 1])];
  expect(scales(both, per("sequence"))).toEqual([1 / 2, 0.5 / 4]);
  expect(scales(both, per("token"), per("sequence"))).toEqual([1 / 4, 0.5 / 2]);
  const half = [sequence([0, 1, 1], [0, 0, 0]), sequence([0, 1]), sequence([1, 0, 0])];
  expect(scales(half, per("sequence"), per("sequence"))).toEqual([1 / 2, 0.5]);
});

test("a sum is divided by nothing, and any mean by its constant as well", () => {
  expect(scales([sequence([0, 1, 1, 1])], per("none"))[0]).toBe(1);
  expect(scales([sequence([0, 1, 1, 1]), sequence([0, 1])], per("sequence", 8))[0]).toBe(1 / 16);
});

test("nothing to learn from is no loss, rather than a division by zero", () => {
  for (const over of ["token", "sequence", "none"] as const)
    expect(scales([sequence([1, 0, 0])], per(over), per(over))).toEqual([0, 0]);
});

test("the other numbers reach the plan under their own names", () => {
  const means = { mean: per("token"), policyMean: per("none", 4), valueMean: per("token") };
  const values = stepValues({ ...settings, ...means }, [sequence([0, 1])]);
  expect(values).toEqual({ vfCoef: 0.5, klCoef: 0.1, scale: 1, policyScale: 1 / 4, valueScale: 0.5 });
});
