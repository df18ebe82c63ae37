import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { prerender } from "react-dom/static";
import { expect, it } from "vitest";
import { getPreset } from "../../config/presets.ts";
import type { RunConfig } from "../../config/run-config.ts";
import type { Frame, Turn } from "../../core/types.ts";
import { envs, loadEnv } from "../../envs/index.ts";
import { pictureLevel } from "../../envs/preview.ts";
import { type EnvLoad, isLoaded } from "../../envs/registry.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { ghostsOf } from "./beliefs.ts";
import { EnvPicture } from "./env-picture.tsx";
import { LevelPlace, shapeOf } from "./level-place.tsx";
import {
  AboutLevel,
  answerOf,
  canBuild,
  EnvChoice,
  pictureAround,
  pictureOf,
  pictureOfStart,
  Solution,
} from "./level-preview.tsx";

const seen = { width: 32, height: 32 };
const around = (preset: string, picture: typeof seen | null = seen) =>
  pictureAround(getPreset(preset).config, picture);

it("knows that a run in several environments has pictures of its largest one", () => {
  expect(around("three-tasks-small")).toEqual({ width: 64, height: 64 });
  expect(around("three-tasks-small", null)).toBeNull();
  const { config } = getPreset("three-tasks-small");
  const homes = Object.keys(config.envs).find(
    (name) => config.envs[name]!.name === "navigation" || name === "navigation",
  );
  expect(pictureAround(config, { width: 64, height: 64 }, homes)).toBeNull();
});

it("leaves the picture as it is where none is larger", () => {
  expect(around("frozenlake-small")).toBeNull();
  expect(around("primitive-skill-small", { width: 64, height: 64 })).toBeNull();
});

it("says of which turn and environment a policy's picture is, in a sentence", () => {
  const truth = { frame: "floor" as const, things: [] };
  const frame = { width: 1, height: 1, rgb: new Uint8Array(3) } as unknown as Frame;
  const floor = { rooms: [], openings: [], things: [] };
  const turns = [1, 2, 3].map(
    (n) => ({ observation: { text: `turn ${n}`, images: [] }, verdicts: {} }) as unknown as Turn,
  );
  const moment = { turns, index: 2, further: [], truth, compared: truth, title: "After turn 3", floor };
  const of = (render_mode: string) => pictureOf(moment, frame, { name: "sokoban", config: { render_mode } });
  expect(of("vision")).toMatchObject({ envId: "sokoban", title: "After turn 3", floor });
  expect(of("vision").reads).toBe("This is the level after turn 3 of the policy.");
  expect(of("vision")).not.toHaveProperty("text");
  expect(of("text")).toMatchObject({ text: "turn 3", textTitle: "What the policy read in turn 3" });
});

it("outlines what a policy's reply predicts of the state after its turn, and observes of that before", () => {
  const { turns } = fakeTrajectory({ skill: 1 });
  const turn = turns[0]!;
  const env = { name: "frozenlake", config: {} };
  const of = (truth: Turn["after"]) =>
    pictureOf(
      { turns, index: 0, further: [], truth, compared: truth, title: "", floor: null },
      turn.observation.images[0]!,
      env,
    );
  const game = { envId: env.name, envConfig: {} };
  expect(of(turn.after).ghosts).toEqual(ghostsOf(turn, "prediction", game));
  expect(of(turn.before).ghosts).toEqual(ghostsOf(turn, "observation", game));
  expect(of(turn.before).ghosts.length).toBeGreaterThan(0);
});

it.each(["navigation", "spatial-gym"])("draws the room on the map of a level of %s", async (name) => {
  await loadEnv(name);
  const level = pictureLevel(envs.get(name), {}, 3);
  const { rooms, openings, things } = level.floor!;
  const picture = pictureOfStart({ name, preset: "", config: {} }, level, null);
  const { prelude } = await prerender(createElement(EnvPicture, { ...picture, view: "debug" }));
  const shapes = (await new Response(prelude).text()).match(/<polygon/g);
  expect(shapes).toHaveLength(rooms.length + openings.length + things.length);
});

it("shows the text of a level where the policy reads one, and says that the picture is for people", () => {
  const level = { ...pictureLevel(envs.get("frozenlake"), {}, 3), text: "turn 1\nSF" };
  const shown = (render_mode: string) => {
    const picture = pictureOfStart({ name: "frozenlake", preset: "", config: { render_mode } }, level, null);
    return renderToStaticMarkup(createElement(EnvPicture, { ...picture, view: "agent" }));
  };
  expect(shown("text")).toMatch(
    /The picture is for people\. .*What the policy reads<\/p>.*<pre[^>]*>turn 1\nSF<\/pre>/s,
  );
  expect(shown("vision")).not.toMatch(/<pre|What the policy reads/);
});

