import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { applyChanges } from "../../config/changes.ts";
import { getPreset } from "../../config/presets.ts";
import { About } from "./preset-picker.tsx";

const preset = getPreset("frozenlake-nano");
const shownWith = (changes: Readonly<Record<string, unknown>>) =>
  renderToStaticMarkup(<About preset={preset} draft={applyChanges(preset.config, changes)} />);

it("describes the preset while the draft has its task and its start", () => {
  expect(shownWith({ "actor.lr": 1e-4 })).toContain(preset.description);
  expect(shownWith({ "actor.lr": 1e-4 })).toContain(preset.expectedTime);
});

it("does not say of another policy what the preset starts from", () => {
  const shown = shownWith({ "trainer.init_checkpoint": "frozenlake-nano-trained" });
  expect(shown).not.toContain(preset.description);
  expect(shown).toContain(preset.expectedTime);
});

it("says of a draft that starts from random weights how long it is", () => {
  const shown = shownWith({ "trainer.init_checkpoint": "" });
  expect(shown).toContain("From random weights: 5200 SFT updates and 60 PPO updates.");
  expect(shown).not.toContain(preset.description);
  expect(shown).not.toContain(preset.expectedTime);
});
