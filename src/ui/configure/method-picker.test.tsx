import { expect, test } from "vitest";
import { applyChanges } from "../../config/changes.ts";
import { methodOf, methods } from "../../config/methods.ts";
import { getPreset } from "../../config/presets.ts";
import { changesText, othersText } from "./method-picker.tsx";

const { config } = getPreset("frozenlake-nano");

const laid = (id: string) => applyChanges(config, methods.get(id).changes);

test("says in the words of the form what a method makes different", () => {
  const grpo = changesText(methods.get("grpo"), laid("grpo"), config);
  expect(grpo).toContain("GRPO");
  expect(grpo).toMatch(/Reasoning reward: off/);
  expect(grpo).not.toContain("rollout.");
});

test("recognises the method of a preset that averages losses in another way, and says in which", () => {
  const full = methods.get("vagen-full");
  expect(methodOf(config)).toBe(full);
  expect(changesText(full, config, config)).toBe("");
  expect(othersText(full, config)).toBe("Loss mean: All tokens; Value loss mean: All tokens");
  const whole = laid("vagen-full");
  expect(othersText(full, whole)).toBe("");
  expect(changesText(full, whole, config)).toBe(
    "Loss mean: Sequences, tokens averaged; Value loss mean: Sequences, tokens averaged",
  );
});