it("folds the right answer away, hides it from visitors who play the level, and says how long a solution is", () => {
  const shown = (
    facts: Record<string, string>,
    moves: number | null,
    { envId = "navigation", config = {}, isOwn = false } = {},
  ) => {
    const truth = { frame: "floor" as const, things: [], facts };
    const env = { name: envId, config };
    return renderToStaticMarkup(createElement(Solution, { truth, moves, env, isOwn }));
  };
  expect(shown({ answer: "left" }, 3)).toMatch(
    /^<details [^>]*><summary.*the answer<\/span><\/summary><p[^>]*>The right answer is (<!-- -->)?left(<!-- -->)?\. The agent does not see it\.<\/p><\/details>$/,
  );
  expect(shown({ answer: "left" }, 3)).not.toMatch(/<details[^>]* open/);
  expect(shown({ answer: "left" }, 3, { isOwn: true })).toBe("");
  expect(shown({}, 3, { isOwn: true })).toBe(
    '<p class="mt-2">A solution takes 3 actions. The agent does not see this line.</p>',
  );
  expect(shown({}, null)).toContain("No solution is known");
  expect(shown({}, 3, { envId: "removed" })).toContain("A solution takes 3 actions.");
  expect(shown({}, 1, { envId: "svg" })).toContain(
    "One drawing solves it. The agent does not see this line.",
  );
  expect(shown({}, 2, { envId: "svg" })).toContain("A solution takes 2 drawings.");
  const chance = "Chance decides, so no plan is sure to succeed.";
  expect(shown({}, 1, { envId: "blackjack" })).toContain(chance);
  const ice = (config: object) => shown({}, 6, { envId: "frozenlake", config });
  expect(ice({ is_slippery: false, slip_prob: 0 })).not.toContain(chance);
  expect(ice({ is_slippery: true, slip_prob: 0 })).toContain(chance);
  expect(ice({ is_slippery: false, slip_prob: 0.2 })).toContain(chance);
});

it("offers every environment of a run, and nothing where there is one", () => {
  const choice = (run: RunConfig, entry?: string) =>
    renderToStaticMarkup(createElement(EnvChoice, { run, entry, onChoose: () => undefined }));
  const three = getPreset("three-tasks-small").config;
  expect(choice(getPreset("frozenlake-small").config)).toBe("");
  const html = choice(three, Object.keys(three.envs)[1]);
  expect(html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")).toBe(
    " Environment of the level FrozenLake Sokoban Navigation ",
  );
  expect(html).toMatch(/checked=""[^>]*>Navigation/);
  const twice = {
    ...three,
    envs: { again: { ...three.envs[Object.keys(three.envs)[0]!]!, name: "frozenlake" } },
  };
  expect(choice(twice)).toContain("FrozenLake (again)");
});

it("is played only where it can be built", () => {
  const refused = (code: string) => ({ error: { code } });
  expect(canBuild({ ofTask: [], answer: null })).toBe(true);
  expect(canBuild({ ofTask: [], answer: { error: null } })).toBe(true);
  expect(canBuild({ ofTask: [], answer: refused("not_loaded") })).toBe(true);
  expect(canBuild({ ofTask: [], answer: refused("invalid_config") })).toBe(false);
  expect(canBuild({ ofTask: [{ path: "env.config.size" }], answer: null })).toBe(false);
});

it("shows nothing of another task or preset until its first level is drawn, and the old level while options are edited", () => {
  const base = getPreset("frozenlake-nano").config;
  const asked = (env: object, from = base) => ({
    env: { name: "frozenlake", preset: "", config: {}, ...env },
    base: from,
  });
  const text = { render_mode: "text" };
  const lake = asked({ config: text });
  expect(answerOf(asked({ name: "sokoban", config: text }), lake)).toBeNull();
  expect(answerOf(asked({ config: {} }), lake)).toBeNull();
  expect(answerOf(asked({ preset: "easy", config: { ...text, size: 5 } }), lake)).toBeNull();
  expect(answerOf(asked({ config: { ...text, size: 5 } }), lake)).toBe(lake);
  const other = getPreset("frozenlake-small").config;
  expect(answerOf(asked({ config: { ...text, size: 5 } }, other), lake)).toBeNull();
  expect(answerOf(asked({ config: { ...text } }, other), lake)).toBe(lake);
  const about = renderToStaticMarkup(
    createElement(AboutLevel, { env: { name: "sokoban", config: {} }, answer: null, isOwn: false }),
  );
  expect(about).toContain(envs.get("sokoban").description);
  expect(about).not.toContain("solution");
});

it("says what is loaded in the place of the picture, which is as large", () => {
  const place = (load?: EnvLoad) =>
    renderToStaticMarkup(createElement(LevelPlace, { env: { name: "primitive-skill", config: {} }, load }));
  const progress = { what: "physics", bytes: 1, of: 2 ** 20 };
  expect(place({ state: "loading", progress })).toContain("Loading physics, 1.0 MiB…");
  expect(place()).toContain("Drawing a level of PrimitiveSkill");
  expect(place()).toContain("delay-300 starting:opacity-0");
  expect(shapeOf({ name: "gone", config: {} })).toBe(1);
  for (const id of envs.ids.filter(isLoaded)) {
    const { frame } = pictureLevel(envs.get(id), {}, 3);
    expect(shapeOf({ name: id, config: {} }), id).toBeCloseTo(frame.width / frame.height);
  }
});
