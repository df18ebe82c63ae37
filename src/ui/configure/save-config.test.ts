import { afterEach, expect, it } from "vitest";
import { fileChoice } from "../../config/init-checkpoint.ts";
import { presets } from "../../config/presets.ts";
import { parseRunConfig } from "../../config/yaml.ts";
import { editField, loadDraft, useDraft } from "../store/draft-store.ts";
import { openConfigs } from "./open-config.ts";
import { canSave, configFileName, configText } from "./save-config.tsx";

afterEach(() => useDraft.setState(useDraft.getInitialState(), true));

it.each(presets.all.map(({ id, config }) => [id, config] as const))(
  "saves %s so that it can be opened again",
  async (_, config) => {
    const opened = openConfigs([{ name: "mine.yaml", text: await configText(config) }]);
    expect(opened).toEqual({ kind: "ours", config });
  },
);

it("names a checkpoint file, whose address another visit cannot use", async () => {
  const { config } = presets.all[0]!;
  const init_checkpoint = fileChoice("blob:http://localhost/1", "mine.safetensors");
  const text = await configText({ ...config, trainer: { ...config.trainer, init_checkpoint } });
  expect(text).toContain('# It started from the checkpoint file "mine.safetensors"');
  expect(text).not.toContain("blob:");
  expect(parseRunConfig(text).trainer.init_checkpoint).toBe("");
});

it("calls the file as the configuration is called", () => {
  expect(configFileName({ name: "FrozenLake nano" })).toBe("frozenlake-nano.yaml");
  expect(configFileName({ name: "" })).toBe("configuration.yaml");
});

it("waits until nothing is wrong with the configuration", () => {
  expect(canSave(useDraft.getState())).toBe(false);
  loadDraft(presets.all[0]!.config, presets.all[0]!.id);
  expect(canSave(useDraft.getState())).toBe(true);
  editField("actor.lr", -1);
  expect(canSave(useDraft.getState())).toBe(false);
});
