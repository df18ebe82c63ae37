import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { getPreset } from "../../config/presets.ts";
import { loadEnv } from "../../envs/index.ts";
import OwnLevel from "./level-preview-play.tsx";

const { env } = getPreset("frozenlake-nano").config;
const level = (changed: object, seed = 3) =>
  renderToStaticMarkup(<OwnLevel env={{ ...env, ...changed }} seed={seed} onBack={() => undefined} />);

it("plays the level on screen with the options of the form", () => {
  const html = level({ config: { ...env.config, size: 5 } }, 7);
  expect(html).toContain("level 7 from its beginning");
  expect(html).toContain("5 by 5 board");
  expect(html).toContain("Stop playing");
});

it("plays a level of a world once that is loaded", async () => {
  const { env: home } = getPreset("navigation-small").config;
  await loadEnv("navigation");
  expect(level(home)).toMatch(/data-testid="question"/);
});

it("says why there is no level", () => {
  expect(level({ config: { ...env.config, size: -1 } })).toMatch(/role="alert"/);
  expect(level({ name: "chess" })).not.toContain("canvas");
});
