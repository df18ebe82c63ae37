// Observations of several pictures: as many as the specification says, all of one size, each of the state that it was asked for.
import { expect, test } from "vitest";
import { rng } from "../core/rng.ts";
import type { EnvSpec } from "./env.ts";
import { envs, loadEnv } from "./index.ts";
import { drawPictures, furtherPictures, mostPictures } from "./pictures.ts";
import { pictureLevel } from "./preview.ts";
import { twoViews } from "./testing/two-views.ts";

await Promise.all(envs.ids.map(loadEnv));

const svg = envs.get("svg");
const RED = '<svg viewBox="0 0 64 64"><rect x="8" y="8" width="8" height="8" fill="red"/></svg>';
const BLUE = RED.replace("red", "blue");

const playing = (spec: EnvSpec, options: object, seed = 1) => {
  const config = spec.config.parse(options);
  const env = spec.create(config);
  env.reset(seed);
  return { env, config };
};

test.each([
  ...envs.all.map((spec) => [spec.id, spec, {}] as const),
  ["svg with the icon again", svg, { show_target: true }] as const,
  ["spatial-gym, passive", envs.get("spatial-gym"), { exp_type: "passive" }] as const,
  ["spatial-gym, passive in two rooms", envs.get("spatial-gym"), { exp_type: "passive", rooms: 2 }] as const,
  ["two views", twoViews, {}] as const,
])("%s never shows more pictures than it says, and all have one size", (_, spec, options) => {
  const { env, config } = playing(spec, options);
  const choice = rng(1).fork("pictures");
  let most = 0;
  for (let i = 0; i < 6; i++) {
    const pictures = drawPictures(env, 8);
    const { rows, cols } = spec.patches(config);
    for (const { width, height } of pictures) expect([width, height]).toEqual([cols * 8, rows * 8]);
    most = Math.max(most, pictures.length);
    if (env.step(choice.pick(spec.actions)).terminated) break;
  }
  expect(most).toBe(mostPictures(spec, config));
});

test("SVG shows the icon again beside each drawing, in every size", () => {
  const { env } = playing(svg, { show_target: true });
  const [icon] = drawPictures(env, 8);
  expect(drawPictures(env, 8)).toEqual([icon]);
  env.step(RED);
  const [red, again] = drawPictures(env, 8);
  expect(again).toEqual(icon);
  expect(red).not.toEqual(icon);
  const kept = furtherPictures(env)[0]!;
  env.step(BLUE);
  expect(kept(8)).toEqual(icon);
  expect(drawPictures(env, 24).map(({ width }) => width)).toEqual([192, 192]);
  env.reset(2);
  expect(furtherPictures(env)).toEqual([]);
});

test("SVG shows the drawing alone unless it is asked to show the icon", () => {
  const { env } = playing(svg, {});
  env.step(RED);
  expect(furtherPictures(env)).toEqual([]);
});

test("the preview of a level has every picture, for people and as the model receives it", () => {
  const { frame, further, seen } = pictureLevel(twoViews, {}, 3);
  const board = envs.get("frozenlake").create(twoViews.config.parse({}));
  board.reset(3);
  expect(further).toEqual([board.render(64)]);
  expect(seen[1]).toEqual(board.render(8));
  expect([frame, ...further, ...seen].map(({ width }) => width)).toEqual([256, 256, 32, 32]);
  expect(new Set(frame.data)).toEqual(new Set([200]));
});
