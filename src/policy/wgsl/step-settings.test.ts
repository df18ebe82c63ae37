import { expect, test } from "vitest";
import type { Sequence } from "./pack.ts";
import { type StepSettings, stepValues } from "./step-settings.ts";

const settings = { per: "token", vfCoef: 0.5, klCoef: 0.1 } as StepSettings;
/** Marks of each token; the first has no target position and never counts. */
const sequence = (targetMask: number[], valueMask?: number[]) =>
  ({
    targetMask: Uint8Array.from(targetMask),
    ...(valueMask && { valueMask: Uint8Array.from(valueMask) }),
  }) as Sequence;
const scales = (sequences: Sequence[], per: StepSettings["per"] = "token") => {
  const { scale, valueScale } = stepValues({ ...settings, per }, sequences);
  return [scale, valueScale];
};

test("the policy loss is a mean over marked tokens, the value loss over those whose value is trained", () => {
  expect(scales([sequence([1, 1, 0, 1]), sequence([0, 1, 1])])).toEqual([1 / 4, 0.5 / 4]);
  expect(scales([sequence([1, 1, 0, 1], [0, 0, 0, 1]), sequence([0, 1, 1])])).toEqual([1 / 4, 0.5 / 3]);
});

test("over sequences, only the policy's mean counts them", () => {
  expect(scales([sequence([0, 1, 1, 1]), sequence([0, 1])], "sequence")).toEqual([1 / 2, 0.5 / 4]);
});

test("nothing to learn from is no loss, rather than a division by zero", () => {
  expect(scales([sequence([1, 0, 0])])).toEqual([0, 0]);
});

test("the other numbers reach the plan under their own names", () => {
  const values = stepValues(settings, [sequence([0, 1])]);
  expect(values).toEqual({ vfCoef: 0.5, klCoef: 0.1, scale: 1, valueScale: 0.5 });
});
