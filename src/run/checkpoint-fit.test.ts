// Against the files that ship; nothing of this needs a GPU, because a wrong checkpoint is refused before one is opened.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { continuedConfig } from "../config/changes.ts";
import { checkedRunConfig } from "../config/check.ts";
import { presets } from "../config/presets.ts";
import { decodeCheckpoint } from "../persistence/checkpoint.ts";
import { buildRun } from "./build-run.ts";

const nano = new Uint8Array(readFileSync("public/checkpoints/frozenlake-nano-warmup.safetensors"));
const homes = new Uint8Array(readFileSync("public/checkpoints/navigation-small-warmup.safetensors"));
const build = async (config: object) =>
  buildRun("new", checkedRunConfig(config), undefined, await decodeCheckpoint(nano, "nano"));

describe("a checkpoint of another model is refused, with the settings that would fit", () => {
  test("another size", async () => {
    await expect(build(presets.get("frozenlake-small").config)).rejects.toMatchObject({
      name: "CheckpointError",
      code: "wrong_architecture",
      message: expect.stringContaining("decoder.width is 32 in the file and 64 in the configuration"),
      hint: "Set model.hidden_size to 32, model.intermediate_size to 80, choose another checkpoint, or clear trainer.init_checkpoint to start from random weights.",
    });
  });

  test("another task", async () => {
    await expect(build(presets.get("sokoban-nano").config)).rejects.toMatchObject({
      code: "wrong_architecture",
      message: "The checkpoint was trained for FrozenLake (frozenlake) and cannot play Sokoban (sokoban).",
      hint: 'Set env.name to "frozenlake", choose another checkpoint, or clear trainer.init_checkpoint to start from random weights.',
    });
  });

  test("another task whose words may be shared, as the hint says; then only the model has to fit", async () => {
    const { config } = presets.get("spatial-gym-small");
    const home = await decodeCheckpoint(homes, "homes");
    const start = (changes: object, rest: object = {}) => {
      const trainer = { ...config.trainer, init_checkpoint: "navigation-small-warmup", ...changes };
      return buildRun("new", { ...config, ...rest, trainer }, undefined, home);
    };
    await expect(start({})).rejects.toMatchObject({
      code: "wrong_architecture",
      message: expect.stringContaining("was trained for Navigation (navigation) and cannot play SpatialGym"),
      hint: 'Set env.name to "navigation", choose another checkpoint, set trainer.init_vocabulary to "shared", or clear trainer.init_checkpoint to start from random weights.',
    });
    const shared = { init_vocabulary: "shared" };
    await expect(start(shared)).rejects.toMatchObject({ name: "GpuError", code: "no_adapter" });
    await expect(start(shared, { model: { ...config.model, hidden_size: 96 } })).rejects.toMatchObject({
      code: "wrong_architecture",
      hint: expect.stringMatching(/^Set model.hidden_size to 64, choose another checkpoint, or clear/),
    });
    const large = { env: { ...config.env, config: { ...config.env.config, resolution: 128 } } };
    await expect(start(shared, large)).rejects.toMatchObject({
      hint: expect.stringMatching(/^Set env.config.resolution to 64, choose/),
    });
    // An evaluation of such a run must have all words of its own policy.
    await expect(start({ ...shared, init_checkpoint: "" })).rejects.toMatchObject({
      code: "wrong_architecture",
    });
  });

  test("fewer layers, which may be added, as the hint says; never more", async () => {
    const { config } = presets.get("frozenlake-nano");
    const own = await decodeCheckpoint(nano, "nano");
    const start = (num_hidden_layers: number, changes: object = {}) => {
      const trainer = { ...config.trainer, init_checkpoint: "frozenlake-nano-warmup", ...changes };
      const model = { ...config.model, num_hidden_layers };
      return buildRun("new", { ...config, model, trainer }, undefined, own);
    };
    const fewer = { init_layers: "fewer" };
    const stored = config.model.num_hidden_layers;
    await expect(start(stored + 2)).rejects.toMatchObject({
      code: "wrong_architecture",
      hint: `Set model.num_hidden_layers to ${stored}, choose another checkpoint, set trainer.init_layers to "fewer", or clear trainer.init_checkpoint to start from random weights.`,
    });
    await expect(start(stored + 2, fewer)).rejects.toMatchObject({ code: "no_adapter" });
    await expect(start(stored - 1, fewer)).rejects.toMatchObject({
      hint: `Set model.num_hidden_layers to ${stored}, choose another checkpoint, or clear trainer.init_checkpoint to start from random weights.`,
    });
    // An evaluation of such a run reads its own policy, which has all layers.
    await expect(start(stored + 2, { ...fewer, init_checkpoint: "" })).rejects.toMatchObject({
      code: "wrong_architecture",
    });
  });

  test("nothing is said of a starting point where there is none, as in an evaluation", async () => {
    const config = structuredClone(presets.get("sokoban-nano").config);
    config.trainer.init_checkpoint = "";
    await expect(build(config)).rejects.toMatchObject({
      hint: 'Set env.name to "frozenlake", or choose another checkpoint.',
    });
  });

  test("one whose own configuration makes no sense is foreign", async () => {
    const checkpoint = await decodeCheckpoint(nano, "nano");
    for (const config of [{}, { env: {} }, { model: 3 }, { env: null }]) {
      const meta = { ...checkpoint.meta, config };
      const small = presets.get("frozenlake-small").config;
      await expect(buildRun("new", small, undefined, { ...checkpoint, meta })).rejects.toMatchObject({
        name: "CheckpointError",
        code: "foreign",
        message: expect.stringContaining("decoder.width is 32 in the file"),
        hint: expect.any(String),
      });
    }
  });

  test("another vocabulary", async () => {
    const config = structuredClone(presets.get("frozenlake-nano").config);
    config.rollout.max_turns = 9;
    // Rewards have no words, so the remedy does not name them.
    Object.assign(config.env.config, { success_reward: 3, format_reward: 0.7 });
    await expect(build(config)).rejects.toMatchObject({
      code: "wrong_architecture",
      hint: expect.stringMatching(/^Set rollout.max_turns to 5, choose another checkpoint, /),
    });
  });

  test("another representation of states, another order of parts", async () => {
    const config = structuredClone(presets.get("frozenlake-nano").config);
    config.rollout.prompt_format = "wm";
    config.rollout.state_format = "structured";
    await expect(build(config)).rejects.toMatchObject({
      code: "wrong_architecture",
      hint: expect.stringMatching(
        /Set rollout.prompt_format to "grounding_worldmodeling", rollout.state_format to "natural", /,
      ),
    });
  });

  test("its own configuration fits: only the GPU is missing", async () => {
    const config = continuedConfig(presets.get("frozenlake-nano").config, { "trainer.total_updates": 1 });
    await expect(build(config)).rejects.toMatchObject({ name: "GpuError", code: "no_adapter" });
  });
});
