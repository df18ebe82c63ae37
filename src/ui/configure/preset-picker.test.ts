import { expect, it } from "vitest";
import { originText } from "./preset-picker.tsx";

it("tells below the list of presets what its closed label has no room for", () => {
  expect(originText("frozenlake-nano", "", false)).toBe("");
  expect(originText("frozenlake-nano", "", true)).toBe("Changed from the preset.");
  expect(originText(null, "the run FrozenLake nano", false)).toBe("From the run FrozenLake nano.");
  expect(originText(null, "the run FrozenLake nano", true)).toBe("From the run FrozenLake nano, changed.");
  expect(originText(null, "", true)).toBe("");
});
