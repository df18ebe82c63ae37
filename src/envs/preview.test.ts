import { expect, it } from "vitest";
import { envs, loadEnv } from "./index.ts";
import { peoplePatchPx, pictureLevel } from "./preview.ts";

const worlds = envs.all.filter(({ isWorld }) => isWorld);
await Promise.all(worlds.map(({ id }) => loadEnv(id)));

const patchPx = (id: string, options: object) => {
  const spec = envs.get(id);
  return peoplePatchPx(spec, spec.config.parse(options));
};

it("draws 64 pixels a tile on boards of any size, and a patch in a world of few patches", () => {
  expect([patchPx("frozenlake", { size: 4 }), patchPx("frozenlake", { size: 20 })]).toEqual([64, 64]);
  for (const { id } of worlds) expect([id, patchPx(id, {})]).toEqual([id, 64]);
  expect(patchPx("navigation", { resolution: 96 })).toBe(64);
});

it("draws the largest patches with which a world of more patches is at most 768 pixels wide", () => {
  expect(patchPx("navigation", { resolution: 104 })).toBe(59);
  expect(patchPx("navigation", { resolution: 256 })).toBe(24);
  expect(patchPx("primitive-skill", { resolution: 304 })).toBe(20);
});

it("never draws a patch smaller than the model sees it", () => {
  const wide = { isWorld: true as const, patches: () => ({ rows: 2, cols: 200 }) };
  expect(peoplePatchPx(wide, {})).toBe(8);
});

it("shows a level of PrimitiveSkill at the largest size of the model's picture", () => {
  const level = pictureLevel(envs.get("primitive-skill"), { resolution: 304 }, 1);
  const { frame, further, seen } = level;
  expect([frame, ...further, ...seen].map(({ width, height }) => [width, height])).toEqual([
    [760, 760],
    [304, 304],
  ]);
});

it.each(["navigation", "spatial-gym"])(
  "has the rooms and the furniture of a level of %s, for a map",
  (id) => {
    const { floor } = pictureLevel(envs.get(id), {}, 3);
    expect(floor!.rooms.length).toBeGreaterThan(0);
    expect(floor!.things.length).toBeGreaterThan(0);
  },
);

it("has no floor where the environment has none", () => {
  expect(pictureLevel(envs.get("frozenlake"), {}, 3).floor).toBeNull();
});
