import { expect, it } from "vitest";
import { getPreset } from "../../config/presets.ts";
import { pictureAround } from "./level-preview.tsx";

const seen = { width: 32, height: 32 };
const around = (preset: string, picture: typeof seen | null = seen) =>
  pictureAround(getPreset(preset).config, picture);

it("knows that a run in several environments has pictures of its largest one", () => {
  expect(around("three-tasks-small")).toEqual({ width: 64, height: 64 });
  expect(around("three-tasks-small", null)).toBeNull();
});

it("leaves the picture as it is where none is larger", () => {
  expect(around("frozenlake-small")).toBeNull();
  expect(around("primitive-skill-small", { width: 64, height: 64 })).toBeNull();
});
