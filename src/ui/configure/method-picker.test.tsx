import { expect, test } from "vitest";
import { methods } from "../../config/methods.ts";
import { getPreset } from "../../config/presets.ts";
import { changesText } from "./method-picker.tsx";

const { config } = getPreset("frozenlake-nano");

test("says in the words of the form what a method makes different", () => {
  const grpo = changesText(methods.get("grpo"), config);
  expect(grpo).toContain("GRPO");
  expect(grpo).toMatch(/Reasoning reward: off/);
  expect(grpo).not.toContain("rollout.");
});

test("leaves out what the preset has already", () => {
  const full = methods.get("vagen-full");
  const same = Object.entries(full.changes).every(
    ([path, value]) =>
      path === "algorithm.high_level_gamma" ||
      // The preset averages over tokens; the methods average over sequences, as VAGEN's runs do.
      path.endsWith(".loss_agg_mode") ||
      changesText({ ...full, changes: { [path]: value } }, config) === "",
  );
  expect(same).toBe(true);
});
