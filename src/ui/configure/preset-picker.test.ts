import { expect, it } from "vitest";
import { applyChanges } from "../../config/changes.ts";
import { getPreset } from "../../config/presets.ts";
import { originText, presetOf } from "./preset-picker.tsx";

const { id, config: base } = getPreset("frozenlake-nano");
const changed = applyChanges(base, { "actor.lr": 1e-4 });
const sokoban = applyChanges(base, { "env.name": "sokoban" });
const both = { ...base, envs: getPreset("three-tasks-small").config.envs };
const ofPreset = (draft: typeof base) => ({ presetId: id, source: "", base, draft });
const ofRun = (draft: typeof base) => ({ presetId: null, source: "the run FrozenLake nano", base, draft });

it("tells below the list of presets what its closed label has no room for", () => {
  expect(originText(ofPreset(base))).toBe("");
  expect(originText(ofPreset(changed))).toBe("Changed from the preset.");
  expect(originText(ofRun(base))).toBe("From the run FrozenLake nano.");
  expect(originText(ofRun(changed))).toBe("From the run FrozenLake nano, changed.");
  expect(originText({ ...ofRun(changed), source: "" })).toBe("");
  expect(originText({ ...ofPreset(base), draft: null })).toBe("");
});

it("says where the settings of another task come from", () => {
  expect(originText(ofPreset(sokoban))).toBe(
    "The settings come from the preset “FrozenLake nano”, which is for FrozenLake. The task is now Sokoban.",
  );
  expect(originText(ofPreset(both))).toMatch(/The tasks are now FrozenLake, Sokoban and Navigation\.$/);
  expect(originText(ofRun(sokoban))).toMatch(/^The settings come from the run FrozenLake nano, which is for/);
});

it("no longer takes a draft of another task for the preset", () => {
  expect(presetOf(ofPreset(changed))).toBe(id);
  expect(presetOf(ofPreset(sokoban))).toBeNull();
});
