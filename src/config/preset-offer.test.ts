import { expect, it } from "vitest";
import { applyChanges, setPath } from "./changes.ts";
import { presetOffer } from "./preset-offer.ts";
import { presets } from "./presets.ts";

const lake = presets.get("frozenlake-nano").config;
const offered = (changes: Readonly<Record<string, unknown>>, from = lake) =>
  presetOffer(applyChanges(from, changes), presets.all);

it("offers the preset whose policy the model of a draft does not fit", () => {
  const offer = offered({ "env.name": "navigation" })!;
  expect(offer.preset.id).toBe("navigation-small");
  expect(offer.checkpoint.id).toBe("navigation-small-warmup");
  expect(offer.misfit).toEqual({ path: "model.vision_layers", needed: 2 });
  const random = { "env.name": "navigation", "trainer.init_checkpoint": "" };
  expect(offered(random)?.preset.id).toBe("navigation-small");
});

it("offers the preset with the most similar options of the task", () => {
  const list = { "env.name": "navigation", "env.config.render_mode": "text" };
  expect(offered(list)?.preset.id).toBe("navigation-text-nano");
  const map = { "env.name": "spatial-gym", "env.config.task": "map" };
  expect(offered(map)?.preset.id).toBe("spatial-gym-map-small");
});

it("offers a preset for a draft that cannot run as it is", () => {
  const cards = setPath(lake, "env", { name: "blackjack", preset: "none", config: {} });
  expect(presetOffer(cards, presets.all)?.preset.id).toBe("blackjack-nano");
});

it("offers nothing where a policy fits, or none was trained on the tasks", () => {
  expect(offered({ "env.name": "sokoban" })).toBeNull();
  const { envs } = presets.get("three-tasks-small").config;
  expect(offered({ envs: { home: envs.navigation } })).toBeNull();
});
