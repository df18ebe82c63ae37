import { expect, it } from "vitest";
import { inspectRunConfig } from "../../config/check.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { whiteningText } from "./whitening.ts";

const { algorithm } = inspectRunConfig({}).config!;
const text = (changes: Partial<RunConfig["algorithm"]>) =>
  whiteningText({ algorithm: { ...algorithm, ...changes } });

it("says what advantages were whitened by", () => {
  expect(text({})).toBe(
    "Whitened over the update's batch: the mean is subtracted, and the rest is divided by the standard deviation. That is why it does not equal return − value.",
  );
  expect(text({ adv_norm_mean_level: "none" })).toBe(
    "Whitened: advantages are divided by the standard deviation over the update's batch. That is why it does not equal return − value.",
  );
  expect(text({ adv_norm_mean_level: "group" })).toContain(
    "the mean over the episodes of its level is subtracted, and the rest is divided by the standard deviation over the update's batch.",
  );
});

it("says nothing where the run whitens nothing", () => {
  expect(text({ whiten_advantages: false })).toBe("");
  expect(text({ adv_norm_mean_level: "none", adv_norm_std_level: "none" })).toBe("");
  // Compared within its group, which is all the scaling that it gets.
  expect(text({ adv_estimator: "grpo" })).toBe("");
});
