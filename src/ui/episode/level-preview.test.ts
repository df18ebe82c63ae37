import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { getPreset } from "../../config/presets.ts";
import { canBuild, pictureAround, Solution } from "./level-preview.tsx";

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

it("hides the right answer from visitors who play the level, and says how long a solution is", () => {
  const shown = (facts: Record<string, string>, moves: number | null, envId = "navigation") =>
    renderToStaticMarkup(
      createElement(Solution, { truth: { frame: "floor" as const, things: [], facts }, moves, envId }),
    );
  expect(shown({ answer: "left" }, 3)).toMatch(
    /group-has-data-own-keys\/preview:hidden">The right answer is left\. The agent does not see it\./,
  );
  expect(shown({}, 3)).toBe('<p class="mt-2">A solution takes 3 actions. The agent does not see it.</p>');
  expect(shown({}, null)).toContain("No solution is known");
  expect(shown({}, 3, "removed")).toContain("A solution takes 3 actions.");
  expect(shown({}, 1, "blackjack")).toContain("Chance decides, so no plan is sure to succeed.");
});

it("is played only where it can be built", () => {
  const refused = (code: string) => ({ error: { code } });
  expect(canBuild({ ofTask: [], answer: null })).toBe(true);
  expect(canBuild({ ofTask: [], answer: { error: null } })).toBe(true);
  expect(canBuild({ ofTask: [], answer: refused("not_loaded") })).toBe(true);
  expect(canBuild({ ofTask: [], answer: refused("invalid_config") })).toBe(false);
  expect(canBuild({ ofTask: [{ path: "env.config.size" }], answer: null })).toBe(false);
});
